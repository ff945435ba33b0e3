package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/errtext"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
	"confab/themes"
	"confab/ui/markdown"
)

// printAnswer prints an answer that has ended.
func (r *report) printAnswer(ctx context.Context, ans history.Answer) error {
	r.note(ans)
	if ans.State != history.Done {
		return nil
	}
	r.tell(ans)
	path, _ := r.target()
	switch {
	case r.together():
		return nil
	case path != "":
		written, err := r.writeAnswer(ctx, ans)
		if err != nil {
			return err
		}
		return r.a.print(termtext.Line(written) + "\n")
	case ans.Kind != history.KindText:
		return r.printPicture(ctx, ans)
	}
	if err := r.header(ans); err != nil {
		return err
	}
	if strings.TrimSpace(ans.Text) == "" && !r.f.quiet {
		r.a.warn("%s: the answer is empty", r.nameOf(ans))
	}
	if r.f.raw {
		return r.a.print(withLineEnd(ans.Text))
	}
	return r.a.printText(ans.Text)
}

// tell says beside an answer how it differs from what was asked, and that it is
// simulated where others are not.
func (r *report) tell(ans history.Answer) {
	if r.f.quiet {
		return
	}
	if ans.ServedModel != "" {
		r.a.warn("%s was served as %s", ans.Model, ans.ServedModel)
	}
	var told []string
	if ans.Simulated() && !r.a.endpoint().Simulated {
		told = append(told, "simulated by the offline engine")
	}
	if ans.ServiceNote != "" {
		told = append(told, "the service says: "+ans.ServiceNote)
	}
	if len(told) > 0 {
		r.a.warn("%s: %s", r.nameOf(ans), strings.Join(told, "; "))
	}
}

// printPicture prints the bytes of the only picture, or the path of its file.
func (r *report) printPicture(ctx context.Context, ans history.Answer) error {
	ctx = context.WithoutCancel(ctx)
	if !r.a.out.terminal && len(r.order) == 1 {
		b, err := r.svc.Files().CleanCopy(ctx, ans.ID)
		if err != nil {
			return err
		}
		if !r.f.quiet && r.a.cfg.History.Save && ans.Picture != nil {
			r.a.say(termtext.Line(ans.Picture.Path))
		}
		if _, err := r.a.out.Write(b); err != nil {
			return fmt.Errorf("write the picture: %w", err)
		}
		return nil
	}
	path, err := r.pictureFile(ctx, ans)
	if err != nil {
		return err
	}
	if r.mixed() {
		if err := r.header(ans); err != nil {
			return err
		}
	}
	return r.a.print(termtext.Line(path) + "\n")
}

// pictureFile returns the file of a picture that stays: where nothing is kept,
// the service's own goes with it.
func (r *report) pictureFile(ctx context.Context, ans history.Answer) (string, error) {
	if r.a.cfg.History.Save && ans.Failure == nil {
		return ans.Picture.Path, nil
	}
	folder := r.a.cfg.Paths.Pictures + string(filepath.Separator)
	paths, err := r.svc.Write(ctx, service.Write{Answer: ans.ID, As: export.FormatPicture, Path: folder})
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// mixed tells whether the turn has several answers that are not all pictures.
func (r *report) mixed() bool {
	texts := 0
	for _, ans := range r.turn.Answers {
		if ans.Kind == history.KindText {
			texts++
		}
	}
	return len(r.order) > 1 && (texts > 0 || r.a.out.terminal)
}

// header prints which answer follows, when there are several.
func (r *report) header(ans history.Answer) error {
	if len(r.order) < 2 {
		return nil
	}
	gap := ""
	if r.shown > 0 {
		gap = "\n"
	}
	r.shown++
	if !r.a.out.styled {
		return r.a.print(fmt.Sprintf("%s==> %s <==\n", gap, r.nameOf(ans)))
	}
	s := r.a.styles()
	facts := fmt.Sprintf("%.2f s", ans.Elapsed.Seconds())
	if words := len(strings.Fields(ans.Text)); words > 0 {
		facts += fmt.Sprintf("   %d words", words)
	}
	if by := ans.AnsweredBy(); by != "" {
		facts += "   " + termtext.Line(by)
	}
	return r.a.printStyled(gap + s.Strong.Render(r.nameOf(ans)) + "   " + s.Muted.Render(facts) + "\n\n")
}

// printJSON prints an answer as an object on a line of its own.
func (r *report) printJSON(ctx context.Context, ans history.Answer) error {
	r.note(ans)
	j := r.svc.AnswerRecord(r.turn, ans)
	if ans.State == history.Done {
		path, _ := r.target()
		switch {
		case r.together():
		case path != "":
			written, err := r.writeAnswer(ctx, ans)
			if err != nil {
				return err
			}
			j.File = written
		case ans.Picture != nil && !r.a.cfg.History.Save:
			written, err := r.pictureFile(context.WithoutCancel(ctx), ans)
			if err != nil {
				return err
			}
			j.File = written
		}
	}
	r.clear()
	return r.a.printJSON(j)
}

// printJSON prints a value on a line of its own.
func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.print(escaped(b.String()))
}

// escaped writes what a terminal might obey, or not show, as JSON escapes: the
// value stays the same to the byte.
func escaped(s string) string {
	if !strings.ContainsFunc(s, unsafe) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unsafe(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func unsafe(r rune) bool {
	return r >= 0x7F && r <= 0x9F || r == 0x2028 || r == 0x2029 || errtext.IsInvisible(r) || unicode.Is(unicode.Co, r)
}

// styles returns the styles of what is printed on a terminal. Its background
// is not asked for: without a theme of the person's choice the terminal's own
// colours are legible on any.
func (a *app) styles() *themes.Styles {
	name := a.cfg.UI.Theme
	if name == "" || name == "auto" {
		name = "ansi16-dark"
		if bg := a.env.get("COLORFGBG"); strings.HasSuffix(bg, ";15") || strings.HasSuffix(bg, ";7") {
			name = "ansi16-light"
		}
	}
	return themes.New(themes.Pick(a.readThemes().palettes, name, true))
}

// printText prints the text of an answer: rendered where text may be styled,
// cleaned on any other terminal, and as it came elsewhere. Over SSH the other
// end may be a terminal without saying so: ssh HOST ask has no pseudo-terminal,
// and its client prints what comes. It ends with a line break.
func (a *app) printText(text string) error {
	switch {
	case a.out.styled:
		return a.printStyled(a.rendered(text, a.out.width()) + "\n")
	case a.out.terminal, a.served != nil:
		text = termtext.Clean(text)
	}
	return a.print(withLineEnd(text))
}

// withLineEnd returns a text that ends with a line break.
func withLineEnd(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// rendered lays markdown out.
func (a *app) rendered(text string, width int) string {
	r := markdown.NewRenderer(a.styles(), width)
	var lines []string
	for _, b := range markdown.Split(text) {
		drawn := r.Block(b)
		if len(drawn) == 0 {
			continue
		}
		if len(lines) > 0 && !b.IsContinuation {
			lines = append(lines, "")
		}
		lines = append(lines, drawn...)
	}
	return strings.Join(lines, "\n")
}

// printStyled prints text with styles in as many colours as there are.
func (a *app) printStyled(text string) error {
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: a.out.profile}
	if _, err := w.WriteString(text); err != nil {
		return fmt.Errorf("style: %w", err)
	}
	return a.print(b.String())
}

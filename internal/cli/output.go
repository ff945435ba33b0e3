package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/charmbracelet/colorprofile"

	"confab/internal/errtext"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/themes"
	"confab/ui/markdown"
)

// printJSON prints a value on a line of its own.
func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return a.print(escapeJSON(b.String()))
}

// escaped writes what a terminal might obey, or not show, as JSON escapes: the
// value stays the same to the byte.
func escapeJSON(s string) string {
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

// printer is standard output for libraries, with errors as those of [app.print].
type printer struct{ a *app }

// Write implements [io.Writer].
func (p printer) Write(b []byte) (int, error) {
	if err := p.a.print(string(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// print writes to standard output.
func (a *app) print(text string) error {
	if _, err := a.out.Write([]byte(text)); err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "standard output could not be written", Err: err}
	}
	return nil
}

// printPath prints a path: as it is for programs, cleaned for a terminal.
func (a *app) printPath(path string) error {
	if a.out.terminal {
		path = termtext.Line(path)
	}
	return a.print(path + "\n")
}

// statusLine is a line on standard error that tells how far something is, and is written over. It is shown on a
// terminal only.
type statusLine struct {
	app     *app
	isQuiet bool
	isShown bool
}

// isWanted reports whether there is a place to show the line.
func (l *statusLine) isWanted() bool { return !l.isQuiet && l.app.err.terminal && l.app.err.styled }

// show replaces the line. \r and EL are the only sequences needed, because the line never wraps.
func (l *statusLine) show(text string) {
	_, _ = fmt.Fprint(l.app.err, "\r\x1b[K"+strings.TrimRight(termtext.Fit(text, l.app.err.width()-1), " "))
	l.isShown = true
}

// clear removes the line, so that something else can be printed.
func (l *statusLine) clear() {
	if l.isShown {
		_, _ = fmt.Fprint(l.app.err, "\r\x1b[K")
		l.isShown = false
	}
}

// printList prints items: each as a JSON object on a line of its own, or all as the rows of a table.
func printList[T any](a *app, items []T, asJSON bool, object func(T) any, t table, row func(T) []string) error {
	for _, item := range items {
		if !asJSON {
			t.add(row(item)...)
		} else if err := a.printJSON(object(item)); err != nil {
			return err
		}
	}
	return a.printTable(t)
}

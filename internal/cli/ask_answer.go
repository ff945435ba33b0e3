package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/export"
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
			r.a.info(termtext.Line(ans.Picture.Path))
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
	paths, err := r.svc.Exporter().Write(ctx, export.Request{Answer: ans.ID, As: export.FormatPicture, Path: folder})
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
	j := r.svc.Exporter().AnswerRecord(r.turn, ans)
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
	r.status.clear()
	return r.a.printJSON(j)
}

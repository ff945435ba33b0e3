package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
)

// askReport prints the answers of a turn: in the order asked, each as soon as
// those before it have ended; as JSON, each as it ends.
type askReport struct {
	a        *app
	svc      *service.Service
	f        askFlags
	turn     history.Turn
	waiting  []int64 // answers that are not printed yet, in the order asked
	headings int     // how many were printed
	failures []api.Code
	began    time.Time
	status   statusLine
	err      error // why the report cannot go on
}

func newAskReport(a *app, svc *service.Service, f askFlags, t history.Turn) *askReport {
	r := &askReport{a: a, svc: svc, f: f, turn: t, began: time.Now(), status: statusLine{app: a, isQuiet: f.quiet}}
	for _, ans := range t.Answers {
		r.waiting = append(r.waiting, ans.ID)
	}
	return r
}

// follow prints the answers until all have ended, and returns an error for the exit code. When nobody reads the
// output any more, the answers that still run are stopped.
func (r *askReport) follow(ctx, sending context.Context, events <-chan history.Event) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for open := true; open; {
		select {
		case e, ok := <-events:
			if open = ok; !ok {
				break
			}
			r.turn = history.Apply(r.turn, e)
			if r.err == nil {
				if r.err = r.printReady(ctx); r.err != nil {
					r.svc.Stop(r.waiting...)
				}
			}
		case <-tick.C:
			r.showProgress()
		}
	}
	r.status.clear()
	if r.err == nil && r.isOneFile() {
		r.err = r.writeTurn(ctx)
	}
	if r.err == nil && !r.f.quiet && !r.f.json && r.a.err.terminal && r.a.out.terminal && r.svc.Saving() {
		r.a.info(fmt.Sprintf("\nsession s%d, turn t%d", r.turn.Session, r.turn.ID))
	}
	return r.outcome(ctx, sending)
}

func (r *askReport) printReady(ctx context.Context) error {
	for i := 0; i < len(r.waiting); {
		ans, ok := r.turn.Answer(r.waiting[i])
		if !ok || !ans.State.Ended() {
			if !r.f.json {
				return nil
			}
			i++
			continue
		}
		r.waiting = slices.Delete(r.waiting, i, i+1)
		r.status.clear()
		if err := r.printAnswer(context.WithoutCancel(ctx), ans); err != nil {
			return err
		}
	}
	return nil
}

func (r *askReport) printAnswer(ctx context.Context, ans history.Answer) error {
	r.countFailure(ans)
	file, err := r.fileOf(ctx, ans)
	if err != nil {
		return err
	}
	if r.f.json {
		record := r.svc.Exporter().AnswerRecord(r.turn, ans)
		if file != "" {
			record.File = file
		}
		return r.a.printJSON(record)
	}
	if ans.State != history.Done {
		return nil
	}
	r.warnDifferences(ans)
	switch {
	case r.isOneFile():
		return nil
	case ans.Picture != nil && file == "":
		return r.printPictureBytes(ctx, ans)
	case file != "":
		if r.f.output == "" && r.needsHeadings() {
			r.printHeading(ans)
		}
		return r.a.print(termtext.Line(file) + "\n")
	}
	if len(r.turn.Answers) > 1 {
		r.printHeading(ans)
	}
	if strings.TrimSpace(ans.Text) == "" && !r.f.quiet {
		r.a.warn("%s: the answer is empty", r.nameOf(ans))
	}
	if r.f.raw {
		return r.a.print(withLineEnd(ans.Text))
	}
	return r.a.printText(ans.Text)
}

// countFailure remembers the failure of an answer for the exit code, and warns of it. An answer that came but could not
// be saved has one, too.
func (r *askReport) countFailure(ans history.Answer) {
	code, text := api.CodeCancelled, "cancelled before it came"
	switch {
	case ans.Failure != nil:
		code, text = api.Code(ans.Failure.Code), asClause(ans.Failure.Message)
	case ans.State == history.Done:
		return
	case ans.State == history.Interrupted:
		text = "interrupted before it came"
	}
	r.failures = append(r.failures, code)
	if !r.f.json {
		r.a.warn("%s: %s (%s)", r.nameOf(ans), text, code)
	}
}

// warnDifferences warns of how an answer differs from what was asked, and that it is simulated where others are not.
func (r *askReport) warnDifferences(ans history.Answer) {
	if r.f.quiet {
		return
	}
	if ans.ServedModel != "" {
		r.a.warn("%s was served as %s", ans.Model, ans.ServedModel)
	}
	var notes []string
	if ans.Simulated() && !r.a.endpoint().Simulated {
		notes = append(notes, "simulated by the offline engine")
	}
	if ans.ServiceNote != "" {
		notes = append(notes, "the service says: "+ans.ServiceNote)
	}
	if len(notes) > 0 {
		r.a.warn("%s: %s", r.nameOf(ans), strings.Join(notes, "; "))
	}
}

// fileOf returns the file of an answer, written if needed; "" for an answer that goes to standard output or into the
// file of the turn.
func (r *askReport) fileOf(ctx context.Context, ans history.Answer) (string, error) {
	request := export.Request{Answer: ans.ID, As: export.FormatPicture, Path: r.f.output}
	switch {
	case ans.State != history.Done || r.isOneFile():
		return "", nil
	case r.f.output != "":
		format, _ := export.FormatOf(r.f.output)
		isJSON := format == export.FormatJSON || format == export.FormatJSONL
		if isJSON && !isFolder(r.f.output) {
			request.As = format
		} else if ans.Picture == nil {
			request.As = export.FormatText
		}
	case ans.Picture == nil, !r.f.json && !r.a.out.terminal && len(r.turn.Answers) == 1:
		return "", nil
	case r.a.cfg.History.Save && ans.Failure == nil:
		return ans.Picture.Path, nil
	default: // the service deletes its file of a picture that it could not save
		request.Path = r.a.cfg.Paths.Pictures + string(filepath.Separator)
	}
	paths, err := r.svc.Exporter().Write(ctx, request)
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

func (r *askReport) printPictureBytes(ctx context.Context, ans history.Answer) error {
	b, err := r.svc.Files().CleanCopy(ctx, ans.ID)
	if err != nil {
		return err
	}
	if !r.f.quiet && r.a.cfg.History.Save {
		r.a.info(termtext.Line(ans.Picture.Path))
	}
	if _, err := r.a.out.Write(b); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

// nameOf names an answer: its model, and its sample where there are several.
func (r *askReport) nameOf(ans history.Answer) string {
	if r.f.samples > 1 {
		return fmt.Sprintf("%s, sample %d", ans.Model, ans.Sample)
	}
	return ans.Model
}

// needsHeadings reports whether pictures need headings: there are several answers, not all of them pictures in a pipe.
func (r *askReport) needsHeadings() bool {
	isText := func(ans history.Answer) bool { return ans.Kind == history.KindText }
	return len(r.turn.Answers) > 1 && (r.a.out.terminal || slices.ContainsFunc(r.turn.Answers, isText))
}

// printHeading prints which answer follows. An output that fails now fails for the answer, too.
func (r *askReport) printHeading(ans history.Answer) {
	gap := ""
	if r.headings++; r.headings > 1 {
		gap = "\n"
	}
	if !r.a.out.styled {
		_ = r.a.print(fmt.Sprintf("%s==> %s <==\n", gap, r.nameOf(ans)))
		return
	}
	facts := fmt.Sprintf("%.2f s", ans.Elapsed.Seconds())
	if words := len(strings.Fields(ans.Text)); words > 0 {
		facts += fmt.Sprintf("   %d words", words)
	}
	if by := ans.AnsweredBy(); by != "" {
		facts += "   " + termtext.Line(by)
	}
	s := r.a.styles()
	_ = r.a.printStyled(gap + s.Strong.Render(r.nameOf(ans)) + "   " + s.Muted.Render(facts) + "\n\n")
}

func (r *askReport) outcome(ctx, sending context.Context) error {
	isOther := func(c api.Code) bool { return c != api.CodeTimeout }
	switch {
	case r.err != nil:
		return r.err
	case len(r.failures) == 0:
		return nil
	case ctx.Err() != nil:
		return exit(exitInterrupted)
	case errors.Is(sending.Err(), context.DeadlineExceeded), !slices.ContainsFunc(r.failures, isOther):
		return exit(exitTimeout)
	}
	return exit(exitFailed)
}

// showProgress shows on a terminal how far the turn is.
func (r *askReport) showProgress() {
	if !r.status.isWanted() {
		return
	}
	var waiting []string
	for _, ans := range r.turn.Answers {
		if ans.State.Ended() {
			continue
		}
		name := r.nameOf(ans)
		if text := service.RetryText(ans, time.Now()); text != "" {
			name += " (" + text + ")"
		}
		waiting = append(waiting, name)
	}
	all := len(r.turn.Answers)
	r.status.show(fmt.Sprintf("%d of %d answered   %d s   %s", all-len(waiting), all,
		int(time.Since(r.began).Seconds()), strings.Join(waiting, ", ")))
}

// isOneFile reports whether several answers go to one file.
func (r *askReport) isOneFile() bool {
	return r.f.output != "" && len(r.turn.Answers) > 1 && !isFolder(r.f.output)
}

// writeTurn writes the whole turn to the one file that -o names.
func (r *askReport) writeTurn(ctx context.Context) error {
	as, _ := export.FormatOf(r.f.output)
	paths, err := r.svc.Exporter().Write(context.WithoutCancel(ctx),
		export.Request{Turn: r.turn.ID, As: as, Path: r.f.output})
	if err != nil || r.f.json {
		return err
	}
	return r.a.print(termtext.Line(paths[0]) + "\n")
}

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
	"confab/service/suite"
)

// askReport prints the answers of turns in the order asked, texts while they are written. JSON objects come in the
// order in which answers end.
type askReport struct {
	a        *app
	svc      *service.Service
	f        askFlags
	turns    []history.Turn
	labels   *suite.Labels          // of what differs between answers of several turns, else nil
	waiting  []int64                // answers that are not printed yet, in the order asked
	headings int                    // how many were printed
	texts    map[int64]*growingText // that have begun
	failures []api.Code
	began    time.Time
	status   statusLine
	err      error // why the report cannot go on
}

func newAskReport(a *app, svc *service.Service, f askFlags, sent []service.Sent) *askReport {
	r := &askReport{a: a, svc: svc, f: f, texts: map[int64]*growingText{}, began: time.Now(),
		status: statusLine{app: a}}
	for _, one := range sent {
		r.turns = append(r.turns, one.Turn)
		for _, ans := range one.Turn.Answers {
			r.waiting = append(r.waiting, ans.ID)
		}
	}
	if len(r.turns) > 1 {
		var points []suite.Point
		for _, ans := range r.answers() {
			points = append(points, suite.PointOf(r.turnOf(ans), ans.Model))
		}
		r.labels = suite.NewLabels(points)
	}
	return r
}

// turnOf returns the turn of an answer.
func (r *askReport) turnOf(ans history.Answer) history.Turn {
	return r.turns[slices.IndexFunc(r.turns, func(t history.Turn) bool { return t.ID == ans.Turn })]
}

// answers returns the answers of all turns.
func (r *askReport) answers() (all []history.Answer) {
	for _, t := range r.turns {
		all = append(all, t.Answers...)
	}
	return all
}

func (r *askReport) answer(id int64) (ans history.Answer, ok bool) {
	for _, t := range r.turns {
		if ans, ok = t.Answer(id); ok {
			break
		}
	}
	return ans, ok
}

// follow prints answers until all have ended, and returns an error for the exit code. When the output cannot be
// written, it stops the answers that still run.
func (r *askReport) follow(ctx, sending context.Context, events <-chan history.Event) error {
	followEvents(&r.status, events, func(e history.Event) {
		for i, t := range r.turns {
			if t.ID == e.Turn {
				r.turns[i] = history.Apply(t, e)
			}
		}
		if r.err != nil {
			return
		}
		if r.err = r.printReady(ctx); r.err != nil {
			r.svc.Stop(r.waiting...)
		}
	}, r.showProgress)
	if r.err == nil && r.isOneFile() {
		r.err = r.writeTurn(ctx)
	}
	if r.err == nil && r.f.json == "" && r.a.err.terminal && r.a.out.terminal && r.svc.IsSaving() {
		first, last := r.turns[0], r.turns[len(r.turns)-1]
		text := fmt.Sprintf("\nsession s%d, turn t%d", first.Session, first.ID)
		if last.ID != first.ID {
			text = fmt.Sprintf("\nsession s%d, turns t%d to t%d", first.Session, first.ID, last.ID)
		}
		r.a.note(text)
	}
	return r.outcome(ctx, sending)
}

// printReady prints what has come of the waiting answers.
func (r *askReport) printReady(ctx context.Context) error {
	for i := 0; i < len(r.waiting); {
		ans, ok := r.answer(r.waiting[i])
		if ok && ans.State.HasEnded() {
			r.waiting = slices.Delete(r.waiting, i, i+1)
			r.status.clear()
			if err := r.printAnswer(context.WithoutCancel(ctx), ans); err != nil {
				return err
			}
			continue
		}
		if ok && r.isPrinted(ans) {
			if err := r.growText(ans); err != nil {
				return err
			}
		}
		if r.f.json == "" && !r.f.interleave {
			return nil
		}
		i++
	}
	return nil
}

// isPrinted reports whether the text of an answer goes to standard output.
func (r *askReport) isPrinted(ans history.Answer) bool {
	return ans.Kind == history.KindText && r.f.output == "" && r.f.json != "answers"
}

// growText prints the new part of a text.
func (r *askReport) growText(ans history.Answer) error {
	text := r.texts[ans.ID]
	if text == nil {
		if ans.State != history.Done && ans.Text == "" && (ans.Reasoning == "" || !r.f.reasoning) {
			return nil
		}
		text = r.newText(ans)
		r.texts[ans.ID] = text
	}
	r.status.clear()
	return text.grow(ans)
}

func (r *askReport) newText(ans history.Answer) *growingText {
	switch {
	case r.f.json != "":
		w := jsonText{r.a.printJSON, deltaJSON{Model: ans.Model, Sample: ans.Sample, Point: r.point(ans)}}
		text := newGrowingText(w, false)
		if r.f.reasoning {
			text.reason = w.reason
		}
		return text
	case r.f.interleave:
		isCleaned := !r.f.raw && r.a.mayReachTerminal()
		return newGrowingText(&linesText{print: r.a.print, prefix: r.linePrefix(ans), isCleaned: isCleaned},
			r.f.reasoning)
	case len(r.answers()) > 1:
		r.printHeading(ans)
	}
	return newGrowingText(r.a.textWriter(r.f.raw), r.f.reasoning)
}

// linePrefix returns the name of an answer, padded to the width of the longest one.
func (r *askReport) linePrefix(ans history.Answer) string {
	width := 0
	for _, a := range r.answers() {
		width = max(width, len(r.nameOf(a)))
	}
	return fmt.Sprintf("%-*s | ", width, r.nameOf(ans))
}

func (r *askReport) printAnswer(ctx context.Context, ans history.Answer) error {
	file, err := r.fileOf(ctx, ans)
	if err == nil && r.isPrinted(ans) {
		err = r.growText(ans)
	}
	if failure := failureOf(err); failure != nil && r.f.json != "" { // the answer came, and could not be written
		ans.Failure, err = failure, nil
	}
	if err != nil {
		return err
	}
	r.countFailure(ctx, ans)
	if r.f.json != "" {
		record := r.svc.Exporter().AnswerRecord(r.turnOf(ans), ans)
		if file != "" {
			record.File = file
		}
		if r.f.reasoning {
			record.Reasoning = ans.Reasoning
		}
		if r.labels == nil {
			return r.a.printJSON(record)
		}
		t := r.turnOf(ans)
		return r.a.printJSON(batchRecord{record, r.point(ans), t.Prompt, t.System, t.Vars, t.Params})
	}
	r.warnDifferences(ctx, ans)
	switch {
	case ans.State != history.Done, r.isOneFile():
		return nil
	case ans.Picture != nil && file == "":
		return r.printPictureBytes(ctx, ans)
	case file != "":
		if r.f.interleave {
			return r.a.printPath(r.linePrefix(ans) + file)
		}
		if r.f.output == "" && r.needsHeadings() {
			r.printHeading(ans)
		}
		return r.a.printPath(file)
	}
	r.printFacts(ans)
	return nil
}

// fileOf returns the path of an answer's file, which it writes if needed; "" for an answer that goes to standard
// output or into a file with all others.
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
	case ans.Picture == nil, r.f.json == "" && !r.a.out.terminal && len(r.answers()) == 1:
		return "", nil
	case r.a.config.History.Save && ans.Failure == nil:
		return r.svc.Paths().Name(ans.Picture.Path), nil
	default: // the service deletes its file of a picture that it could not save
		request.Path = r.a.config.Paths.Pictures + string(filepath.Separator)
	}
	paths, err := r.svc.Exporter().Write(ctx, request)
	if err != nil {
		return "", err
	}
	r.a.warnOfRenaming(request.Path, paths[0])
	return r.svc.Paths().Name(paths[0]), nil
}

func (r *askReport) printPictureBytes(ctx context.Context, ans history.Answer) error {
	b, err := r.svc.Files().CleanCopy(ctx, ans.ID)
	if err != nil {
		return err
	}
	if r.a.config.History.Save {
		r.a.note(termtext.Line(r.svc.Paths().Name(ans.Picture.Path)))
	}
	if _, err := r.a.out.Write(b); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

// needsHeadings reports whether pictures need headings. A list of pictures alone needs none in a pipe.
func (r *askReport) needsHeadings() bool {
	isText := func(ans history.Answer) bool { return ans.Kind == history.KindText }
	return len(r.answers()) > 1 && (r.a.out.terminal || slices.ContainsFunc(r.answers(), isText))
}

func (r *askReport) outcome(ctx, sending context.Context) error {
	isOther := func(c api.Code) bool { return c != api.CodeTimeout }
	switch {
	case r.err != nil:
		return r.err
	case len(r.failures) == 0:
		return nil
	case ctx.Err() != nil:
		return exitCode(ExitInterrupted)
	case errors.Is(sending.Err(), context.DeadlineExceeded), !slices.ContainsFunc(r.failures, isOther):
		return exitCode(ExitTimeout)
	}
	return exitCode(ExitFailed)
}

// showProgress shows how many answers have come, unless a text is being printed.
func (r *askReport) showProgress() {
	if !r.status.isWanted() || len(r.waiting) > 0 && r.texts[r.waiting[0]] != nil && !r.f.interleave {
		return
	}
	var waiting []string
	for _, ans := range r.answers() {
		if ans.State.HasEnded() {
			continue
		}
		name := r.nameOf(ans)
		if text := service.RetryText(ans, time.Now()); text != "" {
			name += " (" + text + ")"
		}
		waiting = append(waiting, name)
	}
	all := len(r.answers())
	r.status.show(fmt.Sprintf("%d of %d answered   %d s   %s", all-len(waiting), all,
		int(time.Since(r.began).Seconds()), strings.Join(waiting, ", ")))
}

func (r *askReport) isOneFile() bool {
	return r.f.output != "" && len(r.answers()) > 1 && !isFolder(r.f.output)
}

func (r *askReport) writeTurn(ctx context.Context) error {
	as, _ := export.FormatOf(r.f.output)
	paths, err := r.svc.Exporter().Write(context.WithoutCancel(ctx),
		export.Request{Turn: r.turns[0].ID, As: as, Path: r.f.output})
	if err != nil || r.f.json != "" {
		return err
	}
	return r.a.printPath(r.svc.Paths().Name(paths[0]))
}

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

// report prints the answers of a turn: in the order asked, each as soon as
// those before it have ended; as JSON, each as it ends.
type report struct {
	a       *app
	svc     *service.Service
	f       askFlags
	turn    history.Turn
	order   []int64 // answers as they were asked
	printed map[int64]bool
	shown   int // of the answers, how many went to standard output
	failed  []api.Code
	began   time.Time
	status  statusLine
	err     error
}

func newReport(a *app, svc *service.Service, f askFlags, t history.Turn) *report {
	r := &report{a: a, svc: svc, f: f, turn: t, printed: map[int64]bool{}, began: time.Now(),
		status: statusLine{app: a, isQuiet: f.quiet}}
	for _, ans := range t.Answers {
		r.order = append(r.order, ans.ID)
	}
	return r
}

// follow prints what comes until every answer has ended, and returns what the
// exit code is to say. Once nobody reads, what still runs is stopped.
func (r *report) follow(ctx, sending context.Context, events <-chan history.Event) error {
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
				if r.err = r.printReady(ctx, e.Answer); r.err != nil {
					r.svc.Stop(r.order...)
				}
			}
		case <-tick.C:
			r.progress()
		}
	}
	r.status.clear()
	if r.err == nil {
		r.err = r.writeTogether(ctx)
	}
	if r.err == nil && !r.f.quiet && !r.f.json {
		r.footer()
	}
	return r.outcome(ctx, sending)
}

// printReady prints what can be printed now that an answer changed.
func (r *report) printReady(ctx context.Context, changed history.Answer) error {
	if r.f.json {
		if changed.State.Ended() && !r.printed[changed.ID] {
			r.printed[changed.ID] = true
			return r.printJSON(ctx, changed)
		}
		return nil
	}
	for _, id := range r.order {
		if r.printed[id] {
			continue
		}
		i := slices.IndexFunc(r.turn.Answers, func(x history.Answer) bool { return x.ID == id })
		if i < 0 || !r.turn.Answers[i].State.Ended() {
			return nil
		}
		r.printed[id] = true
		r.status.clear()
		if err := r.printAnswer(ctx, r.turn.Answers[i]); err != nil {
			return err
		}
	}
	return nil
}

// note remembers how an answer ended, for the exit code, and tells of a
// failure; an answer that is there but could not be saved has one, too.
func (r *report) note(ans history.Answer) {
	switch {
	case ans.Failure != nil:
		r.failed = append(r.failed, api.Code(ans.Failure.Code))
	case ans.State != history.Done:
		r.failed = append(r.failed, api.CodeCancelled)
	default:
		return
	}
	if r.f.json {
		return
	}
	text := "cancelled before it came (cancelled)"
	if ans.Failure != nil {
		text = fmt.Sprintf("%s (%s)", asClause(ans.Failure.Message), ans.Failure.Code)
	} else if ans.State == history.Interrupted {
		text = "interrupted before it came (cancelled)"
	}
	r.status.clear()
	r.a.warn("%s: %s", r.nameOf(ans), text)
}

// nameOf names an answer: its model, and its sample where there are several.
func (r *report) nameOf(ans history.Answer) string {
	if r.f.samples > 1 {
		return fmt.Sprintf("%s, sample %d", ans.Model, ans.Sample)
	}
	return ans.Model
}

// outcome returns what the exit code is to say: the most telling first.
func (r *report) outcome(ctx, sending context.Context) error {
	switch {
	case r.err != nil:
		return r.err
	case len(r.failed) == 0:
		return nil
	case ctx.Err() != nil:
		return exit(exitInterrupted)
	case errors.Is(sending.Err(), context.DeadlineExceeded):
		return exit(exitTimeout)
	case !slices.ContainsFunc(r.failed, func(c api.Code) bool { return c != api.CodeTimeout }):
		return exit(exitTimeout)
	}
	return exit(exitFailed)
}

// progress shows on a terminal how far the turn is.
func (r *report) progress() {
	if !r.status.isWanted() {
		return
	}
	ended := 0
	var waiting []string
	for _, ans := range r.turn.Answers {
		if ans.State.Ended() {
			ended++
			continue
		}
		name := r.nameOf(ans)
		if text := service.RetryText(ans, time.Now()); text != "" {
			name += " (" + text + ")"
		}
		waiting = append(waiting, name)
	}
	r.status.show(fmt.Sprintf("%d of %d answered   %d s   %s", ended, len(r.order), int(time.Since(r.began).Seconds()),
		strings.Join(waiting, ", ")))
}

// footer tells on a terminal what became of the turn.
func (r *report) footer() {
	if !r.a.err.terminal || !r.a.out.terminal || !r.svc.Saving() {
		return
	}
	r.a.info(fmt.Sprintf("\nsession s%d, turn t%d", r.turn.Session, r.turn.ID))
}

// target says what -o means for this turn.
func (r *report) target() (path string, folder bool) {
	path = r.f.output
	if path == "" {
		return "", false
	}
	return path, isFolder(path)
}

// together tells whether several answers go to one file.
func (r *report) together() bool {
	path, folder := r.target()
	return path != "" && !folder && len(r.order) > 1
}

// formatOf returns as what a file is written, by its name.
func formatOf(path string) (export.Format, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		return export.FormatMarkdown, true
	case ".txt":
		return export.FormatText, true
	case ".json":
		return export.FormatJSON, true
	case ".jsonl":
		return export.FormatJSONL, true
	case ".html", ".htm":
		return export.FormatHTML, true
	case ".csv":
		return export.FormatCSV, true
	}
	return "", false
}

// writeAnswer writes one answer where -o says, and returns the file.
func (r *report) writeAnswer(ctx context.Context, ans history.Answer) (string, error) {
	path, folder := r.target()
	as := export.FormatText
	if ans.Kind != history.KindText {
		as = export.FormatPicture
	}
	if f, ok := formatOf(path); ok && !folder && (f == export.FormatJSON || f == export.FormatJSONL) {
		as = f
	}
	paths, err := r.svc.Exporter().Write(context.WithoutCancel(ctx), export.Request{Answer: ans.ID, As: as, Path: path})
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// writeTogether writes the whole turn to the one file that -o names.
func (r *report) writeTogether(ctx context.Context) error {
	if !r.together() {
		return nil
	}
	as, _ := formatOf(r.f.output)
	paths, err := r.svc.Exporter().Write(context.WithoutCancel(ctx),
		export.Request{Turn: r.turn.ID, As: as, Path: r.f.output})
	if err != nil {
		return err
	}
	if r.f.json {
		return nil
	}
	return r.a.print(termtext.Line(paths[0]) + "\n")
}

package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service/suiterun"
	"confab/ui/action"
	"confab/ui/keys"
)

// runResults is the table of one run.
type runResults struct {
	runTable
	run   suiterun.Table
	stats []suiterun.Stats // by column
	total suiterun.Stats
}

// newRunResults makes the table of a run. It keeps the position of an earlier state of the same run; earlier may be nil
// or another run.
func newRunResults(run suiterun.Table, earlier *runResults) *runResults {
	t := &runResults{run: run}
	t.words = tableWords{attention: "with a failure", none: "No cell of this run has failed.",
		noRows: "Nothing of this run was asked for yet.", filtered: "No prompt has a failure."}
	t.cellAt = func(row, column int) cellView { return t.summary(row, column) }
	if t.goodCell, t.fullCell = 11, 22; slices.ContainsFunc(run.Rows, hasRepeats) {
		t.goodCell, t.fullCell = 16, 24
	}
	t.totals = []totalsRow{
		{[]string{"passed ✓  failed ✗  errors !  skipped ?  unchecked ○", "✓ ✗ errors ! skipped ? unchecked ○",
			"✓ ✗ ! skipped ? unchecked ○", "✓ ✗ ! ? ○"}, t.totalStatuses},
		{[]string{"median time", "time"}, t.totalTimes},
	}
	for _, c := range run.Columns {
		t.columns = append(t.columns, oneLine(c.Name))
		t.models = append(t.models, cmp.Or(c.Model, c.Name))
	}
	t.stats = make([]suiterun.Stats, len(run.Columns))
	if earlier == nil || earlier.run.Run.ID != run.Run.ID {
		earlier = nil
	}
	for _, r := range run.Rows {
		for j, cells := range r.Cells[:min(len(r.Cells), len(run.Columns))] {
			t.stats[j].Add(cells)
			t.total.Add(cells)
		}
	}
	// In a run that was read from its stored cells, what was not asked for is no cell.
	if more := run.Run.Planned - t.total.Cells; more > 0 {
		t.total.Cells += more
		t.total.Missing += more
	}
	t.nameRows(earlier)
	if earlier != nil {
		t.restorePosition(&earlier.runTable)
	}
	return t
}

func hasRepeats(r suiterun.Row) bool {
	return slices.ContainsFunc(r.Cells, func(cells []history.Cell) bool { return len(cells) > 1 })
}

// nameRows names the rows, as earlier where they are the same.
func (t *runResults) nameRows(earlier *runResults) {
	isSame := func(a, b suiterun.Row) bool { return a.Prompt == b.Prompt && a.Test == b.Test }
	if earlier != nil && slices.EqualFunc(t.run.Rows, earlier.run.Rows, isSame) {
		t.heading, t.rows = earlier.heading, earlier.rows
		t.widestName, t.leastName = earlier.widestName, earlier.leastName
		t.rowNames, t.columnNames = earlier.rowNames, earlier.columnNames
		t.relist()
		return
	}
	names := newRowNamer(t.run.Rows)
	t.heading = names.heading()
	for _, r := range t.run.Rows {
		t.rows = append(t.rows, names.name(r))
	}
	t.finish()
}

// summary summarizes a cell of the table.
func (t *runResults) summary(row, column int) *cellSummary {
	var cells []history.Cell
	if all := t.run.Rows[row].Cells; column < len(all) {
		cells = all[column]
	}
	return &cellSummary{cells: cells, Stats: suiterun.StatsOf(cells...)}
}

// statusSigns returns the statuses of cells in signs: "3 ✓ 1 ✗".
func statusSigns(s suiterun.Stats) (string, cellTone) {
	text, tone := fmt.Sprintf("%d %s", s.Passed, signPassed), tonePlain
	for _, v := range problemStatuses() {
		if n := s.Count(v); n > 0 {
			text += fmt.Sprintf(" %d %s", n, statusSign(v))
		}
	}
	switch {
	case s.Failed > 0:
		tone = toneBad
	case s.Errors+s.Skipped > 0:
		tone = toneWarning
	}
	return text, tone
}

func (t *runResults) totalStatuses(col, w int) (string, cellTone) {
	s := &t.stats[col]
	text, tone := statusSigns(*s)
	passed := fmt.Sprintf("%d of %d %s", s.Passed, s.Ended(), signPassed)
	return firstFitting(w, text, passed, fmt.Sprintf("%d %s", s.Passed, signPassed)), tone
}

func (t *runResults) totalTimes(col, w int) (string, cellTone) {
	times := t.stats[col].Time()
	switch text := shortTime(times.Median); times.N {
	case 0:
		return "", tonePlain
	case 1:
		return text, tonePlain
	default:
		return firstFitting(w, text+" "+timeRange(times), text), tonePlain
	}
}

func (t *runResults) facts(s viewState) (cell, row string) {
	at := t.row()
	if at < 0 {
		return t.emptyText(), ""
	}
	row = rowFacts(at, t.run.Rows[at])
	if len(t.columns) == 0 {
		return "", row
	}
	return fmt.Sprintf("%d %s  %s", t.column+1, t.columns[t.column], t.summary(at, t.column).facts(s)), row
}

func (t *runResults) copyTitle() (title, what string) {
	f := t.run.Run
	return fmt.Sprintf("%s, run %d: %d of %d passed", oneLine(f.Suite), f.ID, t.total.Passed, t.total.Cells),
		fmt.Sprintf("the table of run %d", f.ID)
}

// resume asks for the cells without an answer.
func (t *runResults) resume(isLive bool) action.Action {
	if !isLive && t.unanswered() == 0 {
		return action.Notify{Severity: action.Info, Text: "Every cell of this run has an answer."}
	}
	return action.ResumeRun{Run: t.run.Run.ID}
}

// unanswered returns how many cells have no answer and are not running.
func (t *runResults) unanswered() int { return t.total.Errors + t.total.Stopped + t.total.Missing }

func (t *runResults) header(v *View) (name, short, state string) {
	f, s, muted := t.run.Run, t.total, v.styles.Muted
	name = v.runName(f)
	if period := runPeriod(f.Started, f.Ended, v.now); period != "" {
		name += muted.On("  " + period)
	}
	if f.Options.EffectiveConcurrency > 0 {
		name += muted.On(fmt.Sprintf("  %d at once", f.Options.EffectiveConcurrency))
	}
	switch {
	case s.Reused > 0:
		name += muted.On(fmt.Sprintf("  %d reused", s.Reused))
	case s.Answered() > 0:
		name += muted.On("  fresh")
	}
	if f.Note != "" {
		name += muted.On("  note: " + oneLine(f.Note))
	}
	short = fmt.Sprintf("%d/%d", s.Ended(), s.Cells)
	if bad := s.Failed + s.Errors; bad > 0 {
		short += fmt.Sprintf(" %d %s", bad, signFailed)
	} else if s.Skipped > 0 {
		short += fmt.Sprintf(" %d %s", s.Skipped, signSkipped)
	}
	began := f.Started // of a run that was resumed the first start means nothing
	if v.isLiveHere() && !v.began.IsZero() {
		began = v.began
	}
	if v.isLive() && !began.IsZero() && !v.now.IsZero() {
		if v.layout.headLines > 1 {
			short = "running"
		}
		short += " " + wholeSeconds(began, v.now)
	}
	for _, x := range []struct {
		bar    int
		length textLength
	}{{30, long}, {30, medium}, {20, long}, {20, medium}, {12, long}, {12, medium}, {6, long}, {6, medium},
		{6, brief}} {
		if state = t.progress(v, x.bar, x.length); ansi.StringWidth(state) < v.w-1 {
			break
		}
	}
	return name, short, state
}

// textLength is how much a text says.
type textLength int

const (
	long textLength = iota
	medium
	brief
)

// progress returns how many samples of the run have which state, with a bar of so many cells until the run is complete,
// and the key that asks for what is missing.
func (t *runResults) progress(v *View, bar int, length textLength) string {
	s := t.total
	var parts []string
	if !v.isLive() && s.Ended() == s.Cells {
		parts = append(parts, v.styles.Text.On(fmt.Sprintf("%d of %d passed", s.Passed, s.Cells)))
		s.Passed = 0
	} else {
		full := bar * s.Ended() / max(s.Cells, 1)
		parts = append(parts, v.styles.Progress.On(strings.Repeat("█", full))+
			v.styles.Faint.On(strings.Repeat("░", bar-full))+" "+
			v.styles.Text.On(fmt.Sprintf("%d/%d done", s.Ended(), s.Cells)))
	}
	add := func(n int, what string, tone cellTone) {
		if n > 0 {
			parts = append(parts, v.toneStyle(tone).On(fmt.Sprintf("%d %s", n, what)))
		}
	}
	if length == brief {
		text, tone := statusSigns(s)
		parts = append(parts, v.toneStyle(tone).On(strings.TrimPrefix(text, "0"+signPassed+" ")))
	} else {
		failed, errors := "failed", "errors"
		if length == long {
			failed += " (" + format.Count(s.Checks.Failed, "check") + ")"
		}
		if s.Errors == 1 {
			errors = "error"
		}
		add(s.Passed, "passed", toneGood)
		add(s.Failed, failed, toneBad)
		add(s.Skipped, "skipped", toneWarning)
		add(s.Unchecked, "unchecked", tonePlain)
		add(s.Errors, errors, toneWarning)
	}
	add(s.Running, "running", toneRunning)
	add(s.Stopped, "stopped", toneFaint)
	if v.isLive() {
		add(s.Missing, "waiting", toneFaint)
		return strings.Join(parts, "  ")
	}
	add(s.Missing, "missing", toneWarning)
	if n := t.unanswered(); n > 0 {
		what := strconv.Itoa(n)
		if length == long {
			what = fmt.Sprintf("the %d without an answer", n)
		}
		if hint := v.keys.Phrase(keys.Runs, keys.ResumeRun, "%s asks for "+what); hint != "" {
			parts = append(parts, v.styles.Muted.On(hint))
		}
	}
	return strings.Join(parts, "  ")
}

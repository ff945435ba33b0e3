package runs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// runResults is the table of one run.
type runResults struct {
	runTable
	results *suite.Results
}

// newRunResults returns the table of a run at the position of an earlier state of the same run. Earlier may be nil or
// another run.
func newRunResults(run suite.Table, earlier *runResults) *runResults {
	t := &runResults{}
	var before *suite.Results
	if earlier != nil && earlier.run().ID == run.Run.ID && earlier.results.Run.Turn == run.Turn {
		before, t.position = earlier.results, earlier.position
	}
	t.results = suite.NewResults(run, before)
	t.TableText = t.results.TableText
	t.words = tableWords{attention: "with a failure", none: "No cell has failed.",
		noRows: "Nothing sent yet.", filtered: "No row has failed."}
	t.relist()
	return t
}

func (t *runResults) run() history.Run { return t.results.Run.Run }

// transpose swaps rows and columns, and keeps the focus at its cell.
func (t *runResults) transpose() {
	t.results = t.results.Transposed()
	t.TableText = t.results.TableText
	t.position = position{isFiltered: t.isFiltered, focusedRow: t.column, column: t.focusedRow}
	t.relist()
}

// focused returns the newest answer of the focused cell, the zero value for none, and the name of the cell.
func (t *runResults) focused() (answer history.Answer, name string) {
	if t.row() < 0 || len(t.Columns) == 0 {
		return answer, ""
	}
	return t.newest(t.column).Answer, t.Columns[t.column] + "  " + t.Rows[t.row()]
}

// next is focused of the next column, or with one column of the next row.
func (t *runResults) next() (answer history.Answer, name string) {
	other := *t
	switch {
	case t.row() < 0:
	case len(t.Columns) > 1:
		other.column = (t.column + 1) % len(t.Columns)
	default:
		other.focusedRow = t.listed[(t.focusIndex()+1)%len(t.listed)]
	}
	return other.focused()
}

// newest returns the newest answer of a cell of the focused row, the zero value for none.
func (t *runResults) newest(column int) (newest action.NamedAnswer) {
	for _, c := range t.results.Cells(t.row(), column) {
		if c.Answer != 0 {
			newest.Answer = history.Answer{ID: c.Answer, Turn: c.Turn, Model: c.Model, State: c.State}
			newest.Name, newest.Checks = t.Columns[column], c.Checks
		}
	}
	return newest
}

// rowAnswers returns the newest answers of the focused row in the order of the columns.
func (t *runResults) rowAnswers() (all []action.NamedAnswer) {
	for column := 0; column < len(t.Columns) && t.row() >= 0; column++ {
		if newest := t.newest(column); newest.Answer.ID != 0 {
			all = append(all, newest)
		}
	}
	return all
}

func (t *runResults) facts(s suite.CellState) (column, cell, row string) {
	focused := t.row()
	if focused < 0 {
		return "", t.emptyText(), ""
	}
	return t.columnName(), t.results.CellFacts(focused, t.column, s), t.results.RowFacts(focused, t.column)
}

func (t *runResults) legend() []suite.TextPart { return nil }

func (t *runResults) copyTitle() (title, what string) {
	f, s := t.run(), t.results.Total
	if f.ID == 0 {
		return t.results.Extent(), "the table"
	}
	return fmt.Sprintf("%s, run %d: %d of %d passed", suite.OneLine(f.Suite), f.ID, s.Passed, s.Cells),
		fmt.Sprintf("the table of run %d", f.ID)
}

func (t *runResults) header(v *View) (state string, facts []string) {
	f, s := t.run(), t.results.Total
	began := f.Started // a resumed run counts from then
	if v.isLiveHere() && !v.live.began.IsZero() {
		began = v.live.began
	}
	if v.isLive() && !began.IsZero() {
		facts = append(facts, "running "+format.WholeSeconds(began, v.env.Now()))
	}
	add := func(text string, isTrue bool) {
		if isTrue && text != "" {
			facts = append(facts, text)
		}
	}
	add(runPeriod(f.Started, f.Ended, v.env.Now()), !f.Started.IsZero())
	add(fmt.Sprintf("%d at once", f.Options.EffectiveConcurrency), f.Options.EffectiveConcurrency > 0)
	add(fmt.Sprintf("%d reused", s.Reused), s.Reused > 0)
	add("note: "+suite.OneLine(f.Note), f.Note != "")
	const long, medium, brief = suite.Long, suite.Medium, suite.Brief
	for _, x := range []struct {
		bar    int
		length suite.SummaryLength
	}{{30, long}, {30, medium}, {20, long}, {20, medium}, {12, long}, {12, medium}, {6, long}, {6, medium},
		{6, brief}} {
		parts := t.progress(v, x.bar, x.length)
		if state = strings.Join(parts, "  "); ansi.StringWidth(state) < v.w-1 {
			break
		}
		for n := len(parts) - 1; n > 0 && x.length == brief && ansi.StringWidth(state) >= v.w-1; n-- {
			state = strings.Join(parts[:n], "  ")
		}
	}
	return state, facts
}

// progress draws the number of samples in each state, a bar of that many cells until the run is complete, and the key
// that requests missing answers.
func (t *runResults) progress(v *View, bar int, length suite.SummaryLength) (parts []string) {
	s := t.results.Total
	if !v.isLive() && s.Ended() == s.Cells && t.run().ID == 0 {
		parts = append(parts, v.styles.Text.On(fmt.Sprintf("%d of %d answered", s.Answered(), s.Cells)))
	} else if !v.isLive() && s.Ended() == s.Cells {
		tone := s.Tone()
		switch {
		case s.Passed == 0:
			tone = suite.ToneFaint
		case s.Failed > 0 && s.Passed+s.Failed == s.Cells:
			tone = suite.ToneBad
		}
		text := fmt.Sprintf("%s %d of %d passed", suite.SignPassed, s.Passed, s.Cells)
		parts = append(parts, v.toneStyle(tone).On(text))
		s.Passed = 0
	} else {
		full := bar * s.Ended() / max(s.Cells, 1)
		parts = append(parts, widget.Bar(v.styles, v.styles.Progress, full, bar)+" "+
			v.styles.Text.On(fmt.Sprintf("%d/%d done", s.Ended(), s.Cells)))
	}
	isChecked := t.run().ID != 0 || s.Checks.All() > 0 // cells have marks, which these counts explain
	add := func(mark string, n int, what string, tone suite.Tone) {
		if text := fmt.Sprintf("%d %s", n, what); n > 0 {
			if mark != "" && isChecked {
				text = mark + " " + text
			}
			parts = append(parts, v.toneStyle(tone).On(text))
		}
	}
	if length == suite.Brief {
		s.Passed, s.Unchecked = 0, 0
	}
	failed := "failed"
	if length == suite.Long && s.Checks.Failed != s.Failed {
		failed += " (" + format.Count(s.Checks.Failed, "check") + ")"
	}
	if !isChecked {
		s.Unchecked = 0 // nothing is checked in a table of turns
	}
	add(suite.SignPassed, s.Passed, "passed", suite.ToneGood)
	add(suite.SignFailed, s.Failed, failed, suite.ToneBad)
	add(suite.SignSkipped, s.Incomplete, "incomplete", suite.ToneWarning)
	add(suite.SignSkipped, s.Skipped, "skipped", suite.ToneWarning)
	add(suite.SignUnchecked, s.Unchecked, "unchecked", suite.TonePlain)
	add(suite.SignError, s.Errors, format.Plural(s.Errors, "error", "errors"), suite.ToneWarning)
	add("", s.Running, "running", suite.ToneRunning)
	add("", s.Stopped, "stopped", suite.ToneFaint)
	if v.isLive() {
		add("", s.Missing, "waiting", suite.ToneFaint)
		return parts
	}
	add("", s.Missing, "missing", suite.ToneWarning)
	if n := t.results.Unanswered(); n > 0 {
		what := strconv.Itoa(n)
		if length == suite.Long {
			what = fmt.Sprintf("the %d without an answer", n)
		}
		if hint := v.env.Keys.Phrase(keys.Runs, keys.ResumeRun, "%s asks for "+what); hint != "" {
			parts = append(parts, v.styles.Muted.On(hint))
		}
	}
	return parts
}

// runPeriod returns the start and end of a run, and a length under an hour: longer runs may have paused.
func runPeriod(from, to, now time.Time) string {
	from, now = from.Local(), now.Local()
	switch {
	case to.IsZero():
		return format.Moment(from, now)
	case from.Format(time.DateOnly) == to.Local().Format(time.DateOnly):
		text := format.Moment(from, now)
		if end := to.Local().Format("15:04"); end != from.Format("15:04") {
			text += "–" + end
		}
		if d := to.Sub(from); d >= 0 && d < time.Hour {
			text += ", " + format.Seconds(d)
		}
		return text
	}
	return format.Moment(from, now) + " – " + format.Moment(to.Local(), now)
}

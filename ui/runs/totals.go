package runs

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
	"confab/ui/widget"
)

// axisTotals is the table of the figures of every prompt, value, parameter and model.
type axisTotals struct {
	runTable
	totals  *suite.AxisTotals
	votes   suite.AnswerVotes
	results *runResults
	view    *View // whose layout says what its rows leave out
}

// newAxisTotals returns the totals of a table at a position.
func newAxisTotals(v *View, results *runResults, votes suite.AnswerVotes, focus position) *axisTotals {
	t := &axisTotals{view: v, totals: results.results.AxisTotals(votes), votes: votes, results: results}
	t.TableText, t.position = t.totals.TableText, focus
	t.words = tableWords{attention: "with a failure", none: "No cell has failed.",
		noRows: "Nothing to total: one prompt, one model.", filtered: "Nothing has failed."}
	t.relist()
	return t
}

func (t *axisTotals) header(v *View) (state string, facts []string) { return t.results.header(v) }

func (t *axisTotals) facts(state suite.CellState) (column, cell, row string) {
	if t.row() < 0 {
		return "", t.emptyText(), ""
	}
	l := t.view.layout
	more := t.totals.Facts(t.row(), func(column int) string {
		if at := column - t.firstColumn; at >= 0 && at < l.columns() {
			return t.CellAt(t.row(), column).Text(l.cellWidths[at], state)
		}
		return ""
	})
	return "", strings.TrimSuffix(t.totals.Name(t.row())+": "+more, ": "), t.failedText()
}

// failedText says in a line what failed at the focused point, "" for nothing.
func (t *axisTotals) failedText() string {
	var texts []string
	for _, f := range t.totals.Failed[t.row()] {
		texts = append(texts, f.Count()+" "+f.Label)
	}
	if len(texts) == 0 {
		return ""
	}
	return "failed: " + strings.Join(texts, ", ")
}

// bar draws in w cells which part of the judged cells of a row passed.
func (t *axisTotals) bar(row, w int) string {
	rate, isKnown := t.totals.PassRate(row)
	if !isKnown {
		return strings.Repeat(" ", w)
	}
	style, isModel := t.view.rowModel(&t.runTable, row)
	if !isModel {
		style = t.view.styles.Muted
	}
	return widget.Bar(t.view.styles, style, int(math.Round(rate*float64(w))), w)
}

func (t *axisTotals) legend() []suite.TextPart {
	if !t.totals.HasBest {
		return nil
	}
	return []suite.TextPart{{Text: suite.BestSign, Tone: suite.ToneGood}, {Text: " best of its group"}}
}

func (t *axisTotals) copyTitle() (title, what string) {
	title, _ = t.results.copyTitle()
	return title, "the totals"
}

// failedBox draws in at most h lines what failed at the focused point, and where there is space the answers that did;
// nothing in a table in which nothing failed.
func (t *axisTotals) failedBox(h int) []string {
	hasFailed := slices.ContainsFunc(t.totals.Failed, func(f []suite.Failure) bool { return len(f) > 0 })
	if h < 3 || t.row() < 0 || !hasFailed {
		return nil
	}
	failed, s := t.totals.Failed[t.row()], t.view.styles
	box := widget.Box{W: t.view.w, Pad: 1, Title: "Failed checks of " + t.totals.Name(t.row()), Styles: s}
	lines := t.failedLines(failed, h-2)
	if len(failed) > h-2 {
		box.Right = fmt.Sprintf("first %d of %d", h-2, len(failed))
	}
	box.H = h
	return widget.BoxLines(box, lines)
}

// failedLines draws the failures with their answers, or without them where these do not fit n lines.
func (t *axisTotals) failedLines(failed []suite.Failure, n int) (lines []string) {
	s, widest := t.view.styles, 0
	var answers []suite.FailedAnswer
	for _, f := range failed {
		widest, answers = max(widest, len(f.Count())), append(answers, f.Answers...)
	}
	drawn := t.answerLines(answers, widest+2)
	if len(failed) == 0 {
		return []string{s.Muted.On("none")}
	}
	for i, f := range failed {
		head := s.Danger.On(fmt.Sprintf("%*s  ", widest, f.Count())) + s.Text.On(f.Label)
		if 2*len(failed)-1+len(answers) > n {
			lines = append(lines, head)
			continue
		}
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(append(lines, head), drawn[:len(f.Answers)]...)
		drawn = drawn[len(f.Answers):]
	}
	return lines
}

// answerLines names answers that failed by model and row, with their beginnings.
func (t *axisTotals) answerLines(answers []suite.FailedAnswer, indent int) (lines []string) {
	s, w := t.view.styles, t.view.w-4
	models := make([]string, len(answers))
	column, row := 0, 0
	for i, a := range answers {
		models[i] = a.Model
		column, row = max(column, termtext.Width(a.Column)), max(row, termtext.Width(a.Row))
	}
	column, row = min(column, w/4), min(row, w/2)
	styles := s.ModelStyles(models)
	for i, a := range answers {
		line := strings.Repeat(" ", indent) + styles[i].On("● "+termtext.Fit(a.Column, column)) + "  " +
			s.Text.On(termtext.Fit(a.Row, row)) + "  " + s.Muted.On(a.Words)
		lines = append(lines, ansi.Truncate(line, w, s.Muted.On("…")))
	}
	return lines
}

// toggleTotals shows the totals by axis in place of the table, or the table again. Votes follow when they are read.
func (v *View) toggleTotals() action.Action {
	defer v.relayout()
	if v.totals != nil {
		v.totals = nil
		return nil
	}
	v.totals = newAxisTotals(v, v.results, nil, position{})
	scope := v.shown().VoteScope()
	return action.WithCmd(nil, part.Ask(v, func() (tea.Msg, error) {
		votes, err := v.env.Service.Runner().Votes(v.env.Ctx, scope)
		return votesMsg{scope, votes.Counted}, err
	}))
}

// votesMsg brings the votes for the totals of a table.
type votesMsg struct {
	scope suite.VoteScope
	votes suite.AnswerVotes
}

func (v *View) afterVotes(msg votesMsg) {
	if v.totals != nil && reflect.DeepEqual(msg.scope, v.shown().VoteScope()) {
		v.totals = newAxisTotals(v, v.results, msg.votes, v.totals.position)
		v.relayout()
	}
}

package suite

import (
	"fmt"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
)

// Changes counts the changes between two runs.
type Changes struct {
	Pairs // of the questions that both runs have: prompts with their values, by model

	sameCells, changedCells, addedCells, removedCells int
	worseCells, betterCells                           int // by their statuses
	worseChecks, betterChecks                         int
	otherChecks                                       int // added, removed, or skipped in one of the runs
	timesA, timesB                                    []time.Duration
}

func (d *Changes) add(c *Change) {
	switch {
	case c.A == nil:
		d.addedCells++
	case c.B == nil:
		d.removedCells++
	case c.IsSame():
		d.sameCells++
	default:
		d.changedCells++
	}
	for _, check := range c.Checks {
		switch {
		case check.A == history.CheckPassed && check.B == history.CheckFailed:
			d.worseChecks++
		case check.A == history.CheckFailed && check.B == history.CheckPassed:
			d.betterChecks++
		default:
			d.otherChecks++
		}
	}
	if c.A != nil && c.B != nil && c.A.Status() != c.B.Status() {
		switch a, b := c.A.Status(), c.B.Status(); {
		case b == history.CellFailed || b == history.CellError, a == history.CellPassed:
			d.worseCells++
		case b == history.CellPassed:
			d.betterCells++
		}
	}
	if isFresh(c.A) {
		d.timesA = append(d.timesA, c.A.Elapsed)
	}
	if isFresh(c.B) {
		d.timesB = append(d.timesB, c.B.Elapsed)
	}
}

// medians returns the median times of the fresh answers of both runs; ok is false if a run has none.
func (d *Changes) medians() (a, b time.Duration, ok bool) {
	return format.Summarize(d.timesA).Median, format.Summarize(d.timesB).Median, len(d.timesA) > 0 && len(d.timesB) > 0
}

// Signs returns the numbers of better, worse and changed cells in signs.
func (d *Changes) Signs() string {
	return strings.TrimSpace(joinCounts(" ", signCount{d.Better, " ↑"}, signCount{d.Worse, " ↓"}) +
		fmt.Sprintf(" %d≠", d.changedCells))
}

// SummaryLength chooses between long and short texts.
type SummaryLength int

const (
	Long SummaryLength = iota
	Medium
	Brief
)

// Summary describes the changes in one line: the verdicts, and what changed unless it is brief.
func (d *Changes) Summary(length SummaryLength) string {
	text := d.changesText(length)
	switch {
	case d.Better+d.Worse+d.Same == 0:
		return text
	case length == Brief:
		return d.Pairs.String()
	}
	return d.Pairs.String() + "; " + text
}

// changesText describes what changed, without the verdicts of questions.
func (d *Changes) changesText(length SummaryLength) string {
	parts := []string{fmt.Sprintf("%d changed", d.changedCells)}
	if length == Long {
		parts[0] = fmt.Sprintf("%d unchanged, ", d.sameCells) + parts[0]
	}
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	if length == Long {
		add(d.worseChecks, format.Count(d.worseChecks, "check")+" fell")
		add(d.betterChecks, format.Count(d.betterChecks, "check")+" rose")
		add(d.otherChecks, format.Count(d.otherChecks, "check")+" came or went")
	}
	add(d.addedCells, fmt.Sprintf("%d new", d.addedCells))
	add(d.removedCells, fmt.Sprintf("%d gone", d.removedCells))
	if a, b, ok := d.medians(); ok && length == Long {
		parts = append(parts, fmt.Sprintf("median time %s → %s", format.Seconds(a), format.Seconds(b)))
	}
	return strings.Join(parts, ", ")
}

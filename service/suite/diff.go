package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
)

// Diff is a cell of the table of two runs: the samples of one prompt and one model in both.
type Diff struct {
	changes []*Change // by repetition
	stats   Changes
	a, b    Stats // of the samples that both runs have
}

// add adds a sample.
func (d *Diff) add(c *Change) {
	d.changes = append(d.changes, c)
	d.stats.add(c)
	if c.A != nil && c.B != nil {
		d.a.add(c.A)
		d.b.add(c.B)
	}
}

// pairs returns the verdicts of the question in both runs as a pair; none if a run lacks the question.
func (d *Diff) pairs() (p Pairs) {
	if d.a.Cells > 0 {
		p.add(d.a.Passed, d.a.Passed+d.a.Failed, d.b.Passed, d.b.Passed+d.b.Failed)
	}
	return p
}

func (d *Diff) Text(w int, _ CellState) string {
	switch len(d.changes) {
	case 0:
		return firstFitting(w, signNone)
	case 1:
		return firstFitting(w, d.sampleTexts(d.changes[0])...)
	}
	return firstFitting(w, d.samplesTexts()...)
}

func (d *Diff) Tone() Tone {
	switch {
	case d.stats.worseChecks+d.stats.worseCells > 0:
		return ToneBad
	case d.stats.betterChecks+d.stats.betterCells > 0 && d.b.Passed == d.b.Cells:
		return ToneGood
	case d.NeedsAttention():
		return ToneWarning
	}
	return ToneFaint
}

func (d *Diff) NeedsAttention() bool {
	return d.stats.changedCells+d.stats.addedCells+d.stats.removedCells > 0
}

// sampleTexts returns the texts for a single sample, the longest first.
func (d *Diff) sampleTexts(c *Change) []string {
	switch {
	case c.A == nil:
		return []string{"+ new " + statusSign(c.B.Status()), "+ new"}
	case c.B == nil:
		return []string{"− gone " + statusSign(c.A.Status()), "− gone"}
	}
	a, b := statusSign(c.A.Status()), statusSign(c.B.Status())
	var parts []string
	switch {
	case a != b:
		parts = append(parts, a+"→"+b)
	case d.stats.worseChecks > 0 && d.stats.betterChecks == 0:
		parts = append(parts, "checks↓")
	case d.stats.betterChecks > 0 && d.stats.worseChecks == 0:
		parts = append(parts, "checks↑")
	case len(c.Checks) > 0:
		parts = append(parts, a+" other checks")
	}
	switch {
	case !c.HasAnswerChanged && c.A.State != history.Done:
		parts = append(parts, "= "+a)
	case c.IsSame():
		parts = append(parts, "=")
	case c.HasAnswerChanged && hasPicture(c):
		parts = append(parts, "≠ picture")
	case c.HasAnswerChanged && c.A.State == history.Done && c.B.State == history.Done:
		parts = append(parts, "≠ "+similarityText(c.Similarity))
	}
	texts := []string{strings.Join(parts, " "), parts[0]}
	if a, b, ok := d.stats.medians(); ok {
		texts = append([]string{strings.TrimSpace(texts[0] + " " + timeDifference(b-a))}, texts...)
	}
	return texts
}

func hasPicture(c *Change) bool {
	return c.AnswerA.Picture != nil || c.AnswerB.Picture != nil
}

// samplesTexts returns the texts for several samples, the longest first.
func (d *Diff) samplesTexts() []string {
	s := &d.stats
	counts := []signCount{{s.worseChecks, " ↓"}, {s.betterChecks, " ↑"}, {s.changedCells, " ≠"},
		{s.addedCells, " +"}, {s.removedCells, " −"}, {s.sameCells, " ="}}
	counts = slices.DeleteFunc(counts, func(c signCount) bool { return c.n == 0 })
	var texts []string
	for n := len(counts); n > 0; n-- {
		texts = append(texts, joinCounts(" ", counts[:n]...))
	}
	if len(texts) == 0 {
		return []string{signNone}
	}
	if a, b, ok := s.medians(); ok {
		texts = append([]string{strings.TrimSpace(texts[0] + " " + timeDifference(b-a))}, texts...)
	}
	return texts
}

// First returns the first sample that differs, or else the first one, and its number; nil if there is none.
func (d *Diff) First() (change *Change, number int) {
	for i, c := range d.changes {
		if !c.IsSame() {
			return c, i + 1
		}
	}
	if len(d.changes) > 0 {
		return d.changes[0], 1
	}
	return nil, 0
}

// HasSamples reports whether a run has several samples of the cell.
func (d *Diff) HasSamples() bool { return len(d.changes) > 1 }

// Facts describes the changes between the runs a and b.
func (d *Diff) Facts(a, b int64) string {
	c, number := d.First()
	if c == nil {
		return "in neither run"
	}
	text := ChangeFacts(c, a, b)
	if len(d.changes) == 1 {
		return text
	}
	return fmt.Sprintf("%s: %s; sample %d: %s", format.Count(len(d.changes), "sample"), d.stats.changesText(Long),
		number, text)
}

// ChangeFacts describes the changes of one sample.
func ChangeFacts(c *Change, a, b int64) string {
	switch {
	case c.A == nil:
		return fmt.Sprintf("new: only run %d has it, %s", b, Outcome(c.B, c.AnswerB))
	case c.B == nil:
		return fmt.Sprintf("gone: only run %d has it, %s", a, Outcome(c.A, c.AnswerA))
	}
	var parts []string
	switch {
	case c.A.State != c.B.State || !c.HasAnswerChanged && c.A.State != history.Done:
		parts = append(parts, Outcome(c.A, c.AnswerA)+" → "+Outcome(c.B, c.AnswerB))
	case c.HasAnswerChanged && hasPicture(c):
		parts = append(parts, "another picture")
	case c.HasAnswerChanged:
		parts = append(parts, "another text, similarity "+similarityText(c.Similarity))
	case hasPicture(c):
		parts = append(parts, "the same picture")
	default:
		parts = append(parts, "the same text")
	}
	for i, check := range c.Checks {
		if i == 3 && len(c.Checks) > 4 {
			parts = append(parts, fmt.Sprintf("%d more checks", len(c.Checks)-i))
			break
		}
		parts = append(parts, checkFacts(c, check))
	}
	if c.A.State == history.Done && c.B.State == history.Done {
		parts = append(parts, elapsedText(c.A)+" → "+elapsedText(c.B))
	}
	if c.HasPromptChanged {
		parts = append(parts, "what was sent differs")
	}
	return strings.Join(parts, "; ")
}

// elapsedText returns the time of an answer, in parentheses for a reused one.
func elapsedText(c *history.Cell) string {
	if c.IsCached {
		return signReused + " (" + format.Seconds(c.Elapsed) + ")"
	}
	return format.Seconds(c.Elapsed)
}

// checkFacts describes the change of a check's verdict, with the reason if the check fails now.
func checkFacts(c *Change, check CheckChange) string {
	text := fmt.Sprintf("check %s: %s → %s", OneLine(check.Name), cmp.Or(OneLine(check.A), "none"),
		cmp.Or(OneLine(check.B), "none"))
	for _, r := range c.B.Checks {
		if r.Name == check.Name && r.Verdict == check.B && check.B == history.CheckFailed && r.Reason != "" {
			return text + ", " + OneLine(r.Reason)
		}
	}
	return text
}

// Outcome describes in a few words how a sample ended.
func Outcome(c *history.Cell, answer history.Answer) string {
	switch {
	case c.State == history.Failed && answer.Failure != nil:
		return "error " + codeWords(answer.Failure.Code) + ", " + OneLine(answer.Failure.Message)
	case c.State == history.Failed:
		return "error " + codeWords(c.FailureCode)
	case c.State == history.Done:
		if c.Ending != history.EndsWhole {
			return "answered, but " + string(c.Ending)
		}
		if checks := CountChecks(c.Checks); checks.Passed < checks.All() {
			return fmt.Sprintf("%d of %d checks passed", checks.Passed, checks.All())
		}
		return "answered"
	case c.State == "":
		return "not asked for"
	}
	return string(c.State)
}

// timeDifference formats a difference of times: "+0.2 s", "−1.4 s"; empty for hardly any.
func timeDifference(d time.Duration) string {
	switch {
	case d >= 50*time.Millisecond:
		return "+" + format.Seconds(d)
	case d <= -50*time.Millisecond:
		return "−" + format.Seconds(-d)
	}
	return ""
}

// similarityText formats a share with two digits, ".83"; never 1, which would mean the same text.
func similarityText(share float64) string {
	return fmt.Sprintf(".%02d", max(min(int(share*100), 99), 0))
}

package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
)

// ComparedCell is a cell of the table of two runs: the samples of one prompt and one model in both.
type ComparedCell struct {
	ChangeCounts
	changes []*Change // by repetition
	a, b    Stats     // of the samples that both runs have

	changedStatuses int // of the samples that both runs have
}

// add adds a sample.
func (d *ComparedCell) add(c *Change) {
	d.changes = append(d.changes, c)
	d.ChangeCounts.add(c)
	if c.A != nil && c.B != nil {
		d.a.add(c.A)
		d.b.add(c.B)
		if c.A.Status() != c.B.Status() {
			d.changedStatuses++
		}
	}
}

// Text implements [CellText].
func (d *ComparedCell) Text(w int, s CellState) string {
	var b strings.Builder
	for _, part := range d.Parts(w, s) {
		b.WriteString(part.Text)
	}
	return b.String()
}

// signOther stands before the verdict where the answer differs; [signSame] does where it does not.
const signOther = "≠"

// Legend explains the signs.
func (c *Comparison) Legend() []TextPart {
	what := "text"
	if c.hasPictures {
		what = "answer"
	}
	return []TextPart{{signOther + " other " + what + "  " + signSame + " same " + what, ToneMuted}}
}

// Parts implements [PartedText]: the sign of the answer, the verdict, what was and is, and the times or their
// difference. Where that is too long, the times give way first.
func (d *ComparedCell) Parts(w int, _ CellState) []TextPart {
	if len(d.changes) == 0 {
		return []TextPart{{signNone, ToneFaint}}
	}
	sign, words := d.signAndWords()
	details, times := d.details(), d.times()
	const wordWidth, detailWidth, gap = 12, 16, 2 // cells of most of them, so that they are below each other
	parts := []TextPart{{sign + " ", d.signTone()}, {words[0], d.Tone()}}
	used := cellWidth(sign+" ") + max(cellWidth(words[0]), wordWidth)
	add := func(part TextPart, width int) {
		last := &parts[len(parts)-1]
		last.Text += strings.Repeat(" ", max(width-cellWidth(last.Text), 0)+gap)
		parts = append(parts, part)
	}
	if len(details) == 0 && len(times) > 0 {
		details = []string{""}
	}
	for _, detail := range details {
		if used+gap+cellWidth(detail) > w {
			continue
		}
		for _, took := range times {
			if used+gap+max(cellWidth(detail), detailWidth)+gap+cellWidth(took) <= w {
				add(TextPart{detail, d.signTone()}, wordWidth)
				add(TextPart{took, ToneMuted}, detailWidth)
				return parts
			}
		}
		if detail != "" {
			add(TextPart{detail, d.signTone()}, wordWidth)
		}
		return parts
	}
	parts[1].Text = firstFitting(max(w-cellWidth(sign)-1, 1), words...)
	return parts
}

// signAndWords returns the sign of the answer and the words for the verdict, the longest first.
func (d *ComparedCell) signAndWords() (sign string, words []string) {
	sign = signSame
	if d.changedAnswers > 0 {
		sign = signOther
	}
	switch {
	case len(d.changes) > 1:
		return sign, d.samplesTexts()
	case d.addedCells > 0:
		return "+", []string{"new"}
	case d.removedCells > 0:
		return "−", []string{"gone"}
	}
	return sign, []string{d.verdict()}
}

// details returns what was and is, the longest first, where the verdict does not say it.
func (d *ComparedCell) details() []string {
	c := d.changes[0]
	switch {
	case len(d.changes) > 1: // whose words have it
		return nil
	case c.A == nil:
		return []string{string(c.B.Status())}
	case c.B == nil:
		return []string{string(c.A.Status())}
	}
	a, b := CountChecks(c.A.Checks), CountChecks(c.B.Checks)
	from, to := c.A.Status(), c.B.Status()
	switch hasCounts := a.All() > 1 && b.All() > 1; {
	case hasCounts && (a.Passed != b.Passed || a.All() != b.All()):
		counts := fmt.Sprintf("%d/%d → %d/%d", a.Passed, a.All(), b.Passed, b.All())
		return []string{counts + " checks", counts}
	case from != to && to == history.CellUnchecked:
		return []string{string(from) + " before"}
	case from != to && from == history.CellUnchecked:
		return []string{string(to) + " now"}
	case from != to && d.Better+d.Worse == 0:
		return []string{string(from) + " → " + string(to)}
	case d.editedCells > 0:
		return []string{"checks edited"}
	}
	return nil
}

// times returns both times and their difference, the longest first; none where they hardly differ.
func (d *ComparedCell) times() []string {
	a, b, ok := d.medians()
	difference := timeDifference(b - a)
	if !ok || difference == "" {
		return nil
	}
	return []string{strings.TrimSuffix(format.Seconds(a), " s") + " → " + format.Seconds(b), difference}
}

// Tone implements [CellText]: that of the verdict.
func (d *ComparedCell) Tone() Tone {
	switch {
	case d.Worse+d.failsMore > 0:
		return ToneBad
	case d.Better+d.failsLess > 0:
		return ToneGood
	}
	return d.signTone()
}

// signTone returns the color of the sign of the answer. Another one is no warning.
func (d *ComparedCell) signTone() Tone {
	if d.NeedsAttention() {
		return TonePlain
	}
	return ToneFaint
}

// NeedsAttention implements [CellText].
func (d *ComparedCell) NeedsAttention() bool { return d.changedCells+d.addedCells+d.removedCells > 0 }

// verdict says how the verdict on the question has changed, as totals count it.
func (d *ComparedCell) verdict() string {
	switch {
	case d.Worse > 0:
		return "now fails"
	case d.Better > 0:
		return "now passes"
	case d.failsMore > 0:
		return "fails more"
	case d.failsLess > 0:
		return "fails less"
	case d.unchecked > 0:
		return "unchecked"
	case d.Unjudged > 0:
		return "inconclusive"
	case d.b.Failed > 0 && d.b.Passed == 0:
		return "still fails"
	case d.b.Failed > 0:
		return "as before"
	}
	return "still passes"
}

func (c *Change) hasPicture() bool { return c.AnswerA.Picture != nil || c.AnswerB.Picture != nil }

// samplesTexts returns the texts for several samples, the longest first.
func (d *ComparedCell) samplesTexts() (texts []string) {
	verdict := d.verdict()
	if d.Better+d.Worse > 0 {
		rate := func(s Stats) string { return fmt.Sprintf("%d/%d", s.Passed, s.Cells) }
		verdict = rate(d.a) + " → " + rate(d.b)
		texts = append(texts, verdict)
		verdict += " passed"
	}
	counts := []signCount{{d.changedAnswers, " other"}, {d.addedCells, " new"}, {d.removedCells, " gone"},
		{d.editedCells, " edited"}, {d.sameCells, " same"}}
	counts = slices.DeleteFunc(counts, func(c signCount) bool { return c.n == 0 })
	if len(counts) == 1 && d.sameCells > 0 {
		counts = nil
	}
	for n := range len(counts) + 1 {
		texts = append(texts, joinNonEmpty(", ", verdict, joinCounts(", ", counts[:n]...)))
	}
	slices.Reverse(texts)
	return texts
}

// First returns the first sample that differs, or else the first one, and its number; nil if there is none.
func (d *ComparedCell) First() (change *Change, number int) {
	if len(d.changes) == 0 {
		return nil, 0
	}
	i := max(slices.IndexFunc(d.changes, func(c *Change) bool { return !c.IsSame() }), 0)
	return d.changes[i], i + 1
}

// HasSamples reports whether a run has several samples of the cell.
func (d *ComparedCell) HasSamples() bool { return len(d.changes) > 1 }

// Facts describes the changes between the runs a and b.
func (d *ComparedCell) Facts(a, b int64) string {
	c, number := d.First()
	switch {
	case c == nil:
		return "in neither run"
	case d.HasSamples():
		samples := format.Count(len(d.changes), "sample") + ": " + d.Changes(Long)
		return joinNonEmpty("; ", d.samplesTexts()[len(d.samplesTexts())-1], samples,
			fmt.Sprintf("sample %d: %s", number, c.facts(a, b)))
	case c.A == nil || c.B == nil:
		return c.facts(a, b)
	case len(c.Checks) > 0:
		return d.verdict() + ": " + c.facts(a, b)
	}
	return d.verdict() + "; " + c.facts(a, b)
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

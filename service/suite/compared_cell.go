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

// Signs of a cell of two runs, which has one.
const (
	signBetter  = "▲"
	signWorse   = "▼"
	signChanged = "~" // the answer, not its verdict
)

// ComparisonLegend explains the signs.
func ComparisonLegend() []TextPart {
	return []TextPart{{signBetter, ToneGood}, {" better  ", TonePlain}, {signWorse, ToneBad}, {" worse  ", TonePlain},
		{signChanged + " answer changed  " + signSame + " same answer", TonePlain}}
}

// Parts implements [PartedText]: a sign, a word, what was and is, and the times or their difference. Where that is too
// long, the times give way first.
func (d *ComparedCell) Parts(w int, _ CellState) []TextPart {
	if len(d.changes) == 0 {
		return []TextPart{{signNone, ToneFaint}}
	}
	sign, words := d.signAndWords()
	details, times := d.details(), d.times()
	const wordWidth, detailWidth, gap = 9, 16, 2 // cells of most of them, so that they are below each other
	parts := []TextPart{{sign + " ", d.Tone()}, {words[0], d.wordTone()}}
	used := cellWidth(sign+" ") + max(cellWidth(words[0]), wordWidth)
	add := func(part TextPart, width int) {
		last := &parts[len(parts)-1]
		last.Text += strings.Repeat(" ", max(width-cellWidth(last.Text), 0)+gap)
		parts = append(parts, part)
	}
	for i, detail := range details {
		if used+gap+cellWidth(detail) > w {
			continue
		}
		add(TextPart{detail, d.answerTone()}, wordWidth)
		for _, took := range times {
			if i == 0 && used+gap+max(cellWidth(detail), detailWidth)+gap+cellWidth(took) <= w {
				add(TextPart{took, ToneMuted}, detailWidth)
				break
			}
		}
		return parts
	}
	if len(times) > 0 && len(details) == 0 && used+gap+cellWidth(times[len(times)-1]) <= w {
		add(TextPart{times[len(times)-1], ToneMuted}, wordWidth)
		return parts
	}
	parts[1].Text = firstFitting(max(w-cellWidth(sign)-1, 1), words...)
	return parts
}

// signAndWords returns the sign of the verdict if it differs, else of the answer, and words for it, the longest first.
func (d *ComparedCell) signAndWords() (sign string, words []string) {
	word := d.verdict()
	sign = map[string]string{"better": signBetter, "worse": signWorse, "unchecked": SignUnchecked,
		"inconclusive": SignSkipped}[word]
	switch {
	case sign == "" && d.changedAnswers > 0:
		sign, word = signChanged, "changed"
	case sign == "":
		sign, word = signSame, "same"
	}
	switch {
	case len(d.changes) > 1:
		return sign, d.samplesTexts()
	case d.addedCells > 0:
		return "+", []string{"new"}
	case d.removedCells > 0:
		return "−", []string{"gone"}
	}
	return sign, []string{word}
}

// details returns what was and is, the longest first: the checks that passed, or else the statuses.
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
	case from != to:
		return []string{string(from) + " → " + string(to)}
	case d.checksText() != "":
		return []string{d.checksText()}
	case d.editedCells > 0:
		return []string{"checks edited"}
	case from == history.CellUnchecked, from == history.CellMissing:
		return nil
	}
	return []string{"still " + string(from)}
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
	case d.Worse > 0:
		return ToneBad
	case d.Better > 0:
		return ToneGood
	}
	return d.answerTone()
}

// answerTone returns the color of the sign of the answer. A changed one is no warning.
func (d *ComparedCell) answerTone() Tone {
	if d.NeedsAttention() {
		return TonePlain
	}
	return ToneFaint
}

// wordTone returns the color of the words: that of the verdict, or of the checks where it is the same.
func (d *ComparedCell) wordTone() Tone {
	switch tone := d.Tone(); {
	case tone != TonePlain:
		return tone
	case d.worseChecks > 0:
		return ToneBad
	case d.betterChecks > 0:
		return ToneGood
	}
	return TonePlain
}

// NeedsAttention implements [CellText].
func (d *ComparedCell) NeedsAttention() bool { return d.changedCells+d.addedCells+d.removedCells > 0 }

// verdict says in a word how the verdict on the question has changed, as totals count it; "" where it has not.
func (d *ComparedCell) verdict() string {
	switch {
	case d.Worse > 0:
		return "worse"
	case d.Better > 0:
		return "better"
	case d.changedStatuses == 0 || d.Unjudged == 0:
		return ""
	case d.unchecked > 0:
		return "unchecked"
	}
	return "inconclusive"
}

// checksText counts the checks with another verdict, where that of the question is the same.
func (d *ComparedCell) checksText() string {
	return joinCounts(", ", signCount{d.worseChecks, format.Plural(d.worseChecks, " check", " checks") + " worse"},
		signCount{d.betterChecks, format.Plural(d.betterChecks, " check", " checks") + " better"})
}

func (c *Change) hasPicture() bool { return c.AnswerA.Picture != nil || c.AnswerB.Picture != nil }

// samplesTexts returns the texts for several samples, the longest first.
func (d *ComparedCell) samplesTexts() (texts []string) {
	verdict := d.verdict()
	if verdict == "" {
		verdict = d.checksText()
	} else {
		rate := func(s Stats) string { return fmt.Sprintf("%d/%d", s.Passed, s.Cells) }
		texts = append(texts, verdict)
		verdict += " " + rate(d.a) + " → " + rate(d.b)
	}
	counts := []signCount{{d.changedAnswers, " changed"}, {d.addedCells, " new"}, {d.removedCells, " gone"},
		{d.editedCells, " edited"}, {d.sameCells, " same"}}
	counts = slices.DeleteFunc(counts, func(c signCount) bool { return c.n == 0 })
	if verdict == "" && len(counts) == 1 && d.sameCells > 0 {
		return []string{"same"}
	}
	for n := range len(counts) + 1 {
		if text := joinNonEmpty(", ", verdict, joinCounts(", ", counts[:n]...)); text != "" {
			texts = append(texts, text)
		}
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
	case !d.HasSamples():
		return joinNonEmpty("; ", d.verdict(), c.facts(a, b))
	}
	samples := format.Count(len(d.changes), "sample") + ": " + d.Changes(Long)
	return joinNonEmpty("; ", d.verdict(), samples, fmt.Sprintf("sample %d: %s", number, c.facts(a, b)))
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

package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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

// Signs of a cell of two runs. The first one is the verdict's, the second one the answer's.
const (
	signBetter  = "▲"
	signWorse   = "▼"
	signChanged = "~"
)

// ComparisonLegend explains the signs.
const ComparisonLegend = signBetter + " better  " + signWorse + " worse  " + signChanged + " answer changed  " +
	signSame + " same answer"

// Parts implements [PartedText]: signs of the verdict and of the answer, a word, and the difference of the times.
func (d *ComparedCell) Parts(w int, _ CellState) []TextPart {
	if len(d.changes) == 0 {
		return []TextPart{{signNone, ToneFaint}}
	}
	verdict, answer, words := d.signs()
	head := []TextPart{{verdict + " ", d.Tone()}, {answer + " ", d.answerTone()}}
	const headWidth, wordWidth, gap = 4, 8, 1
	if a, b, ok := d.medians(); ok && timeDifference(b-a) != "" {
		took := timeDifference(b - a)
		word := words[0] + strings.Repeat(" ", max(wordWidth-cellWidth(words[0]), gap))
		if headWidth+cellWidth(word+took) <= w {
			return append(head, TextPart{word, d.wordTone()}, TextPart{took, ToneMuted})
		}
	}
	return append(head, TextPart{firstFitting(max(w-headWidth, 1), words...), d.wordTone()})
}

// signs returns the signs of the verdict and of the answer, and words for both, the longest first.
func (d *ComparedCell) signs() (verdict, answer string, words []string) {
	verdict, answer = " ", signSame
	word := d.verdict()
	switch word {
	case "better":
		verdict = signBetter
	case "worse":
		verdict = signWorse
	case "unchecked":
		verdict = SignUnchecked
	case "inconclusive":
		verdict = SignSkipped
	}
	if d.changedAnswers > 0 {
		answer = signChanged
	}
	switch {
	case len(d.changes) > 1:
		return verdict, answer, d.samplesTexts()
	case d.addedCells > 0:
		return " ", "+", []string{"new " + statusSign(d.changes[0].B.Status()), "new"}
	case d.removedCells > 0:
		return " ", "−", []string{"gone " + statusSign(d.changes[0].A.Status()), "gone"}
	case word == "" && d.checksText() != "":
		return verdict, answer, []string{d.checksText(), "checks"}
	case word == "" && d.editedCells > 0:
		return verdict, answer, []string{"checks edited", "edited"}
	case word == "" && d.changedAnswers > 0:
		word = "changed"
	case word == "" && d.sameCells == 0:
		word = "same " + statusSign(d.changes[0].A.Status())
	case verdict == SignUnchecked, verdict == SignSkipped:
		a, b := d.changes[0].A.Status(), d.changes[0].B.Status()
		return verdict, answer, []string{word + " " + statusSign(a) + "→" + statusSign(b), word}
	}
	return verdict, answer, []string{cmp.Or(word, "same")}
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
		verdict += " " + rate(d.a) + "→" + rate(d.b)
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

package runs

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service/runstats"
	"confab/service/suiterun"
)

// cellDiff is a cell of the table of two runs: the samples of one prompt and one model in both.
type cellDiff struct {
	changes []*suiterun.Change // by repetition
	stats   diffStats
	texts   []string // of which the first that fits is shown
}

func newCellDiff(changes []*suiterun.Change) *cellDiff {
	d := &cellDiff{changes: changes}
	for _, c := range changes {
		d.stats.add(c)
	}
	switch len(changes) {
	case 0:
		d.texts = []string{signNone}
	case 1:
		d.texts = sampleDiffTexts(changes[0])
	default:
		d.texts = d.samplesTexts()
	}
	return d
}

func (d *cellDiff) text(w int, _ viewState) string { return firstFitting(w, d.texts...) }

func (d *cellDiff) tone() cellTone {
	switch {
	case d.stats.checksFell+d.stats.worse > 0:
		return toneBad
	case d.stats.checksRose+d.stats.better > 0:
		return toneGood
	case d.needsAttention():
		return toneWarning
	}
	return toneFaint
}

func (d *cellDiff) needsAttention() bool { return d.stats.differ+d.stats.added+d.stats.gone > 0 }

// sampleDiffTexts returns the texts for a single sample, the longest first.
func sampleDiffTexts(c *suiterun.Change) []string {
	switch {
	case c.A == nil:
		return []string{"+new " + verdictSign(c.B.Verdict()), "+new"}
	case c.B == nil:
		return []string{"−gone " + verdictSign(c.A.Verdict()), "−gone"}
	}
	a, b := verdictSign(c.A.Verdict()), verdictSign(c.B.Verdict())
	var parts []string
	switch {
	case a != b:
		parts = append(parts, a+"→"+b)
	case len(c.Checks) > 0:
		parts = append(parts, "checks"+checksDirection(c.Checks))
	}
	switch {
	case !c.AnswerChanged && c.A.State != history.Done:
		parts = append(parts, "= "+a)
	case c.IsSame():
		parts = append(parts, "=")
	case c.AnswerChanged && hasPicture(c):
		parts = append(parts, "≠ picture")
	case c.AnswerChanged && c.A.State == history.Done && c.B.State == history.Done:
		parts = append(parts, "≠ "+similarityText(c.Similarity))
	}
	short := strings.Join(parts, " ")
	texts := []string{short}
	if isFresh(c.A) && isFresh(c.B) {
		texts = []string{short + " " + timeDifference(c.B.Elapsed-c.A.Elapsed), short}
	}
	return append(texts, parts[0])
}

// checksDirection returns ↓ when checks fell, ↑ when they rose, ± for anything else.
func checksDirection(checks []suiterun.CheckChange) string {
	fell, rose := false, false
	for _, c := range checks {
		fell, rose = fell || checkFell(c), rose || checkRose(c)
	}
	switch {
	case fell && !rose:
		return "↓"
	case rose && !fell:
		return "↑"
	}
	return "±"
}

func hasPicture(c *suiterun.Change) bool {
	return c.AnswerA.Picture != nil || c.AnswerB.Picture != nil
}

// samplesTexts returns the texts for several samples, the longest first.
func (d *cellDiff) samplesTexts() []string {
	s := &d.stats
	counts := []signCount{{s.checksFell, "↓"}, {s.checksRose, "↑"}, {s.differ, "≠"}, {s.added, "+"}, {s.gone, "−"},
		{s.same, "="}}
	short, shortest := joinCounts(" ", counts...), joinCounts("", counts...)
	if a, b, ok := s.medians(); ok {
		return []string{short + " " + timeDifference(b-a), short, shortest}
	}
	return []string{short, shortest}
}

// firstChange returns the first sample that differs, else the first one, and its number; nil where there is none.
func (d *cellDiff) firstChange() (change *suiterun.Change, number int) {
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

// facts describes what changed between the runs a and b.
func (d *cellDiff) facts(a, b int64) string {
	c, number := d.firstChange()
	if c == nil {
		return "in neither run"
	}
	text := changeFacts(c, a, b)
	if len(d.changes) == 1 {
		return text
	}
	return fmt.Sprintf("%s: %s; sample %d: %s", format.Count(len(d.changes), "sample"), d.stats.summary(long), number,
		text)
}

// changeFacts describes what changed in one sample.
func changeFacts(c *suiterun.Change, a, b int64) string {
	switch {
	case c.A == nil:
		return fmt.Sprintf("new: only run %d has it, %s", b, outcome(c.B, c.AnswerB))
	case c.B == nil:
		return fmt.Sprintf("gone: only run %d has it, %s", a, outcome(c.A, c.AnswerA))
	}
	var parts []string
	switch {
	case c.A.State != c.B.State || !c.AnswerChanged && c.A.State != history.Done:
		parts = append(parts, outcome(c.A, c.AnswerA)+" → "+outcome(c.B, c.AnswerB))
	case c.AnswerChanged && hasPicture(c):
		parts = append(parts, "another picture")
	case c.AnswerChanged:
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
	if c.PromptChanged {
		parts = append(parts, "what was sent differs")
	}
	return strings.Join(parts, "; ")
}

// elapsedText returns the time of an answer, in parentheses for a reused one.
func elapsedText(c *history.Cell) string {
	if c.Cached {
		return signReused + " (" + format.Seconds(c.Elapsed) + ")"
	}
	return format.Seconds(c.Elapsed)
}

// checkFacts describes how the verdict of a check changed, with the reason where the check fails now.
func checkFacts(c *suiterun.Change, check suiterun.CheckChange) string {
	text := fmt.Sprintf("check %s: %s → %s", oneLine(check.Name), cmp.Or(oneLine(check.A), "none"),
		cmp.Or(oneLine(check.B), "none"))
	for _, r := range c.B.Checks {
		if r.Name == check.Name && r.Verdict == "failed" && r.Reason != "" {
			return text + ", " + oneLine(r.Reason)
		}
	}
	return text
}

// outcome describes in few words how a sample ended.
func outcome(c *history.Cell, answer history.Answer) string {
	switch {
	case c.State == history.Failed && answer.Failure != nil:
		return "error " + codeWords(answer.Failure.Code) + ", " + oneLine(answer.Failure.Message)
	case c.State == history.Failed:
		return "error " + codeWords(c.FailureCode)
	case c.State == history.Done:
		if checks := runstats.CountChecks(c.Checks); checks.Passed < checks.All() {
			return fmt.Sprintf("%d of %d checks passed", checks.Passed, checks.All())
		}
		return "answered"
	case c.State == "":
		return "not asked for"
	}
	return string(c.State)
}

// timeDifference returns how much longer something took: "+0.2s", "−1.4s", "±0s".
func timeDifference(d time.Duration) string {
	switch {
	case d >= 50*time.Millisecond:
		return "+" + shortTime(d)
	case d <= -50*time.Millisecond:
		return "−" + shortTime(-d)
	}
	return "±0s"
}

// similarityText returns a share in two digits, ".83"; never 1, which would read as the same text.
func similarityText(share float64) string {
	return fmt.Sprintf(".%02d", max(min(int(share*100), 99), 0))
}

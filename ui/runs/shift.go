package runs

import (
	"cmp"
	"fmt"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/runstats"
)

// shift is the place of a row and a column in two runs.
type shift struct {
	changes []*service.CellChange // by repetition
	sum     difference
	texts   []string // the longest first
}

func newShift(changes []*service.CellChange) *shift {
	s := &shift{changes: changes}
	for _, c := range changes {
		s.sum.add(c)
	}
	switch len(changes) {
	case 0:
		s.texts = []string{signNone}
	case 1:
		s.texts = changeTexts(changes[0])
	default:
		s.texts = s.several()
	}
	return s
}

// text implements [face].
func (s *shift) text(w int, _ moment) string { return fitting(w, s.texts...) }

// tone implements [face].
func (s *shift) tone() tone {
	switch {
	case s.sum.fell+s.sum.worse > 0:
		return bad
	case s.sum.rose+s.sum.better > 0:
		return good
	case s.strikes():
		return trouble
	}
	return quiet
}

// strikes implements [face].
func (s *shift) strikes() bool { return s.sum.differ+s.sum.added+s.sum.gone > 0 }

// verdict is how a cell stands, in a sign.
func verdict(c *history.Cell) string {
	switch c.Verdict() {
	case history.CellPassed:
		return signPassed
	case history.CellFailed:
		return signFailed
	case history.CellSkipped:
		return signSkipped
	case history.CellUnchecked:
		return signUnchecked
	case history.CellError:
		return signError
	}
	return signNone
}

// changeTexts is what a cell of one sample says, the longest first.
func changeTexts(c *service.CellChange) []string {
	switch {
	case c.A == nil:
		return []string{"+new " + verdict(c.B), "+new"}
	case c.B == nil:
		return []string{"−gone " + verdict(c.A), "−gone"}
	}
	a, b := verdict(c.A), verdict(c.B)
	var parts []string
	switch {
	case a != b:
		parts = append(parts, a+"→"+b)
	case len(c.Checks) > 0:
		parts = append(parts, "checks"+turned(c.Checks))
	}
	switch {
	case !c.Changed && c.A.State != history.Done:
		parts = append(parts, "= "+a)
	case c.Same():
		parts = append(parts, "=")
	case c.Changed && pictures(c):
		parts = append(parts, "≠ picture")
	case c.Changed && c.A.State == history.Done && c.B.State == history.Done:
		parts = append(parts, "≠ "+likeness(c.Likeness))
	}
	short := strings.Join(parts, " ")
	texts := []string{short}
	if fresh(c.A) && fresh(c.B) {
		texts = []string{short + " " + apart(c.B.Elapsed-c.A.Elapsed), short}
	}
	return append(texts, parts[0])
}

// turned says which way checks went: ↓ fell, ↑ rose, ± came or went.
func turned(checks []service.CheckChange) string {
	fell, rose := false, false
	for _, c := range checks {
		fell = fell || c.A == "passed" && c.B == "failed"
		rose = rose || c.A == "failed" && c.B == "passed"
	}
	switch {
	case fell && !rose:
		return "↓"
	case rose && !fell:
		return "↑"
	}
	return "±"
}

func pictures(c *service.CellChange) bool {
	return c.AnswerA.Picture != nil || c.AnswerB.Picture != nil
}

// several is what a cell of several samples says.
func (s *shift) several() []string {
	var parts []string
	for _, x := range []struct {
		n    int
		sign string
	}{{s.sum.fell, "↓"}, {s.sum.rose, "↑"}, {s.sum.differ, "≠"}, {s.sum.added, "+"}, {s.sum.gone, "−"},
		{s.sum.same, "="}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", x.n, x.sign))
		}
	}
	short := strings.Join(parts, " ")
	s.sum.sort()
	if a, b := s.sum.timesA, s.sum.timesB; len(a) > 0 && len(b) > 0 {
		return []string{short + " " + apart(format.Summarize(b).Median-format.Summarize(a).Median), short,
			strings.Join(parts, "")}
	}
	return []string{short, strings.Join(parts, "")}
}

// first returns the change that is worth looking at: the first that differs.
func (s *shift) first() (change *service.CellChange, number int) {
	for i, c := range s.changes {
		if !c.Same() {
			return c, i + 1
		}
	}
	if len(s.changes) > 0 {
		return s.changes[0], 1
	}
	return nil, 0
}

// facts says exactly what changed between the runs a and b.
func (s *shift) facts(a, b int64) string {
	c, number := s.first()
	if c == nil {
		return "in neither run"
	}
	text := changeFacts(c, a, b)
	if len(s.changes) == 1 {
		return text
	}
	return fmt.Sprintf("%s: %s; sample %d: %s", format.Count(len(s.changes), "sample"), s.sum.summary(whole), number, text)
}

// changeFacts says what changed in one sample.
func changeFacts(c *service.CellChange, a, b int64) string {
	switch {
	case c.A == nil:
		return fmt.Sprintf("new: only run %d has it, %s", b, outcome(c.B, c.AnswerB))
	case c.B == nil:
		return fmt.Sprintf("gone: only run %d has it, %s", a, outcome(c.A, c.AnswerA))
	}
	var parts []string
	switch {
	case c.A.State != c.B.State || !c.Changed && c.A.State != history.Done:
		parts = append(parts, outcome(c.A, c.AnswerA)+" → "+outcome(c.B, c.AnswerB))
	case c.Changed && pictures(c):
		parts = append(parts, "another picture")
	case c.Changed:
		parts = append(parts, fmt.Sprintf("another text, likeness %s", likeness(c.Likeness)))
	case pictures(c):
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
		parts = append(parts, took(c.A)+" → "+took(c.B))
	}
	if c.Asked {
		parts = append(parts, "what was sent differs")
	}
	return strings.Join(parts, "; ")
}

// took is the time of an answer, in parentheses where it is an old one.
func took(c *history.Cell) string {
	if c.Cached {
		return signReused + " (" + format.Seconds(c.Elapsed) + ")"
	}
	return format.Seconds(c.Elapsed)
}

// checkFacts says how the verdict of a check changed, with the reason where it
// fails now.
func checkFacts(c *service.CellChange, check service.CheckChange) string {
	text := fmt.Sprintf("check %s: %s → %s", tidy(check.Name), cmp.Or(tidy(check.A), "none"),
		cmp.Or(tidy(check.B), "none"))
	for _, r := range c.B.Checks {
		if r.Name == check.Name && r.Verdict == "failed" && r.Reason != "" {
			return text + ", " + tidy(r.Reason)
		}
	}
	return text
}

// outcome says in a word how a sample ended.
func outcome(c *history.Cell, answer history.Answer) string {
	switch {
	case c.State == history.Failed && answer.Failure != nil:
		return "error " + code(answer.Failure.Code) + ", " + tidy(answer.Failure.Message)
	case c.State == history.Failed:
		return "error " + code(c.FailureCode)
	case c.State == history.Done:
		if held := runstats.CountChecks(c.Checks).Passed; held < len(c.Checks) {
			return fmt.Sprintf("%d of %d checks passed", held, len(c.Checks))
		}
		return "answered"
	case c.State == "":
		return "not asked for"
	}
	return string(c.State)
}

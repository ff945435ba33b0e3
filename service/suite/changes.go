package suite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service/api"
	"confab/service/diff"
	"confab/service/problem"
)

// Change is a pair of cells of two runs. A cell that one run lacks is nil.
type Change struct {
	A, B             *history.Cell
	AnswerA, AnswerB history.Answer
	HasPromptChanged bool // the requests differ
	HasAnswerChanged bool // the text or picture differs, or only one exists
	Similarity       float64
	Checks           []CheckChange
}

// CheckChange is a check whose verdict differs between two runs; a verdict is empty if the run lacks the check.
type CheckChange struct {
	Name string `json:"name"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// IsSame reports whether only the times differ.
func (c Change) IsSame() bool {
	return c.A != nil && c.B != nil && !c.HasAnswerChanged && len(c.Checks) == 0 && c.A.State == c.B.State
}

// isEdited reports whether nothing but the checks of the suite differs: the answer and its verdict are the same.
func (c Change) isEdited() bool {
	return !c.IsSame() && c.A != nil && c.B != nil && !c.HasAnswerChanged && c.A.Status() == c.B.Status() &&
		!slices.ContainsFunc(c.Checks, func(check CheckChange) bool { return check.A != "" && check.B != "" })
}

// Compare returns two runs and the pairs of their cells in the order of the second, then those that only the first has.
// It pairs cells with the same request, or else with the same test, prompt, variables, model and repetition, so that an
// edited prompt is compared with itself.
func (r *Runner) Compare(ctx context.Context, a, b int64) (runs [2]history.Run, changes []Change, err error) {
	var cells [2][]history.Cell
	for i, id := range []int64{a, b} {
		if runs[i], err = r.Run(ctx, id); err != nil {
			return runs, nil, err
		}
		if cells[i], err = r.Cells(ctx, id); err != nil {
			return runs, nil, err
		}
	}
	changes = pairCells(cells[0], cells[1])
	for i := range changes {
		if err := r.compareAnswers(ctx, &changes[i]); err != nil {
			return runs, nil, err
		}
	}
	return runs, changes, nil
}

// pairCells returns the pairs of cells without their differences.
func pairCells(first, second []history.Cell) []Change {
	changes, isPaired := make([]Change, len(second)), make([]bool, len(first))
	for _, key := range []func(history.Cell) string{
		func(c history.Cell) string { return c.Key },
		func(c history.Cell) string { return fmt.Sprint(c.TestIndex, " ", questionKey(c)) },
		questionKey,
	} {
		unpaired := map[string][]int{}
		for i, c := range first {
			if !isPaired[i] {
				unpaired[key(c)] = append(unpaired[key(c)], i)
			}
		}
		for j, c := range second {
			changes[j].B = &second[j]
			if rest := unpaired[key(c)]; changes[j].A == nil && len(rest) > 0 {
				changes[j].A, isPaired[rest[0]] = &first[rest[0]], true
				unpaired[key(c)] = rest[1:]
			}
		}
	}
	for i := range first {
		if !isPaired[i] {
			changes = append(changes, Change{A: &first[i]})
		}
	}
	return changes
}

// questionKey identifies a cell independently of the text of its prompt.
func questionKey(c history.Cell) string {
	return fmt.Sprintf("%q %q %q %s %d", c.Prompt, c.Model, c.Provider, variablesKey(c.Vars), c.Repeat)
}

// compareAnswers reads the answers of a change and sets their differences.
func (r *Runner) compareAnswers(ctx context.Context, c *Change) (err error) {
	for cell, to := range map[*history.Cell]*history.Answer{c.A: &c.AnswerA, c.B: &c.AnswerB} {
		if cell == nil {
			continue
		}
		*to, err = r.o.Service.Answer(ctx, cell.Answer)
		if api.CodeOf(err) == api.CodeUsage {
			err = problem.Usage("an answer of the run was deleted")
		}
		if err != nil {
			return err
		}
	}
	if c.A == nil || c.B == nil {
		c.HasAnswerChanged = true
		return nil
	}
	c.HasPromptChanged = c.A.Key != c.B.Key
	switch a, b := c.AnswerA, c.AnswerB; {
	case a.Picture != nil && b.Picture != nil:
		c.HasAnswerChanged = a.Picture.SHA256 != b.Picture.SHA256
	case a.State == history.Done && b.State == history.Done:
		c.HasAnswerChanged = a.Text != b.Text || (a.Picture == nil) != (b.Picture == nil)
		c.Similarity = diff.Similarity(a.Text, b.Text)
	default:
		c.HasAnswerChanged = a.State != b.State
	}
	c.Checks = compareChecks(c.A.Checks, c.B.Checks)
	return nil
}

// compareChecks returns the checks whose verdicts differ. It pairs checks of one name in order.
func compareChecks(a, b []history.CheckResult) []CheckChange {
	var changes []CheckChange
	rest := slices.Clone(b)
	for _, check := range a {
		change := CheckChange{Name: check.Name, A: check.VerdictText()}
		if i := slices.IndexFunc(rest, func(r history.CheckResult) bool { return r.Name == check.Name }); i >= 0 {
			change.B = rest[i].VerdictText()
			rest = slices.Delete(rest, i, i+1)
		}
		if change.A != change.B {
			changes = append(changes, change)
		}
	}
	for _, check := range rest {
		changes = append(changes, CheckChange{Name: check.Name, B: check.VerdictText()})
	}
	return changes
}

// ChangeCounts counts the changes between two runs.
type ChangeCounts struct {
	Pairs // of the questions that both runs have: prompts with their values, by model

	sameCells, changedCells, addedCells, removedCells int
	changedAnswers                                    int // of cells that both runs have
	editedCells                                       int // that differ in nothing but their checks
	worseChecks, betterChecks                         int
	otherChecks                                       int // added, removed, or skipped in one of the runs
	timesA, timesB                                    []time.Duration
}

func (d *ChangeCounts) add(c *Change) {
	switch {
	case c.A == nil:
		d.addedCells++
	case c.B == nil:
		d.removedCells++
	case c.IsSame():
		d.sameCells++
	case c.isEdited():
		d.editedCells++
	default:
		d.changedCells++
	}
	if c.A != nil && c.B != nil && c.HasAnswerChanged {
		d.changedAnswers++
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
	if isFresh(c.A) {
		d.timesA = append(d.timesA, c.A.Elapsed)
	}
	if isFresh(c.B) {
		d.timesB = append(d.timesB, c.B.Elapsed)
	}
}

// medians returns the median times of the fresh answers of both runs; ok is false if a run has none.
func (d *ChangeCounts) medians() (a, b time.Duration, ok bool) {
	return format.Summarize(d.timesA).Median, format.Summarize(d.timesB).Median, len(d.timesA) > 0 && len(d.timesB) > 0
}

// SummaryLength chooses between long and short texts.
type SummaryLength int

const (
	Long SummaryLength = iota
	Medium
	Brief
)

// Summary describes the changes in one line: the verdicts, and what changed.
func (d *ChangeCounts) Summary() string {
	if d.Better+d.Worse+d.Same == 0 {
		return d.Changes(Long)
	}
	return "verdicts: " + d.Pairs.String() + "; " + d.Changes(Long)
}

// Changes describes what changed, without the verdicts of questions.
func (d *ChangeCounts) Changes(length SummaryLength) string {
	parts := []string{d.answersText(length)}
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	add(d.addedCells, fmt.Sprintf("%d new", d.addedCells))
	add(d.removedCells, fmt.Sprintf("%d gone", d.removedCells))
	if length == Brief {
		return strings.Join(parts, ", ")
	}
	if length == Long {
		add(d.worseChecks, checksText(d.worseChecks, " now fails", " now fail"))
		add(d.betterChecks, checksText(d.betterChecks, " now passes", " now pass"))
	}
	add(d.otherChecks, "checks edited")
	if a, b, ok := d.medians(); ok && length == Long {
		parts = append(parts, fmt.Sprintf("median time %s → %s", format.Seconds(a), format.Seconds(b)))
	}
	return strings.Join(parts, ", ")
}

func checksText(n int, one, several string) string {
	return format.Count(n, "check") + format.Plural(n, one, several)
}

// answersText counts the answers of both runs that differ.
func (d *ChangeCounts) answersText(length SummaryLength) string {
	all := d.sameCells + d.editedCells + d.changedCells
	if length == Brief {
		return fmt.Sprintf(signOther+" %d of %d", d.changedAnswers, all)
	}
	return fmt.Sprintf("%d of %d %s", d.changedAnswers, all, format.Plural(all, "text differs", "texts differ"))
}

// facts describes the changes of one sample.
func (c *Change) facts(a, b int64) string {
	switch {
	case c.A == nil:
		return fmt.Sprintf("new: only run %d has it, %s", b, Outcome(c.B, c.AnswerB))
	case c.B == nil:
		return fmt.Sprintf("gone: only run %d has it, %s", a, Outcome(c.A, c.AnswerA))
	}
	var parts []string
	for i, check := range c.Checks {
		if i == 3 && len(c.Checks) > 4 {
			parts = append(parts, fmt.Sprintf("%d more checks", len(c.Checks)-i))
			break
		}
		parts = append(parts, checkFacts(c, check))
	}
	switch {
	case c.A.State != c.B.State || !c.HasAnswerChanged && c.A.State != history.Done:
		parts = append(parts, Outcome(c.A, c.AnswerA)+" → "+Outcome(c.B, c.AnswerB))
	case c.HasAnswerChanged && c.hasPicture():
		parts = append(parts, "other picture")
	case c.HasAnswerChanged:
		parts = append(parts, fmt.Sprintf("other text, %s same wording", diff.Percent(c.Similarity)))
	case c.hasPicture():
		parts = append(parts, "same picture")
	default:
		parts = append(parts, "same text")
	}
	if c.HasPromptChanged {
		parts = append(parts, "other prompt")
	}
	if c.A.State == history.Done && c.B.State == history.Done { // last: where space is short, it is cut
		parts = append(parts, elapsedText(c.A)+" → "+elapsedText(c.B))
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

// checkFacts describes the change of a check's verdict, by the new one's sign, with the reason if the check fails now.
func checkFacts(c *Change, check CheckChange) string {
	named := history.CheckResult{Name: check.Name}
	for _, r := range slices.Concat(c.A.Checks, c.B.Checks) {
		if r.Name == check.Name {
			named = r
		}
	}
	text := fmt.Sprintf("check %s: %s → %s", CheckLabel(named), cmp.Or(OneLine(check.A), "none"),
		cmp.Or(OneLine(check.B), "none"))
	switch [2]string{check.A, check.B} {
	case [2]string{history.CheckPassed, history.CheckFailed}:
		text = SignFailed + " " + CheckLabel(named)
	case [2]string{history.CheckFailed, history.CheckPassed}:
		text = SignPassed + " " + CheckLabel(named)
	}
	if reason := checkReason(named); check.B == history.CheckFailed && reason != "" {
		text += ", " + reason
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
	return c.State.Word()
}

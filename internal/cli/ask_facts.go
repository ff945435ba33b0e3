package cli

import (
	"context"
	"fmt"
	"strings"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/export"
	"confab/service/suite"
)

// batchRecord is the record of an answer of several turns that were sent together.
type batchRecord struct {
	export.AnswerRecord
	Point  map[suite.Axis]string `json:"point"`
	Prompt string                `json:"prompt"`
	System string                `json:"system,omitempty"`
	Vars   map[string]string     `json:"vars,omitempty"`
	Params history.Params        `json:"params,omitempty"`
}

// point returns the labels of an answer on the axes on which the answers differ, nil for those of one turn.
func (r *askReport) point(ans history.Answer) map[suite.Axis]string {
	if r.labels == nil {
		return nil
	}
	labels, p := map[suite.Axis]string{}, suite.PointOf(r.turnOf(ans), ans.Model)
	for _, axis := range r.labels.Differing() {
		labels[axis] = r.labels.Label(axis, p.On(axis))
	}
	return labels
}

// nameOf names an answer: what its turn differs in where there are several, its model, and its sample where there are
// several.
func (r *askReport) nameOf(ans history.Answer) string {
	var parts []string
	for _, axis := range suite.AllAxes() {
		if text := r.point(ans)[axis]; text != "" && axis != suite.AxisModel {
			parts = append(parts, text)
		}
	}
	name := strings.Join(append(parts, ans.Model), " · ")
	if r.f.Samples > 1 {
		name += fmt.Sprintf(", sample %d", ans.Sample)
	}
	return name
}

// countFailure records the failure of an answer for the exit code and warns of it. An answer that could not be saved
// has failed too.
func (r *askReport) countFailure(ctx context.Context, ans history.Answer) {
	code, text := api.CodeCancelled, "cancelled before it came"
	switch {
	case ans.Failure != nil:
		code, text = api.Code(ans.Failure.Code), asClause(ans.Failure.Message)
	case ans.State == history.Done:
		return
	case ans.State == history.Interrupted:
		text = "interrupted before it came"
	}
	if ans.State != history.Done && ans.Text != "" {
		text = "the answer broke off: " + strings.TrimSuffix(text, " before it came")
		if r.svc.IsSaving() {
			text += fmt.Sprintf("; what came of it is kept as a%d", ans.ID)
		}
		if hint := r.restHint(ctx, ans); hint != "" {
			text += "; " + hint
		}
	}
	r.failures = append(r.failures, code)
	if r.f.json == "" {
		r.a.warn("%s: %s (%s)", r.nameOf(ans), text, code)
	}
}

// warnDifferences warns where an answer differs from what was asked, or is simulated by one of several engines.
func (r *askReport) warnDifferences(ctx context.Context, ans history.Answer) {
	if r.a.flags.quiet {
		return
	}
	if ans.State == history.Done && ans.ServedModel != "" {
		r.a.warn("%s was served as %s", ans.Model, ans.ServedModel)
	}
	var notes []string
	if ans.State == history.Done && ans.IsSimulated() && !r.a.endpoint().IsSimulated {
		notes = append(notes, "simulated by the offline engine")
	}
	for _, f := range r.turnOf(ans).Facts(ans, -1).Only(differences()...) {
		notes = append(notes, f.Explained())
	}
	if ans.Finish == chat.FinishLength {
		notes = append(notes, "--param max_tokens=N allows more")
	}
	if hint := r.restHint(ctx, ans); hint != "" && ans.Ending() == history.EndsCut {
		notes = append(notes, hint)
	}
	if len(notes) > 0 {
		r.a.warn("%s: %s", r.nameOf(ans), strings.Join(notes, "; "))
	}
}

// differences lists the facts that tell how an answer differs from what was asked.
func differences() []history.FactName {
	return []history.FactName{history.FactEnding, history.FactIgnored, history.FactOmittedTurns,
		history.FactServiceNote}
}

// printHeading prints the name of the next answer. It ignores errors: printing the answer fails as well.
func (r *askReport) printHeading(ans history.Answer) {
	gap := ""
	if r.headings++; r.headings > 1 {
		gap = "\n"
	}
	if !r.a.out.styled {
		_ = r.a.print(fmt.Sprintf("%s==> %s <==\n", gap, r.nameOf(ans)))
		return
	}
	facts, s := "", r.a.styles()
	if ans.State.HasEnded() {
		facts = "   " + s.Muted.Render(r.askFacts(ans))
	}
	_ = r.a.printStyled(gap + s.Strong.Render(r.nameOf(ans)) + facts + "\n\n")
}

// printFacts prints the facts of an answer below it on a terminal, unless its heading had them.
func (r *askReport) printFacts(ans history.Answer) {
	wasStreamed := r.texts[ans.ID] != nil && r.texts[ans.ID].wasStreamed
	if r.a.flags.quiet || !r.a.err.terminal || !r.a.out.styled || ans.Usage == (chat.Usage{}) && !wasStreamed ||
		len(r.answers()) > 1 && !wasStreamed && !r.f.interleave {
		return
	}
	name := ""
	if r.f.interleave {
		name = r.linePrefix(ans)
	}
	_ = r.a.printStyled("\n" + r.a.styles().Muted.Render(name+r.askFacts(ans)) + "\n")
}

// askFacts returns the facts of an answer on one line, without those that are warned of.
func (r *askReport) askFacts(ans history.Answer) string {
	words := -1
	if ans.Text != "" {
		words = format.Words(ans.Text)
	}
	facts := r.turnOf(ans).Facts(ans, words).Without(append(differences(), history.FactSample)...)
	return termtext.Line(facts.Join(" · "))
}

package cli

import (
	"context"
	"fmt"
	"strings"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
)

// countFailure remembers the failure of an answer for the exit code, and warns of it. An answer that came but could not
// be saved has one, too.
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

// warnDifferences warns of how an answer differs from what was asked, and that it is simulated where others are not.
func (r *askReport) warnDifferences(ctx context.Context, ans history.Answer) {
	if r.f.quiet {
		return
	}
	var notes []string
	if ans.State == history.Done {
		if ans.ServedModel != "" {
			r.a.warn("%s was served as %s", ans.Model, ans.ServedModel)
		}
		if why := ans.WhyEmpty(); why != "" {
			notes = append(notes, why)
		}
		if ans.IsSimulated() && !r.a.endpoint().Simulated {
			notes = append(notes, "simulated by the offline engine")
		}
	}
	if len(ans.Ignored) > 0 {
		notes = append(notes, "not sent, because the service does not take it: "+strings.Join(ans.Ignored, ", "))
	}
	if ans.OmittedTurns > 0 {
		notes = append(notes, service.OmittedTurnsText(ans.OmittedTurns))
	}
	switch {
	case ans.Finish == chat.FinishLength && ans.WhyEmpty() != "":
		notes = append(notes, "--param max_tokens=N allows more")
	case ans.Finish == chat.FinishLength:
		notes = append(notes, "the answer is cut, because the model came to its limit of tokens; --param max_tokens=N "+
			"allows more")
		if hint := r.restHint(ctx, ans); hint != "" {
			notes = append(notes, hint)
		}
	case ans.Finish == chat.FinishFilter:
		notes = append(notes, "the service left something out of the answer")
	}
	if ans.ServiceNote != "" {
		notes = append(notes, "the service says: "+ans.ServiceNote)
	}
	if len(notes) > 0 {
		r.a.warn("%s: %s", r.nameOf(ans), strings.Join(notes, "; "))
	}
}

// printHeading prints which answer follows. An output that fails now fails for the answer, too.
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
		facts = "   " + s.Muted.Render(askFacts(ans))
	}
	_ = r.a.printStyled(gap + s.Strong.Render(r.nameOf(ans)) + facts + "\n\n")
}

// printFacts prints the facts of an answer on a terminal, where its heading could not say them.
func (r *askReport) printFacts(ans history.Answer) {
	wasStreamed := r.texts[ans.ID] != nil && r.texts[ans.ID].wasStreamed
	if r.f.quiet || !r.a.err.terminal || !r.a.out.styled || ans.Usage == (chat.Usage{}) && !wasStreamed ||
		len(r.turn.Answers) > 1 && !wasStreamed && !r.f.interleave {
		return
	}
	name := ""
	if r.f.interleave {
		name = r.linePrefix(ans)
	}
	_ = r.a.printStyled("\n" + r.a.styles().Muted.Render(name+askFacts(ans)) + "\n")
}

// askFacts says how an answer came about: how long it took, its length, what it cost and who gave it.
func askFacts(ans history.Answer) string {
	facts := []string{fmt.Sprintf("%.2f s", ans.Elapsed.Seconds())}
	if words := len(strings.Fields(ans.Text)); words > 0 {
		facts = append(facts, fmt.Sprintf("%d words", words))
	}
	facts = append(facts, export.UsageFacts(ans)...)
	if by := ans.AnsweredBy(); by != "" {
		facts = append(facts, termtext.Line(by))
	}
	return strings.Join(facts, "   ")
}

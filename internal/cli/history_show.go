package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
)

// showFlags are those of history show.
type showFlags struct{ json, reasoning bool }

// reasoningUsage explains the flag that several commands have.
const reasoningUsage = "with what models wrote before their answers"

func (a *app) historyShow() *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use: "show [ENTRY...]", Short: "Print sessions, turns or answers",
		RunE: a.inHistory(func(ctx context.Context, svc *service.Service, args []string) error {
			if len(args) == 0 {
				s, err := a.lastSession(ctx, svc)
				if err != nil {
					return err
				}
				return a.showEntry(ctx, svc, entry{kind: 's', session: s}, f)
			}
			for _, word := range args {
				e, err := a.entry(ctx, svc, word)
				if err != nil {
					return err
				}
				if err := a.showEntry(ctx, svc, e, f); err != nil {
					return err
				}
			}
			return nil
		}),
		ValidArgsFunction: a.completion(a.sessionCompletions),
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object per answer")
	cmd.Flags().BoolVar(&f.reasoning, "reasoning", false, reasoningUsage)
	return cmd
}

func (a *app) showEntry(ctx context.Context, svc *service.Service, e entry, f showFlags) error {
	switch e.kind {
	case 'a':
		if f.json {
			return a.showRecord(svc, e.turn, e.answer, f)
		}
		return a.showAnswer(e.answer, f)
	case 't':
		return a.showTurn(svc, e.turn, f)
	}
	return svc.EachTurn(ctx, e.session.ID, func(t history.Turn) error { return a.showTurn(svc, t, f) })
}

func (a *app) showRecord(svc *service.Service, t history.Turn, ans history.Answer, f showFlags) error {
	record := svc.Exporter().LineRecord(t, ans)
	if f.reasoning {
		record.Reasoning = ans.Reasoning
	}
	return a.printJSON(record)
}

func (a *app) showTurn(svc *service.Service, t history.Turn, f showFlags) error {
	if f.json {
		for _, ans := range t.Answers {
			if err := a.showRecord(svc, t, ans, f); err != nil {
				return err
			}
		}
		return nil
	}
	for _, part := range []struct{ what, facts, text string }{
		{"you", t.Created.Local().Format("2006-01-02 15:04"), t.Prompt},
		{"system prompt", "", t.System},
		{"parameters", "", service.ParamsText(t.Params)},
		{"filled in", "", export.VariableList(t.Vars)},
	} {
		if part.text == "" && part.what != "you" {
			continue
		}
		if err := cmp.Or(a.heading(fmt.Sprintf("t%d", t.ID), part.what, part.facts),
			a.printPlain(part.text)); err != nil {
			return err
		}
	}
	for _, ans := range t.Answers {
		err := cmp.Or(a.heading(fmt.Sprintf("a%d", ans.ID), ans.Model, factsOf(ans)), a.showAnswer(ans, f))
		if err == nil && a.out.terminal {
			err = a.print("\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// factsOf says in a few words how an answer came out.
func factsOf(ans history.Answer) string {
	var facts []string
	if ans.Sample > 1 {
		facts = append(facts, fmt.Sprintf("sample %d", ans.Sample))
	}
	switch {
	case ans.State == history.Done:
		facts = append(facts, fmt.Sprintf("%.2f s", ans.Elapsed.Seconds()))
	case ans.State == history.Running && !ans.Started.IsZero():
		facts = append(facts, "running since "+ans.Started.Local().Format("15:04:05"))
	default:
		facts = append(facts, string(ans.State))
	}
	facts = append(facts, export.UsageFacts(ans)...)
	if ans.Finish == chat.FinishLength && ans.WhyEmpty() == "" {
		facts = append(facts, "cut at the limit of tokens")
	}
	if ans.OmittedTurns > 0 {
		facts = append(facts, "without "+format.Count(ans.OmittedTurns, "earlier turn"))
	}
	if by := ans.AnsweredBy(); by != "" {
		facts = append(facts, termtext.Line(by))
	}
	for _, fact := range []struct {
		holds bool
		text  string
	}{
		{ans.Winner, "winner"}, {ans.Rating == history.Good, "good"}, {ans.Rating == history.Bad, "bad"},
		{ans.ServiceNote != "", "service says: " + termtext.Line(ans.ServiceNote)},
		{ans.Note != "", "note: " + termtext.Line(ans.Note)},
	} {
		if fact.holds {
			facts = append(facts, fact.text)
		}
	}
	return strings.Join(facts, ", ")
}

// heading prints what follows: its name in the history, what it is, and facts.
func (a *app) heading(id, what, facts string) error {
	if !a.out.styled {
		line := strings.TrimRight(fmt.Sprintf("==> %s %s %s", id, termtext.Line(what), facts), " ")
		return a.print(line + " <==\n")
	}
	s := a.styles()
	return a.printStyled(s.You.Render("▌ ") + s.Strong.Render(termtext.Line(what)) + "   " +
		s.Muted.Render(id+"   "+facts) + "\n")
}

// printPlain prints a text that is not markdown.
func (a *app) printPlain(text string) error {
	if a.out.terminal {
		text = strings.Join(termtext.Wrap(termtext.Clean(text), a.out.width()), "\n") + "\n"
	}
	return a.print(strings.TrimRight(text, "\n") + "\n\n")
}

// showAnswer prints the text of an answer, the path of its picture, or why there is neither. What came of a text that
// did not come whole is printed with the reason.
func (a *app) showAnswer(ans history.Answer, f showFlags) error {
	switch {
	case ans.State == history.Failed && ans.Failure != nil:
		a.warn("a%d, %s: %s (%s)", ans.ID, ans.Model, asClause(ans.Failure.Message), ans.Failure.Code)
	case ans.State != history.Done:
		a.warn("a%d, %s: %s", ans.ID, ans.Model, ans.State)
	case ans.Picture != nil:
		return a.printPath(ans.Picture.Path)
	case ans.WhyEmpty() != "":
		a.warn("a%d, %s: %s", ans.ID, ans.Model, ans.WhyEmpty())
	}
	if ans.State != history.Done && ans.Text == "" {
		return nil
	}
	q := &quotation{textWriter: a.textWriter(false)}
	if f.reasoning && ans.Reasoning != "" {
		if err := q.reason(ans.Reasoning); err != nil {
			return err
		}
	}
	return q.end(ans.Text)
}

package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
)

// reasoningUsage explains the flag that several commands have.
const reasoningUsage = "with what models wrote before their answers"

func (a *app) showCommand() *cobra.Command {
	var reasoning bool
	cmd := a.historyReader("show [ENTRY...]", "Print sessions, turns or answers", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			if len(args) == 0 {
				s, err := a.lastSession(ctx, svc)
				if err != nil {
					return err
				}
				return a.showEntry(ctx, svc, historyEntry{kind: 's', session: s}, reasoning)
			}
			for _, word := range args {
				e, err := a.entry(ctx, svc, word)
				if err != nil {
					return err
				}
				if err := a.showEntry(ctx, svc, e, reasoning); err != nil {
					return err
				}
			}
			return nil
		})
	cmd.ValidArgsFunction = a.completion(a.sessionCompletions)
	a.jsonFlag(cmd.Flags(), "answer")
	cmd.Flags().BoolVar(&reasoning, "reasoning", false, reasoningUsage)
	return cmd
}

func (a *app) showEntry(ctx context.Context, svc *service.Service, e historyEntry, reasoning bool) error {
	switch e.kind {
	case 'a':
		if a.flags.json {
			return a.showRecord(svc, e.turn, e.answer, reasoning)
		}
		return a.showAnswer(e.answer, reasoning)
	case 't':
		return a.showTurn(svc, e.turn, reasoning)
	}
	return svc.EachTurn(ctx, e.session.ID, func(t history.Turn) error { return a.showTurn(svc, t, reasoning) })
}

func (a *app) showRecord(svc *service.Service, t history.Turn, ans history.Answer, reasoning bool) error {
	record := svc.Exporter().LineRecord(t, ans)
	if reasoning {
		record.Reasoning = ans.Reasoning
	}
	return a.printJSON(record)
}

func (a *app) showTurn(svc *service.Service, t history.Turn, reasoning bool) error {
	if a.flags.json {
		for _, ans := range t.Answers {
			if err := a.showRecord(svc, t, ans, reasoning); err != nil {
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
		facts := termtext.Line(t.Facts(ans, -1).Join(", "))
		err := cmp.Or(a.heading(fmt.Sprintf("a%d", ans.ID), ans.Model, facts), a.showAnswer(ans, reasoning))
		if err == nil && a.out.terminal {
			err = a.print("\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// showAnswer prints the text of an answer, the path of its picture, or why there is neither. What came of a text that
// did not come whole is printed with the reason.
func (a *app) showAnswer(ans history.Answer, reasoning bool) error {
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
	return newGrowingText(a.textWriter(false), reasoning).whole(ans)
}

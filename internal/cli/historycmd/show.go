package historycmd

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/cli/answertext"
	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
)

// reasoningUsage explains the flag that several commands have.
const reasoningUsage = "with what models wrote before their answers"

func (a commands) showCommand() *cobra.Command {
	var reasoning bool
	cmd := a.HistoryReader("show [ENTRY...]", "Print sessions, turns or answers", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			if len(args) == 0 {
				s, err := a.LastSession(ctx, svc)
				if err != nil {
					return err
				}
				return a.showEntry(ctx, svc, app.Entry{Kind: 's', Session: s}, reasoning)
			}
			for _, word := range args {
				e, err := a.Entry(ctx, svc, word)
				if err != nil {
					return err
				}
				if err := a.showEntry(ctx, svc, e, reasoning); err != nil {
					return err
				}
			}
			return nil
		})
	cmd.ValidArgsFunction = a.Completion(a.SessionCompletions)
	a.JSONFlag(cmd.Flags(), "answer")
	cmd.Flags().BoolVar(&reasoning, "reasoning", false, reasoningUsage)
	return cmd
}

func (a commands) showEntry(ctx context.Context, svc *service.Service, e app.Entry, reasoning bool) error {
	switch e.Kind {
	case 'a':
		if a.Flags.JSON {
			return a.showRecord(svc, e.Turn, e.Answer, reasoning)
		}
		return a.showAnswer(e.Answer, reasoning)
	case 't':
		return a.showTurn(svc, e.Turn, reasoning)
	}
	return svc.EachTurn(ctx, e.Session.ID, func(t history.Turn) error { return a.showTurn(svc, t, reasoning) })
}

func (a commands) showRecord(svc *service.Service, t history.Turn, ans history.Answer, reasoning bool) error {
	record := svc.Exporter().LineRecord(t, ans)
	if reasoning {
		record.Reasoning = ans.Reasoning
	}
	return a.PrintJSON(record)
}

func (a commands) showTurn(svc *service.Service, t history.Turn, reasoning bool) error {
	if a.Flags.JSON {
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
			a.PrintPlain(part.text)); err != nil {
			return err
		}
	}
	for _, ans := range t.Answers {
		facts := termtext.Line(t.Facts(ans, -1).Join(", "))
		err := cmp.Or(a.heading(fmt.Sprintf("a%d", ans.ID), ans.Model, facts), a.showAnswer(ans, reasoning))
		if err == nil && a.Out.Terminal {
			err = a.Print("\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// heading prints what follows: its name in the history, what it is, and facts.
func (a commands) heading(id, what, facts string) error {
	if !a.Out.Styled {
		line := strings.TrimRight(fmt.Sprintf("==> %s %s %s", id, termtext.Line(what), facts), " ")
		return a.Print(line + " <==\n")
	}
	s := a.Styles()
	return a.PrintStyled(s.You.Render("▌ ") + s.Strong.Render(termtext.Line(what)) + "   " +
		s.Muted.Render(id+"   "+facts) + "\n")
}

// showAnswer prints the text of an answer, the path of its picture, or why there is neither. What came of a text that
// did not come whole is printed with the reason.
func (a commands) showAnswer(ans history.Answer, reasoning bool) error {
	switch {
	case ans.State == history.Failed && ans.Failure != nil:
		a.Warn("a%d, %s: %s (%s)", ans.ID, ans.Model, console.AsClause(ans.Failure.Message), ans.Failure.Code)
	case ans.State != history.Done:
		a.Warn("a%d, %s: %s", ans.ID, ans.Model, ans.State)
	case ans.Picture != nil:
		return a.PrintPath(ans.Picture.Path)
	case ans.WhyEmpty() != "":
		a.Warn("a%d, %s: %s", ans.ID, ans.Model, ans.WhyEmpty())
	}
	if ans.State != history.Done && ans.Text == "" {
		return nil
	}
	return answertext.NewGrowing(a.TextWriter(false), reasoning).Whole(ans)
}

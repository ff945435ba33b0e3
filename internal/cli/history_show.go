package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// reasoningUsage is the help of --reasoning in several commands.
const reasoningUsage = "with the reasoning before answers"

func (a *app) showCommand() *cobra.Command {
	var reasoning bool
	cmd := a.historyCommand("show [ENTRY...]", "Print sessions, turns or answers", nil, readsHistory,
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
	var hidden []string
	err := svc.EachTurn(ctx, e.session.ID, func(t history.Turn) error {
		if t.IsHidden && !a.flags.json {
			hidden = append(hidden, fmt.Sprintf("t%d", t.ID))
			return nil
		}
		return a.showTurn(svc, t, reasoning)
	})
	if n := len(hidden); n > 0 && err == nil {
		if n > maxNamedTurns {
			hidden = append(hidden[:maxNamedTurns], "…")
		}
		a.note("confab: " + format.Count(n, "turn") + " on other branches: " + strings.Join(hidden, " "))
	}
	return err
}

// maxNamedTurns is how many turns on other branches are named.
const maxNamedTurns = 20

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
	facts := t.Created.Local().Format("2006-01-02 15:04")
	if branch := t.BranchText(); branch != "" {
		facts += ", " + branch
	}
	for _, part := range []struct{ what, facts, text string }{
		{"you", facts, t.Prompt},
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
	for _, f := range t.Files {
		if err := a.heading(fmt.Sprintf("t%d", t.ID), "file "+f.Name, format.Size(f.Bytes)); err != nil {
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

// heading prints an entry's name, what it is, and facts.
func (a *app) heading(id, what, facts string) error {
	if !a.out.styled {
		line := strings.TrimRight(fmt.Sprintf("==> %s %s %s", id, termtext.Line(what), facts), " ")
		return a.print(line + " <==\n")
	}
	s := a.styles()
	return a.printStyled(s.You.Render("▌ ") + s.Strong.Render(termtext.Line(what)) + "   " +
		s.Muted.Render(id+"   "+facts) + "\n")
}

// showAnswer prints the text of an answer or the path of its picture. It warns of why an answer is missing or cut.
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
	ans.State = history.Done // all of it is printed at once
	return newGrowingText(a.textWriter(false), reasoning).grow(ans)
}

// historyEntry is a session, a turn or an answer.
type historyEntry struct {
	session history.Session
	turn    history.Turn   // of a turn, and of an answer
	answer  history.Answer // of an answer
	kind    byte           // 's', 't' or 'a'
}

// entry finds an entry by its reference or the name of a session.
func (a *app) entry(ctx context.Context, svc *service.Service, word string) (historyEntry, error) {
	kind, id, ok := parseReference(word)
	if ok && kind != 's' {
		e, err := historyEntry{kind: kind}, error(nil)
		turn := id
		if kind == 'a' {
			e.answer, err = svc.Answer(ctx, id)
			turn = e.answer.Turn
		}
		if err == nil {
			e.turn, err = svc.Turn(ctx, turn)
		}
		if api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	}
	s, err := a.session(ctx, svc, word)
	var several *history.AmbiguousNameError
	if api.CodeOf(err) == api.CodeUsage && !errors.As(err, &several) {
		return historyEntry{},
			problem.Usage("there is no entry %q in the history; confab history list and search show their names", word)
	}
	return historyEntry{kind: 's', session: s}, err
}

// session finds a session by its reference or name.
func (a *app) session(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, id, ok := parseReference(name); ok && kind == 's' {
		if s, err := svc.Session(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return s, err
		}
	}
	s, err := svc.SessionNamed(ctx, name)
	if !errors.Is(err, history.ErrNotFound) {
		return s, err
	}
	if problem := svc.StoreProblem(); problem != nil {
		return history.Session{}, problem
	}
	return history.Session{}, problem.Usage("there is no session %q; confab history list shows them", name)
}

// lastSession returns the session that was used last. Its error says whether the history could not be opened.
func (a *app) lastSession(ctx context.Context, svc *service.Service) (history.Session, error) {
	s, err := svc.LastSession(ctx)
	if api.CodeOf(err) != api.CodeUsage {
		return s, err
	}
	if problem := svc.StoreProblem(); problem != nil {
		return s, problem
	}
	return s, problem.Usage("there is no session yet")
}

// parseReference parses s12, t34 or a56: a session, a turn or an answer.
func parseReference(s string) (kind byte, id int64, ok bool) {
	if len(s) < 2 || !strings.ContainsRune("sta", rune(s[0])) || s[1] < '1' || s[1] > '9' {
		return 0, 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	return s[0], id, err == nil
}

// describe names an entry for people.
func (e historyEntry) describe() string {
	switch e.kind {
	case 's':
		return fmt.Sprintf("session s%d %q (%s)", e.session.ID, termtext.Line(e.session.Name),
			format.Count(e.session.Turns, "turn"))
	case 't':
		return fmt.Sprintf("turn t%d (%s)", e.turn.ID, format.Count(len(e.turn.Answers), "answer"))
	}
	return fmt.Sprintf("answer a%d of %s", e.answer.ID, e.answer.Model)
}

func (e historyEntry) request(r *export.Request) {
	switch e.kind {
	case 's':
		r.Session = e.session.ID
	case 't':
		r.Turn = e.turn.ID
	case 'a':
		r.Answer = e.answer.ID
	}
}

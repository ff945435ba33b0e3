package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"confab/service/problem"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
)

func (a *app) historyCommands() *cobra.Command {
	return a.group("history", "Find, show, export and delete what was kept", a.historyList(), a.historySearch(),
		a.historyShow(), a.historyExport(), a.historyRemove(), a.historyShare(), a.historyStats(), a.historyPrune(),
		a.historySweep(), a.historyMigrate(), a.historyMove(), a.historyBackup(), a.historyRestore(), a.historyPath())
}

// findFlags adds the flags of a command that looks for something in the history.
func (a *app) findFlags(fl *pflag.FlagSet, limit *int, of string) {
	*limit = 50
	a.jsonFlag(fl, of)
	numberVar(fl, limit, "limit", "n", 1, 100_000, "at most `N` of them")
}

// historyRun is what a command does with the history.
type historyRun func(ctx context.Context, svc *service.Service, args []string) error

// historyCommand returns a command that uses the history.
func (a *app) historyCommand(use, short string, accept cobra.PositionalArgs, run historyRun) *cobra.Command {
	return a.command(use, short, accept, func(ctx context.Context, args []string) error {
		return a.withHistory(ctx, args, run)
	})
}

// withHistory runs what a command does with the history. One that cannot be used is an error here: the service would go
// on without it.
func (a *app) withHistory(ctx context.Context, args []string, run historyRun) error {
	return a.withService(ctx, a.readOnly(), func(ctx context.Context, svc *service.Service) error {
		started, err := svc.Start(ctx)
		if err != nil {
			return err
		}
		if started.Problem != nil {
			return started.Problem
		}
		return run(ctx, svc, args)
	})
}

// argCount refuses a call with fewer or more arguments.
func argCount(least, most int, message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return problem.Usage("%s", message)
		}
		return nil
	}
}

func (a *app) historyList() *cobra.Command {
	var limit int
	var team bool
	cmd := a.historyCommand("list [QUERY...]", "List the sessions, the newest first", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			if team {
				hits, err := svc.TeamSessions(ctx, strings.Join(args, " "), limit)
				if err != nil {
					return err
				}
				return a.printSessions(hits, len(hits))
			}
			hits, total, err := svc.Sessions(ctx, strings.Join(args, " "), limit)
			if err != nil {
				return err
			}
			return a.printSessions(hits, total)
		})
	a.findFlags(cmd.Flags(), &limit, "session")
	cmd.Flags().BoolVar(&team, "team", false, "those that other users share")
	return cmd
}

func (a *app) printSessions(hits []history.SessionHit, total int) error {
	t := table{head: []string{"id", "session", "turns", "answers", "pictures", "last used", ""}, right: []int{2, 3, 4}}
	now := time.Now()
	err := printList(a.console, hits, t, func(h history.SessionHit) []string {
		updated := h.Updated.UTC().Format(time.RFC3339)
		if a.out.terminal {
			updated = format.Day(h.Updated, now)
		}
		return []string{"s" + strconv.FormatInt(h.ID, 10), a.shortenName(h.Name), strconv.Itoa(h.Turns),
			strconv.Itoa(h.Answers), strconv.Itoa(h.Pictures), updated, sharedText(h.IsShared, h.Owner)}
	})
	if err != nil {
		return err
	}
	if a.out.terminal && !a.flags.json && len(hits) < total {
		a.info(format.Count(len(hits), "session") + " of " + strconv.Itoa(total))
	}
	return nil
}

// sharedText says that an entry is shared, and by whom where it is another user's.
func sharedText(isShared bool, owner string) string {
	switch {
	case owner != "":
		return "of " + termtext.Line(owner)
	case isShared:
		return "shared"
	}
	return ""
}

func (a *app) historySearch() *cobra.Command {
	var limit int
	cmd := a.historyCommand("search QUERY...", "Search prompts, system prompts, answers and notes", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return problem.Usage("search for what? give words or filters")
			}
			hits, err := svc.Search(ctx, query, limit)
			if err != nil {
				return err
			}
			return a.printHits(hits)
		})
	a.findFlags(cmd.Flags(), &limit, "place found")
	return cmd
}

func (a *app) printHits(hits []history.Hit) error {
	t := table{head: []string{"id", "where", "model", "sent", "text"}}
	now := time.Now()
	return printList(a.console, hits, t, func(h history.Hit) []string {
		id := "t" + strconv.FormatInt(h.Turn, 10)
		if h.Answer != 0 {
			id = "a" + strconv.FormatInt(h.Answer, 10)
		}
		if a.out.terminal {
			return []string{id, h.Field, h.Model, format.Day(h.Created, now), h.Snippet}
		}
		return []string{id, h.SessionName, h.Field, h.Model, h.Created.UTC().Format(time.RFC3339), h.Snippet}
	})
}

func (a *app) historyPath() *cobra.Command {
	return a.command("path", "Print the path of the history file, or its URL", a.noCommand,
		func(context.Context, []string) error { return a.printPath(a.historyPlace()) })
}

// entry is a session, a turn or an answer that was named.
type entry struct {
	session history.Session
	turn    history.Turn   // of a turn, and of an answer
	answer  history.Answer // of an answer
	kind    byte           // 's', 't' or 'a'
}

// entry finds what a word of the call names.
func (a *app) entry(ctx context.Context, svc *service.Service, word string) (entry, error) {
	kind, id, ok := reference(word)
	if ok && kind != 's' {
		e, err := entry{kind: kind}, error(nil)
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
		return entry{},
			problem.Usage("there is no entry %q in the history; confab history list and search show their names", word)
	}
	return entry{kind: 's', session: s}, err
}

// session finds a session: s and its number, or else its name.
func (a *app) session(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, id, ok := reference(name); ok && kind == 's' {
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

// lastSession returns the session that was used last. Without one it says so, or why the history could not be opened.
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

// reference reads s12, t34 or a56: a session, a turn or an answer.
func reference(s string) (kind byte, id int64, ok bool) {
	if len(s) < 2 || !strings.ContainsRune("sta", rune(s[0])) || s[1] < '1' || s[1] > '9' {
		return 0, 0, false
	}
	id, err := strconv.ParseInt(s[1:], 10, 64)
	return s[0], id, err == nil
}

// describe names an entry for the question whether to delete it.
func (e entry) describe() string {
	switch e.kind {
	case 's':
		return fmt.Sprintf("session s%d %q (%s)", e.session.ID, termtext.Line(e.session.Name),
			format.Count(e.session.Turns, "turn"))
	case 't':
		return fmt.Sprintf("turn t%d (%s)", e.turn.ID, format.Count(len(e.turn.Answers), "answer"))
	}
	return fmt.Sprintf("answer a%d of %s", e.answer.ID, e.answer.Model)
}

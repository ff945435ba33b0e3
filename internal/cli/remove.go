package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
)

func (a *app) historyRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "rm ENTRY...", Short: "Delete sessions, turns or answers for good",
		Long: `Delete sessions (s12 or a name), turns (t34) or answers (a56), with their pictures, for good: nothing of them stays in the file.

It asks first; where standard input is no terminal, --yes is needed.`,
		Example: "confab history rm s12\nconfab history rm t34 a56 --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("rm takes entries: s12, t34, a56 or names of sessions")
			}
			return a.inHistory(cmd, func(ctx context.Context, svc *service.Service) error {
				return a.remove(ctx, svc, args, yes)
			})
		},
		ValidArgsFunction: a.completeSessions,
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// remove deletes entries. All of them are found before the first one goes.
func (a *app) remove(ctx context.Context, svc *service.Service, words []string, yes bool) error {
	var entries []entry
	var names []string
	for _, word := range words {
		e, err := a.entry(ctx, svc, word)
		if err != nil {
			return err
		}
		entries = append(entries, e)
		names = append(names, e.describe())
	}
	if !yes {
		ok, err := a.confirm(ctx, "Delete "+strings.Join(names, ", ")+" for good?", "--yes deletes without asking")
		if err != nil {
			return err
		}
		if !ok {
			return usage("nothing was deleted")
		}
	}
	var failed error
	for _, e := range entries {
		if err := deleteEntry(ctx, svc, e); err != nil {
			failed = err
			break
		}
	}
	// also after an error: what was deleted before it must not stay
	if _, err := svc.Purge(ctx, 0); err != nil && failed == nil {
		failed = err
	}
	if failed != nil {
		return failed
	}
	a.say("Deleted " + strings.Join(names, ", ") + ".")
	return nil
}

// deleteEntry hides an entry until it is purged. An entry that is no longer
// there, because another process or an entry named before it took it along,
// counts as deleted.
func deleteEntry(ctx context.Context, svc *service.Service, e entry) (err error) {
	switch e.kind {
	case 's':
		_, err = svc.DeleteSession(ctx, e.session.ID)
	case 't':
		_, err = svc.DeleteTurn(ctx, e.turn.ID)
	default:
		_, err = svc.DeleteAnswer(ctx, e.answer.ID)
	}
	if errors.Is(err, history.ErrNotFound) {
		return nil
	}
	return err
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

package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"confab/history"
	"confab/service"
	"confab/service/problem"
)

// checkRestOf refuses what --rest-of does not go with: the answer says itself what is asked of whom.
func checkRestOf(flags *pflag.FlagSet, args []string) error {
	if !flags.Changed("rest-of") {
		return nil
	}
	if len(args) > 0 {
		return problem.Usage("--rest-of asks for the rest of an answer, so it takes no prompt")
	}
	for _, name := range []string{"model", "system", "aspect", "nonce", "image", "param", "samples", "session",
		"continue", "context", "no-save"} {
		if flags.Changed(name) {
			return problem.Usage("--rest-of asks as it was asked before, so it excludes --%s", name)
		}
	}
	return nil
}

// prepareRest finds the answer whose rest is to be asked for.
func (a *app) prepareRest(ctx context.Context, svc *service.Service, _ []string, f askFlags) (sendFunc, error) {
	if err := checkNotThere(f.output); err != nil {
		return nil, err
	}
	if err := a.learnKey(ctx); err != nil {
		return nil, err
	}
	a.recoverInterrupted(ctx, svc)
	e, err := a.entry(ctx, svc, f.restOf)
	if err != nil {
		return nil, err
	}
	if e.kind != 'a' {
		return nil, problem.Usage("--rest-of takes an answer, such as a56; confab history show names them")
	}
	return func(ctx context.Context) (history.Turn, <-chan history.Event, error) {
		turn, events, err := svc.Continue(ctx, e.answer.ID)
		turn.Answers = slices.DeleteFunc(turn.Answers, func(ans history.Answer) bool {
			_, wasThere := e.turn.Answer(ans.ID)
			return wasThere
		})
		return turn, events, err
	}, nil
}

// restHint says how to ask for the rest of an answer; empty where that cannot be.
func (r *askReport) restHint(ctx context.Context, ans history.Answer) string {
	m, ok := r.a.catalogue.Find(ans.Model)
	if !ok || !r.svc.IsSaving() || !service.CanContinue(ans) || !r.svc.Extensions(ctx, m).TakesMessages {
		return ""
	}
	return fmt.Sprintf("confab ask --rest-of a%d asks for the rest", ans.ID)
}

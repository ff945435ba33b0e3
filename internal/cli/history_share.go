package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/termtext"
	"confab/service"
)

func (a *app) shareCommand() *cobra.Command {
	var stop bool
	cmd := a.historyCommand("share ENTRY", "Let all users of the database read a session or a run",
		argCount(1, 1, "share takes one entry: s12 or the name of a session, or r12 for a run"),
		func(ctx context.Context, svc *service.Service, args []string) error {
			return a.share(ctx, svc, args[0], !stop)
		})
	cmd.ValidArgsFunction = a.completion(a.sessionCompletions)
	cmd.Flags().BoolVar(&stop, "stop", false, "end that at once")
	return cmd
}

func (a *app) share(ctx context.Context, svc *service.Service, word string, isShared bool) error {
	what, err := "", error(nil)
	number, isRun := strings.CutPrefix(word, "r")
	if id, wrong := strconv.ParseInt(number, 10, 64); isRun && wrong == nil {
		what, err = fmt.Sprintf("run %d", id), svc.ShareRun(ctx, id, isShared)
	} else {
		s, findErr := a.session(ctx, svc, word)
		if findErr != nil {
			return findErr
		}
		what, err = fmt.Sprintf("session s%d %q", s.ID, termtext.Line(s.Name)), svc.ShareSession(ctx, s.ID, isShared)
	}
	if err != nil {
		return err
	}
	return a.print(what + choose(isShared, " is shared with the team", " is not shared any more") + "\n")
}

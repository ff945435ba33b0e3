package historycmd

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/termtext"
	"confab/service"
)

func (a commands) shareCommand() *cobra.Command {
	var stop bool
	cmd := a.HistoryCommand("share ENTRY", "Let all users of the database read a session or a run",
		app.ArgCount(1, 1, "share takes one entry: s12 or the name of a session, or r12 for a run"),
		func(ctx context.Context, svc *service.Service, args []string) error {
			return a.share(ctx, svc, args[0], !stop)
		})
	cmd.ValidArgsFunction = a.Completion(a.SessionCompletions)
	cmd.Flags().BoolVar(&stop, "stop", false, "end that at once")
	return cmd
}

func (a commands) share(ctx context.Context, svc *service.Service, word string, isShared bool) error {
	what, err := "", error(nil)
	number, isRun := strings.CutPrefix(word, "r")
	if id, wrong := strconv.ParseInt(number, 10, 64); isRun && wrong == nil {
		what, err = fmt.Sprintf("run %d", id), svc.ShareRun(ctx, id, isShared)
	} else {
		s, findErr := a.Session(ctx, svc, word)
		if findErr != nil {
			return findErr
		}
		what, err = fmt.Sprintf("session s%d %q", s.ID, termtext.Line(s.Name)), svc.ShareSession(ctx, s.ID, isShared)
	}
	if err != nil {
		return err
	}
	return a.Print(what + console.Choose(isShared, " is shared with the team", " is not shared any more") + "\n")
}

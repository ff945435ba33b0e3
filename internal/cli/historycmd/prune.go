package historycmd

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/problem"
)

// DescribeExpired writes what is older than it may be, for people.
func DescribeExpired(e history.Expired) string {
	return fmt.Sprintf("%s, %s of other sessions, %s and %s (%s)", format.Count(len(e.Sessions), "session"),
		format.Count(len(e.Turns), "turn"), format.Count(e.Answers, "answer"), format.Count(e.Pictures, "picture"),
		humanize.IBytes(uint64(e.Bytes)))
}

func (a commands) historyPrune() *cobra.Command {
	var dryRun bool
	cmd := a.Command("prune", "Delete what is older than history.keep for good", a.NoCommand,
		func(ctx context.Context, args []string) error {
			keep := a.Config.History.Keep
			if keep == 0 {
				return problem.Usage("history.keep is not set; give a time, such as --keep 90d")
			}
			a.Config.History.Keep = 0 // the start of the service must delete nothing
			return a.WithHistory(ctx, args, func(ctx context.Context, svc *service.Service, _ []string) error {
				before := time.Now().Add(-keep)
				found, err := svc.Expired(ctx, before)
				if err != nil || len(found.Sessions)+len(found.Turns) == 0 || dryRun {
					return cmp.Or(err, a.Print("older than "+before.UTC().Format(time.DateOnly)+": "+
						DescribeExpired(found)+"\n"))
				}
				if err := a.ConfirmDelete(ctx, "Delete "+DescribeExpired(found)+" for good?"); err != nil {
					return err
				}
				gone, err := svc.Prune(ctx, before)
				a.Info("Deleted " + DescribeExpired(gone) + ".")
				return err
			})
		})
	fl := cmd.Flags()
	a.SettingFlag(fl, "keep", "history.keep", "delete what was not used for this `TIME`, such as 90d")
	fl.BoolVar(&dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	a.YesFlag(fl, "do not ask")
	return cmd
}

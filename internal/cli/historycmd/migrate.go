package historycmd

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"confab/history/postgres"
	"confab/internal/config"
	"confab/service/problem"
)

func (a commands) historyMigrate() *cobra.Command {
	var dryRun bool
	var url string
	role := "confab"
	cmd := a.Command("migrate", "Make or update the tables of a history in PostgreSQL", a.NoCommand,
		func(ctx context.Context, _ []string) error {
			if wrong := config.CheckDatabaseURL(url); wrong != "" {
				return problem.Usage("the address in --url %s", wrong)
			}
			if url = cmp.Or(url, a.Config.History.URL); url == "" {
				return problem.Usage(
					"set history.url, or name the database with --url; a history in a file needs no migrating")
			}
			o, err := a.databaseAt(ctx, url)
			if err != nil {
				return err
			}
			ran, err := postgres.Migrate(ctx, o, role, dryRun)
			if err != nil {
				return problem.Store(err)
			}
			for _, name := range ran {
				verb := "ran "
				if dryRun {
					verb = "would run "
				}
				if err := a.Print(verb + filepath.Base(name) + "\n"); err != nil {
					return err
				}
			}
			if len(ran) == 0 {
				return a.Print("the tables are up to date\n")
			}
			return nil
		})
	fl := cmd.Flags()
	fl.BoolVar(&dryRun, "dry-run", false, "say what would be done, and do nothing")
	fl.StringVar(&url, "url", "", "connect to the database at `URL`, as the role that owns the tables")
	fl.StringVar(&role, "role", role, "let the program use the tables as `ROLE`")
	return cmd
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/history/postgres"
	"confab/history/sqlite"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
)

func (a *app) backupCommand() *cobra.Command {
	var f moveFlags
	cmd := a.fileCommand("backup FILE", "Write a backup of the history file while it is used",
		"backup takes the file to write", &f, a.backUp)
	cmd.Flags().StringVar(&f.picturesTo, "pictures", "", "also copy the pictures to `URL|FOLDER`, those that it lacks")
	return cmd
}

// fileCommand returns a command that copies between the history file and another until a signal comes.
func (a *app) fileCommand(use, short, takes string, f *moveFlags,
	run func(ctx context.Context, file string, f moveFlags) error) *cobra.Command {
	return a.command(use, short, argCount(1, 1, takes), func(ctx context.Context, args []string) error {
		if a.config.History.URL != "" {
			return problem.Usage("the history is in a database; use pg_dump and pg_restore, confab help team says how")
		}
		ctx, stop := a.untilSignal(ctx, nil)
		defer stop()
		return run(ctx, args[0], *f)
	})
}

func (a *app) backUp(ctx context.Context, file string, f moveFlags) error {
	if !a.hasHistory() {
		return problem.Usage("there is no history yet")
	}
	err := sqlite.Backup(ctx, a.config.Paths.History, file)
	if errors.Is(err, fs.ErrExist) {
		return problem.Usage("a file of this name exists; choose another name: %s", termtext.Line(file))
	}
	if err != nil {
		return problem.Store(err)
	}
	if info, err := os.Stat(file); err == nil {
		a.info("Written and checked: " + format.Size(info.Size()) + ".")
	}
	if f.picturesTo != "" {
		// Only the pictures that the backup names are copied.
		f.from, f.to = file, file
		if err := a.moveHistory(ctx, f); err != nil {
			return err
		}
	}
	return a.printPath(file)
}

func (a *app) restoreCommand() *cobra.Command {
	var f moveFlags
	cmd := a.fileCommand("restore FILE", "Put a backup in the place of the history file",
		"restore takes the file of a backup", &f, a.restore)
	cmd.Flags().StringVar(&f.picturesFrom, "pictures", "", "also copy the pictures back that are at `URL|FOLDER`")
	return cmd
}

func (a *app) restore(ctx context.Context, file string, f moveFlags) error {
	former, err := sqlite.Restore(ctx, file, a.config.Paths.History)
	switch {
	case errors.Is(err, history.ErrNewer):
		return problem.New(api.CodeStore, err, "a newer confab wrote the backup; update confab to restore it")
	case errors.Is(err, history.ErrCorrupt):
		return problem.New(api.CodeStore, err, "%s is damaged or is no backup of a history; nothing was changed",
			termtext.Line(file))
	case errors.Is(err, history.ErrBusy):
		return problem.New(api.CodeStore, err, "another confab has the history open; end it and restore again")
	case errors.Is(err, fs.ErrNotExist):
		return problem.Usage("there is no file %s", termtext.Line(file))
	case err != nil:
		return problem.Store(err)
	}
	if former != "" {
		a.info("The former history is " + termtext.Line(former) + ".")
	}
	if f.picturesFrom != "" {
		return a.moveHistory(ctx, f)
	}
	return nil
}

func (a *app) migrateCommand() *cobra.Command {
	var dryRun bool
	var url string
	role := "confab"
	cmd := a.command("migrate", "Make or update the tables of a history in PostgreSQL", a.noCommand,
		func(ctx context.Context, _ []string) error {
			if wrong := config.CheckDatabaseURL(url); wrong != "" {
				return problem.Usage("the address in --url %s", wrong)
			}
			if url = cmp.Or(url, a.config.History.URL); url == "" {
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
				if err := a.print(verb + filepath.Base(name) + "\n"); err != nil {
					return err
				}
			}
			if len(ran) == 0 {
				return a.print("the tables are up to date\n")
			}
			return nil
		})
	fl := cmd.Flags()
	fl.BoolVar(&dryRun, "dry-run", false, "say what would be done, and do nothing")
	fl.StringVar(&url, "url", "", "connect to the database at `URL`, as the role that owns the tables")
	fl.StringVar(&role, "role", role, "let the program use the tables as `ROLE`")
	return cmd
}

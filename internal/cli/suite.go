package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
	"confab/service/problem"
	"confab/service/suite"
)

type suiteFlags struct {
	suite.Request
	allowSkipped, dryRun bool
	outputs              []string
	again                string
	isExactCSV           bool

	// Instead of a run of the suite; team goes with list.
	compare, list, team bool
}

func (a *app) runCommand() *cobra.Command {
	var f suiteFlags
	cmd := &cobra.Command{
		Use:   "run [flags] SUITE.yaml",
		Short: "Run a suite of prompts, models and checks",
		RunE:  func(cmd *cobra.Command, args []string) error { return a.runSuite(cmd.Context(), args, f) },
	}
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.Models, "model", "m", nil,
		"ask this `SLUG` instead of the suite's models (repeatable, globs, all-text)")
	numberVar(fl, &f.Repeat, "repeat", "", 1, suite.MaxRepeat,
		"ask everything `N` times instead of as often as the suite says")
	numberVar(fl, &f.Concurrency, "concurrency", "", 1, suite.MaxConcurrency, "at most `N` calls side by side")
	timeoutVar(fl, &f.Timeout, "give up a call after `DUR`, such as 90s")
	fl.BoolVar(&f.IsResumed, "resume", false, "continue the last run of the suite: what is missing or failed")
	fl.StringVar(&f.again, "again", "",
		"continue the last run and do `WHAT` again: failed, all, a row, a row and column (2,1), or checks alone")
	fl.BoolVar(&f.allowSkipped, "allow-skipped", false,
		"exit with 0 although answers are inconclusive, unless one failed or is missing")
	fl.StringArrayVarP(&f.outputs, "output", "o", nil,
		"write the answers to this `FILE` (repeatable): .jsonl, .csv, .md, .html or .xml (JUnit), over an earlier one")
	exactCSVVar(fl, &f.isExactCSV)
	fl.StringVar(&f.Note, "note", "", "keep this `TEXT` with the run")
	fl.BoolVar(&f.compare, "compare", false, "compare two runs by their numbers: text, checks, time")
	fl.BoolVar(&f.list, "list", false, "list the runs of the suite, or of all suites")
	fl.BoolVar(&f.team, "team", false, "with --list: the runs that other users share")
	fl.BoolVar(&f.dryRun, "dry-run", false, "say how many calls there are and what they may cost, and make none")
	a.jsonFlag(fl, "answer, as each ends")
	a.quietFlag(fl, "print nothing but answers and errors")
	a.yesFlag(fl, "make many calls, and publish local pictures, without asking")
	_ = cmd.MarkFlagFilename("output", "jsonl", "csv", "md", "html", "xml")
	return cmd
}

func (f suiteFlags) check(args []string) error {
	switch {
	case f.compare && f.list:
		return problem.Usage("--compare and --list exclude each other")
	case f.compare && len(args) != 2:
		return problem.Usage("--compare takes the numbers of two runs; confab run --list shows them")
	case f.list && len(args) > 1:
		return problem.Usage("--list takes one suite, or none")
	case f.team && (!f.list || len(args) > 0):
		return problem.Usage("--team goes with --list, without a suite")
	case !f.compare && !f.list && len(args) == 0:
		return problem.Usage("run takes a suite, a YAML file; confab run --help has an example")
	case !f.compare && len(args) > 1:
		return problem.Usage("run takes one suite at a time")
	case f.isExactCSV:
		if !slices.ContainsFunc(f.outputs, func(path string) bool {
			as, _ := export.RunFormat(path)
			return as == export.FormatCSV
		}) {
			return problem.Usage("--csv-exact is for a file that ends with .csv")
		}
	}
	return nil
}

func (a *app) runSuite(ctx context.Context, args []string, f suiteFlags) (err error) {
	if err := f.check(args); err != nil {
		return err
	}
	if err := a.begin(ctx); err != nil {
		return err
	}
	if len(f.Models) > 0 { // none are the suite's own
		if f.Models, err = a.matchModels(ctx, f.Models); err != nil {
			return err
		}
	}
	run := a.openSuite
	switch {
	case f.compare:
		run = a.compareRuns
	case f.list:
		run = a.listRuns
	}
	return a.withService(ctx, recordsTurns,
		func(ctx context.Context, svc *service.Service) error { return run(ctx, svc, args, f) })
}

func (a *app) openSuite(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	a.listModels(ctx)
	file, err := svc.OpenSuite(ctx, args[0])
	if err != nil {
		return err
	}
	if !a.flags.quiet {
		for _, n := range file.Suite.Unapplied {
			a.warn("line %d of %s: %s", n.Line, filepath.Base(file.Path), n.Text)
		}
	}
	return a.runSuiteFile(ctx, svc, file, args[0], f)
}

func (a *app) runSuiteFile(ctx context.Context, svc *service.Service, file service.SuiteFile, name string,
	f suiteFlags) error {
	if err := a.learnKey(ctx); err != nil {
		return err
	}
	for _, path := range f.outputs {
		if _, err := svc.Exporter().RunPath(path); err != nil {
			return err
		}
	}
	f.Suite, f.Path, f.SHA256 = file.Suite, file.Path, file.SHA256
	var err error
	if f.Asks, err = f.selection(); err != nil {
		return err
	}
	f.IsResumed = f.IsResumed || f.again != ""
	plan, err := svc.Runner().Plan(ctx, f.Request)
	if err != nil {
		return err
	}
	if f.dryRun {
		return a.print(termtext.Line(plan.String()) + "\n")
	}
	a.note(termtext.Line(filepath.Base(name) + ": " + plan.String()))
	cost := sendingCost{CallCount: service.CallCount{Calls: plan.NewCalls + plan.Gradings}, publish: plan.Publish}
	if err := a.confirmCost(ctx, cost); err != nil {
		return err
	}
	a.recoverInterrupted(ctx, svc)
	run, events, err := svc.Runner().Start(ctx, plan)
	if err != nil {
		return err
	}
	a.warnOfStore(svc)
	return newSuiteReport(a, svc, run, file, name, f).follow(ctx, events)
}

// selection returns what a continued run asks.
func (f suiteFlags) selection() (suite.Selection, error) {
	switch choice := suite.CellChoice(f.again); choice {
	case suite.MissingCells, suite.FailedCells, suite.AllCells, suite.NoCells:
		return suite.Selection{Cells: choice}, nil
	}
	s := suite.Selection{Cells: suite.AllCells}
	row, column, hasColumn := strings.Cut(f.again, ",")
	var err, other error
	if s.Row, err = strconv.Atoi(row); hasColumn {
		s.Column, other = strconv.Atoi(column)
	}
	if err != nil || other != nil || s.Row < 1 || hasColumn && s.Column < 1 {
		return s, problem.Usage("--again takes failed, all, checks, a row such as 2, or a row and a column such as 2,1")
	}
	return s, nil
}

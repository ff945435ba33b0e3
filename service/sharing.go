package service

import (
	"context"
	"path/filepath"

	"confab/history"
	"confab/internal/fileio"
	"confab/service/export"
	"confab/service/problem"
	"confab/service/suite"
)

// CanShare reports whether the history has several users, who can share sessions and runs.
func (s *Service) CanShare(ctx context.Context) bool {
	_, err := s.sharer(ctx)
	return err == nil
}

// sharer returns the store if it has several users.
func (s *Service) sharer(ctx context.Context) (history.Sharer, error) {
	store, err := s.history(ctx)
	if err != nil {
		return nil, err
	}
	if sharer, ok := store.(history.Sharer); ok {
		return sharer, nil
	}
	return nil, problem.Usage("sharing needs a history in a database, and this one is a file of one user; " +
		"confab help team says how to set one up")
}

// ShareSession starts or stops sharing a session and its runs with all users of the database.
func (s *Service) ShareSession(ctx context.Context, id int64, isShared bool) error {
	return s.share(ctx, history.Sharer.ShareSession, id, isShared)
}

// ShareRun starts or stops sharing a run with all users of the database.
func (s *Service) ShareRun(ctx context.Context, id int64, isShared bool) error {
	return s.share(ctx, history.Sharer.ShareRun, id, isShared)
}

// share calls a method of the store that starts or stops sharing an entry.
func (s *Service) share(ctx context.Context,
	method func(history.Sharer, context.Context, int64, bool) error, id int64, isShared bool) error {
	sharer, err := s.sharer(ctx)
	if err == nil {
		err = method(sharer, ctx, id, isShared)
	}
	if err != nil {
		return problem.Store(err)
	}
	return nil
}

// TeamSessions returns the sessions of other users that are shared and match a query of [Service.Sessions].
func (s *Service) TeamSessions(ctx context.Context, query string, limit int) ([]history.SessionHit, error) {
	sharer, err := s.sharer(ctx)
	if err != nil {
		return nil, err
	}
	list := func(_ history.Store, ctx context.Context, q history.Query) ([]history.SessionHit, error) {
		return sharer.TeamSessions(ctx, q)
	}
	return find(ctx, s, list, 0, query, limit)
}

// WriteRunSuite writes a suite with the prompts of a run and returns its path. It contains no checks, since runs
// store only their results.
func (s *Service) WriteRunSuite(ctx context.Context, id int64) (string, error) {
	run, err := s.runner.Run(ctx, id)
	if err != nil {
		return "", err
	}
	turns, err := s.runTurns(ctx, id)
	if err != nil {
		return "", err
	}
	text, err := suite.FromTurns(turns...)
	if err != nil {
		return "", problem.Store(err)
	}
	name := fileio.NameFromTemplate("{slug}", fileio.NameParts{Prompt: run.Suite + " of " + run.Owner}) + ".yaml"
	path, err := s.paths.Resolve(filepath.Join(s.ExportFolder(), name))
	if err != nil {
		return "", problem.Disk("find the folder to write to", err)
	}
	return s.exporter.WriteDocument(ctx, export.Document{Write: export.WriteBytes(text)}, path, false)
}

// runTurns returns a turn for each row of a run, with the answers of all models.
func (s *Service) runTurns(ctx context.Context, run int64) (turns []history.Turn, err error) {
	table, err := s.runner.Table(ctx, run)
	if err != nil {
		return nil, err
	}
	for _, row := range table.Rows {
		calls, err := s.runner.RowTurns(ctx, row.Cells)
		if err != nil {
			return nil, err
		}
		for i, t := range calls {
			if i == 0 {
				turns = append(turns, t)
				continue
			}
			last := &turns[len(turns)-1]
			last.Answers = append(last.Answers, t.Answers...)
		}
	}
	if len(turns) == 0 {
		return nil, problem.Usage("nothing of the run was asked for yet")
	}
	return turns, nil
}

// TeamRuns returns shared runs of other users, the newest first.
func (s *Service) TeamRuns(ctx context.Context, limit int) ([]history.Run, error) {
	sharer, err := s.sharer(ctx)
	if err != nil {
		return nil, err
	}
	runs, err := sharer.TeamRuns(ctx, limit)
	return runs, problem.Store(err)
}

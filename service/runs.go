package service

import (
	"context"

	"confab/history"
)

// runPage is how many cells are read at a time.
const runPage = 500

// Runs returns runs, the newest first: those of a suite's file, or all when the
// path is empty.
func (s *Service) Runs(ctx context.Context, path string, limit int) ([]history.Run, error) {
	return from(ctx, s, func(store history.Store) ([]history.Run, error) { return store.Runs(ctx, path, limit) })
}

// RunFacts returns what is kept of a run.
func (s *Service) RunFacts(ctx context.Context, id int64) (history.Run, error) {
	return from(ctx, s, func(store history.Store) (history.Run, error) { return store.Run(ctx, id) })
}

// EachRunCell visits the cells of a run in the order in which they were first
// asked for, a page at a time. Their texts are read by their answers.
func (s *Service) EachRunCell(ctx context.Context, run int64, visit func(history.Cell) error) error {
	for after := int64(0); ; {
		page, err := from(ctx, s,
			func(store history.Store) ([]history.Cell, error) { return store.Cells(ctx, run, after, runPage) })
		if err != nil {
			return err
		}
		for _, c := range page {
			if err := visit(c); err != nil {
				return err
			}
			after = c.ID
		}
		if len(page) < runPage {
			return nil
		}
	}
}

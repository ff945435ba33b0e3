package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"confab/history"
)

// runHowText returns how a run was asked for as JSON, empty when nothing was asked for.
func runHowText(h history.RunHow) string {
	if b, err := json.Marshal(h); err == nil && string(b) != "{}" {
		return string(b)
	}
	return ""
}

// runColumns end with the numbers of cells by their verdicts, as [history.VerdictOf] has them. Quotes within the stored
// checks are escaped, so that no name or reason can look like a verdict.
const runColumns = `r.id, r.session, r.suite, r.path, r.sha256, r.started, r.ended, r.planned, r.note, r.how,
	(select json_array(count(*),
		count(*) filter (where a.state = 'done'),
		count(*) filter (where a.state = 'done' and c.checks <> '[]' and instr(c.checks, '"verdict":"failed"') = 0 and instr(c.checks, '"verdict":"skipped"') = 0),
		count(*) filter (where a.state = 'failed' or instr(c.checks, '"verdict":"failed"') > 0),
		count(*) filter (where a.state = 'done' and instr(c.checks, '"verdict":"failed"') = 0 and instr(c.checks, '"verdict":"skipped"') > 0),
		count(*) filter (where a.state = 'done' and ifnull(c.checks, '[]') = '[]'))
	from cells c ` + cellsShown + ` and c.run = r.id)`

// cellsShown joins cells with what hides them, always from the cell on.
const cellsShown = `cross join answers a on a.id = c.answer cross join turns t on t.id = c.turn cross join sessions s on s.id = t.session
	where a.trash = 0 and t.trash = 0 and s.trash = 0`

func scanRun(r rowScanner) (history.Run, error) {
	var n history.Run
	var started, ended sql.NullInt64
	var how, counts string
	err := r.Scan(&n.ID, &n.Session, &n.Suite, &n.Path, &n.SHA256, &started, &ended, &n.Planned, &n.Note, &how, &counts)
	if err == nil {
		err = json.Unmarshal([]byte(counts), &[]*int{&n.Cells, &n.Done, &n.Passed, &n.Failed, &n.Skipped, &n.Unchecked})
	}
	n.Started, n.Ended = fromMillis(started), fromMillis(ended)
	if err == nil && how != "" {
		err = json.Unmarshal([]byte(how), &n.How)
	}
	return n, err
}

// StartRun adds a run with its first cell and, where it has none, its session.
func (s *Store) StartRun(ctx context.Context, r history.Run, c history.Cell, t history.Turn) (history.Run, history.Cell,
	history.Turn, error) {
	err := s.write(ctx, "start the run", func(tx *sql.Tx) (err error) {
		if r.Session == 0 {
			r.Session, err = s.insertSession(ctx, tx, r.Suite, 0)
		} else {
			_, err = readSession(ctx, tx, r.Session)
		}
		if err != nil {
			return err
		}
		if r.Started.IsZero() {
			r.Started = s.now()
		}
		r.Started = storedTime(r.Started)
		columns := append(runColumnsThatChange(r), column{"session", r.Session}, column{"started", toMillis(r.Started)},
			column{"suite", r.Suite}, column{"path", r.Path})
		if r.ID, err = insertRow(ctx, tx, "runs", columns); err != nil {
			return err
		}
		c.Run, t.Session = r.ID, r.Session
		c, t, err = s.addCell(ctx, tx, c, t)
		return err
	})
	if err != nil {
		return history.Run{}, history.Cell{}, history.Turn{}, err
	}
	return r, c, t, nil
}

// runColumnsThatChange are the columns that [Store.PutRun] writes.
func runColumnsThatChange(r history.Run) []column {
	return []column{{"ended", toMillis(r.Ended)}, {"sha256", r.SHA256}, {"planned", r.Planned}, {"note", r.Note},
		{"how", runHowText(r.How)}}
}

// PutRun stores what may change in a run.
func (s *Store) PutRun(ctx context.Context, r history.Run) error {
	return s.write(ctx, "store the run", func(tx *sql.Tx) error {
		return updateRow(ctx, tx, "runs", runColumnsThatChange(r), r.ID)
	})
}

// Run returns a run.
func (s *Store) Run(ctx context.Context, id int64) (history.Run, error) {
	return inRead(ctx, s, "read the run", func(tx *sql.Tx) (history.Run, error) {
		return scanRun(tx.QueryRowContext(ctx, `select `+runColumns+`
			from runs r cross join sessions in_s on in_s.id = r.session
			where r.id = ? and in_s.trash = 0`, id))
	})
}

// LastRun returns the newest run of a suite's file.
func (s *Store) LastRun(ctx context.Context, path string) (history.Run, error) {
	runs, err := s.Runs(ctx, path, 1)
	if err != nil {
		return history.Run{}, err
	}
	if len(runs) == 0 {
		return history.Run{}, &history.StoreError{Step: "read the last run", Kind: history.ErrNotFound}
	}
	return runs[0], nil
}

// Runs returns the newest runs of a suite's file, or of all.
func (s *Store) Runs(ctx context.Context, path string, limit int) ([]history.Run, error) {
	if limit <= 0 {
		limit = 50
	}
	return inRead(ctx, s, "read the runs", func(tx *sql.Tx) ([]history.Run, error) {
		return selectRows(ctx, tx, scanRun, `select `+runColumns+`
			from runs r cross join sessions in_s on in_s.id = r.session
			where (?1 = '' or r.path = ?1) and in_s.trash = 0
			order by r.id desc
			limit ?2`, path, limit)
	})
}

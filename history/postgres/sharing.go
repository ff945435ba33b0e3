package postgres

import (
	"cmp"
	"context"
	"slices"

	"confab/history"
	"confab/history/sqlstore"
)

var _ history.Sharer = (*Store)(nil)

// LookAt implements [sqlstore.Database]. It makes the store listen to notices of the other user, who may stop
// sharing.
func (d *database) LookAt(tx *sqlstore.Tx, number int64) string {
	from := sqlstore.SelectValue[string](tx, `select set_config('confab.from', coalesce((select name from sharers
		where number = ?), current_setting('confab.owner')), true)`, number)
	if from == "" || from == d.owner {
		return ""
	}
	d.follow(from)
	return from
}

// ShareSession implements [history.Sharer].
func (s *Store) ShareSession(ctx context.Context, id int64, isShared bool) error {
	return s.share(ctx, "sessions", id, isShared)
}

// ShareRun implements [history.Sharer].
func (s *Store) ShareRun(ctx context.Context, id int64, isShared bool) error {
	return s.share(ctx, "runs", id, isShared)
}

func (s *Store) share(ctx context.Context, table string, id int64, isShared bool) error {
	return s.Write(ctx, "change who can read the history", func(tx *sqlstore.Tx) {
		tx.Execute(`select add_sharer()`)
		if tx.Execute(`update `+table+` set shared = ? where id = ?`, isShared, id) == 0 {
			tx.Fail(history.ErrNotFound)
		}
	})
}

// TeamSessions implements [history.Sharer]. It searches one history after the other.
func (s *Store) TeamSessions(ctx context.Context, q history.Query) (hits []history.SessionHit, err error) {
	err = s.Read(ctx, "list the sessions of the team", func(tx *sqlstore.Tx) {
		s.db.followSharers(tx)
		if hits = nil; history.NewTextMatcher(q.Text).IsEmpty() && !q.HasFilters() {
			hits = tx.TeamSessions(q.MaxResults())
			return
		}
		for _, number := range sqlstore.SelectColumn[int64](tx, `select sharing_users()`) {
			tx.LookAt(number)
			hits = append(hits, tx.FindSessions(q, ` and s.shared = 1`)...)
		}
	})
	slices.SortStableFunc(hits, func(a, b history.SessionHit) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(b.ID, a.ID))
	})
	return hits[:min(len(hits), q.MaxResults())], err
}

// TeamRuns implements [history.Sharer].
func (s *Store) TeamRuns(ctx context.Context, limit int) (runs []history.Run, err error) {
	err = s.Read(ctx, "list the runs of the team", func(tx *sqlstore.Tx) {
		s.db.followSharers(tx)
		runs = tx.TeamRuns(history.Query{Limit: limit}.MaxResults())
	})
	return runs, err
}

// followSharers makes the store listen to notices of all users who share something.
func (d *database) followSharers(tx *sqlstore.Tx) {
	for _, name := range sqlstore.SelectColumn[string](tx,
		`select name from sharers where number in (select sharing_users())`) {
		d.follow(name)
	}
}

// Votes implements [history.VoteStore].
func (s *Store) Votes(ctx context.Context, run int64) (votes []history.Vote, hidden int, err error) {
	if run == 0 {
		return s.Store.Votes(ctx, run)
	}
	err = s.Read(ctx, "read the votes", func(tx *sqlstore.Tx) {
		votes = tx.ReadVotes(run, `team_votes`, `v.owner`)
		hidden = sqlstore.SelectValue[int](tx, `select hidden_votes(?)`, run%sqlstore.SharedIDs)
	})
	for i := range votes {
		if votes[i].Voter == s.db.owner {
			votes[i].Voter = ""
		}
	}
	return votes, hidden, err
}

// UndoVote implements [history.VoteStore]. Votes on answers of others are not in the view of votes.
func (s *Store) UndoVote(ctx context.Context, id int64) error {
	return s.Write(ctx, "undo the vote", func(tx *sqlstore.Tx) {
		if tx.Execute(`delete from confab_data.votes where owner = current_setting('confab.owner') and id = ?`, id) == 0 {
			tx.Fail(history.ErrNotFound)
		}
	})
}

// VotesBetweenUsers implements [history.Sharer].
func (s *Store) VotesBetweenUsers(ctx context.Context) (onOthers, ofOthers int, err error) {
	err = s.Read(ctx, "count the votes", func(tx *sqlstore.Tx) {
		const query = `select (votes_between_users())[?]`
		onOthers, ofOthers = sqlstore.SelectValue[int](tx, query, 1), sqlstore.SelectValue[int](tx, query, 2)
	})
	return onOthers, ofOthers, err
}

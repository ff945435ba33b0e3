package history

import (
	"context"
	"database/sql"
	"os"
)

// Facts are what can be said of a store that is in order.
type Facts struct {
	Path     string // empty in memory
	SQLite   string // version of the library
	Schema   int    // version of the schema
	Journal  string // "wal", or "delete" on a network file system
	Network  bool   // the file lies on a file system shared between machines
	Bytes    int64  // of the file and of what waits to be moved into it
	Sessions int    // that are not deleted, as are the three that follow
	Turns    int
	Answers  int
	Pictures int
	Deleted  int // deletions that can still be undone
}

// Facts returns the facts of the store.
func (s *Store) Facts(ctx context.Context) (Facts, error) {
	f := Facts{Network: s.network}
	if s.file != nil {
		f.Path = s.path
		for _, name := range []string{s.path, s.path + "-wal"} {
			// The file is only looked at: opening and closing it would take
			// SQLite's locks of this process away.
			if info, err := os.Stat(name); err == nil {
				f.Bytes += info.Size()
			}
		}
	}
	err := s.read(ctx, "read the facts of the history", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `select sqlite_version(),
				(select user_version from pragma_user_version),
				(select journal_mode from pragma_journal_mode),
				count(*), coalesce(sum(turns), 0), coalesce(sum(answers), 0), coalesce(sum(pictures), 0),
				(select count(*) from trash)
			from sessions
			where trash = 0`).Scan(&f.SQLite, &f.Schema, &f.Journal, &f.Sessions, &f.Turns, &f.Answers, &f.Pictures, &f.Deleted)
	})
	return f, err
}

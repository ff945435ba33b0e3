package sqlstore

import (
	"strings"

	"confab/history"
)

// ofAllUsers makes statements read the tables themselves, in which row-level security shows what others share,
// instead of the views of one user. It joins only rows of the same owner.
var ofAllUsers = strings.NewReplacer(
	"from turns t where ", "from confab_data.turns t where t.owner = s.owner and ",
	"from runs r where ", "from confab_data.runs r where r.owner = s.owner and ",
	"from answers a where ", "from confab_data.answers a where a.owner = s.owner and ",
	"from cells c ", "from confab_data.cells c ",
	"join answers a on ", "join confab_data.answers a on a.owner = c.owner and ",
	"join turns t on ", "join confab_data.turns t on t.owner = c.owner and ",
	"join sessions s on ", "join confab_data.sessions s on s.owner = c.owner and ",
	"and c.run = r.id", "and c.owner = r.owner and c.run = r.id",
)

// TeamSessions returns the sessions that other users share, the last used first.
func (tx *Tx) TeamSessions(limit int) []history.SessionHit {
	return selectRows(tx, func(row Scanner) (h history.SessionHit) {
		var number, run int64 // run is the other user's id, which this user cannot open
		var models string
		row(append(append([]any{&h.ID}, fieldsOf(sessionFields(&h.Session))...), &number, &h.Owner, &h.LastPrompt,
			&run, &h.SuitePath, &models)...)
		markIDsOf(number, &h.ID, &h.ForkedFrom, &h.NameTurn)
		h.Models = strings.Fields(models)
		return h
	}, `select `+sessionColumns()+`, s.number, s.owner, `+ofAllUsers.Replace(descriptionColumns)+`
		from (select o.*, n.number from confab_data.sessions o join sharers n on n.name = o.owner
			where o.shared = 1 and o.trash = 0 and o.owner <> current_setting('confab.owner')
			order by o.updated desc, n.number desc, o.id desc limit ?) s
		order by s.updated desc, s.number desc, s.id desc`, limit)
}

// TeamRuns returns the runs that other users share, directly or with their session, the newest first.
func (tx *Tx) TeamRuns(limit int) []history.Run {
	return selectRows(tx, func(row Scanner) history.Run {
		var number int64
		var owner string
		n := scanRun(row, &number, &owner)
		markIDsOf(number, &n.ID, &n.Session)
		n.Owner = owner
		return n
	}, `select `+ofAllUsers.Replace(runColumns)+`, r.number, r.owner
		from (select o.*, n.number from confab_data.runs o join sharers n on n.name = o.owner
			join confab_data.sessions p on p.owner = o.owner and p.id = o.session and p.trash = 0
			where o.owner <> current_setting('confab.owner') and (o.owner, o.id) in (
				select owner, id from confab_data.runs where shared = 1 union all select q.owner, q.id
				from confab_data.sessions s join confab_data.runs q on q.owner = s.owner and q.session = s.id where s.shared = 1)
			order by o.started desc, n.number desc, o.id desc limit ?) r
		order by r.started desc, r.number desc, r.id desc`, limit)
}

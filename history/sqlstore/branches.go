package sqlstore

import (
	"context"
	"slices"

	"confab/history"
)

// ShowBranch implements [history.TurnStore].
func (s *Store) ShowBranch(ctx context.Context, turn int64) error {
	return s.Write(ctx, "show the branch", func(tx *Tx) {
		tx.showBranch(tx.readTurn(turn).Session, turn)
	})
}

// showBranch hides the turns of a session that are not on the path of a turn, and shows those that are.
func (tx *Tx) showBranch(session, turn int64) {
	path := tx.readBranches(session).Path(turn)
	for _, hides := range []bool{true, false} {
		change := slices.DeleteFunc(SelectColumn[int64](tx,
			`select id from turns where session = ? and off_path <> ? and trash = 0`, session, hides),
			func(id int64) bool { _, isOn := slices.BinarySearch(path, id); return isOn == hides })
		for chunk := range slices.Chunk(change, 500) {
			tx.Execute(`update turns set off_path = ? where id`+InList(chunk), hides)
		}
	}
}

// parentOf returns the turn that a new turn follows.
func (tx *Tx) parentOf(t history.Turn) int64 {
	if len(t.Siblings) > 0 {
		return tx.readTurn(t.Siblings[0]).Parent
	}
	for _, last := range SelectColumn[int64](tx, `select id from turns
		where session = ? and off_path = 0 and trash = 0 order by id desc limit 1`, t.Session) {
		return last
	}
	return 0
}

// readSiblings sets the siblings of turns of one session.
func (tx *Tx) readSiblings(turns []history.Turn) {
	if len(turns) == 0 {
		return
	}
	session := tx.ownID(turns[0].Session)
	if !tx.hasBranches(session) {
		return
	}
	branches := tx.readBranches(session)
	for i, t := range turns {
		siblings := branches.Siblings(tx.ownID(t.ID))
		for j := range siblings {
			tx.markIDs(&siblings[j])
		}
		turns[i].Siblings = siblings
	}
}

// hasBranches reports whether a session has turns that it does not show.
func (tx *Tx) hasBranches(session int64) bool {
	return SelectValue[bool](tx, `select exists (select 1 from turns where session = ? and off_path = 1 and trash = 0)`,
		session)
}

func (tx *Tx) readBranches(session int64) history.Branches {
	return history.NewBranches(selectRows(tx, func(row Scanner) (n history.Node) {
		row(&n.ID, &n.Parent, &n.IsDeleted)
		return n
	}, `select id, parent, case when trash = 0 then 0 else 1 end from turns where session = ? order by id`, session))
}

// leaveBranch shows another branch where the turn that is about to be deleted ends the path of a session.
func (tx *Tx) leaveBranch(session, turn int64) {
	branches := tx.readBranches(session)
	siblings, path := branches.Siblings(turn), branches.Path(turn)
	if at := slices.Index(siblings, turn); at >= 0 && path[len(path)-1] == turn {
		siblings = slices.Delete(siblings, at, at+1)
		tx.showBranch(session, siblings[max(0, at-1)])
	}
}

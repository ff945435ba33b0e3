package sqlstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"confab/history"
)

// AddTurn implements [history.TurnStore].
func (s *Store) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	return inTx(ctx, s, s.wait, "record the turn", func(tx *Tx) history.Turn { return tx.AddTurn(t) })
}

// AddTurnToSession implements [history.TurnStore].
func (s *Store) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	return inTx(ctx, s, s.wait, "record the turn", func(tx *Tx) history.Turn {
		t.Session = tx.ensureSession(name)
		return tx.AddTurn(t)
	})
}

// AddTurn adds a turn with its answers to a session, as [Store.AddTurn] does.
func (tx *Tx) AddTurn(t history.Turn) history.Turn {
	in := tx.readSession(t.Session)
	t.Parent, t.IsHidden = tx.parentOf(t), false
	t = tx.insertTurn(t, filterWords(t.Answers))
	t.Answers = slices.Clone(t.Answers)
	for i, a := range t.Answers {
		a.Turn = t.ID
		t.Answers[i] = tx.insertAnswer(rowOfAnswer(a))
	}
	name := cmp.Or(history.SessionName(t.Title), history.SessionName(t.Template), history.SessionName(t.Prompt))
	if t.Title = ""; in.Name == "" && name != "" {
		tx.renameSession(in, name, t.ID)
	}
	tx.countAdded(t.Session, 1, t.Answers)
	if len(t.Siblings) > 0 {
		tx.showBranch(t.Session, t.ID)
	}
	turns := []history.Turn{t}
	tx.readSiblings(turns)
	return turns[0]
}

// insertTurn adds a turn without its answers.
func (tx *Tx) insertTurn(t history.Turn, facts string) history.Turn {
	if t.Created.IsZero() {
		t.Created = tx.store.now()
	}
	t.Created = history.StoredTime(t.Created)
	t.Samples = max(1, t.Samples)
	if t.Vars = maps.Clone(t.Vars); len(t.Vars) == 0 {
		t.Vars = nil
	}
	r := &turnRow{Turn: t, facts: facts}
	if t.Source != nil {
		r.source, r.hasSource = *t.Source, true
		t.Source = &r.source
	}
	t.ID = tx.insertRow("turns", append(r.columns(), column{"facts", &r.facts}))
	for i := range t.Files {
		f := fileRow{File: t.Files[i], turn: t.ID, position: i}
		tx.insertRow("turn_files", f.columns())
	}
	tx.AddToIndex(turnEntry(t.ID, t.Prompt, t.System, facts))
	return t
}

func turnEntry(id int64, prompt, system, facts string) IndexEntry {
	return IndexEntry{Kind: TurnRows, ID: id, Texts: []string{prompt, system}, FilterWords: facts}
}

// Turn implements [history.TurnStore].
func (s *Store) Turn(ctx context.Context, id int64) (history.Turn, error) {
	return inTx(ctx, s, reading, "read the turn", func(tx *Tx) history.Turn {
		turns := []history.Turn{tx.readTurn(tx.lookInto(id))}
		tx.readFilesInto(turns)
		tx.readSiblings(turns)
		tx.readAnswersInto(turns)
		return turns[0]
	})
}

// readTurn reads a turn that is not hidden, without its answers.
func (tx *Tx) readTurn(id int64) history.Turn {
	defer tx.explainMissing(id)
	return selectRow(tx, tx.scanTurn, `select `+turnColumns()+`
		from turns t join sessions s on s.id = t.session
		where t.id = ? and t.trash = 0 and s.trash = 0`, id)
}

// Turns implements [history.TurnStore].
func (s *Store) Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error) {
	if p.Limit <= 0 {
		p.Limit = 50
	}
	return inTx(ctx, s, reading, "read the turns", func(tx *Tx) []history.Turn {
		session := tx.lookInto(session)
		p.Before, p.After, p.Around = tx.ownID(p.Before), tx.ownID(p.After), tx.ownID(p.Around)
		p.Beside = tx.ownID(p.Beside)
		turns := tx.readPage(session, p)
		tx.readFilesInto(turns)
		tx.readSiblings(turns)
		tx.readAnswersInto(turns)
		return turns
	})
}

// AnsweredTurns implements [history.TurnStore]. What counts as answered is what service.ContextAnswer can use.
func (s *Store) AnsweredTurns(ctx context.Context, session, before int64) (int, error) {
	return inTx(ctx, s, reading, "count the turns", func(tx *Tx) int {
		session := tx.lookInto(session)
		return SelectValue[int](tx, `select count(*) from turns t
			where t.session = ? and t.id < ? and t.trash = 0 and t.off_path = 0 and exists (select 1 from answers a
				where a.turn = t.id and a.trash = 0 and a.state not in ('queued', 'running')
					and (a.kind = 'text' and a.answer != '' or a.picture_path is not null))`,
			session, tx.ownID(before))
	})
}

// readPage reads the turns of a page without their answers.
func (tx *Tx) readPage(session int64, p history.Page) []history.Turn {
	where := `t.session = ? and t.off_path = 0 and t.id `
	if p.HasHidden {
		where = `t.session = ? and t.id `
	}
	before := func(id int64, limit int) []history.Turn {
		turns := tx.selectTurns(where+`< ?`, `t.id desc`, limit, session, id)
		slices.Reverse(turns)
		return turns
	}
	after := func(id int64, limit int) []history.Turn {
		return tx.selectTurns(where+`> ?`, `t.id`, limit, session, id)
	}
	switch {
	case p.Beside > 0:
		beside := append(tx.readBranches(session).Siblings(p.Beside), p.Beside)
		return tx.selectTurns(`t.session = ? and t.id`+InList(beside), `t.id`, len(beside), session)
	case p.Around > 0:
		earlier := before(p.Around, (p.Limit+1)/2-1)
		later := after(p.Around-1, p.Limit-len(earlier))
		// Near the end of a session, fill the page from the other side.
		var more []history.Turn
		if len(earlier) > 0 {
			more = before(tx.ownID(earlier[0].ID), p.Limit-len(earlier)-len(later))
		}
		return slices.Concat(more, earlier, later)
	case p.After > 0:
		return after(p.After, p.Limit)
	case p.Before > 0:
		return before(p.Before, p.Limit)
	}
	return before(1<<62, p.Limit)
}

func (tx *Tx) selectTurns(where, order string, limit int, args ...any) []history.Turn {
	if limit <= 0 {
		return nil
	}
	return selectRows(tx, tx.scanTurn, `select `+turnColumns()+`
		from turns t cross join sessions s on s.id = t.session
		where `+where+` and t.trash = 0 and s.trash = 0
		order by `+order+`
		limit ?`, append(args, limit)...)
}

// readFilesInto reads the files of consecutive turns of a session.
func (tx *Tx) readFilesInto(turns []history.Turn) {
	if len(turns) == 0 {
		return
	}
	at := make(map[int64]int, len(turns))
	for i, t := range turns {
		at[t.ID] = i
	}
	for row := range tx.Rows(`select `+columnList("f.", new(fileRow).columns())+`
		from turns t cross join turn_files f on f.turn = t.id
		where t.session = ? and t.id between ? and ? and t.trash = 0
		order by f.turn, f.position`,
		tx.ownID(turns[0].Session), tx.ownID(turns[0].ID), tx.ownID(turns[len(turns)-1].ID)) {
		var f fileRow
		row(fieldsOf(f.columns())...)
		tx.markIDs(&f.turn)
		tx.markShared(&f.Path, 0)
		if i, ok := at[f.turn]; ok {
			turns[i].Files = append(turns[i].Files, f.File)
		}
	}
}

// readAnswersInto reads the answers of consecutive turns of a session.
func (tx *Tx) readAnswersInto(turns []history.Turn) {
	if len(turns) == 0 {
		return
	}
	at := make(map[int64]int, len(turns))
	for i, t := range turns {
		at[t.ID] = i
	}
	for row := range tx.Rows(`select `+answerColumns()+`
		from turns t cross join answers a on a.turn = t.id
		where t.session = ? and t.id between ? and ? and t.trash = 0 and a.trash = 0
		order by t.id, a.id`, tx.ownID(turns[0].Session), tx.ownID(turns[0].ID), tx.ownID(turns[len(turns)-1].ID)) {
		a := tx.scanAnswerRow(row)
		i, ok := at[a.Turn]
		switch {
		case !ok:
		case a.isLater:
			turns[i] = history.Apply(turns[i], history.Event{Turn: a.Turn, Answer: a.Answer})
		default:
			turns[i].Answers = append(turns[i].Answers, a.Answer)
		}
	}
}

// FindInSession implements [history.Searcher].
func (s *Store) FindInSession(ctx context.Context, session int64, text string) ([]int64, error) {
	if text == "" {
		return nil, nil
	}
	text = strings.ToLower(text)
	return inTx(ctx, s, reading, "search the session", func(tx *Tx) (ids []int64) {
		session := tx.lookInto(session)
		for row := range tx.Rows(`select t.id, t.prompt, t.system
				from turns t cross join sessions s on s.id = t.session
				where t.session = ?1 and t.off_path = 0 and t.trash = 0 and s.trash = 0
			union all select t.id, a.answer, `+tx.note()+`
				from turns t cross join sessions s on s.id = t.session cross join answers a on a.turn = t.id
				where t.session = ?1 and t.off_path = 0 and t.trash = 0 and s.trash = 0 and a.trash = 0
			union all select t.id, f.name, f.body
				from turns t cross join sessions s on s.id = t.session cross join turn_files f on f.turn = t.id
				where t.session = ?1 and t.off_path = 0 and t.trash = 0 and s.trash = 0`, session) {
			var id int64
			var one, other string
			row(&id, &one, &other)
			tx.markIDs(&id)
			if strings.Contains(strings.ToLower(one), text) || strings.Contains(strings.ToLower(other), text) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return slices.Compact(ids)
	})
}

package sqlstore

import (
	"context"
	"slices"
	"time"

	"confab/history"
)

// ImportSession implements [history.ImportStore].
func (s *Store) ImportSession(ctx context.Context, in history.ImportedSession, isDry bool) (history.Import, error) {
	return inTx(ctx, s, s.wait, "import the session", func(tx *Tx) history.Import {
		return tx.importSession(in, isDry)
	})
}

func (tx *Tx) importSession(in history.ImportedSession, isDry bool) (r history.Import) {
	known, session := tx.importedTurns(in.Turns)
	r.Session, r.IsNew = session, session == 0
	missing := make([][]history.Answer, len(in.Turns))
	for i, t := range in.Turns {
		if missing[i] = t.Answers; known[t.Origin] != 0 {
			missing[i] = tx.missingAnswers(known[t.Origin], t.Answers)
		} else {
			r.Turns++
		}
		r.Answers += len(missing[i])
	}
	if isDry || r.IsNothing() {
		return r
	}
	if r.IsNew {
		r.Session = tx.addSession(in.Name, 0, in.Turns[0].Created, importedTouch(in.Updated))
	}
	showsNew := known[in.Turns[in.Shown].Origin] == 0
	for i, t := range in.Turns {
		if id := known[t.Origin]; id != 0 {
			if len(missing[i]) > 0 {
				tx.insertLater(tx.readTurn(id), missing[i])
			}
			continue
		}
		known[t.Origin] = tx.importTurn(t, r.Session, known, in.Turns)
	}
	if showsNew {
		tx.showBranch(r.Session, known[in.Turns[in.Shown].Origin])
	}
	tx.Execute(`update sessions set updated = case when updated < ?1 then ?1 else updated end,
		touched = case when touched < 0 then ?2 else touched end where id = ?3`,
		in.Updated.UnixMilli(), importedTouch(in.Updated), r.Session)
	tx.nameByTurns(r.Session)
	tx.recountSession(r.Session)
	return r
}

// importTurn adds a turn, hidden until its branch is shown, and returns its id.
func (tx *Tx) importTurn(t history.ImportedTurn, session int64, ids map[string]int64,
	all []history.ImportedTurn) int64 {
	t.Session, t.Parent, t.IsHidden = session, 0, true
	if t.Follows >= 0 {
		t.Parent = ids[all[t.Follows].Origin]
	}
	added := tx.insertTurn(t.Turn, filterWords(t.Answers))
	tx.Execute(`update turns set origin = ? where id = ?`, t.Origin, added.ID)
	for _, a := range t.Answers {
		a.Turn = added.ID
		tx.insertAnswer(rowOfAnswer(a))
	}
	return added.ID
}

// importedTurns returns the ids of the turns that were imported before, by their origins, and their session.
func (tx *Tx) importedTurns(turns []history.ImportedTurn) (ids map[string]int64, session int64) {
	ids = make(map[string]int64, len(turns))
	for chunk := range slices.Chunk(turns, 500) {
		origins := make([]any, len(chunk))
		for i, t := range chunk {
			origins[i] = t.Origin
		}
		for row := range tx.Rows(`select t.origin, t.id, t.session from turns t join sessions s on s.id = t.session
			where t.origin <> '' and t.origin in (`+placeholders(len(chunk))+`) and t.trash = 0 and s.trash = 0`, origins...) {
			var origin string
			var id int64
			row(&origin, &id, &session)
			ids[origin] = id
		}
	}
	return ids, session
}

// missingAnswers returns the answers of which a turn has none with that model, kind and text.
func (tx *Tx) missingAnswers(turn int64, answers []history.Answer) (missing []history.Answer) {
	type content struct {
		model, text string
		kind        history.ModelKind
	}
	stored := map[content]int{}
	for row := range tx.Rows(`select model, kind, answer from answers where turn = ? and trash = 0`, turn) {
		var c content
		row(&c.model, &c.kind, &c.text)
		stored[c]++
	}
	for _, a := range answers {
		c := content{a.Model, a.Text, a.Kind}
		if stored[c]--; stored[c] < 0 {
			missing = append(missing, a)
		}
	}
	return missing
}

// importedTouch returns a rank by time among the sessions that were not used here, below the positive ones of the
// others.
func importedTouch(at time.Time) int64 {
	const farFuture = 1 << 48 // ms
	return min(max(at.UnixMilli(), 0), farFuture-1) - farFuture
}

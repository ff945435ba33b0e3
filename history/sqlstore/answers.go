package sqlstore

import (
	"context"
	"encoding/json"
	"strings"

	"confab/history"
)

func (tx *Tx) insertAnswer(r *answerRow) history.Answer {
	r.Answer = history.StoredAnswer(r.Answer)
	if r.State == "" {
		r.State = history.Queued
	}
	r.Sample = max(1, r.Sample)
	if !r.State.HasEnded() {
		r.process = tx.store.processRow()
	}
	r.ID = tx.insertRow("answers", r.columns())
	counts := 1
	if r.isCopied {
		counts = 0
	}
	tx.countAnswer(r.Answer, counts)
	tx.AddToIndex(answerEntry(r.Answer))
	return r.Answer
}

// answerEntry returns the index entry of an answer, with its text only once it has ended.
func answerEntry(a history.Answer) IndexEntry {
	text := a.Text
	if !a.State.HasEnded() {
		text = ""
	}
	return IndexEntry{Kind: AnswerRows, ID: a.ID, Texts: []string{text, a.Note},
		FilterWords: modelToken(a.Model) + " " + kindToken(a.Kind)}
}

// AddAnswers implements [history.TurnStore].
func (s *Store) AddAnswers(ctx context.Context, turn int64, answers []history.Answer) ([]history.Answer, error) {
	return inTx(ctx, s, s.wait, "add the answers", func(tx *Tx) []history.Answer {
		return tx.addAnswers(turn, answers)
	})
}

func (tx *Tx) addAnswers(turnID int64, answers []history.Answer) []history.Answer {
	t := tx.readTurn(turnID)
	added := tx.insertLater(t, answers)
	tx.countAdded(t.Session, 0, added)
	return added
}

// insertLater adds answers to a turn without counting them.
func (tx *Tx) insertLater(t history.Turn, answers []history.Answer) (added []history.Answer) {
	for _, a := range answers {
		a.Turn = t.ID
		row := rowOfAnswer(a)
		row.isLater = true
		added = append(added, tx.insertAnswer(row))
	}
	facts := SelectValue[string](tx, `select facts from turns where id = ?`, t.ID)
	more := facts
	for f := range strings.FieldsSeq(filterWords(answers)) {
		if !strings.Contains(" "+more+" ", " "+f+" ") {
			more = strings.TrimSpace(more + " " + f)
		}
	}
	if more != facts {
		tx.Execute(`update turns set facts = ? where id = ?`, more, t.ID)
		tx.updateIndex(turnEntry(t.ID, t.Prompt, t.System, facts), turnEntry(t.ID, t.Prompt, t.System, more))
	}
	return added
}

// SaveAnswer implements [history.AnswerStore].
func (s *Store) SaveAnswer(ctx context.Context, a history.Answer) error {
	return s.Write(ctx, "save the answer", func(tx *Tx) {
		// The answer may be hidden: another process may still undo the deletion.
		old := selectRow(tx, tx.scanAnswer, `select `+answerColumns()+` from answers a where a.id = ?`, a.ID)
		if tx.err != nil || !a.Replaces(old) {
			return
		}
		a = history.StoredAnswer(a)
		a.Version = max(a.Version, old.Version+1)
		a.Turn, a.Model, a.Kind, a.Note = old.Turn, old.Model, old.Kind, old.Note
		row := rowOfAnswer(a)
		if !a.State.HasEnded() { // a process that continues an ended answer owns it
			row.process = s.processRow()
		}
		tx.updateRow("answers", row.changing(), a.ID)
		tx.updateIndex(answerEntry(old), answerEntry(a))
		tx.countChange(old, a)
	})
}

// countChange updates the statistics and the session's number of pictures after a change of an answer.
func (tx *Tx) countChange(old, a history.Answer) {
	if old.State != a.State {
		tx.countAnswer(old, -1)
		tx.countAnswer(a, 1)
	}
	if (old.Picture == nil) == (a.Picture == nil) {
		return
	}
	more := 1
	if a.Picture == nil {
		more = -1
	}
	// Hidden answers are not counted; showing them counts again.
	tx.Execute(`update sessions set pictures = pictures + ?
		where id = (select t.session from answers a join turns t on t.id = a.turn
			where a.id = ? and a.trash = 0 and t.trash = 0)`, more, a.ID)
}

// Answer implements [history.AnswerStore].
func (s *Store) Answer(ctx context.Context, id int64) (history.Answer, error) {
	return inTx(ctx, s, reading, "read the answer", func(tx *Tx) history.Answer {
		return tx.readAnswer(tx.lookInto(id))
	})
}

// readAnswer reads an answer that is not hidden.
func (tx *Tx) readAnswer(id int64) history.Answer {
	defer tx.explainMissing(id)
	return selectRow(tx, tx.scanAnswer, `select `+answerColumns()+shownAnswer, id)
}

// shownAnswer is the end of a select of an answer "a" by its id that leaves out hidden ones.
const shownAnswer = ` from answers a join turns t on t.id = a.turn join sessions s on s.id = t.session
	where a.id = ? and a.trash = 0 and t.trash = 0 and s.trash = 0`

// Judge implements [history.AnswerStore].
func (s *Store) Judge(ctx context.Context, id int64, rating history.Rating, isWinner bool, note string) (history.Answer,
	error) {
	return inTx(ctx, s, s.wait, "judge the answer", func(tx *Tx) history.Answer {
		old := tx.readAnswer(id)
		judged := old
		judged.Version++
		judged.Rating, judged.IsWinner, judged.Note = rating, isWinner, note
		tx.Execute(`update answers set version = ?, rating = ?, winner = ?, note = ? where id = ?`,
			judged.Version, rating, isWinner, note, id)
		if isWinner { // including hidden answers, which may be shown again
			tx.Execute(`update answers set version = version + 1, winner = 0 where turn = ? and winner = 1 and id <> ?`,
				old.Turn, id)
		}
		tx.updateIndex(answerEntry(old), answerEntry(judged))
		return judged
	})
}

// SaveExchange implements [history.AnswerStore].
func (s *Store) SaveExchange(ctx context.Context, id int64, e history.Exchange) error {
	body, err := json.Marshal(e)
	if err != nil {
		return s.Error(ctx, "write the exchange", err)
	}
	return s.Write(ctx, "save the exchange", func(tx *Tx) {
		SelectValue[int64](tx, `select id from answers where id = ?`, id)
		tx.upsertRow("exchanges", []column{{"answer", id}}, []column{{"body", string(body)}})
	})
}

// Exchange implements [history.AnswerStore].
func (s *Store) Exchange(ctx context.Context, id int64) (history.Exchange, error) {
	return inTx(ctx, s, reading, "read the exchange", func(tx *Tx) history.Exchange {
		tx.readAnswer(id)
		return selectRow(tx, func(row Scanner) (e history.Exchange) {
			row(jsonText{value: &e})
			return e
		}, `select body from exchanges where answer = ?`, id)
	})
}

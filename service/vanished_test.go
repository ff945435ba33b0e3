package service_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

// Operations on a deleted or missing entry fail with the sentence of storeProblem.
func TestVanishedEntries(t *testing.T) {
	w := newWorld(t)
	gone := w.send(t, service.Prompt{Text: "x", Models: []string{"oss-20b"}})
	kept := w.send(t, service.Prompt{Text: "y", Models: []string{"oss-20b"}})
	must(t, errorOf(w.DeleteSession(t.Context(), gone.Session)))
	other := kept.Answers[0].ID
	type entry struct{ session, turn, answer, vote, persona int64 }
	for name, e := range map[string]entry{
		"deleted": {gone.Session, gone.ID, gone.Answers[0].ID, 9, 9},
		"unknown": {999, 999, 999, 999, 999},
	} {
		vote := func(a, b int64) error {
			_, err := w.AddVote(t.Context(), history.Vote{AnswerA: a, AnswerB: b, Preference: history.VoteA})
			return err
		}
		fork := func(session, turn int64) error {
			_, err := w.ForkSession(t.Context(), session, turn, "x")
			return err
		}
		_, noteErr := w.Judge(t.Context(), e.answer, history.Good, false, "x")
		_, deleteErr := w.DeleteAnswer(t.Context(), e.answer)
		_, _, againErr := w.Again(t.Context(), e.answer, false)
		for what, err := range map[string]error{
			"rename": w.RenameSession(t.Context(), e.session, "x"), "fork": fork(e.session, 0),
			"fork up to a turn": fork(kept.Session, e.turn), "note": noteErr, "delete": deleteErr, "again": againErr,
			"vote for": vote(e.answer, other), "vote against": vote(other, e.answer),
			"undo a vote": w.UndoVote(t.Context(), e.vote), "delete a persona": w.DeletePersona(t.Context(), e.persona),
		} {
			wantCode(t, err, api.CodeUsage)
			if want := "There is no such entry in the history; it may have been deleted."; !strings.Contains(
				err.Error(), want,
			) {
				t.Errorf("%s, %s: got %q", name, what, err)
			}
		}
	}
}

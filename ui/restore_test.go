package ui_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/ui"
)

// TestKeysBeforeTheSessionIsShown types while the session that the screen starts with is being read: what is typed goes
// into that session, after its draft.
func TestKeysBeforeTheSessionIsShown(t *testing.T) {
	testKeysBefore(t, func(u *ui.Options, session int64) { u.Start.Session.ID = session })
	testKeysBefore(t, func(u *ui.Options, session int64) {
		u.Start.Session.Find = func(context.Context) (history.Session, error) {
			time.Sleep(600 * time.Millisecond)
			return history.Session{ID: session}, nil
		}
	})
}

func testKeysBefore(t *testing.T, asksFor func(u *ui.Options, session int64)) {
	run(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "history.db")
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		old, err := store.AddTurnToSession(t.Context(), "", history.Turn{Prompt: "old question",
			Answers: []history.Answer{
				{Model: "alpha3.1-8b", Kind: history.KindText, State: history.Done, Text: "An old answer."}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		s := open(t, 120, 40, func(u *ui.Options, o *service.Options) {
			asksFor(u, old.Session)
			o.History.Open = func(ctx context.Context) (history.Store, error) {
				time.Sleep(600 * time.Millisecond)
				return sqlite.Open(ctx, path, sqlite.Options{})
			}
		})
		s.shows("Prompt")
		s.lacks("old question")
		s.typed("tides")
		s.program.Send(keyPress("enter"))
		s.pass(4 * time.Second)
		s.shows("old question")
		s.shows("About tides")
		s.shows("2 turns")
	})
}

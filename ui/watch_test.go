package ui_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/ui"
)

// watchedStore is a store that tells of changes when the test says so.
type watchedStore struct {
	*sqlite.Store
	changes chan history.Change
}

// Watch implements history.Watcher.
func (s watchedStore) Watch(context.Context) <-chan history.Change { return s.changes }

// openWithAnotherHost returns a screen, a second connection to its history as another host has it, and the channel of
// the notices that the screen gets.
func openWithAnotherHost(t *testing.T) (*screen, *sqlite.Store, chan<- history.Change) {
	t.Helper()
	path, changes := filepath.Join(t.TempDir(), "history.db"), make(chan history.Change)
	s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) {
		so.History.Open = func(ctx context.Context) (history.Store, error) {
			store, err := sqlite.Open(ctx, path, sqlite.Options{})
			return watchedStore{store, changes}, err
		}
	})
	t.Cleanup(func() { close(changes) })
	other, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, other, changes
}

// TestChangesOfAnotherHost follows a session that another process goes on with, changes and deletes from.
func TestChangesOfAnotherHost(t *testing.T) {
	run(t, func(t *testing.T) {
		s, other, changes := openWithAnotherHost(t)
		defer other.Close()
		s.typed("mine")
		s.press("enter")
		s.pass(5 * time.Second)
		last, err := other.LastSession(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := other.AddTurn(t.Context(), history.Turn{Session: last.ID, Prompt: "typed elsewhere",
			Answers: []history.Answer{{Model: "alpha3.1-8b", Kind: history.KindText, State: history.Running,
				Text: "half of it", Version: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		changed := func(c history.Change) {
			changes <- c
			s.settle()
		}
		changed(history.Change{})
		s.shows("mine", "typed elsewhere")
		s.typed("a prompt that is being written")
		a := theirs.Answers[0]
		a.Version, a.State, a.Text = 2, history.Done, "the whole of it"
		if err := other.SaveAnswer(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		changed(history.Change{})
		s.shows("the whole of it", "a prompt that is being written")
		if _, err := other.DeleteTurn(t.Context(), theirs.ID); err != nil {
			t.Fatal(err)
		}
		changed(history.Change{})
		s.shows("mine", "About mine", "a prompt that is being written")
		s.lacks("typed elsewhere")

		changed(history.Change{IsUnreachable: true})
		s.shows("The history cannot be reached, trying again.")
		s.typed(" and on")
		s.shows("a prompt that is being written and on")
		changed(history.Change{})
		s.shows("The history can be reached again.")
	})
}

// TestHistoryComesBack starts a screen whose history is not reachable at first.
func TestHistoryComesBack(t *testing.T) {
	run(t, func(t *testing.T) {
		path, isReachable := filepath.Join(t.TempDir(), "history.db"), make(chan bool)
		s := open(t, 120, 40, func(_ *ui.Options, so *service.Options) {
			so.History.Open = func(ctx context.Context) (history.Store, error) {
				if !<-isReachable {
					return nil, &history.StoreError{Step: "open the history", Kind: history.ErrUnreachable}
				}
				return sqlite.Open(ctx, path, sqlite.Options{})
			}
		})
		isReachable <- false
		s.settle()
		s.shows("The history cannot be reached, trying again.")
		s.typed("early")
		isReachable <- true
		s.settle()
		s.shows("The history can be reached again.", "early")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("About early")
	})
}

// TestListsFollowAnotherHost keeps lists open while another process adds to what they show.
func TestListsFollowAnotherHost(t *testing.T) {
	run(t, func(t *testing.T) {
		s, other, changes := openWithAnotherHost(t)
		defer other.Close()
		changed := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			changes <- history.Change{}
			s.settle()
			s.pass(time.Second)
		}
		add := func(session string, a history.Answer) error {
			a.Model, a.State, a.Version = "sim-image", history.Done, 1
			_, err := other.AddTurnToSession(t.Context(), session, history.Turn{Prompt: "prompt of " + session,
				Answers: []history.Answer{a}})
			return err
		}
		changed(add("shown at the start", history.Answer{Kind: history.KindText}))
		s.shows("shown at the start")
		s.press("ctrl+s")
		changed(add("made elsewhere", history.Answer{Kind: history.KindText}))
		s.shows("Sessions", "made elsewhere")
		s.press("esc", "ctrl+g")
		changed(add("painted elsewhere", history.Answer{Kind: history.KindImage,
			Picture: &history.Picture{Path: "/nowhere.png", Width: 8, Height: 8}}))
		s.shows("Pictures", "prompt of painted elsewhere")
		s.press("esc", "f3")
		run, cell, turn, err := other.StartRun(t.Context(), history.Run{Suite: "a suite", Path: "/a.yaml", Planned: 1},
			history.Cell{Key: "k", Number: 1, Row: 1, Column: 1, Provider: "sim-image"}, history.Turn{Prompt: "x",
				Answers: []history.Answer{{Model: "sim-image", Kind: history.KindText, State: history.Running}}})
		changed(err)
		s.shows("Runs", "a suite")
		s.press("enter")
		s.pass(time.Second)
		s.shows("1 running")
		a := turn.Answers[0]
		a.State, a.Text, a.Version = history.Done, "y", 2
		cell.IsJudged, cell.Checks = true, []history.CheckResult{{Name: "c", Verdict: "passed"}}
		run.Ended = time.Now()
		changed(errors.Join(other.SaveAnswer(t.Context(), a), other.PutCell(t.Context(), cell),
			other.PutRun(t.Context(), run)))
		s.shows("1 of 1 passed")
	})
}

package postgres_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/sqlite"
	"confab/history/sqlstore"
)

// TestSharedSessionIsReadAndForked reads, finds and copies a session that another user shares.
func TestSharedSessionIsReadAndForked(t *testing.T) {
	server := connect(t, postgres.Options{})
	ada, ben := openUser(t, server, "ada"), openUser(t, server, "ben")
	ctx := t.Context()
	e := fill(t, ada)
	must(t, ada.ShareSession(ctx, e.session, true))
	seen := seenBy(t, ben, "ada", e)

	got, err := ben.Session(ctx, seen.session)
	if err != nil || got.Owner != "ada" || !got.IsShared || got.Turns != 1 {
		t.Errorf("the shared session: %+v, %v", got, err)
	}
	own, err := ada.Session(ctx, e.session)
	if err != nil || own.Owner != "" || !own.IsShared {
		t.Errorf("one's own session: %+v, %v", own, err)
	}
	turns, err := ben.Turns(ctx, seen.session, history.Page{})
	if err != nil || len(turns) != 1 || len(turns[0].Answers) != 3 || turns[0].Answers[0].Text != "secret answer" {
		t.Fatalf("its turns: %+v, %v", turns, err)
	}
	files := turns[0].Files
	if len(files) != 2 || files[0].Text != "secret file" || !history.IsSharedPicture(files[1].Path) {
		t.Errorf("its files: %+v", files)
	}
	owner, answer, path, ok := history.SharedPicture(turns[0].Answers[1].Picture.Path)
	if owner != "ada" || answer != turns[0].Answers[1].ID || path != "/secret.png" || !ok {
		t.Errorf("the path of its picture: %q", turns[0].Answers[1].Picture.Path)
	}
	for typed, want := range map[string]int{"": 1, "secret answ": 1, `"secret prompt"`: 1, "name": 1, "deleted": 0,
		"model:secret kind:text": 1, "model:other": 0, "kind:edit": 0, "suite": 0} {
		q, err := history.ParseQuery(typed, time.Now())
		must(t, err)
		hits, err := ben.TeamSessions(ctx, q)
		hits = slices.DeleteFunc(hits, func(h history.SessionHit) bool { return h.Owner != "ada" })
		if err != nil || len(hits) != want {
			t.Errorf("search of the team for %q: %+v, %v", typed, hits, err)
		}
		if hits, _, err := ben.Sessions(ctx, q); err != nil || len(hits) > 0 {
			t.Errorf("search of one's own for %q: %+v, %v", typed, hits, err)
		}
	}

	copied, err := ben.ForkSession(ctx, seen.session, 0, "")
	if err != nil || copied.Owner != "" || copied.IsShared || copied.Turns != 1 || copied.Answers != 3 {
		t.Fatalf("the copy: %+v, %v", copied, err)
	}
	must(t, ada.ShareSession(ctx, e.session, false))
	if _, err := ben.Session(ctx, seen.session); !errors.Is(err, history.ErrNotFound) {
		t.Errorf("after unsharing: %v", err)
	}
	turns, err = ben.Turns(ctx, copied.ID, history.Page{})
	if err != nil || len(turns) != 1 || turns[0].Files[0].Text != "secret file" ||
		turns[0].Answers[0].Text != "secret answer" ||
		turns[0].Answers[2].State != history.Interrupted {
		t.Errorf("the copy after unsharing: %+v, %v", turns, err)
	}
	must(t, ben.Check(ctx))
}

// TestUnsharingIsTold waits for the notice that a session is no longer shared.
func TestUnsharingIsTold(t *testing.T) {
	here, there := connect(t, postgres.Options{}), connect(t, postgres.Options{})
	ada, eve := openUser(t, here, "cleo"), openUser(t, there, "eve")
	ctx := t.Context()
	e := fill(t, ada)
	must(t, ada.ShareSession(ctx, e.session, true))
	changes := eve.Watch(ctx)
	e = seenBy(t, eve, "cleo", e)
	must(t, errorOf(eve.Session(ctx, e.session)))
	waitForListener(t, ada, eve, changes)
	must(t, ada.ShareSession(ctx, e.session%sqlstore.SharedIDs, false))
	select {
	case <-changes:
	case <-time.After(10 * time.Second):
		t.Fatal("no notice came")
	}
	if _, err := eve.Session(ctx, e.session); !errors.Is(err, history.ErrNotFound) {
		t.Errorf("after the notice: %v", err)
	}
}

// waitForListener changes a history until the other store, which connects in the background, is notified.
func waitForListener(t *testing.T, from, to *postgres.Store, changes <-chan history.Change) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		must(t, from.SetSetting(t.Context(), "x", time.Now().String()))
		select {
		case <-changes:
			for {
				select {
				case <-changes:
				case <-time.After(50 * time.Millisecond):
					return
				}
			}
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("no change was told")
}

// TestVotesOfOthersStayHidden lets three users vote on a shared run: each sees others' votes on a pair of answers
// only after voting on it.
func TestVotesOfOthersStayHidden(t *testing.T) {
	server := connect(t, postgres.Options{})
	owner, one, two := openUser(t, server, "fay"), openUser(t, server, "gus"), openUser(t, server, "hal")
	ctx := t.Context()
	ask := func(model string) history.Turn {
		return history.Turn{Prompt: "p", Answers: []history.Answer{{Model: model, Kind: history.KindText,
			State: history.Done}}}
	}
	run, _, first, err := owner.StartRun(ctx, history.Run{Suite: "s"}, history.Cell{Key: "a"}, ask("alpha"))
	must(t, err)
	answers := []int64{first.Answers[0].ID}
	for _, model := range []string{"beta", "gamma"} {
		turn := ask(model)
		turn.Session = run.Session
		_, turn, err = owner.AddCell(ctx, history.Cell{Run: run.ID, Key: model}, turn)
		must(t, err)
		answers = append(answers, turn.Answers[0].ID)
	}
	offset := map[*postgres.Store]int64{owner: 0}
	vote := func(s *postgres.Store, a, b int, p history.Preference) error {
		_, err := s.AddVote(ctx, history.Vote{AnswerA: answers[a] + offset[s], AnswerB: answers[b] + offset[s],
			Preference: p, IsBlind: true})
		return err
	}
	check := func(who string, s *postgres.Store, wantHidden int, want ...string) {
		t.Helper()
		votes, hidden, err := s.Votes(ctx, run.ID+offset[s])
		must(t, err)
		var got []string
		for _, v := range votes {
			got = append(got, fmt.Sprintf("%s: %s %s %s", v.Voter, v.A.Model, v.Preference, v.B.Model))
		}
		slices.Sort(got)
		if hidden != wantHidden || !slices.Equal(got, want) {
			t.Errorf("%s sees %q, and %d are hidden", who, got, hidden)
		}
	}
	if err := vote(one, 0, 1, history.VoteA); !errors.Is(err, history.ErrNotFound) {
		t.Errorf("a vote on what is not shared: %v", err)
	}
	must(t, owner.ShareRun(ctx, run.ID, true))
	offset[one] = seenBy(t, one, "fay", entries{}).session
	offset[two] = offset[one]
	must(t, vote(owner, 0, 1, history.VoteA))
	must(t, vote(one, 1, 0, history.VoteB))
	must(t, vote(one, 1, 2, history.VoteEqual))
	check("the owner", owner, 1, ": alpha a beta", "gus: beta b alpha")
	check("the first", one, 0, ": beta b alpha", ": beta equal gamma", "fay: alpha a beta")
	check("the second", two, 3)
	must(t, vote(two, 2, 1, history.VoteA))
	check("the second, having voted", two, 2, ": gamma a beta", "gus: beta equal gamma")
	check("the first, then", one, 0, ": beta b alpha", ": beta equal gamma", "fay: alpha a beta", "hal: gamma a beta")
	for _, s := range []*postgres.Store{one, two} {
		if votes, _, err := s.Votes(ctx, 0); err != nil || len(votes) > 0 {
			t.Errorf("votes on answers of others count in one's own history: %+v, %v", votes, err)
		}
	}
	if votes, _, err := owner.Votes(ctx, 0); err != nil || len(votes) != 1 || votes[0].Voter != "" {
		t.Errorf("votes of others count in one's own history: %+v, %v", votes, err)
	}

	// A vote is not blind after its user has seen others' votes on the pair, even if undone; votes on other pairs
	// are.
	revote := func(s *postgres.Store, a, b int, wantBlind bool) history.Vote {
		t.Helper()
		v, err := s.AddVote(ctx, history.Vote{AnswerA: answers[a] + offset[s], AnswerB: answers[b] + offset[s],
			Preference: history.VoteBad, IsBlind: true})
		must(t, err)
		if v.IsBlind != wantBlind {
			t.Errorf("a vote on %d and %d is blind: %v", a, b, v.IsBlind)
		}
		return v
	}
	must(t, one.UndoVote(ctx, revote(one, 0, 1, false).ID))
	again := revote(two, 0, 1, true)
	must(t, two.UndoVote(ctx, again.ID))
	again = revote(two, 0, 1, false)
	must(t, two.UndoVote(ctx, again.ID))
	alone := revote(owner, 0, 2, true)
	must(t, owner.UndoVote(ctx, alone.ID))
	must(t, owner.UndoVote(ctx, revote(owner, 2, 0, true).ID))
	for s, want := range map[*postgres.Store][2]int{owner: {0, 3}, one: {2, 0}, two: {1, 0}} {
		on, of, err := s.VotesBetweenUsers(ctx)
		if err != nil || [2]int{on, of} != want {
			t.Errorf("%d votes on answers of others, and %d of others, want %v, %v", on, of, want, err)
		}
	}

	must(t, owner.ShareRun(ctx, run.ID, false))
	check("the first, unshared", one, 0)
	check("the owner, unshared", owner, 2, ": alpha a beta", "gus: beta b alpha")
	_, err = owner.DeleteSession(ctx, run.Session)
	must(t, err)
	must(t, owner.Purge(ctx, 0, nil))
	if n := countRows(t, "shown_pairs", "answers_owner = 'fay'"); n != 0 {
		t.Errorf("%d shown pairs are left without their answers", n)
	}
}

// TestReplacedAnswersAreVotedOnBlind undoes a vote on answers that are replaced, or erased and copied again, with the
// same ids.
func TestReplacedAnswersAreVotedOnBlind(t *testing.T) {
	source, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), sqlite.Options{})
	must(t, err)
	defer source.Close()
	answers := []history.Answer{{Model: "a", State: history.Done}, {Model: "b", State: history.Done}}
	turn, err := source.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "p", Answers: answers})
	must(t, err)
	e := entries{session: turn.Session, answer: turn.Answers[0].ID}
	_, err = source.AddVote(t.Context(), history.Vote{AnswerA: e.answer, AnswerB: turn.Answers[1].ID,
		Preference: history.VoteB})
	must(t, err)
	server := connect(t, postgres.Options{})
	owner, other := openUser(t, server, "ida"), openUser(t, server, "jon")
	for i, erase := range []bool{false, false, true, false} {
		if erase {
			must(t, owner.Erase(t.Context()))
			if n := countRows(t, "sharers", "name = 'ida'"); n != 0 {
				t.Errorf("the name of a deleted user is kept %d times", n)
			}
		}
		_, err := owner.CopyFrom(t.Context(), source, history.CopyOptions{Name: "source", Replaces: true})
		must(t, err)
		if n := countRows(t, "shown_pairs", "answers_owner = 'ida'"); n != 0 {
			t.Errorf("%d shown pairs are left after copy %d", n, i)
		}
		must(t, owner.ShareSession(t.Context(), e.session, true))
		seen := seenBy(t, other, "ida", e)
		for _, wantBlind := range []bool{true, false} {
			v, err := other.AddVote(t.Context(), history.Vote{AnswerA: seen.answer, AnswerB: seen.answer + 1,
				Preference: history.VoteA, IsBlind: true})
			must(t, err)
			if v.IsBlind != wantBlind {
				t.Errorf("after copy %d a vote is blind: %v", i, v.IsBlind)
			}
			must(t, other.UndoVote(t.Context(), v.ID))
		}
		if countRows(t, "shown_pairs", "answers_owner = 'ida'") == 0 {
			t.Errorf("no shown pair is kept after copy %d", i)
		}
	}
	must(t, owner.ShareSession(t.Context(), e.session, false)) // other tests list what all users share
}

// TestSharedRowsAreReadOnly reads and writes shared rows as the program's role without the views.
func TestSharedRowsAreReadOnly(t *testing.T) {
	s := connect(t, postgres.Options{})
	store := openUser(t, s, "ida")
	e := fill(t, store)
	ctx := t.Context()
	must(t, store.ShareSession(ctx, e.session, true))
	must(t, store.ShareRun(ctx, e.run, true))
	conn, err := pgx.Connect(ctx, server.URL(pgtest.Program, "confab"))
	must(t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `select set_config('confab.owner', 'jon', false), set_config('confab.from', 'ida', false)`)
	must(t, err)
	want := map[string]int{"sessions": 2, "turns": 2, "answers": 4, "runs": 1, "cells": 1, "words": 5, "exchanges": 0,
		"models": 0, "trash": 0, "personas": 0, "settings": 0, "votes": 0}
	for table, n := range want {
		var got int
		must(t, conn.QueryRow(ctx, `select count(*) from confab_data.`+table+` where owner = 'ida'`).Scan(&got))
		if got != n {
			t.Errorf("%d rows of %s are read, want %d", got, table, n)
		}
		for _, statement := range []string{`update confab_data.` + table + ` set owner = 'jon' where owner = 'ida'`,
			`delete from confab_data.` + table + ` where owner = 'ida'`, `delete from confab.` + table} {
			if tag, err := conn.Exec(ctx, statement); err == nil && tag.RowsAffected() > 0 {
				t.Errorf("%s: %d rows", statement, tag.RowsAffected())
			}
		}
	}
	var deleted int64
	must(t, store.Read(ctx, "look", func(tx *sqlstore.Tx) {
		deleted = sqlstore.SelectValue[int64](tx, `select max(id) from turns where trash <> 0`)
	}))
	for _, statement := range []string{
		fmt.Sprintf(`insert into confab_data.votes (owner, answers_owner, turn, created, answer_a, answer_b, blind, verdict,
			model_a, model_b) values ('ida', 'ida', %d, 0, %d, %d, 1, 'a', 'x', 'y')`, e.turn, e.answer, e.answer),
		fmt.Sprintf(`insert into confab_data.turns (owner, session) values ('jon', %d)`, e.session),
	} {
		if _, err := conn.Exec(ctx, statement); err == nil {
			t.Errorf("%s: was done", strings.Fields(statement)[:3])
		}
	}
	var n int
	must(t, conn.QueryRow(ctx, `select count(*) from confab_data.turns where id = $1`, deleted).Scan(&n))
	if n != 0 || deleted == 0 {
		t.Errorf("a deleted turn of a shared session is read: %d, turn %d", n, deleted)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		var of *history.StoreError
		if errors.As(err, &of) {
			t.Log(of.Cause)
		}
		t.Fatal(err)
	}
}

// TestSharedIDsAreNotOnesOwn copies two histories with the same ids into the database.
func TestSharedIDsAreNotOnesOwn(t *testing.T) {
	server := connect(t, postgres.Options{})
	ctx := t.Context()
	kim, lee := openUser(t, server, "kim"), openUser(t, server, "lee")
	for user, s := range map[string]*postgres.Store{"kim": kim, "lee": lee} {
		file, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
		must(t, err)
		_, err = file.AddTurnToSession(ctx, user, history.Turn{Prompt: "of " + user})
		must(t, err)
		_, err = s.CopyFrom(ctx, file, history.CopyOptions{Name: user})
		must(t, err)
		must(t, file.Close())
	}
	must(t, kim.ShareSession(ctx, 1, true))
	seen := seenBy(t, lee, "kim", entries{session: 1, turn: 1})
	for want, ids := range map[string]entries{"of lee": {session: 1, turn: 1}, "of kim": seen} {
		turn, err := lee.Turn(ctx, ids.turn)
		if err != nil || turn.Prompt != want || turn.Session != ids.session {
			t.Errorf("the turn %s: %+v, %v", want, turn, err)
		}
		turns, err := lee.Turns(ctx, ids.session, history.Page{})
		if err != nil || len(turns) != 1 || turns[0].Prompt != want || turns[0].ID != ids.turn {
			t.Errorf("the turns %s: %+v, %v", want, turns, err)
		}
	}
}

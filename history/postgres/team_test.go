package postgres_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
)

// TestTeamListsAreOfAllUsers lists sessions and runs, some with equal ids, that several users share, the newest
// first.
func TestTeamListsAreOfAllUsers(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	server, err := postgres.Connect(t.Context(), postgres.Options{URL: s.URL(pgtest.Program, "confab")})
	must(t, err)
	defer server.Close()
	ctx, clock := t.Context(), time.Unix(1_800_000_000, 0)
	open := func(user string) *postgres.Store {
		return storeOf(t, server, user, postgres.StoreOptions{Now: func() time.Time { return clock }})
	}
	users := []*postgres.Store{open("ada"), open("ben"), open("cleo")}
	run := func(i int, name string, isShared, withSession bool) history.Run {
		clock = clock.Add(time.Minute)
		r, _, turn, err := users[i].StartRun(ctx, history.Run{Suite: name, Path: name + ".yaml", Started: clock,
			Planned: 2}, history.Cell{Key: "a"}, history.Turn{Prompt: "asked in " + name, Answers: []history.Answer{
			{Model: "alpha", Kind: history.KindText, State: history.Running, Queued: clock}}})
		must(t, err)
		must(t, users[i].ShareRun(ctx, r.ID, isShared && !withSession))
		must(t, users[i].ShareSession(ctx, r.Session, isShared && withSession))
		a := turn.Answers[0]
		a.State, a.Text, a.Version, a.Ended = history.Done, "x", a.Version+1, clock
		must(t, users[i].SaveAnswer(ctx, a))
		return r
	}
	run(0, "first", true, false)
	run(2, "second", true, true)
	run(1, "hidden", false, false)
	run(1, "third", true, true)
	gone := run(0, "gone", true, true)
	run(0, "fourth", true, false)
	_, err = users[0].DeleteSession(ctx, gone.Session)
	must(t, err)

	reader := open("reader")
	runs, err := reader.TeamRuns(ctx, 3)
	must(t, err)
	var got []string
	for _, r := range runs {
		got = append(got, fmt.Sprint(r.Owner, " ", r.Suite, " ", r.Done, "/", r.Cells))
		one, err := reader.Run(ctx, r.ID)
		if err != nil || fmt.Sprintf("%+v", one) != fmt.Sprintf("%+v", r) {
			t.Errorf("listed as %+v\nread as %+v, %v", r, one, err)
		}
	}
	if want := []string{"ada fourth 1/1", "ben third 1/1", "cleo second 1/1"}; !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	hits, err := reader.TeamSessions(ctx, history.Query{})
	must(t, err)
	got = nil
	for _, h := range hits {
		got = append(got, fmt.Sprint(h.Owner, " ", h.LastPrompt, " ", h.SuitePath, " ", h.Models))
		one, err := reader.Session(ctx, h.ID)
		if err != nil || fmt.Sprintf("%+v", one) != fmt.Sprintf("%+v", h.Session) {
			t.Errorf("listed as %+v\nread as %+v, %v", h.Session, one, err)
		}
	}
	if want := []string{"ben asked in third third.yaml [alpha]", "cleo asked in second second.yaml [alpha]"}; !slices.
		Equal(got, want) {
		t.Errorf("sessions %q, want %q", got, want)
	}
	if own, err := users[1].TeamSessions(ctx, history.Query{}); err != nil || len(own) != 1 || own[0].Owner != "cleo" {
		t.Errorf("ben sees %+v, %v", own, err)
	}
}

// BenchmarkTeamLists lists and searches the entries shared by CONFAB_BENCH_SHARERS users.
func BenchmarkTeamLists(b *testing.B) {
	sharers, err := strconv.Atoi(os.Getenv("CONFAB_BENCH_SHARERS"))
	if err != nil {
		b.Skip("CONFAB_BENCH_SHARERS says how many users share something")
	}
	s := ownServer(b)
	migrateTo(b, s)
	server, err := postgres.Connect(b.Context(), postgres.Options{URL: s.URL(pgtest.Program, "confab")})
	must(b, err)
	b.Cleanup(func() { server.Close() })
	for user := range sharers {
		store := storeOf(b, server, fmt.Sprint("user", user), postgres.StoreOptions{})
		for session := range 10 {
			r, _, turn, err := store.StartRun(b.Context(), history.Run{Suite: "s", Started: time.Now()},
				history.Cell{Key: "a"}, history.Turn{Prompt: fmt.Sprint("question ", session, " of user", user),
					Answers: []history.Answer{{Model: "alpha", Kind: history.KindText, State: history.Done,
						Text: "an answer"}}})
			for range 5 {
				if err == nil {
					_, err = store.AddTurn(b.Context(), history.Turn{Session: turn.Session, Prompt: "more",
						Answers: turn.Answers})
				}
			}
			if err == nil && session%2 == 0 {
				err = store.ShareSession(b.Context(), r.Session, true)
			} else if err == nil {
				err = store.ShareRun(b.Context(), r.ID, true)
			}
			must(b, err)
		}
	}
	reader := storeOf(b, server, "reader", postgres.StoreOptions{})
	for name, list := range map[string]func() (int, error){
		"sessions": func() (int, error) {
			hits, err := reader.TeamSessions(b.Context(), history.Query{})
			return len(hits), err
		},
		"runs": func() (int, error) {
			runs, err := reader.TeamRuns(b.Context(), 50)
			return len(runs), err
		},
		"a word of one user": func() (int, error) {
			hits, err := reader.TeamSessions(b.Context(), history.Query{Text: "user7"})
			return len(hits), err
		},
		"a word of all users": func() (int, error) {
			hits, err := reader.TeamSessions(b.Context(), history.Query{Text: "question"})
			return len(hits), err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if n, err := list(); n == 0 || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}

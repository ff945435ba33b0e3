package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlstore"
)

// Options are what the tests set of a store.
type Options struct {
	// the owner of added answers and deletions
	Process history.Process
	Now     func() time.Time           // the store's clock
	Alive   func(history.Process) bool // whether another process still runs
}

// OpenFunc opens a store of the tested kind. Every call with the same place opens the same store again; the end of
// the test closes them.
type OpenFunc func(t *testing.T, place string, o Options) history.Store

// Run runs all tests on stores that open creates. A place is the path of a folder; a store that is not in a file may
// use it as a name.
func Run(t *testing.T, open OpenFunc) {
	for _, group := range [][]named{sessionTests(), turnTests(), branchTests(), answerTests(), searchTests(),
		trashTests(), keeperTests(), runTests(), voteTests(), chainTests(), importTests()} {
		for _, test := range group {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel() // they mostly wait for the disk
				test.run(newFixture(t, open))
			})
		}
	}
}

type named struct {
	name string
	run  func(f *fixture)
}

// fixture is a store with helpers that fail the test.
type fixture struct {
	*testing.T
	history.Store
	ctx   context.Context
	clock *clock
	alive map[string]bool // other processes, as host/pid
	open  func(o Options) history.Store
	// openPlace opens the tested stores.
	openPlace OpenFunc
}

// clock is a settable time that advances a millisecond at every reading.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Millisecond)
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// missingID is an id of no entry. It is large, because all users of a database share the sequence of ids.
const missingID = 999_999_999

// noon returns the time of the tests.
func noon() time.Time { return time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC) }

func newFixture(t *testing.T, open OpenFunc) *fixture {
	f := &fixture{T: t, ctx: t.Context(), clock: &clock{at: noon()}, alive: map[string]bool{}, openPlace: open}
	place := t.TempDir()
	f.open = func(o Options) history.Store {
		o.Now = f.clock.now
		o.Alive = func(p history.Process) bool { return f.alive[fmt.Sprintf("%s/%d", p.Host, p.PID)] }
		return open(t, place, o)
	}
	f.Store = f.open(Options{Process: process(1)})
	return f
}

// process returns a process of this test.
func process(pid int) history.Process { return history.Process{PID: pid, Host: "here"} }

// must fails the test unless err is nil.
func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		var of *history.StoreError
		if errors.As(err, &of) {
			f.Log(of.Cause) // which the error's text omits
		}
		f.Fatal(err)
	}
}

// same fails the test unless the two are deeply equal.
func (f *fixture) same(what string, got, want any) {
	f.Helper()
	if !reflect.DeepEqual(got, want) {
		f.Errorf("%s\n got %+v\nwant %+v", what, got, want)
	}
}

// fails fails the test unless err is want.
func (f *fixture) fails(what string, err, want error) {
	f.Helper()
	if !errors.Is(err, want) {
		f.Errorf("%s\n got %v\nwant %v", what, err, want)
	}
}

// session makes a session without turns.
func (f *fixture) session(name string) history.Session {
	f.Helper()
	var id int64
	store := f.Store.(interface {
		Write(ctx context.Context, step string, work func(tx *sqlstore.Tx)) error
	})
	f.must(store.Write(f.ctx, "add a session", func(tx *sqlstore.Tx) { id = tx.AddSession(name, 0) }))
	s, err := f.Session(f.ctx, id)
	f.must(err)
	return s
}

// send adds a turn with a queued answer per model; models named pic… make pictures.
func (f *fixture) send(session int64, prompt string, models ...string) history.Turn {
	f.Helper()
	t := history.Turn{Session: session, Prompt: prompt, Samples: 1}
	for _, m := range models {
		t.Answers = append(t.Answers, history.Answer{Model: m, Kind: kindOf(m), Sample: 1, State: history.Queued})
	}
	t, err := f.AddTurn(f.ctx, t)
	f.must(err)
	return t
}

func kindOf(model string) history.ModelKind {
	if strings.HasPrefix(model, "pic") {
		return history.KindImage
	}
	return history.KindText
}

// done ends an answer with a text.
func (f *fixture) done(a history.Answer, text string) history.Answer {
	f.Helper()
	a.Version++
	a.State, a.Text = history.Done, text
	f.must(f.SaveAnswer(f.ctx, a))
	return f.answer(a.ID)
}

// drawn ends an answer with a picture.
func (f *fixture) drawn(a history.Answer, path string) history.Answer {
	f.Helper()
	a.Version++
	a.State = history.Done
	a.Picture = &history.Picture{Path: path, ContentType: "image/png", Width: 16, Height: 9, Bytes: 99, SHA256: "abc"}
	f.must(f.SaveAnswer(f.ctx, a))
	return f.answer(a.ID)
}

// chat adds a turn with a single done answer.
func (f *fixture) chat(session int64, prompt, model, answer string) history.Turn {
	f.Helper()
	t := f.send(session, prompt, model)
	t.Answers[0] = f.done(t.Answers[0], answer)
	return t
}

func (f *fixture) answer(id int64) history.Answer {
	f.Helper()
	a, err := f.Answer(f.ctx, id)
	f.must(err)
	return a
}

// turns returns the newest page of a session.
func (f *fixture) turns(session int64) []history.Turn {
	f.Helper()
	ts, err := f.Turns(f.ctx, session, history.Page{})
	f.must(err)
	return ts
}

// search returns the hits of a typed query, each as "where: snippet with the matches in brackets".
func (f *fixture) search(typed string) []string {
	f.Helper()
	q, err := history.ParseQuery(typed, noon())
	f.must(err)
	hits, err := f.Search(f.ctx, q)
	f.must(err)
	shown := []string{}
	for _, h := range hits {
		shown = append(shown, h.Field+": "+marked(h.Snippet, h.Match))
	}
	return shown
}

// marked puts brackets around the matches.
func marked(s string, match [][2]int) string {
	for _, m := range slices.Backward(match) {
		s = s[:m[0]] + "[" + s[m[0]:m[1]] + "]" + s[m[1]:]
	}
	return s
}

// ids returns the ids of turns.
func ids(turns []history.Turn) []int64 {
	var all []int64
	for _, t := range turns {
		all = append(all, t.ID)
	}
	return all
}

// models returns the models of answers with their samples, in order.
func models(as []history.Answer) string {
	var all []string
	for _, a := range as {
		all = append(all, fmt.Sprintf("%s/%d", a.Model, a.Sample))
	}
	return strings.Join(all, " ")
}

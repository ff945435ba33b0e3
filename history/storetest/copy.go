package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
)

// RunCopies tests [history.Copier] on stores of two kinds, in both directions.
func RunCopies(t *testing.T, from, to OpenFunc) {
	for name, test := range map[string]func(*copied, func() *fixture){
		"there and back": testRoundTrip, "stopped many times": testStoppedCopy, "refused": testRefusedCopy,
		"changed meanwhile": testChangedSource,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := newFixture(t, from)
			turn, deleted := Fill(t, source.Store)
			test(&copied{source, turn, deleted}, func() *fixture { return newFixture(t, to) })
		})
	}
}

// copied is a filled history to copy.
type copied struct {
	*fixture
	turn    history.Turn
	deleted history.Trash
}

// Fill adds entries of every kind to a store: answers in every state and with every field, deletions that can be
// undone, and invalid UTF-8. It returns the first turn and one of the deletions.
func Fill(t *testing.T, s history.Store) (history.Turn, history.Trash) {
	t.Helper()
	ctx := t.Context()
	f := &fixture{T: t, Store: s, ctx: ctx}
	at := noon().Add(-time.Hour)
	all := history.Answer{Model: "alpha", Kind: history.KindText, State: history.Done, Version: 3,
		Text: "日本語 and \x00\xff \uE002 bytes", Reasoning: "because", Finish: chat.FinishLength,
		Usage: chat.Usage{InputTokens: 1, OutputTokens: 2, ReasoningTokens: 3},
		Cost:  history.Cost{Amount: 0.1, Currency: "EUR"}, ServedModel: "alpha-2", Engine: "ollama",
		EngineModel: "qwen", ServiceNote: "shortened", SentPrompt: "the exact prompt",
		SentMessages: []chat.Message{{Role: "user", Content: "before\x00"}}, OmittedTurns: 4,
		SentTurns: history.SentTurns{SHA256: "h"},
		Ignored:   []string{"seed"}, SentNonce: "n", SourceURL: "https://x", HTTPStatus: 200, IsCached: true,
		Queued:  at,
		Started: at.Add(time.Second), Ended: at.Add(time.Minute), Elapsed: 59 * time.Second, FirstToken: time.Second,
		Thinking: 2, IsMasked: true, SHA256: "abc"}
	partial := history.Answer{Model: "beta", Kind: history.KindText, State: history.Interrupted, Text: "half of"}
	failed := history.Answer{Model: "gamma", Kind: history.KindText, State: history.Failed,
		Failure: &history.Failure{Code: "timeout", Message: "too slow"}}
	running := history.Answer{Model: "slow", Kind: history.KindText, State: history.Running, Queued: noon()}
	turn, err := f.AddTurnToSession(ctx, "plans", history.Turn{Prompt: "compare the lighthouses", System: "be brief",
		Params: history.Params{"temperature": json.Number("0.7"), "seed": json.Number("7")},
		Vars:   map[string]string{"a": "b", "ü": "\""}, Template: "compare {{a}}", SystemTemplate: "be {{b}}",
		Samples: 2, HasContext: true, Files: turnFiles(), Answers: []history.Answer{all, partial, failed, running}})
	f.must(err)
	first, second := turn.Answers[0], turn.Answers[1]
	_, err = f.Judge(ctx, first.ID, history.Good, true, "the best one")
	f.must(err)
	f.must(f.SaveExchange(ctx, first.ID, history.Exchange{Method: "POST", URL: "https://x",
		RequestBody: []byte("\xff{}"), Header: map[string][][]byte{"A": {[]byte("b\xfe")}}, Head: []byte{0},
		Received: 9, Total: time.Second}))
	_, err = f.AddVote(ctx, history.Vote{AnswerA: first.ID, AnswerB: second.ID, Preference: history.VoteB,
		IsBlind: true})
	f.must(err)
	drawn := f.send(turn.Session, "a fox", "pic")
	f.drawn(drawn.Answers[0], "/p/fox.png")
	edit := history.Turn{Session: turn.Session, Prompt: "winter", Aspect: "16:9",
		Nonce:   history.Nonce{Mode: history.NonceFixed, Value: "x"},
		Source:  &history.Source{Answer: drawn.Answers[0].ID, Path: "/p/fox.png"},
		Answers: []history.Answer{{Model: "pic-edit", Kind: history.KindEdit}}}
	edit, err = f.AddTurn(ctx, edit)
	f.must(err)
	f.drawn(edit.Answers[0], "/p/winter.png")
	_, err = f.AddAnswers(ctx, turn.ID, []history.Answer{{Model: "later", Kind: history.KindText}})
	f.must(err)
	_, err = f.ForkSession(ctx, turn.Session, drawn.ID, "")
	f.must(err)
	run, cell, _, err := f.StartRun(ctx, history.Run{Suite: "tone", Path: "/tone.yaml", SHA256: "d", Planned: 2,
		Note: "first", Options: history.RunOptions{Models: []string{"alpha"}, Repeat: 2}},
		history.Cell{Key: "k", Number: 1, Repeat: 1, Vars: map[string]string{"x": "y"}, Provider: "alpha"},
		history.Turn{Prompt: "tone", Answers: []history.Answer{{Model: "alpha", State: history.Done, Text: "kind"}}})
	f.must(err)
	cell.IsJudged, cell.Checks = true, []history.CheckResult{{Name: "contains", Verdict: "passed"}}
	cell.EarlierChecks = [][]history.CheckResult{{{Name: "contains", Verdict: "failed"}}}
	f.must(f.PutCell(ctx, cell))
	run.Ended = noon()
	f.must(f.PutRun(ctx, run))
	_, err = f.SavePersona(ctx, history.Persona{Name: "cook", Text: "cook\xff",
		Models: []string{"alpha"}, Params: history.Params{"seed": json.Number("7")}})
	f.must(err)
	f.must(f.SetSetting(ctx, "theme", "dusk"))
	gone := f.chat(turn.Session, "deleted prompt", "alpha", "deleted answer")
	deleted, err := f.DeleteTurn(ctx, gone.ID)
	f.must(err)
	other := f.send(f.session("deleted session").ID, "hidden")
	_, err = f.DeleteSession(ctx, other.Session)
	f.must(err)
	f.must(f.SaveSetup(ctx, turn.Session, history.Setup{Models: []string{"beta"}, System: "be bold\xff"}))
	return turn, deleted
}

// Describe returns the results of all methods of a store for comparing stores.
func Describe(t *testing.T, s history.Store) map[string]any {
	t.Helper()
	ctx := t.Context()
	got := map[string]any{}
	tell := func(name string, v any, err error) {
		t.Helper()
		if err != nil && !errors.Is(err, history.ErrNotFound) {
			t.Fatal(name, err)
		}
		got[name] = v
	}
	sessions, total, err := s.Sessions(ctx, history.Query{Limit: 1000})
	tell("sessions", sessions, err)
	tell("number of sessions", total, nil)
	for _, hit := range sessions {
		turns, err := s.Turns(ctx, hit.ID, history.Page{Limit: 1000})
		tell("turns of "+hit.Name, turns, err)
		setup, err := s.Setup(ctx, hit.ID)
		tell("setup of "+hit.Name, setup, err)
		for _, turn := range turns {
			for _, a := range turn.Answers {
				e, err := s.Exchange(ctx, a.ID)
				tell("exchange of "+a.Model+turn.Prompt, e, err)
			}
		}
	}
	runs, err := s.Runs(ctx, "", 1000)
	tell("runs", runs, err)
	for _, r := range runs {
		cells, err := s.Cells(ctx, r.ID, 0, 1000)
		tell("cells of "+r.Suite, cells, err)
	}
	for _, word := range []string{"lighthouses", "日本", "half", "best", "deleted", "kind:image", "plans"} {
		q, err := history.ParseQuery(word, noon())
		tell("query "+word, nil, err)
		hits, err := s.Search(ctx, q)
		tell("search for "+word, hits, err)
		found, _, err := s.Sessions(ctx, q)
		tell("sessions with "+word, found, err)
	}
	personas, err := s.Personas(ctx, "")
	tell("personas", personas, err)
	votes, _, err := s.Votes(ctx, 0)
	tell("votes", votes, err)
	stats, err := s.Stats(ctx)
	tell("statistics", stats, err)
	deleted, err := s.DeletedSessions(ctx)
	tell("deleted sessions", deleted, err)
	paths, err := s.PicturePaths(ctx)
	tell("pictures", paths, err)
	theme, err := s.Setting(ctx, "theme")
	tell("setting", theme, err)
	marked, err := s.Setting(ctx, history.CopySetting)
	tell("mark of a copy", marked, err)
	info, err := s.Info(ctx)
	tell("deletions", info.Deleted, err)
	return got
}

// isSame fails the test if two stores differ.
func isSame(got, want *fixture) {
	got.Helper()
	g, w := Describe(got.T, got.Store), Describe(want.T, want.Store)
	for name := range w {
		if !reflect.DeepEqual(g[name], w[name]) {
			got.Errorf("%s\n got %+v\nwant %+v", name, g[name], w[name])
		}
	}
}

// copyFrom copies a history and returns its content.
func copyFrom(f *fixture, source history.Store, o history.CopyOptions) []history.CopiedRows {
	f.Helper()
	o.Name = "there"
	kinds, err := f.Store.(history.Copier).CopyFrom(f.ctx, source, o)
	f.must(err)
	return kinds
}

func testRoundTrip(source *copied, newTarget func() *fixture) {
	target := newTarget()
	before := Describe(source.T, source.Store)
	there := copyFrom(target, source.Store, history.CopyOptions{})
	isSame(target, source.fixture)
	if len(there) < 11 {
		target.Errorf("kinds: %v", there)
	}
	for _, k := range there {
		if k.Rows == 0 || len(k.SHA256) != 64 {
			target.Errorf("nothing of %v: the test does not copy it", k)
		}
	}
	back := newFixture(source.T, source.openPlace)
	back.same("hashes of the way back", copyFrom(back, target.Store, history.CopyOptions{}), there)
	isSame(back, source.fixture)
	source.same("the source", Describe(source.T, source.Store), before)

	// Ids continue, and deletions can be undone.
	last, err := source.LastSession(source.ctx)
	source.must(err)
	for _, f := range []*fixture{source.fixture, target, back} {
		f.must(f.Undelete(f.ctx, source.deleted))
		newest := f.turns(last.ID)
		added := f.chat(last.ID, "new", "alpha", "after the copy")
		f.same("found", len(f.search("after")), 1)
		f.same("the next id is greater", added.ID > newest[len(newest)-1].ID, true)
	}
}

func testStoppedCopy(source *copied, newTarget func() *fixture) {
	target := newTarget()
	for stop := 1; ; stop++ {
		ctx, cancel := context.WithCancel(target.ctx)
		pages := 0
		_, err := target.Store.(history.Copier).CopyFrom(ctx, source.Store, history.CopyOptions{Name: "there",
			Progress: func(history.CopyProgress) {
				if pages++; pages == stop {
					cancel()
				}
			}})
		cancel()
		if err == nil {
			if stop < 5 {
				target.Errorf("only stopped %d times", stop)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			target.Fatal(err)
		}
		marked, err := target.Setting(target.ctx, history.CopySetting)
		target.must(err)
		target.same("the mark", marked, "there")
	}
	isSame(target, source.fixture)
}

// refusal fails the test unless the error is a [history.SetupError].
func refusal(f *fixture, what string, err error) {
	f.Helper()
	var setup *history.SetupError
	f.same(what+" is refused", errors.As(err, &setup), true)
}

func testRefusedCopy(source *copied, newTarget func() *fixture) {
	target := newTarget()
	copier := target.Store.(history.Copier)
	target.chat(target.session("mine").ID, "mine", "beta", "mine too")
	before := Describe(target.T, target.Store)
	_, err := copier.CopyFrom(target.ctx, source.Store, history.CopyOptions{Name: "there"})
	refusal(target, "a history that holds something", err)
	_, err = copier.CopyFrom(target.ctx, target.Store, history.CopyOptions{Name: "there", Replaces: true})
	refusal(target, "copying to itself", err)
	target.same("the history", Describe(target.T, target.Store), before)

	stopped := errors.New("stopped")
	_, err = copier.CopyFrom(target.ctx, source.Store, history.CopyOptions{Name: "there", Replaces: true,
		Finish: func() error { return stopped }})
	target.fails("not finished", err, stopped)
	marked, err := target.Setting(target.ctx, history.CopySetting)
	target.must(err)
	target.same("the mark", marked, "there")
	copyFrom(target, source.Store, history.CopyOptions{})
	isSame(target, source.fixture)
	target.same("what was there before", len(target.search("mine")), 0)

	target = newTarget()
	target.must(target.SetSetting(target.ctx, history.CopySetting, "elsewhere"))
	_, err = target.Store.(history.Copier).CopyFrom(target.ctx, source.Store, history.CopyOptions{Name: "there"})
	refusal(target, "completing the copy of another history", err)
	_, err = newTarget().Store.(history.Copier).CopyFrom(target.ctx, target.Store, history.CopyOptions{Name: "x"})
	refusal(target, "copying an incomplete copy", err)
}

func testChangedSource(source *copied, newTarget func() *fixture) {
	target := newTarget()
	hasChanged := false
	copyFrom(target, source.Store, history.CopyOptions{Progress: func(p history.CopyProgress) {
		if p.Table != "votes" || hasChanged {
			return
		}
		hasChanged = true // all rows were copied once
		_, err := source.Judge(source.ctx, source.turn.Answers[1].ID, history.Bad, false, "changed lately")
		source.must(err)
		source.chat(source.turn.Session, "asked meanwhile", "alpha", "and answered")
		source.must(source.RenameSession(source.ctx, source.turn.Session, "another name"))
	}})
	isSame(target, source.fixture)
	target.same("the new note", len(target.search("lately")), 1)

	// Entries purged between two calls are missing in the source.
	target = newTarget()
	ctx, cancel := context.WithCancel(target.ctx)
	_, err := target.Store.(history.Copier).CopyFrom(ctx, source.Store, history.CopyOptions{Name: "there",
		Progress: func(p history.CopyProgress) {
			if p.Table == "votes" {
				cancel()
			}
		}})
	target.fails("stopped", err, context.Canceled)
	_, err = source.DeleteSession(source.ctx, source.turn.Session)
	source.must(err)
	source.must(source.Purge(source.ctx, 0, nil))
	_, err = target.Store.(history.Copier).CopyFrom(target.ctx, source.Store, history.CopyOptions{Name: "there"})
	refusal(target, "what the source does not hold any more", err)
	copyFrom(target, source.Store, history.CopyOptions{Replaces: true})
	isSame(target, source.fixture)
	target.same("search", len(target.search("meanwhile")), 0)
}

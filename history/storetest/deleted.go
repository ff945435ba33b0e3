package storetest

import (
	"fmt"
	"testing"

	"confab/history"
	"confab/internal/chat"
)

// Vanishing is part of every text that [DeleteEverything] deletes.
const Vanishing = "vanishing"

// DeleteEverything adds entries of every kind and one that stays, deletes them in every way, and purges them.
// Afterwards no file of the store may contain [Vanishing].
func DeleteEverything(t *testing.T, s history.Store) {
	t.Helper()
	f := &fixture{T: t, Store: s, ctx: t.Context()}
	text := func(what string) string { return Vanishing + " " + what }
	fill := func(session string) history.Turn {
		t.Helper()
		turn, err := f.AddTurnToSession(f.ctx, session, history.Turn{Prompt: text("prompt"), System: text("system"),
			Vars: map[string]string{"x": text("value")}, Template: text("{{x}}"), SystemTemplate: text("template"),
			Answers: []history.Answer{
				{Model: "alpha", Kind: history.KindText, State: history.Done, Version: 1, Text: text("answer"),
					Reasoning: text("reasoning"), SentPrompt: text("sent"),
					SentMessages: []chat.Message{{Role: chat.RoleUser, Content: text("message")}},
					Failure:      &history.Failure{Code: "disk", Message: text("failure")}},
				{Model: "beta", Kind: history.KindText, State: history.Done, Version: 1, Text: text("other answer")}}})
		f.must(err)
		a, b := turn.Answers[0].ID, turn.Answers[1].ID
		_, err = f.Judge(f.ctx, a, history.Good, true, text("note"))
		f.must(err)
		f.must(f.SaveExchange(f.ctx, a, history.Exchange{URL: text("url"), Method: "POST"}))
		_, err = f.AddVote(f.ctx, history.Vote{AnswerA: a, AnswerB: b, Preference: history.VoteB})
		f.must(err)
		return turn
	}
	kept := f.chat(f.session("kept").ID, "kept prompt", "alpha", "kept answer")

	_, err := f.DeleteSession(f.ctx, fill(text("session")).Session)
	f.must(err)
	named := fill("") // its name comes from the prompt
	f.send(named.Session, "another prompt")
	_, err = f.DeleteTurn(f.ctx, named.ID)
	f.must(err)
	of, err := f.AddTurnToSession(f.ctx, "", history.Turn{Prompt: text("alone")})
	f.must(err)
	_, err = f.DeleteTurn(f.ctx, of.ID) // this also deletes the session
	f.must(err)
	answer := f.chat(kept.Session, "kept too", "alpha", text("answer"))
	_, err = f.DeleteAnswer(f.ctx, answer.Answers[0].ID)
	f.must(err)
	_, cell, _, err := f.StartRun(f.ctx, history.Run{Suite: text("suite"), Path: "/" + Vanishing, Note: text("note")},
		history.Cell{Key: "k", Vars: map[string]string{"x": text("value")}, Description: text("cell"),
			EarlierChecks: [][]history.CheckResult{{{Name: text("check")}}}},
		history.Turn{Prompt: text("of a run"), Answers: []history.Answer{{Model: "alpha"}}})
	f.must(err)
	_, err = f.DeleteTurn(f.ctx, cell.Turn)
	f.must(err)
	fork, err := f.ForkSession(f.ctx, fill("").Session, 0, "")
	f.must(err)
	_, err = f.DeleteSession(f.ctx, fork.ForkedFrom)
	f.must(err)
	_, err = f.DeleteSession(f.ctx, fork.ID)
	f.must(err)
	persona, err := f.SavePersona(f.ctx, history.Persona{Name: text("persona"), Text: text("text")})
	f.must(err)
	f.must(f.DeletePersona(f.ctx, persona.ID))
	f.must(f.SetSetting(f.ctx, "x", text("setting")))
	f.must(f.SetSetting(f.ctx, "x", ""))
	f.must(f.Purge(f.ctx, 0, nil))

	left, err := f.Turn(f.ctx, kept.ID)
	f.must(err)
	f.same("what stays", left.Answers[0].Text, "kept answer")
	f.must(f.Check(f.ctx))
}

// FillBeforeTextOnce adds rows for the migration "text once". It returns statements, which the caller runs, that set
// the columns to convert.
func FillBeforeTextOnce(t *testing.T, s history.Store) (statements []string) {
	t.Helper()
	f := &fixture{T: t, Store: s, ctx: t.Context()}
	add := func(session int64, prompt, text string, hasContext bool) history.Turn {
		t.Helper()
		turn, err := f.AddTurn(f.ctx, history.Turn{Session: session, Prompt: prompt, HasContext: hasContext,
			Answers: []history.Answer{{Model: "alpha", Kind: history.KindText, State: history.Done, Text: text}}})
		f.must(err)
		return turn
	}
	first, err := f.AddTurnToSession(f.ctx, "", history.Turn{Prompt: "one\n question", Answers: []history.Answer{
		{Model: "alpha", Kind: history.KindText, State: history.Done, Text: "it's \"one\""},
		{Model: "beta", Kind: history.KindText, State: history.Done, Text: "another"}}})
	f.must(err)
	f.must(f.RenameSession(f.ctx, f.session("").ID, "given"))
	messages := `[{"role":"user","content":"one\n question"},{"role":"assistant","content":"it''s \"one\""},` +
		`{"role":"user","content":"vanished"},{"role":"assistant","content":"vanished too"}`
	set := func(a history.Answer, column, value string) {
		statements = append(statements,
			fmt.Sprintf("update answers set %s = '%s' where id = %d;", column, value, a.ID))
	}
	set(add(first.Session, "two", "2", true).Answers[0], "sent_messages", messages+"]")
	continued := add(first.Session, "three", "3", true).Answers[0]
	set(continued, "sent_messages", messages+`,{"role":"user","content":"three"},{"role":"assistant","content":"3 an"}]`)
	set(continued, "sent_prompt", "Continue exactly where your last message stops, please.")
	folded := add(first.Session, "four", "4", true).Answers[0]
	set(folded, "sent_prompt", "This is our conversation so far. Answer only the last message.\n\n"+
		"## Me\n\nvanished\n\n"+
		"## You\n\nvanished too\n\n## Me\n\none\n question\n\n## You\n\nanother\n\n## Me\n\ntwo\n\n## You\n\n2\n\n"+
		"## Me\n\nfour")
	set(add(first.Session, "five", "5", false).Answers[0], "sent_messages", `[{"role":"user","content":"of a suite"}]`)
	f.must(f.SaveExchange(f.ctx, folded.ID, history.Exchange{Method: "POST", RequestBody: []byte("vanished")}))
	return statements
}

// CheckTextOnce checks the migrated rows of [FillBeforeTextOnce].
func CheckTextOnce(t *testing.T, s history.Store) {
	t.Helper()
	f := &fixture{T: t, Store: s, ctx: t.Context()}
	hits, total, err := f.Sessions(f.ctx, history.Query{})
	f.must(err)
	f.same("sessions, without the empty one", total, 1)
	turns := f.turns(hits[0].ID)
	f.same("named by", hits[0].NameTurn, turns[0].ID)
	one := history.SentTurn{Turn: turns[0].ID, Answer: turns[0].Answers[0].ID}
	other := history.SentTurn{Turn: turns[0].ID, Answer: turns[0].Answers[1].ID}
	two := history.SentTurn{Turn: turns[1].ID, Answer: turns[1].Answers[0].ID}
	for i, want := range []history.Answer{
		{SentTurns: history.SentTurns{Turns: []history.SentTurn{one}}},
		{SentTurns: history.SentTurns{Turns: []history.SentTurn{one}}, SentMessages: []chat.Message{
			{Role: chat.RoleUser, Content: "three"}, {Role: chat.RoleAssistant, Content: "3 an"}},
			SentPrompt: "Continue exactly where your last message stops, please."},
		{SentTurns: history.SentTurns{Turns: []history.SentTurn{other, two}, IsInPrompt: true}},
		{SentMessages: []chat.Message{{Role: chat.RoleUser, Content: "of a suite"}}},
	} {
		got := turns[i+1].Answers[0]
		f.same(turns[i+1].Prompt, history.Answer{SentTurns: got.SentTurns, SentMessages: got.SentMessages,
			SentPrompt: got.SentPrompt}, want)
	}
	e, err := f.Exchange(f.ctx, turns[3].Answers[0].ID)
	f.must(err)
	f.same("the exchange", []any{e.Method, len(e.RequestBody)}, []any{"POST", 0})
	f.must(f.Purge(f.ctx, 0, nil))
	deleted, err := f.DeletedSessions(f.ctx)
	f.must(err)
	f.same("deleted sessions", len(deleted), 0)
}

// testLastTurn deletes the turns of a session one by one.
func testLastTurn(f *fixture) {
	s := f.session("given name")
	one, two := f.send(s.ID, "one"), f.send(s.ID, "two")
	_, err := f.DeleteTurn(f.ctx, one.ID)
	f.must(err)
	trash, err := f.DeleteTurn(f.ctx, two.ID)
	f.must(err)
	_, err = f.Session(f.ctx, s.ID)
	f.fails("the session: not found", err, history.ErrNotFound)
	f.must(f.Undelete(f.ctx, trash))
	f.counts(s.ID, 1, 0, 0)
	_, err = f.DeleteTurn(f.ctx, two.ID)
	f.must(err)
	f.must(f.Purge(f.ctx, 0, nil))
	_, total, err := f.Sessions(f.ctx, history.Query{})
	f.must(err)
	f.same("sessions", total, 0)
}

// testNamesOfDeletedTurns deletes turns whose prompts named sessions.
func testNamesOfDeletedTurns(f *fixture) {
	name := func(id int64) string {
		f.Helper()
		s, err := f.Session(f.ctx, id)
		f.must(err)
		return s.Name
	}
	deleted := func(t history.Turn) history.Trash {
		f.Helper()
		trash, err := f.DeleteTurn(f.ctx, t.ID)
		f.must(err)
		return trash
	}
	first, err := f.AddTurnToSession(f.ctx, "", history.Turn{Prompt: "secret first"})
	f.must(err)
	blank, second := f.send(first.Session, "  "), f.send(first.Session, "second")
	fork, err := f.ForkSession(f.ctx, first.Session, 0, "")
	f.must(err)
	f.same("names", []string{name(first.Session), name(fork.ID)}, []string{"secret first", "secret first (fork)"})
	trash := deleted(first)
	f.same("the next prompt names it", name(first.Session), "second")
	f.same("the fork has its own", name(fork.ID), "secret first (fork)")
	f.must(f.Undelete(f.ctx, trash))
	f.same("undone", name(first.Session), "secret first")
	deleted(first)
	deleted(second)
	f.same("a blank prompt names nothing", name(first.Session), "")
	f.send(first.Session, "third")
	f.same("the next prompt does", name(first.Session), "third")
	deleted(f.turns(fork.ID)[0])
	f.same("the fork", name(fork.ID), "second")
	f.must(f.RenameSession(f.ctx, fork.ID, "second")) // a person chose it
	deleted(f.turns(fork.ID)[1])
	f.same("a given name stays", name(fork.ID), "second")
	f.must(f.Purge(f.ctx, 0, nil))
	hits, _, err := f.Sessions(f.ctx, history.Query{Text: "secret"})
	f.must(err)
	f.same("found by a name that is gone", len(hits), 0)
	f.same("the turn without a prompt", ids(f.turns(first.Session))[0], blank.ID)

	cats := history.Turn{Prompt: "describe cats", Template: "describe {{x}}", Vars: map[string]string{"x": "cats"}}
	cats, err = f.AddTurnToSession(f.ctx, "", cats)
	f.must(err)
	f.same("a template names it", name(cats.Session), "describe {{x}}")
	dogs := history.Turn{Session: cats.Session, Prompt: "draw dogs", Template: "draw {{x}}"}
	_, err = f.AddTurn(f.ctx, dogs)
	f.must(err)
	deleted(cats)
	f.same("the next template does", name(cats.Session), "draw {{x}}")
	f.must(f.Check(f.ctx))
}

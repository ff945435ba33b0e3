package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/sqlstore"
)

// entries are the ids of a user's entries.
type entries struct {
	session, turn, answer, run, cell, vote, persona int64
	trash                                           history.Trash
}

// fill adds an entry of every kind to a history.
func fill(t *testing.T, s history.Store) (e entries) {
	t.Helper()
	ctx := t.Context()
	turn, err := s.AddTurnToSession(ctx, "secret name", history.Turn{Prompt: "secret prompt", System: "secret system",
		Files: []history.File{{Name: "secret.md", Kind: history.TextFile, Text: "secret file"},
			{Name: "b.png", Kind: history.PictureFile, Path: "/b.png"}},
		Answers: []history.Answer{
			{Model: "secret-model", Kind: history.KindText, State: history.Done, Text: "secret answer", Version: 1},
			{Model: "pic", Kind: history.KindImage, State: history.Done, Version: 1,
				Picture: &history.Picture{Path: "/secret.png"}},
			{Model: "slow", Kind: history.KindText, State: history.Running, Version: 1}}})
	must(t, err)
	e.session, e.turn, e.answer = turn.Session, turn.ID, turn.Answers[0].ID
	must(t, s.SaveExchange(ctx, e.answer, history.Exchange{URL: "secret url"}))
	vote, err := s.AddVote(ctx, history.Vote{AnswerA: e.answer, AnswerB: turn.Answers[1].ID,
		Preference: history.VoteA})
	must(t, err)
	persona, err := s.SavePersona(ctx, history.Persona{Name: "secret persona", Text: "secret"})
	must(t, err)
	must(t, s.SetSetting(ctx, "theme", "secret theme"))
	must(t, s.(history.DraftStore).SaveDraft(ctx, "session-1", "secret draft"))
	run, cell, _, err := s.StartRun(ctx, history.Run{Suite: "secret suite", Path: "/secret.yaml"},
		history.Cell{Key: "k"}, history.Turn{Prompt: "secret", Answers: []history.Answer{{Model: "secret-model"}}})
	must(t, err)
	gone, err := s.AddTurn(ctx, history.Turn{Session: e.session, Prompt: "secret and deleted"})
	must(t, err)
	e.trash, err = s.DeleteTurn(ctx, gone.ID)
	must(t, err)
	e.vote, e.persona, e.run, e.cell = vote.ID, persona.ID, run.ID, cell.ID
	return e
}

// allMethods returns calls of all methods of a store with the ids of another user's entries.
func allMethods(ctx context.Context, s *postgres.Store, e entries) map[string]func() []any {
	all, newer := history.Query{Text: "secret"}, history.Answer{ID: e.answer, Version: 9}
	turn := history.Turn{Session: e.session, Prompt: "x", Answers: []history.Answer{{Model: "m"}}}
	return map[string]func() []any{
		"Session":         func() []any { return results(s.Session(ctx, e.session)) },
		"SessionNamed":    func() []any { return results(s.SessionNamed(ctx, "secret name")) },
		"LastSession":     func() []any { return results(s.LastSession(ctx)) },
		"RenameSession":   func() []any { return []any{s.RenameSession(ctx, e.session, "x")} },
		"Setup":           func() []any { return results(s.Setup(ctx, e.session)) },
		"SaveSetup":       func() []any { return []any{s.SaveSetup(ctx, e.session, history.Setup{})} },
		"ForkSession":     func() []any { return results(s.ForkSession(ctx, e.session, 0, "x")) },
		"AddTurn":         func() []any { return results(s.AddTurn(ctx, turn)) },
		"AddAnswers":      func() []any { return results(s.AddAnswers(ctx, e.turn, turn.Answers)) },
		"Turn":            func() []any { return results(s.Turn(ctx, e.turn)) },
		"Turns":           func() []any { return results(s.Turns(ctx, e.session, history.Page{})) },
		"ShowBranch":      func() []any { return []any{s.ShowBranch(ctx, e.turn)} },
		"AnsweredTurns":   func() []any { return results(s.AnsweredTurns(ctx, e.session, 1<<62)) },
		"Answer":          func() []any { return results(s.Answer(ctx, e.answer)) },
		"SaveAnswer":      func() []any { return failure(s.SaveAnswer(ctx, newer)) },
		"Judge":           func() []any { return results(s.Judge(ctx, e.answer, history.Bad, true, "x")) },
		"SaveExchange":    func() []any { return []any{s.SaveExchange(ctx, e.answer, history.Exchange{})} },
		"Exchange":        func() []any { return results(s.Exchange(ctx, e.answer)) },
		"PutRun":          func() []any { return []any{s.PutRun(ctx, history.Run{ID: e.run})} },
		"Run":             func() []any { return results(s.Run(ctx, e.run)) },
		"Runs":            func() []any { return results(s.Runs(ctx, "", 0)) },
		"LastRun":         func() []any { return results(s.LastRun(ctx, "/secret.yaml")) },
		"PutCell":         func() []any { return []any{s.PutCell(ctx, history.Cell{ID: e.cell})} },
		"Cells":           func() []any { return results(s.Cells(ctx, e.run, 0, 0)) },
		"Votes":           func() []any { v, n, err := s.Votes(ctx, e.run); return []any{v, n, err} },
		"ShareSession":    func() []any { return []any{s.ShareSession(ctx, e.session, true)} },
		"ShareRun":        func() []any { return []any{s.ShareRun(ctx, e.run, true)} },
		"TeamSessions":    func() []any { return results(s.TeamSessions(ctx, all)) },
		"TeamRuns":        func() []any { return results(s.TeamRuns(ctx, 0)) },
		"UndoVote":        func() []any { return []any{s.UndoVote(ctx, e.vote)} },
		"Personas":        func() []any { return results(s.Personas(ctx, "")) },
		"DeletePersona":   func() []any { return []any{s.DeletePersona(ctx, e.persona)} },
		"Setting":         func() []any { return results(s.Setting(ctx, "theme")) },
		"Search":          func() []any { return results(s.Search(ctx, all)) },
		"Prompts":         func() []any { return results(s.Prompts(ctx, all)) },
		"FindInSession":   func() []any { return results(s.FindInSession(ctx, e.session, "secret")) },
		"Stats":           func() []any { return results(s.Stats(ctx)) },
		"Usage":           func() []any { return results(s.Usage(ctx, history.UsageQuery{Session: e.session})) },
		"Pictures":        func() []any { return results(s.Pictures(ctx, history.Query{})) },
		"PictureIDs":      func() []any { return results(s.PictureIDs(ctx, history.Query{})) },
		"PicturesOf":      func() []any { return results(s.PicturesOf(ctx, []int64{e.answer, e.answer + 1})) },
		"PicturePaths":    func() []any { return results(s.PicturePaths(ctx)) },
		"PictureBytes":    func() []any { return results(s.PictureBytes(ctx)) },
		"EditChain":       func() []any { return results(s.EditChain(ctx, e.answer+1)) },
		"DeleteSession":   func() []any { return results(s.DeleteSession(ctx, e.session)) },
		"DeleteTurn":      func() []any { return results(s.DeleteTurn(ctx, e.turn)) },
		"DeleteAnswer":    func() []any { return results(s.DeleteAnswer(ctx, e.answer)) },
		"Undelete":        func() []any { return []any{s.Undelete(ctx, e.trash)} },
		"Recover":         func() []any { return results(s.Recover(ctx)) },
		"DeletedSessions": func() []any { return results(s.DeletedSessions(ctx)) },
		"Check":           func() []any { return []any{s.Check(ctx)} },
		"Purge":           func() []any { return failure(s.Purge(ctx, 0, func([]string) { panic("files go") })) },
		"Sessions":        func() []any { hits, n, err := s.Sessions(ctx, all); return []any{hits, n, err} },
		"SavePersona":     func() []any { return results(s.SavePersona(ctx, history.Persona{ID: e.persona})) },
		"AddVote": func() []any {
			return results(
				s.AddVote(ctx, history.Vote{AnswerA: e.answer, AnswerB: e.answer + 1, Preference: history.VoteA}),
			)
		},
		"AddCell": func() []any {
			c, t, err := s.AddCell(ctx, history.Cell{Run: e.run, Key: "new"}, turn)
			return []any{c, t, err}
		},
		"RenewCell": func() []any {
			c, a, err := s.RenewCell(ctx, history.Cell{ID: e.cell, Turn: e.turn}, turn.Answers[0])
			return []any{c, a, err}
		},
		"StartRun": func() []any {
			r, c, t, err := s.StartRun(ctx, history.Run{Session: e.session}, history.Cell{Key: "new"}, turn)
			return []any{r, c, t, err}
		},
		"VotesBetweenUsers": func() []any {
			n, m, err := s.VotesBetweenUsers(ctx)
			return []any{n, m, err}
		},
		"Info":             func() []any { f, err := s.Info(ctx); return []any{f.Sessions, f.Deleted, err} },
		"Draft":            func() []any { return results(s.Draft(ctx, "session-1")) },
		"TakeDraft":        func() []any { return results(s.TakeDraft(ctx, "session", "x")) },
		"RenameDraft":      func() []any { return []any{s.RenameDraft(ctx, "session-1", "x")} },
		"SaveDraft":        func() []any { return []any{s.SaveDraft(ctx, "session-1", "")} },
		"SetSetting":       func() []any { return []any{s.SetSetting(ctx, "theme", "")} },
		"CountAnswers":     func() []any { return results(s.CountAnswers(ctx, "2026-11-26", 1, 0)) },
		"AddTurnToSession": nil, // adds an own session, whatever its name
		"ImportSession":    nil, // the same
		"Close":            nil,
	}
}

// tryAll calls every method. The allowed ones must return something; the others must return zero values and
// [history.ErrNotFound], or [history.ErrShared] if something is shared.
func tryAll(t *testing.T, when string, calls map[string]func() []any, allowed ...string) {
	t.Helper()
	for _, store := range []reflect.Type{reflect.TypeFor[history.Store](), reflect.TypeFor[history.Sharer](),
		reflect.TypeFor[history.DraftStore]()} {
		for method := range store.Methods() {
			call, ok := calls[method.Name]
			if !ok {
				t.Errorf("the method %s is not tried", method.Name)
			}
			if call == nil {
				continue
			}
			isEmpty := true
			for _, result := range call() {
				if err, isError := result.(error); isError {
					isShared := len(allowed) > 0 && errors.Is(err, history.ErrShared)
					if !errors.Is(err, history.ErrNotFound) && !isShared {
						t.Errorf("%s: %s: %v, want %v", when, method.Name, err, history.ErrNotFound)
					}
					continue
				}
				v := reflect.ValueOf(result)
				hasNone := v.IsValid() && (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
				isEmpty = isEmpty && (!v.IsValid() || v.IsZero() || hasNone)
			}
			if isEmpty == slices.Contains(allowed, method.Name) {
				t.Errorf("%s: %s returns something: %t", when, method.Name, !isEmpty)
			}
		}
	}
}

// openUser opens the history of a user without running processes.
func openUser(t *testing.T, server *postgres.Server, user string) *postgres.Store {
	t.Helper()
	return storeOf(t, server, user, postgres.StoreOptions{Process: history.Process{PID: 1, Host: "here"},
		Alive: func(history.Process) bool { return false }})
}

// TestOthersAreOutOfReach calls every method with the ids of another user before, while and after that user shares
// something. Only shared entries can be read, and none can be changed.
func TestOthersAreOutOfReach(t *testing.T) {
	server := connect(t, postgres.Options{})
	anna, bob := openUser(t, server, "anna"), openUser(t, server, "bob")
	e := fill(t, anna)
	before := dump(t, anna)
	ctx := t.Context()
	tryAll(t, "before", allMethods(ctx, bob, e))

	must(t, anna.ShareSession(ctx, e.session, true))
	seen := seenBy(t, bob, "anna", e)
	tryAll(t, "with a shared session, by the ids of its owner", allMethods(ctx, bob, e), "TeamSessions")
	tryAll(t, "with a shared session", readOnly(allMethods(ctx, bob, seen)), "Session", "Setup", "Turn", "Turns",
		"AnsweredTurns", "Answer", "FindInSession", "EditChain", "TeamSessions")
	must(t, anna.ShareSession(ctx, e.session, false))
	must(t, anna.ShareRun(ctx, e.run, true))
	tryAll(t, "with a shared run", allMethods(ctx, bob, seen), "Run", "Cells", "TeamRuns")
	must(t, anna.ShareRun(ctx, e.run, false))
	for method, call := range allMethods(ctx, bob, seen) { // nil for those that change only what is one's own
		if call != nil {
			for _, result := range call() {
				if err, isError := result.(error); isError && !errors.Is(err, history.ErrNotFound) &&
					!errors.Is(err, history.ErrShared) {
					t.Errorf("afterwards: %s: %v", method, err)
				}
			}
		}
	}
	tryAll(t, "afterwards", allMethods(ctx, bob, e))
	if after := dump(t, anna); after != before {
		t.Errorf("the history of another user changed:\n%s\nbefore\n%s", after, before)
	}
	own, err := bob.AddTurnToSession(ctx, "secret name", history.Turn{Prompt: "x"})
	if err != nil || own.Session == e.session {
		t.Errorf("a session of the same name: %d, %v", own.Session, err)
	}
}

// seenBy returns the ids that another user's entries have for the reader.
func seenBy(t *testing.T, s *postgres.Store, owner string, e entries) entries {
	t.Helper()
	hits, err := s.TeamSessions(t.Context(), history.Query{})
	must(t, err)
	runs, err := s.TeamRuns(t.Context(), 0)
	must(t, err)
	offset := int64(0)
	for _, h := range hits {
		if h.Owner == owner {
			offset = h.ID - h.ID%sqlstore.SharedIDs
		}
	}
	for _, r := range runs {
		if r.Owner == owner {
			offset = r.ID - r.ID%sqlstore.SharedIDs
		}
	}
	if offset == 0 {
		t.Fatalf("%s shares nothing", owner)
	}
	return entries{e.session + offset, e.turn + offset, e.answer + offset, e.run + offset, e.cell + offset,
		e.vote + offset, e.persona + offset, e.trash + history.Trash(offset)}
}

// readOnly omits the two methods that add to the own history what another user shares.
func readOnly(calls map[string]func() []any) map[string]func() []any {
	calls["ForkSession"], calls["AddVote"] = nil, nil
	return calls
}

func failure(err error) []any { return []any{err} }

// results joins the results of a call.
func results[T any](v T, err error) []any { return []any{v, err} }

// dump returns all rows of a user as text.
func dump(t *testing.T, s history.Store) string {
	t.Helper()
	ctx := t.Context()
	var b strings.Builder
	hits, n, err := s.Sessions(ctx, history.Query{})
	fmt.Fprintln(&b, hits, n, err)
	for _, h := range hits {
		turns, err := s.Turns(ctx, h.ID, history.Page{})
		for _, turn := range turns {
			for _, a := range turn.Answers {
				e, err := s.Exchange(ctx, a.ID)
				text, _ := json.Marshal(a)
				fmt.Fprintln(&b, string(text), e, err)
			}
		}
		fmt.Fprintln(&b, len(turns), err)
	}
	runs, err := s.Runs(ctx, "", 0)
	fmt.Fprintln(&b, runs, err)
	votes, _, err := s.Votes(ctx, 0)
	fmt.Fprintln(&b, votes, err)
	personas, err := s.Personas(ctx, "")
	fmt.Fprintln(&b, personas, err)
	draft, err := s.(history.DraftStore).Draft(ctx, "session-1")
	fmt.Fprintln(&b, draft, err)
	theme, err := s.Setting(ctx, "theme")
	fmt.Fprintln(&b, theme, err)
	info, err := s.Info(ctx)
	fmt.Fprintln(&b, info.Deleted, info.Answers, err)
	return b.String()
}

// TestRowLevelSecurity reads and writes the tables directly as the program's role, without the views.
func TestRowLevelSecurity(t *testing.T) {
	s := connect(t, postgres.Options{})
	store := storeOf(t, s, "carol", postgres.StoreOptions{})
	e := fill(t, store)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server.URL(pgtest.Program, "confab"))
	must(t, err)
	defer conn.Close(ctx)
	tables := tablesOfUsers(t)
	_, err = conn.Exec(ctx, `select set_config('confab.owner', 'carol', false), set_config('confab.from', 'carol', false)`)
	must(t, err)
	_, err = conn.Exec(ctx, `insert into confab_data.shown_pairs values ('carol', 'carol', $1, $1)`, e.answer)
	must(t, err)
	for _, owner := range []string{"", "dave", "carol"} {
		must(t, errorOf(conn.Exec(ctx, `select set_config('confab.owner', $1, false),
			set_config('confab.from', $1, false)`, owner)))
		for _, table := range tables {
			var n int
			must(t, conn.QueryRow(ctx, `select count(*) from confab_data.`+table).Scan(&n))
			if (n > 0) != (owner == "carol") {
				t.Errorf("%q sees %d rows of %s", owner, n, table)
			}
			if owner == "carol" {
				continue
			}
			if tag, err := conn.Exec(ctx, `delete from confab_data.`+table); err != nil || tag.RowsAffected() > 0 {
				t.Errorf("%q deletes %d rows of %s, %v", owner, tag.RowsAffected(), table, err)
			}
		}
	}
	_, err = conn.Exec(ctx, `insert into confab_data.settings (owner, name, value) values ('dave', 'a', 'b')`)
	if err == nil {
		t.Error("a row of another user was added")
	}
	var found []int64
	rows, err := conn.Query(ctx,
		`select set_config('confab.owner', 'dave', false), set_config('confab.from', 'dave', false)`)
	if err == nil {
		rows.Close()
		rows, err = conn.Query(ctx, `select confab.search_narrowed('turn', $1::text::tsquery, $1::text::tsquery, 1 << 62, 9)
			union all select unnest((confab.search_recent('turn', $1::text::tsquery, 1 << 62, 9, 9))[2:])`, "'x' | !'x'")
	}
	if err == nil {
		found, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	}
	if err != nil || slices.ContainsFunc(found, func(int64) bool { return true }) {
		t.Errorf("the function that searches finds %v of others, %v", found, err)
	}
}

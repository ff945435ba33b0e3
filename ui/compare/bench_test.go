package compare_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/conversation"
	"confab/ui/part"
	"confab/ui/turns"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// now is when the tests are.
var now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// comparison is embedded by tests: embedding View by its own name would hide its method View.
type comparison = compare.View

// view is a comparison in a test's hands.
type view struct {
	*comparison
	session *conversation.Pane
	t       *testing.T
	w, h    int
	wishes  []action.Action
	clock   time.Time
}

// testCase is a case with its turns, as they were read.
type testCase struct {
	compare.Case
	Turns []history.Turn
}

// set shows a case.
func (v *view) set(of testCase) { v.ShowCase(of.Case, of.Turns, 0) }

// shownCase returns the case that is shown, without the ids of its turns.
func (v *view) shownCase() testCase {
	of := v.Case()
	of.Turns = nil
	return testCase{of, v.CaseTurns()}
}

// host draws with styles.
type host struct {
	part.Host
	styles *themes.Styles
}

func (h host) Styles() *themes.Styles { return h.styles }
func (host) IsCovered() bool          { return false }

// env is what a comparison is made with that asks no service.
func env(s *themes.Styles, now func() time.Time) part.Env {
	return part.Env{Keys: ui.Keys(), Now: now, Host: host{styles: s}}
}

// show opens a comparison of a size; w and h are those of the view alone.
func show(t *testing.T, w, h int, of testCase) *view {
	t.Helper()
	styles, m := themes.New(themes.Default(true)), ui.Keys()
	v := &view{t: t, w: w, h: h, clock: now}
	clock := func() time.Time { return v.clock }
	held := turns.New(part.Env{})
	v.session = conversation.New(held, m, styles, clock, func(string) time.Duration { return 0 })
	v.comparison = compare.New(env(styles, clock), held, v.session)
	v.SetToss(func(int) int { return 0 })
	v.SetFocused(true)
	v.SetSize(w, h)
	v.set(of)
	v.settle()
	return v
}

// settle does the work that is asked for until nothing is.
func (v *view) settle() {
	for range 50 {
		requested, cmd := v.Work()
		v.take(requested)
		msgs := run(cmd)
		if len(msgs) == 0 {
			return
		}
		for _, msg := range msgs {
			requested, cmd := deliver(v, msg)
			v.take(requested)
			for _, msg := range run(cmd) {
				deliver(v, msg)
			}
		}
	}
	v.t.Fatal("the work does not end")
}

// deliver gives a message to the part it is for, else to the comparison.
func deliver(c part.Receiver, msg tea.Msg) (action.Action, tea.Cmd) {
	if result, ok := msg.(part.Result); ok {
		return result.To.Update(result.Msg)
	}
	return c.Update(msg)
}

func run(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var out []tea.Msg
		for _, one := range msg {
			out = append(out, run(one)...)
		}
		return out
	default:
		return []tea.Msg{msg}
	}
}

func (v *view) take(requested action.Action) {
	switch w := requested.(type) {
	case nil:
	case action.Sequence:
		for _, one := range w {
			v.take(one)
		}
	default:
		v.wishes = append(v.wishes, w)
	}
}

// press presses keys, by their names.
func (v *view) press(names ...string) {
	v.t.Helper()
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace,
		"pgdown": tea.KeyPgDown, "left": tea.KeyLeft, "tab": tea.KeyTab, "right": tea.KeyRight, "home": tea.KeyHome}
	for _, name := range names {
		msg := tea.KeyPressMsg{Code: codes[name]}
		if msg.Code == 0 {
			msg = tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
		}
		if name == "esc" && !v.State().CapturesText { // the root's
			v.Back()
		} else {
			requested, cmd := deliver(v, ui.Keys().Find(msg, v.State().Lookups))
			v.take(requested)
			for _, msg := range run(cmd) {
				deliver(v, msg)
			}
		}
		v.settle()
	}
}

// text returns what is seen, without styles, and judges its size. What stands in the header of the screen comes last.
func (v *view) text() string {
	v.t.Helper()
	lines := v.View()
	if len(lines) != v.h {
		v.t.Fatalf("%d lines, want %d", len(lines), v.h)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = ansi.Strip(l)
		if n := ansi.StringWidth(l); n != v.w {
			v.t.Fatalf("line %d is %d cells wide, want %d: %q", i, n, v.w, out[i])
		}
		out[i] = strings.TrimRight(out[i], " ")
	}
	if title, right := v.Heading(); right != "" {
		out = append(out, title+"   "+right)
	}
	return strings.Join(out, "\n") + "\n"
}

func (v *view) shows(texts ...string) {
	v.t.Helper()
	all := v.text()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			v.t.Errorf("%q is not shown:\n%s", text, all)
		}
	}
}

func (v *view) lacks(texts ...string) {
	v.t.Helper()
	all := v.text()
	for _, text := range texts {
		if strings.Contains(all, text) {
			v.t.Errorf("%q is shown:\n%s", text, all)
		}
	}
}

// wished returns the wishes of one kind, and forgets all.
func wished[A action.Action](v *view) []A {
	var out []A
	for _, w := range v.wishes {
		if a, ok := w.(A); ok {
			out = append(out, a)
		}
	}
	v.wishes = nil
	return out
}

// noticesOf returns the texts of the notices there were, and why keys did nothing.
func noticesOf(v *view) string {
	var out []string
	for _, w := range wished[action.Action](v) {
		switch w := w.(type) {
		case action.Notify:
			out = append(out, w.Text)
		case action.Unused:
			out = append(out, w.Why)
		}
	}
	return strings.Join(out, "\n")
}

// The texts of the parcel, as four models write them.
const (
	warm = "Hi Sam,\n\nI am sorry your **parcel** is late. I have checked with the courier: it left the depot this " +
		"morning and is due tomorrow before noon.\n\nIf it has not come by then, reply to this mail and I will send " +
		"a new one the same day, at no cost.\n\n- Order: 4417\n- Courier: North Post\n\nThank you for " +
		"waiting,\n\nAna\n"
	stiff = "Dear customer,\n\nWe regret the delay. Our records show that the parcel is in transit. Please allow two " +
		"more working days.\n\nShould the parcel fail to arrive, contact us and quote your order number.\n\nKind " +
		"regards,\n\nSupport\n"
	brief = "Hi, so sorry about the wait! Your parcel is on the van and should be with you tomorrow.\n\nIf not, " +
		"write " +
		"back and we ship a new one.\n"
	wide = "サムさん、こんにちは 📦\n\nお荷物が遅れて申し訳ありません。今朝、配送センターを出発しました。明日の正午までに届く予定です。\n\n👩‍👩‍👧‍👦 よろしくお願いします。\n"
)

var greek = []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
	"mu", "nu", "xi", "omicron"}

// done is an answer that came after a time.
func done(id int64, model, text string, ms int) history.Answer {
	return history.Answer{ID: id, Turn: 1, Model: model, Kind: history.KindText, Sample: 1, State: history.Done,
		Version: 1,
		Text:    text, ServedModel: model, HTTPStatus: 200, Elapsed: time.Duration(ms) * time.Millisecond}
}

// caseOf is a turn that n models answered.
func caseOf(n int) testCase {
	t := history.Turn{ID: 1, Session: 1, Prompt: "Write a warm reply in English to: My parcel is late", Samples: 1}
	for i := range n {
		t.Answers = append(t.Answers, done(int64(i+1), greek[i], []string{warm, stiff, brief, wide}[i%4], 1900+700*i))
	}
	return testCase{Turns: []history.Turn{t}}
}

// runCase is the row of a run of which every kind of thing became.
func runCase() testCase {
	of := testCase{Case: compare.Case{Name: "refund-tone  run 12  3/30", Columns: greek,
		Named: map[compare.Asked]string{}, Checks: map[int64][]history.CheckResult{}}}
	for i, name := range greek {
		if i == 7 {
			continue // not come to yet
		}
		id := int64(i + 1)
		a := done(100+id, name, []string{warm, stiff, brief, wide}[i%4], 1900+310*i)
		a.Turn = id
		switch i {
		case 0:
			a.IsWinner = true
		case 3:
			a.IsCached = true
		case 5:
			a.State, a.Text, a.Started = history.Running, "", now.Add(-9*time.Second)
		case 6:
			a.State, a.Text = history.Queued, ""
		case 8:
			a.State, a.Text = history.Failed, ""
			a.Failure = &history.Failure{Code: "service", Message: "The service answered with an error (HTTP 502)."}
		case 10:
			a.Rating, a.Note = history.Good, "close to what we send"
		case 11:
			a.State, a.Text = history.Cancelled, ""
		}
		of.Named[compare.Asked{Turn: id, Model: name}] = name
		of.Turns = append(of.Turns,
			history.Turn{ID: id, Prompt: "Write a warm reply in English to: My parcel is late", Samples: 1,
				Answers: []history.Answer{a}})
		if a.State == history.Done {
			of.Checks[a.ID] = checks(strings.Contains(a.Text, "sorry"))
		}
	}
	return of
}

func checks(sorry bool) []history.CheckResult {
	second := history.CheckResult{Name: "icontains sorry", Verdict: "passed"}
	if !sorry {
		second.Verdict, second.Reason = "failed", "the answer does not hold “sorry”"
	}
	return []history.CheckResult{{Name: "word-count 5–200", Verdict: "passed"}, second,
		{Name: "llm-rubric", Verdict: "skipped"}}
}

// withAnswer returns the case with an answer of its first turn changed.
func withAnswer(of testCase, i int, change func(*history.Answer)) testCase {
	of.Turns = slices.Clone(of.Turns)
	of.Turns[0].Answers = slices.Clone(of.Turns[0].Answers)
	change(&of.Turns[0].Answers[i])
	return of
}

package conversation_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// sessionFixture is a session in which every line says whose it is, and what a person does in it.
type sessionFixture struct {
	t     *testing.T
	c     *conversation.Pane
	turns []history.Turn
	rand  *rand.Rand
	steps []string
}

// longSession has turns of one to four answers, prompts and answers of a line up to more than the screen.
func longSession(r *rand.Rand) []history.Turn {
	say := func(what string) string {
		lines := make([]string, 1+r.IntN([]int{2, 8, 60}[r.IntN(3)]))
		for i := range lines {
			lines[i] = fmt.Sprintf("%s line %d", what, i)
		}
		return strings.Join(lines, "\n\n")
	}
	var turns []history.Turn
	for i := range int64(8) {
		t := history.Turn{ID: i + 1, Session: 1, Prompt: say(fmt.Sprintf("prompt%d", i+1))}
		for j := range 1 + r.Int64N(4) {
			id := 100*(i+1) + j
			a := history.Answer{ID: id, Turn: t.ID, Model: fmt.Sprintf("model%d", id), Kind: history.KindText,
				State: history.Done, Text: say(fmt.Sprintf("answer%d", id))}
			if r.IntN(6) == 0 {
				a.State, a.Text = history.Running, ""
			}
			t.Answers = append(t.Answers, a)
		}
		turns = append(turns, t)
	}
	return turns
}

// step does one thing that a person, the service or the terminal may do.
func (w *sessionFixture) step() {
	commands := []keys.Command{keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.HalfDown, keys.HalfUp, keys.Top,
		keys.Bottom,
		keys.NextTurn, keys.PreviousTurn, keys.NextAnswer, keys.PreviousAnswer, keys.Unformatted}
	switch n := w.rand.IntN(20); {
	case n < 12:
		command := commands[w.rand.IntN(len(commands))]
		w.did(string(command))
		w.c.Run(command)
	case n == 12:
		width, height := 40+w.rand.IntN(60), 3+w.rand.IntN(30)
		w.did(fmt.Sprintf("size %d×%d", width, height))
		w.c.SetSize(width, height)
	case n == 13:
		w.did("click")
		w.c.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: 3, Y: w.rand.IntN(20)})
		w.c.Update(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: 3, Y: 3})
	case n == 14:
		w.did("wheel")
		w.c.Update(tea.MouseWheelMsg{Button: []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelUp}[w.rand.IntN(2)]})
	case n == 15:
		w.did("settle")
		settle(w.t, w.c, nil)
	case n == 16:
		w.did("open")
		w.c.SetTurns(slices.Clone(w.turns), false)
	case n == 17 && len(w.turns) > 0:
		t := w.turns[w.rand.IntN(len(w.turns))]
		w.did(fmt.Sprint("go to turn ", t.ID))
		w.c.GoTo(t.ID, 0)
	default:
		w.did("delete")
		w.remove()
	}
}

func (w *sessionFixture) did(step string) { w.steps = append(w.steps, step) }

// remove presses the key that deletes, and takes away what it asked for.
func (w *sessionFixture) remove() {
	seen := w.answersOnScreen()
	then := w.c.Run(keys.Delete)
	d, ok := then.(action.Delete)
	if !ok {
		if _, unused := then.(action.Unused); !unused || len(seen) > 0 {
			w.t.Fatalf("deleting with the answers %v on screen asks for %#v", seen, then)
		}
		return
	}
	i := slices.IndexFunc(w.turns, func(t history.Turn) bool {
		return t.ID == d.Turn || slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return a.ID == d.Answer })
	})
	t := w.turns[i]
	gone := d.Answer
	if d.Turn != 0 {
		gone = t.Answers[0].ID
	}
	if !slices.Contains(seen, gone) {
		w.t.Fatalf("answer %d would be deleted, on screen are %v", gone, seen)
	}
	if d.Turn != 0 {
		w.turns = slices.Delete(slices.Clone(w.turns), i, i+1)
		w.c.RemoveTurn(d.Turn)
		return
	}
	t.Answers = slices.DeleteFunc(slices.Clone(t.Answers), func(a history.Answer) bool { return a.ID == d.Answer })
	w.turns = slices.Clone(w.turns)
	w.turns[i] = t
	w.c.PutTurn(t)
}

var idOf = regexp.MustCompile(`(?:answer|model)(\d+)`)

// answersOnScreen returns the answers of which a line is drawn that names them.
func (w *sessionFixture) answersOnScreen() []int64 {
	var out []int64
	for _, line := range w.c.View() {
		if m := idOf.FindStringSubmatch(ansi.Strip(line)); m != nil {
			var id int64
			fmt.Sscan(m[1], &id)
			out = append(out, id)
		}
	}
	return out
}

// check fails the test unless the selected answer is on screen, with the rail on all of its lines and on no other.
func (w *sessionFixture) check() {
	_, a, ok := w.c.Focused()
	seen := w.answersOnScreen()
	fail := func(why string) {
		w.t.Fatalf("%s; selected is %d (%v), on screen are %v\nafter %v:\n%s", why, a.ID, ok, seen,
			w.steps[max(len(w.steps)-6, 0):], ansi.Strip(strings.Join(w.c.View(), "\n")))
	}
	if !ok {
		if len(seen) > 0 {
			fail("no answer is selected")
		}
		return
	}
	railed := 0
	for _, line := range w.c.View() {
		line = ansi.Strip(line)
		has := strings.HasPrefix(line, " ▌") && !strings.HasPrefix(line, " ▌ you")
		if has {
			railed++
		}
		if m := idOf.FindStringSubmatch(line); m != nil && has != (m[1] == fmt.Sprint(a.ID)) {
			fail("the rail is on the wrong line: " + line)
		}
	}
	if railed == 0 {
		fail("the selected answer is not marked")
	}
}

// Whatever a person presses, the service answers or the terminal does: keys act on an answer that is on screen and
// marked, and what is deleted was seen.
func TestTheSelectedAnswerIsOnScreen(t *testing.T) {
	styles := themes.New(themes.Pick(themes.Shipped(), "auto", true))
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 7))
		w := &sessionFixture{t: t, rand: r, turns: longSession(r)}
		w.c = conversation.New(turns.New(part.Env{}), ui.Keys(), styles, time.Now,
			func(string) time.Duration { return 0 })
		w.c.SetSize(80, 20)
		w.c.SetTurns(slices.Clone(w.turns), false)
		w.check()
		for range 60 {
			w.step()
			w.check()
		}
	}
}

// A second x deletes the answer that has come into the place of the first one, not one out of sight.
func TestDeletingGoesOnWhereItWas(t *testing.T) {
	styles := themes.New(themes.Pick(themes.Shipped(), "auto", true))
	w := &sessionFixture{t: t, rand: rand.New(rand.NewPCG(1, 1)),
		c: conversation.New(turns.New(part.Env{}), ui.Keys(), styles, time.Now,
			func(string) time.Duration { return 0 })}
	for i := range int64(5) {
		w.turns = append(w.turns, history.Turn{ID: i + 1, Session: 1, Prompt: "p", Answers: []history.Answer{
			{ID: 100 * (i + 1), Model: fmt.Sprintf("model%d", 100*(i+1)), State: history.Done, Kind: history.KindText,
				Text: strings.Repeat("a line\n\n", 20)}}})
	}
	w.c.SetSize(80, 20)
	w.c.SetTurns(w.turns, false)
	w.c.GoTo(2, 0)
	for _, next := range []int64{300, 400, 500, 100} {
		w.remove()
		w.check()
		if _, a, _ := w.c.Focused(); a.ID != next {
			t.Fatalf("after a deletion %d is selected, want %d, the nearest", a.ID, next)
		}
	}
}

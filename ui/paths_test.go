package ui

import (
	"context"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/part"
	"confab/ui/screen"
)

// walk is the functions of this module that a message passes from Update of the root, or from the start of a command,
// to the one that handles it. The functions in a function count as that one.
type walk []string

// walkTo returns the walk to a function that is on the stack, nil where it is not.
func walkTo(handler string) (w walk) {
	closure := regexp.MustCompile(`(\[\.\.\.\]|\.func\d+|\.\d+)+$`)
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		name := closure.ReplaceAllString(frame.Function, "")
		isOurs := strings.HasPrefix(name, "confab/") && !strings.HasSuffix(frame.File, "_test.go")
		if isOurs && (len(w) > 0 || strings.HasSuffix(name, handler)) && !slices.Contains(w, name) {
			w = append(w, name)
		}
		if strings.HasSuffix(name, "(*Model).Update") || strings.HasSuffix(name, "(*Model).View") {
			break
		}
	}
	slices.Reverse(w)
	return w
}

// packages counts the packages that a walk leads through.
func (w walk) packages() int {
	in := map[string]bool{}
	for _, name := range w {
		base, _, _ := strings.Cut(path.Base(name), ".")
		in[path.Join(path.Dir(name), base)] = true
	}
	return len(in)
}

// TestAKeyIsNearItsHandler presses keys whose handlers call what the test has put there, and counts the functions on
// the stack, with panicGuard.Update of the command line, which calls Update. docs/architecture.md lists them.
func TestAKeyIsNearItsHandler(t *testing.T) {
	const maxFunctions, maxPackages, guard = 8, 4, 1
	m := newLoadedModel(t, 1, "words")
	m.do(action.Focus{Pane: action.PaneConversation})
	var taken walk
	m.conversation.PathName = func(p string) string { taken = walkTo("(*Pane).copyTurn"); return p }
	m.o.Now = func() time.Time {
		if w := walkTo("(*Model).interrupt"); w != nil {
			taken = w
		}
		return time.Now()
	}
	turns := m.turns.Window()
	turns[0].Source = &history.Source{Path: "p"}
	for _, key := range []tea.KeyPressMsg{{Code: 'Y', Text: "Y"}, {Code: 'c', Mod: tea.ModCtrl}} {
		taken = nil
		m.Update(key)
		functions, packages := len(taken)+guard, taken.packages()+guard
		t.Logf("%s passes %d functions in %d packages", key, functions, packages)
		if taken == nil || functions > maxFunctions || packages > maxPackages {
			t.Errorf("%s passes %d functions in %d packages, at most %d in %d:\n%s", key, functions, packages,
				maxFunctions, maxPackages, strings.Join(taken, "\n"))
		}
	}
}

// sessionHost is asked for the open session, which is empty.
type sessionHost struct {
	part.Host
	asked func()
}

func (h sessionHost) Session() history.Session {
	h.asked()
	return history.Session{}
}

// TestAPromptIsNearTheHistory sends a prompt with enter and counts the functions on the stack of the key, up to the one
// that takes the prompt, and on that of its command, up to the one that inserts the turn. The entry of the table of
// commands counts as one. docs/architecture.md lists them.
func TestAPromptIsNearTheHistory(t *testing.T) {
	const maxFunctions, maxPackages, guard = 14, 6, 1
	var recorded, taken walk
	now := func() time.Time {
		if w := walkTo("sqlstore.(*Tx).insertTurn"); w != nil {
			recorded = w
		}
		return time.Now()
	}
	open := func(ctx context.Context) (history.Store, error) {
		return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{Now: now})
	}
	svc := service.New(service.Options{History: service.HistoryOptions{Open: open, OpenMemory: open, Saves: true},
		Backend: service.BackendOptions{Catalogue: api.Default,
			Connect: func(context.Context) (service.Connection, error) {
				return service.Connection{}, context.Canceled
			}}})
	m := New(t.Context(), Options{Service: svc, Keys: Keys(), Theme: screen.Theme{Palettes: themes.Shipped()},
		Start: Start{Marked: []string{"delta"}, Remembers: true}})
	feed(m, tea.WindowSizeMsg{Width: 120, Height: 40})
	if _, err := svc.StoreInfo(t.Context()); err != nil { // opened before, it takes no time later
		t.Fatal(err)
	}
	m.composer.Host = sessionHost{m, func() {
		if w := walkTo("(*Composer).SendPrompts"); w != nil {
			taken = w
		}
	}}
	feed(m, tea.PasteMsg{Content: "hello"})
	feed(m, tea.KeyPressMsg{Code: tea.KeyEnter})
	if err := svc.Close(context.Background()); err != nil { // which waits until the prompt is recorded
		t.Error(err)
	}
	way := taken
	for _, name := range recorded {
		if !slices.Contains(way, name) {
			way = append(way, name)
		}
	}
	functions, packages := len(way)+guard, way.packages()+guard
	t.Logf("a prompt passes %d functions in %d packages:\n%s", functions, packages, strings.Join(way, "\n"))
	if taken == nil || recorded == nil || functions > maxFunctions || packages > maxPackages {
		t.Errorf("at most %d in %d", maxFunctions, maxPackages)
	}
}

// wordTaker stands before a receiver and takes what hands it a message.
type wordTaker struct {
	part.Receiver
	taken *walk
}

// Update implements [part.Receiver].
func (w wordTaker) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	*w.taken = append(walkTo("(*Model).Update"), "confab/ui/turns.(*Turns).Update")
	return w.Receiver.Update(msg)
}

// TestAWordIsNearTheScreen counts the functions on the stack while a streamed word is applied and drawn in Update, and
// its line put on the screen in View, each with its function of panicGuard. The list of docs/architecture.md has six
// more, which have returned or run elsewhere.
func TestAWordIsNearTheScreen(t *testing.T) {
	const maxFunctions, maxPackages, guards = 10, 5, 2
	var applied, drawn, shown walk
	now := func() time.Time {
		if w := walkTo("(*Pane).delayRedraw"); w != nil {
			drawn = w[:len(w)-1] // it comes after the drawing
		}
		if w := walkTo("(*Pane).partLines"); w != nil {
			shown = w
		}
		return time.Now()
	}
	m := New(t.Context(), Options{Service: newLoadedModel(t, 0, "").o.Service, Keys: Keys(), Now: now,
		Theme: screen.Theme{Palettes: themes.Shipped()}})
	feed(m, tea.WindowSizeMsg{Width: 120, Height: 40})
	a := history.Answer{ID: 1, Turn: 1, Model: "delta", State: history.Running, Version: 1}
	events := make(chan history.Event, 1)
	turn := history.Turn{ID: 1, Prompt: "hello", Answers: []history.Answer{a}}
	m.do(action.FollowTurn{Turn: turn})
	wait := m.turns.Follow(turn, events)
	a.Text, a.Progress.Streams, a.Version = "Hi", true, 2
	events <- history.Event{Turn: 1, Answer: a}
	result, _ := wait().(part.Result)
	result.To = wordTaker{result.To, &applied}
	m.Update(result)
	if text := m.View().Content; !strings.Contains(text, "Hi") {
		t.Fatalf("the word is not on the screen:\n%s", text)
	}
	way := applied
	for _, name := range append(drawn, shown...) {
		if !slices.Contains(way, name) {
			way = append(way, name)
		}
	}
	functions, packages := len(way)+guards, way.packages()+1
	t.Logf("a word passes %d functions in %d packages:\n%s", functions, packages, strings.Join(way, "\n"))
	if applied == nil || drawn == nil || shown == nil || functions > maxFunctions || packages > maxPackages {
		t.Errorf("at most %d in %d", maxFunctions, maxPackages)
	}
}

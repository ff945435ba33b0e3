package dialog_test

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

func openSessions(t *testing.T) *screen {
	s := newScreen(t, 120, 40)
	s.open(dialog.NewBrowser(dialog.Shipped(action.ListSessions), keys.Default(), s.styles))
	return s
}

// rest lets the cursor rest long enough for a preview.
func (s *screen) rest() {
	time.Sleep(40 * time.Millisecond) // of the bubble's clock
	s.run()
}

func (s *screen) shows(text string) {
	s.t.Helper()
	if view := s.view(); !strings.Contains(view, text) {
		s.t.Errorf("does not show %q:\n%s", text, view)
	}
}

func (s *screen) hides(text string) {
	s.t.Helper()
	if view := s.view(); strings.Contains(view, text) {
		s.t.Errorf("shows %q:\n%s", text, view)
	}
}

// wants expects exactly these wishes since the last call of wants.
func (s *screen) wants(want ...action.Action) {
	s.t.Helper()
	if len(s.asked) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(s.asked, want) {
		s.t.Errorf("got %#v\nwant %#v", s.asked, want)
	}
	s.asked = nil
}

func TestSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t)
		first := last[action.Search](s)
		if first.List != action.ListSessions || first.Query != "" {
			t.Fatalf("the first search is %+v", first)
		}
		s.shows("Reading…")
		s.found(sessions(), 128, "")
		s.shows("Sessions   3 of 128 ━")
		s.asked = nil

		s.typed("re")
		queries := []string{}
		for _, a := range s.asked {
			queries = append(queries, a.(action.Search).Query)
		}
		if want := []string{"r", "re"}; !reflect.DeepEqual(queries, want) {
			t.Errorf("searched %q, want %q", queries, want)
		}
		s.shows("tone of voice") // the old items stay until the answer
		old := s.asked[0].(action.Search)
		s.send(dialog.FoundMsg{List: old.List, Gen: old.Gen, Items: prompts()})
		s.hides("CRDT") // the answer to "r" is stale
		s.send(dialog.FoundMsg{List: action.ListPrompts, Gen: last[action.Search](s).Gen, Items: prompts()})
		s.hides("CRDT") // and so is that of another list
		s.found(sessions()[:1], 128, "")
		s.hides("tone of voice")
		s.shows("1 of 128 match")

		s.press("backspace")
		if q := last[action.Search](s).Query; q != "r" {
			t.Errorf("after backspace: searched %q", q)
		}
		s.send(tea.PasteMsg{Content: "  efund\nwording "})
		if q := last[action.Search](s).Query; q != "refund wording" {
			t.Errorf("after a paste: searched %q", q)
		}
	})
}

// TestGenerations opens the same list twice: an answer to the first one must
// not be shown by the second.
func TestGenerations(t *testing.T) {
	s := openSessions(t)
	old := last[action.Search](s)
	s.stack.Pop()
	s.open(dialog.NewBrowser(dialog.Shipped(action.ListSessions), keys.Default(), s.styles))
	s.send(dialog.FoundMsg{List: old.List, Gen: old.Gen, Items: sessions(), Total: 3})
	s.hides("tone of voice")
}

func TestChoose(t *testing.T) {
	s := openSessions(t)
	s.found(sessions(), 3, "")
	s.asked = nil
	s.press("down", "enter")
	s.wants(action.CloseDialog{}, action.OpenSession{Session: 2})

	s.press("esc")
	s.wants(action.CloseDialog{})
	s.press("ctrl+c")
	s.wants(action.CloseDialog{})
	s.press("ctrl+s") // the key that opened it
	s.wants(action.CloseDialog{})
	s.press("ctrl+g")
	s.wants(action.CloseDialog{}, action.Perform{Scope: "everywhere", Effect: "pictures"})
	s.press("f1")
	s.wants(action.ShowHelp{Scope: "lists"})
	s.press("alt+u")
	s.wants(action.Perform{Scope: "everywhere", Effect: "undo"})
	s.press("alt+x")
	s.wants(action.Delete{Session: 2})
	s.press("alt+n") // no item has an action for it
	s.wants(action.Unused{Key: "alt+n", Why: "alt+n (new) is not for this list."})
}

// TestChooseEarly presses enter before the search is answered: what opens must
// be what was searched for, not what was shown.
func TestChooseEarly(t *testing.T) {
	s := openSessions(t)
	s.found(sessions(), 3, "")
	s.typed("tone")
	s.asked = s.asked[len(s.asked)-1:]
	s.press("enter")
	if len(s.asked) != 1 {
		t.Fatalf("opened %#v at once", s.asked[1:])
	}
	s.found(sessions()[1:2], 3, "")
	if got := last[action.OpenSession](s); got.Session != 2 {
		t.Errorf("opened session %d", got.Session)
	}

	s.typed("x")
	s.press("enter", "backspace") // thinks better of it
	s.asked = s.asked[len(s.asked)-1:]
	s.found(sessions(), 3, "")
	if len(s.asked) != 1 {
		t.Errorf("opened %#v after all", s.asked[1:])
	}
}

func TestRename(t *testing.T) {
	s := openSessions(t)
	s.found(sessions(), 3, "")
	s.press("alt+r")
	ask := last[action.AskText](s)
	s.open(dialog.NewAskText(ask, keys.Default(), s.styles))
	s.shows("refund wording")
	s.press("home")
	s.typed("The ")
	s.asked = nil
	s.press("enter")
	s.wants(action.CloseDialog{}, action.Rename{Session: 1, Name: "The refund wording"})
	s.stack.Pop()

	s.press("down")
	s.send(dialog.RefreshMsg{List: action.ListSessions})
	renamed := sessions()
	renamed[1], renamed[0] = renamed[0], renamed[1] // the renamed one may sort elsewhere
	s.found(renamed, 3, "")
	s.asked = nil
	s.press("enter")
	s.wants(action.CloseDialog{}, action.OpenSession{Session: 2}) // the cursor stayed on its item
}

func TestPreview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t)
		s.found(sessions(), 3, "")
		s.asked = nil
		s.press("down", "down") // passes one
		s.rest()
		if len(s.asked) != 1 {
			t.Fatalf("asked for %#v, want one preview", s.asked)
		}
		p := last[action.Preview](s)
		if p.List != action.ListSessions || p.ID != 3 || p.W != 52 || p.H != 34 {
			t.Errorf("asked for %+v", p)
		}
		s.shows("│")
		s.send(dialog.PreviewedMsg{List: p.List, Gen: p.Gen - 1, ID: 2, Lines: []string{"an older one"}})
		s.hides("an older one")
		long := strings.Split(strings.Repeat("a line\n", 100)+"the end", "\n")
		s.send(dialog.PreviewedMsg{List: p.List, Gen: p.Gen, ID: 3, Lines: long})
		s.shows("a line")
		s.shows("↓ 33 %")
		for range 10 {
			s.press("ctrl+d")
		}
		s.shows("the end")
		s.shows("↓ 100 %")
		s.press("shift+up")
		s.shows("↓ 83 %")
		if a := s.stack.SetSize(140, 40); a.(action.Preview).W <= p.W {
			t.Errorf("after a resize: asked for %+v", a)
		}
		if a := s.stack.SetSize(80, 24); a != nil {
			t.Errorf("without room for a preview: asked for %+v", a)
		}
	})
}

func TestMouse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t)
		s.found(sessions(), 3, "")
		s.asked = nil
		click := func(x, y int) { s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
		lines := strings.Split(s.view(), "\n")
		at := func(text string) int {
			for i, line := range lines {
				if strings.Contains(line, text) {
					return i
				}
			}
			t.Fatalf("no %q", text)
			return 0
		}
		click(5, at("refund is on")) // the second line of the second item
		s.wants()
		click(5, at("tone of voice"))
		s.wants(action.CloseDialog{}, action.OpenSession{Session: 2})
		click(5, at("tone of voice")+2) // between items
		click(100, at("tone of voice"))
		s.wants()
		s.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
		s.press("enter")
		s.wants(action.CloseDialog{}, action.OpenSession{Session: 3})
	})
}

func TestScroll(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewBrowser(dialog.Shipped(action.ListPrompts), keys.Default(), s.styles))
	s.found(prompts(), 40, "")
	s.press("ctrl+end")
	s.shows("▌Explain a CRDT to a baker, take 40 ")
	s.press("pgup")
	s.shows("▌Explain a CRDT to a baker, take 35 ")
	s.press("ctrl+home", "up")
	s.shows("▌Explain a CRDT to a baker, take 1 ")
	s.press("pgdown", "pgdown", "pgdown", "down", "ctrl+j", "ctrl+n", "ctrl+k")
	s.shows("▌Explain a CRDT to a baker, take 18 ")
}

func TestThemes(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.open(themeList(keys.Default(), s.styles))
	if p := last[action.Preview](s); p.Path != "night" { // starts on the one in use
		t.Errorf("previews %+v", p)
	}
	s.asked = nil
	s.press("down")
	s.wants(action.Theme{Name: "plain"})
	s.press("esc")
	s.wants(action.CloseDialog{}, action.Theme{Name: "night"})
	s.press("ctrl+s")
	s.wants(action.CloseDialog{}, action.Theme{Name: "night"}, action.Perform{Scope: "everywhere", Effect: "sessions"})
	s.typed("d")
	s.wants(action.Theme{Name: "day"})
	s.press("enter")
	s.wants(action.CloseDialog{}, action.Theme{Name: "day", Keep: true})
	if p, ok := s.stack.SetStyles(s.styles).(action.Preview); !ok || p.Path != "day" {
		t.Errorf("with the styles of the theme: previews %+v", p)
	}
}

func TestFiles(t *testing.T) {
	s := newScreen(t, 120, 40)
	c := dialog.Shipped(action.ListFiles)
	c.Query = "/home/ana/pictures/summer holiday"
	s.open(dialog.NewBrowser(c, keys.Default(), s.styles))
	if q := last[action.Search](s).Query; q != c.Query {
		t.Errorf("starts in %q", q)
	}
	s.foundAt(c.Query, files())
	s.asked = nil
	s.typed("bea")
	s.wants() // filters within the folder
	s.shows("1 of 3 match")
	s.press("enter")
	if got := last[action.Search](s); got.Query != "/home/ana/pictures/summer holiday/beach" {
		t.Errorf("entered %q", got.Query)
	}
	s.foundAt("/home/ana/pictures/summer holiday/beach", nil)
	s.shows("▌..") // an empty folder still has a way out
	s.press("backspace")
	if got := last[action.Search](s); got.Query != "/home/ana/pictures/summer holiday" {
		t.Errorf("went up to %q", got.Query)
	}
	s.foundAt("/home/ana/pictures", files())
	s.typed("beach/")
	if got := last[action.Search](s); got.Query != "/home/ana/pictures/beach/" {
		t.Errorf("typed a folder: %q", got.Query)
	}
	s.typed("/tmp/")
	if got := last[action.Search](s); got.Query != "/tmp/" {
		t.Errorf("typed a path: %q", got.Query)
	}
	s.foundAt("/", nil)
	s.hides("▌..") // there is nothing above
}

func TestCommands(t *testing.T) {
	m, err := keys.Default().Rebind(map[string][]string{"sessions": nil})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, item := range dialog.Commands(m) {
		p, ok := item.Enter.(action.Perform)
		if !ok || p.Effect == "" || item.Title == "" {
			t.Errorf("%q performs %#v", item.Title, item.Enter)
		}
		seen[p.Scope+" "+p.Effect] = true
		if p.Effect == "sessions" && item.Facts != "" {
			t.Errorf("an effect without a key shows %q", item.Facts)
		}
	}
	for _, want := range []string{"everywhere sessions", "conversation write", "models mark_all_text",
		"prompt picture_options", "everywhere quit"} {
		if !seen[want] {
			t.Errorf("no command for %s", want)
		}
	}
}

func TestFuzzyOrder(t *testing.T) {
	s := newScreen(t, 80, 24)
	c := dialog.Shipped(action.ListCommands)
	for _, title := range []string{"Copy the picture's path", "Show hidden sessions", "New session", "Sessions",
		"Résumé of ÄRGER"} {
		c.Items = append(c.Items, dialog.Item{Title: title, Key: title})
	}
	b := dialog.NewBrowser(c, keys.Default(), s.styles)
	s.open(b)
	for _, tt := range []struct{ filter, want string }{
		{"ses", "Sessions"},
		{"ses new", "New session"},
		{"nwsn", "New session"},
		{"hid", "Show hidden sessions"},
		{"icture", "Copy the picture's path"},
		{"ärger", "Résumé of ÄRGER"},
		{"zzz", ""},
	} {
		s.typed(tt.filter)
		item, _ := b.Selected()
		if item.Title != tt.want {
			t.Errorf("%q: got %q, want %q", tt.filter, item.Title, tt.want)
		}
		for range tt.filter {
			s.press("backspace")
		}
	}
	s.typed("zzz")
	s.shows("Nothing matches “zzz”.")
}

func TestStackRouting(t *testing.T) {
	s := openSessions(t)
	q := last[action.Search](s)
	s.open(dialog.NewAskText(action.AskText{Title: "A name"}, keys.Default(), s.styles))
	s.typed("x") // goes to the top only
	s.send(dialog.FoundMsg{List: q.List, Gen: q.Gen, Items: sessions(), Total: 3})
	s.stack.Pop()
	s.shows("tone of voice") // but what was found reaches the list below
	s.shows("Sessions   3 ━")
	s.stack.Pop()
	s.stack.Pop()
	if s.stack.Len() != 0 || s.stack.Top() != nil {
		t.Error("the stack is not empty")
	}
	s.asked = nil
	s.press("enter")
	s.wants()
}

package browse_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"

	tea "charm.land/bubbletea/v2"
)

func openSessions(t *testing.T) *source {
	return list(overlaytest.New(t, 120, 40), action.ListSessions)
}

// waitForPreview lets the cursor rest long enough for a preview.
func waitForPreview(s *source) {
	time.Sleep(40 * time.Millisecond) // of the bubble's clock
	s.Run()
}

func TestSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t)
		if !reflect.DeepEqual(s.queries, []string{""}) {
			t.Fatalf("the first search is %q", s.queries)
		}
		s.Shows("Reading…")
		s.found(sessions(), 128, "")
		s.Shows("Sessions   3 of 128 ━")
		s.Settle()

		s.Type("re")
		if want := []string{"", "r", "re"}; !reflect.DeepEqual(s.queries, want) {
			t.Errorf("searched %q, want %q", s.queries, want)
		}
		s.Shows("tone of voice") // the old items stay until the answer
		s.result = browse.SearchResult{Items: prompts(), Total: 40}
		s.RunFirst()
		s.Hides("CRDT") // the answer to "r" is stale
		s.found(sessions()[:1], 128, "")
		s.Hides("tone of voice")
		s.Shows("1 of 128 match")

		s.Press("backspace")
		if q := s.query(); q != "r" {
			t.Errorf("after backspace: searched %q", q)
		}
		s.Send(tea.PasteMsg{Content: "  efund\nwording "})
		if q := s.query(); q != "refund wording" {
			t.Errorf("after a paste: searched %q", q)
		}
	})
}

// TestClosedList opens the same list twice: an answer to the first one must not be shown by the second.
func TestClosedList(t *testing.T) {
	s := openSessions(t)
	s.Stack.Pop()
	second := list(s.Screen, action.ListSessions)
	s.result.Items = sessions()
	s.RunFirst()
	second.Hides("tone of voice")
}

func TestChoose(t *testing.T) {
	s := openSessions(t)
	s.found(sessions(), 3, "")
	s.Asked = nil
	s.Press("down", "enter")
	s.Wants(action.CloseDialog{}, action.OpenSession{Session: 2})

	s.Press("esc")
	s.Wants(action.CloseDialog{})
	s.Press("ctrl+c")
	s.Wants(action.CloseDialog{})
	s.Press("ctrl+s") // the key that opened it
	s.Wants(action.CloseDialog{})
	s.Press("ctrl+g")
	s.Wants(action.CloseDialog{}, action.RunCommand{Scope: "everywhere", Command: "pictures"})
	s.Press("f1")
	s.Wants(action.ShowHelp{Scope: "lists"})
	s.Press("alt+u")
	s.Wants(action.RunCommand{Scope: "everywhere", Command: "undo"})
	s.Press("alt+x")
	s.Wants(action.Delete{Session: 2})
	s.Press("alt+n") // no item has an action for it
	s.Wants(action.Unused{Key: "alt+n", Why: "alt+n (new) does nothing in this list."})
}

// TestChooseEarly presses enter before the search is answered: what opens must
// be what was searched for, not what was shown.
func TestChooseEarly(t *testing.T) {
	s := openSessions(t)
	s.found(sessions(), 3, "")
	s.Type("tone")
	s.Press("enter")
	s.Wants()
	s.found(sessions()[1:2], 3, "")
	if got := overlaytest.Last[action.OpenSession](s.Screen); got.Session != 2 {
		t.Errorf("opened session %d", got.Session)
	}

	s.Type("x")
	s.Press("enter", "backspace") // thinks better of it
	s.Asked = nil
	s.found(sessions(), 3, "")
	s.Wants()
}

func TestRename(t *testing.T) {
	s := openSessions(t)
	s.found(sessions(), 3, "")
	s.Press("alt+r")
	ask := overlaytest.Last[action.AskText](s.Screen)
	s.Open(dialog.NewAskText(ask, ui.Keys(), s.Styles))
	s.Shows("refund wording")
	s.Press("home")
	s.Type("The ")
	s.Asked = nil
	s.Press("enter")
	s.Wants(action.CloseDialog{}, action.Rename{Session: 1, Name: "The refund wording"})
	s.Stack.Pop()

	s.Press("down")
	s.Send(browse.RefreshMsg{})
	renamed := sessions()
	renamed[1], renamed[0] = renamed[0], renamed[1] // the renamed one may sort elsewhere
	s.found(renamed, 3, "")
	s.Asked = nil
	s.Press("enter")
	s.Wants(action.CloseDialog{}, action.OpenSession{Session: 2}) // the cursor stayed on its item
}

func TestPreview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t)
		s.found(sessions(), 128, "")
		s.Press("down", "down") // passes one
		s.preview = strings.Split(strings.Repeat("a line\n", 100)+"the end", "\n")
		waitForPreview(s)
		if len(s.previews) != 1 {
			t.Fatalf("asked for %+v, want one preview", s.previews)
		}
		p := s.previews[0]
		if p.ID != 3 || p.w != 116 || p.h != 13 {
			t.Errorf("asked for %+v", p)
		}
		s.Shows("│", "╭─ Preview")
		long := s.preview
		s.preview = []string{"an older one"}
		s.Resize(118, 40) // asks for another before the first is made
		s.RunFirst()
		s.Hides("an older one")
		s.preview = long
		s.Settle()
		s.Resize(120, 40)
		s.Settle()
		s.Shows("a line")
		s.Shows("1–13 of 101 ↓")
		for range 15 {
			s.Press("shift+down")
		}
		s.Shows("the end")
		s.Shows("89–101 of 101 ─")
		s.Press("shift+up")
		s.Shows("83–95 of 101 ↓")
		s.Send(browse.RefreshMsg{})
		s.found(sessions(), 128, "")
		s.Settle()
		s.Shows("83–95 of 101 ↓") // what is read again stays scrolled
		n := len(s.previews)
		if s.Resize(140, 40); len(s.previews) != n+1 || s.previews[n].w <= p.w {
			t.Errorf("after a resize: asked for %+v", s.previews[n:])
		}
		if s.Resize(80, 18); len(s.previews) != n+1 {
			t.Errorf("without room for a preview: asked for %+v", s.previews[n+1:])
		}
	})
}

func TestMouse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSessions(t)
		s.found(sessions(), 3, "")
		s.Asked = nil
		click := func(x, y int) { s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
		lines := strings.Split(s.View(), "\n")
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
		s.Wants()
		click(5, at("tone of voice"))
		s.Wants(action.CloseDialog{}, action.OpenSession{Session: 2})
		click(5, at("tone of voice")+6) // below the items
		click(5, at("─ Preview")+2)
		s.Wants()
		s.Send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
		s.Press("enter")
		s.Wants(action.CloseDialog{}, action.OpenSession{Session: 3})
	})
}

func TestScroll(t *testing.T) {
	s := list(overlaytest.New(t, 80, 24), action.ListPrompts)
	s.found(prompts(), 40, "")
	s.Press("ctrl+end")
	s.Shows("▌ Explain a CRDT to a baker, take 40 ")
	s.Press("pgup")
	s.Shows("▌ Explain a CRDT to a baker, take 31 ")
	s.Press("ctrl+home", "up")
	s.Shows("▌ Explain a CRDT to a baker, take 1 ")
	s.Press("pgdown", "down", "ctrl+j", "ctrl+n", "ctrl+k")
	s.Shows("▌ Explain a CRDT to a baker, take 12 ", "4–13 of 40 ↓")
}

func TestThemes(t *testing.T) {
	s := themeList(overlaytest.New(t, 120, 40))
	if len(s.previews) != 1 || s.previews[0].Key != "night" { // starts on the one in use
		t.Errorf("previews %+v", s.previews)
	}
	s.Asked = nil
	s.Press("down")
	s.Wants(action.SetTheme{Name: "plain"})
	s.Press("esc")
	s.Wants(action.CloseDialog{}, action.SetTheme{Name: "night"})
	s.Press("ctrl+s")
	s.Wants(action.CloseDialog{}, action.SetTheme{Name: "night"},
		action.RunCommand{Scope: "everywhere", Command: "sessions"})
	s.Type("d")
	s.Wants(action.SetTheme{Name: "day"})
	s.Press("enter")
	s.Wants(action.CloseDialog{}, action.SetTheme{Name: "day", Save: true})
	s.Stack.SetStyles(s.Styles)
	if s.Resize(120, 40); len(s.previews) != 2 || s.previews[1].Key != "day" {
		t.Errorf("with the styles of the theme: previews %+v", s.previews)
	}
}

func TestFiles(t *testing.T) {
	s := &source{Screen: overlaytest.New(t, 120, 40)}
	c := s.config(action.ListFiles)
	c.Query = "/home/ana/pictures/summer holiday"
	s.Open(browse.NewList(c, ui.Keys(), s.Styles))
	if q := s.query(); q != c.Query {
		t.Errorf("starts in %q", q)
	}
	s.foundIn(c.Query, files())
	s.Asked = nil
	s.Type("bea")
	s.Wants() // filters within the folder
	s.Shows("1 of 3 match")
	s.Press("enter")
	if got := s.query(); got != "/home/ana/pictures/summer holiday/beach" {
		t.Errorf("entered %q", got)
	}
	s.foundIn("/home/ana/pictures/summer holiday/beach", nil)
	s.Shows("▌ ..") // an empty folder still has a way out
	s.Press("backspace")
	if got := s.query(); got != "/home/ana/pictures/summer holiday" {
		t.Errorf("went up to %q", got)
	}
	s.foundIn("/home/ana/pictures", files())
	s.Type("beach/")
	if got := s.query(); got != "/home/ana/pictures/beach/" {
		t.Errorf("typed a folder: %q", got)
	}
	s.Type("/tmp/")
	if got := s.query(); got != "/tmp/" {
		t.Errorf("typed a path: %q", got)
	}
	s.foundIn("/", nil)
	s.Hides("▌ ..") // there is nothing above
}

func TestCommands(t *testing.T) {
	m, err := ui.Keys().Rebind(map[string][]string{"sessions": nil})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, item := range browse.PaletteItems(m) {
		p, ok := item.Enter.(action.RunCommand)
		if !ok || p.Command == "" || item.Title == "" {
			t.Errorf("%q performs %#v", item.Title, item.Enter)
		}
		seen[string(p.Scope)+" "+string(p.Command)] = true
		if item.Group == "" {
			t.Errorf("%q stands under no heading", item.Title)
		}
		if p.Command == "sessions" && item.Facts != "" {
			t.Errorf("a command without a key shows %q", item.Facts)
		}
	}
	for _, want := range []string{"everywhere sessions", "conversation write", "models mark_all_text",
		"prompt picture_options", "everywhere quit"} {
		if !seen[want] {
			t.Errorf("no command for %s", want)
		}
	}
}

// TestHeadings has the cursor pass the headings of groups by, and shows the first one again at the top.
func TestHeadings(t *testing.T) {
	s := overlaytest.New(t, 80, 12)
	c := browse.ListConfig(action.ListCommands, ui.Keys())
	c.Items = nil
	for i := range 12 {
		c.Items = append(c.Items, browse.Item{Title: fmt.Sprint("Command ", i), Key: fmt.Sprint(i),
			Group: []string{"first", "second"}[i/6]})
	}
	b := browse.NewList(c, ui.Keys(), s.Styles)
	s.Open(b)
	s.Shows("First", "▌ Command 0", "1–6 of 12 ↓")
	for _, tt := range []struct{ key, want string }{
		{"up", "Command 0"}, {"ctrl+end", "Command 11"}, {"ctrl+home", "Command 0"}, {"pgdown", "Command 6"},
		{"up", "Command 5"}, {"down", "Command 6"}, {"ctrl+home", "Command 0"},
	} {
		s.Press(tt.key)
		if item, _ := b.Selected(); item.Title != tt.want {
			t.Errorf("%s goes to %q, want %q", tt.key, item.Title, tt.want)
		}
	}
	s.Shows("First")
	s.Type("1")
	s.Hides("First")
	s.Shows("3 of 12 match", "ctrl+u clear")
}

func TestFuzzyOrder(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	c := browse.ListConfig(action.ListCommands, ui.Keys())
	c.Items = nil
	for _, title := range []string{"Copy the picture's path", "Show hidden sessions", "New session", "Sessions",
		"Résumé of ÄRGER"} {
		c.Items = append(c.Items, browse.Item{Title: title, Key: title})
	}
	b := browse.NewList(c, ui.Keys(), s.Styles)
	s.Open(b)
	for _, tt := range []struct{ filter, want string }{
		{"ses", "Sessions"},
		{"ses new", "New session"},
		{"nwsn", "New session"},
		{"hid", "Show hidden sessions"},
		{"icture", "Copy the picture's path"},
		{"ärger", "Résumé of ÄRGER"},
		{"zzz", ""},
	} {
		s.Type(tt.filter)
		item, _ := b.Selected()
		if item.Title != tt.want {
			t.Errorf("%q: got %q, want %q", tt.filter, item.Title, tt.want)
		}
		for range tt.filter {
			s.Press("backspace")
		}
	}
	s.Type("zzz")
	s.Shows("Nothing matches “zzz”.")
}

func TestStackRouting(t *testing.T) {
	s := openSessions(t)
	s.Open(dialog.NewAskText(action.AskText{Title: "A name"}, ui.Keys(), s.Styles))
	s.Type("x") // goes to the top only
	s.found(sessions(), 3, "")
	s.Stack.Pop()
	s.Shows("tone of voice") // but what was found reaches the list below
	s.Shows("Sessions   3 ━")
	s.Stack.Pop()
	s.Stack.Pop()
	if s.Stack.Len() != 0 || s.Stack.Top() != nil {
		t.Error("the stack is not empty")
	}
	s.Asked = nil
	s.Press("enter")
	s.Wants()
}

// TestRowsTellItemsApart lists items that begin alike on a narrow screen: each shows where it differs, with its turns,
// and only the open one and the one under the cursor stand out.
func TestRowsTellItemsApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const common = "You are a kind shop assistant. Answer: "
		item := func(id int64, title string) browse.Item {
			return browse.Item{ID: id, Title: title, Columns: []string{"", "12 turns"}, Facts: "1 min ago",
				Models: []string{"a", "b", "c", "d"}, Enter: action.OpenSession{Session: id}}
		}
		items := []browse.Item{item(1, "refund"), item(2, common+"Where is my refund?"),
			item(3, common+"Do you ship to Norway?")}
		items[2].Marked = true
		screen := overlaytest.New(t, 60, 20)
		screen.Styles = themes.New(themes.Default(true))
		screen.Stack.SetStyles(screen.Styles)
		s := list(screen, action.ListSessions)
		s.found(items, 3, "")
		s.Settle()
		s.Shows("is my refund", "to Norway", "12 turns", "● ● ● ●", "1 min ago")
		strong := s.Styles.Strong.Prefix
		for line := range strings.SplitSeq(s.Stack.Top().View(), "\n") {
			got, want := strings.Contains(line, strong), strings.Contains(line, "to Norway")
			if got != want && strings.Contains(line, "turns") {
				t.Errorf("bold is %t, want %t, in %q", got, want, line)
			}
		}
	})
}

// TestCommandsHaveTheirKeysAtTheEdge opens the palette: titles and keys, without descriptions that some lack.
func TestCommandsHaveTheirKeysAtTheEdge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := browse.ListConfig(action.ListCommands, ui.Keys())
		c.Items = browse.PaletteItems(ui.Keys())
		s := overlaytest.New(t, 120, 40)
		s.Open(browse.NewList(c, ui.Keys(), s.Styles))
		if got := s.View(); !regexp.MustCompile(`Sessions {40,}ctrl\+s ┃`).MatchString(got) {
			t.Errorf("got\n%s", got)
		}
		s.Hides("Find, open, rename")
		s.Type("rename") // a word of a description finds its command
		s.Shows("Sessions")
	})
}

// TestAltLettersAreThoseOfOtherScreens holds keys of lists and of the gallery to the letters that the viewer and
// the conversation have for the same.
func TestAltLettersAreThoseOfOtherScreens(t *testing.T) {
	m := ui.Keys()
	for _, tt := range []struct {
		scope   keys.Scope
		command keys.Command
		of      keys.Scope
		same    keys.Command
	}{
		{keys.Browser, keys.Edit, keys.PictureViewer, keys.UseAsSource},
		{keys.Gallery, keys.Edit, keys.PictureViewer, keys.UseAsSource},
		{keys.Browser, keys.OpenPicture, keys.PictureViewer, keys.OpenPicture},
		{keys.Gallery, keys.OpenPicture, keys.PictureViewer, keys.OpenPicture},
		{keys.Gallery, keys.CopyPath, keys.PictureViewer, keys.CopyPath},
		{keys.Gallery, keys.EditChain, keys.PictureViewer, keys.EditChain},
		{keys.Browser, keys.Export, keys.Conversation, keys.Write},
		{keys.Gallery, keys.Export, keys.Conversation, keys.Write},
	} {
		if got, want := m.Key(tt.scope, tt.command), "alt+"+strings.ToLower(m.Key(tt.of, tt.same)); got != want {
			t.Errorf("%s of %s is %s, want %s", tt.command, tt.scope, got, want)
		}
	}
	if m.Key(keys.Browser, keys.Fork) == m.Key(keys.Browser, keys.GoToSession) {
		t.Error("one key copies a session and goes to one")
	}
}

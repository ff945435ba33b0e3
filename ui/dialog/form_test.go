package dialog_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service"
	"confab/service/export"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

func TestConfirm(t *testing.T) {
	yes := action.Delete{Session: 4}
	for _, tt := range []struct {
		name string
		keys []string
		want []action.Action
	}{
		{"y", []string{"y"}, []action.Action{action.CloseDialog{}, yes}},
		{"n", []string{"n"}, []action.Action{action.CloseDialog{}}},
		{"esc", []string{"esc"}, []action.Action{action.CloseDialog{}}},
		{"enter by habit", []string{"enter"}, []action.Action{action.CloseDialog{}}},
		{"chosen", []string{"left", "enter"}, []action.Action{action.CloseDialog{}, yes}},
		{"chosen and back", []string{"tab", "tab", "enter"}, []action.Action{action.CloseDialog{}}},
		{"another letter", []string{"x"}, []action.Action{action.Unused{Key: "x"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			s.open(dialog.NewConfirm(action.Confirm{Title: "Delete", Question: "Really?", Yes: yes}, keys.Default(), s.styles))
			s.press(tt.keys...)
			s.wants(tt.want...)
		})
	}
}

func TestConfirmMouse(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewConfirm(action.Confirm{Question: "Really?", Yes: action.Undo{}}, keys.Default(), s.styles))
	y := 0
	var x int
	for i, line := range strings.Split(s.view(), "\n") {
		if at := strings.Index(line, "[No]"); at >= 0 {
			y, x = i, len([]rune(line[:at]))+1
		}
	}
	s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.wants(action.CloseDialog{})
	s.send(tea.MouseClickMsg{X: x - 4, Y: y, Button: tea.MouseLeft})
	s.wants(action.CloseDialog{}, action.Undo{})
}

// note is a wish that carries a text.
func note(text string) action.Action { return action.Judge{Answer: 7, Note: text} }

func TestAskMany(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewAskText(action.AskText{Value: "one", Many: true, Then: note}, keys.Default(), s.styles))
	s.press("ctrl+j")
	s.typed("two y q?")
	s.send(tea.PasteMsg{Content: "\r\nthree"})
	s.press("enter")
	s.wants(action.CloseDialog{}, note("one\ntwo y q?\nthree"))
	s.press("esc")
	s.wants(action.CloseDialog{})
}

// TestAskManySwapped has enter and the new line swapped, as a person can in
// the prompt: a note follows it.
func TestAskManySwapped(t *testing.T) {
	m, err := keys.Default().Rebind(map[string][]string{"send": {"ctrl+j"}, "new_line": {"enter"}})
	if err != nil {
		t.Fatal(err)
	}
	s := newScreen(t, 80, 24)
	s.open(dialog.NewAskText(action.AskText{Many: true, Then: note}, m, s.styles))
	s.typed("one")
	s.press("enter")
	s.typed("two")
	s.press("ctrl+j")
	s.wants(action.CloseDialog{}, note("one\ntwo"))
}

// TestField edits a text of wide characters: the cursor must stand where the
// next character goes, and the text scroll with it.
func TestField(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewAskText(action.AskText{Label: "Name", Then: note}, keys.Default(), s.styles))
	for _, tt := range []struct {
		name   string
		do     func()
		column int
	}{
		{"empty", func() {}, 2},
		{"wide", func() { s.typed("日本") }, 6},
		{"left over a wide one", func() { s.press("left") }, 4},
		{"between", func() { s.typed("xy") }, 6},
		{"longer than the box", func() { s.press("end"); s.typed(strings.Repeat("語", 60)) }, 62},
		{"home", func() { s.press("home") }, 2},
	} {
		tt.do()
		s.view()
		if c := s.stack.Top().Cursor(); c.X != tt.column {
			t.Errorf("%s: the cursor is in column %d, want %d", tt.name, c.X, tt.column)
		}
	}
	s.press("enter")
	s.wants(action.CloseDialog{}, note("日xy本"+strings.Repeat("語", 60)))
}

func TestPictureOptions(t *testing.T) {
	open := func(t *testing.T) *screen {
		s := newScreen(t, 80, 24)
		s.open(dialog.NewPictureOptions("", history.Nonce{}, 0, keys.Default(), s.styles))
		return s
	}
	want := func(s *screen, aspect string, nonce history.Nonce, samples int) {
		s.t.Helper()
		s.wants(action.CloseDialog{}, action.Compose{Aspect: &aspect, Nonce: &nonce, Samples: &samples})
	}
	none := history.Nonce{Mode: history.NonceNone}
	t.Run("as it is", func(t *testing.T) {
		s := open(t)
		s.press("enter")
		want(s, "", none, 1)
	})
	t.Run("chosen", func(t *testing.T) {
		s := open(t)
		s.press("right", "right", "tab", "left", "tab")
		s.typed("3")
		s.press("enter")
		want(s, "16:9", history.Nonce{Mode: history.NonceFresh}, 3)
	})
	t.Run("by letters", func(t *testing.T) {
		s := open(t)
		s.typed("4")
		s.press("down")
		s.typed("fi")
		s.press("down")
		s.typed("y n") // text, not yes and no
		s.press("down", "left", "enter")
		want(s, "4:3", history.Nonce{Mode: history.NonceFixed, Value: "y n"}, 20)
	})
	for ratio, good := range map[string]bool{"3:2": true, " 3 : 2 ": true, "1:20": true, "20:1": true, "1:21": false,
		"0:1": false, "3": false, "3:": false, "1.5:1": false, "-1:-1": false, "3:2:1": false} {
		t.Run("ratio "+ratio, func(t *testing.T) {
			s := open(t)
			s.typed("o")
			s.press("tab")
			s.typed(ratio)
			s.press("enter")
			if good {
				want(s, strings.ReplaceAll(ratio, " ", ""), none, 1)
				return
			}
			s.wants()
			s.shows("two whole numbers")
			s.press("backspace")
			s.hides("two whole numbers")
		})
	}
	t.Run("a fixed nonce without a value", func(t *testing.T) {
		s := open(t)
		s.press("tab", "right", "enter")
		s.wants()
		s.shows("needs a value")
		s.typed("7") // the focus went to it
		s.press("enter")
		want(s, "", history.Nonce{Mode: history.NonceFixed, Value: "7"}, 1)
	})
}

func TestWrite(t *testing.T) {
	subject := dialog.WriteSubject{Answer: 3, Turn: 2, Session: 1}
	for _, tt := range []struct {
		name    string
		picture bool
		do      func(s *screen)
		want    service.Write
	}{
		{"as it is", false, func(*screen) {}, service.Write{Answer: 3, As: export.FormatText}},
		{"a picture", true, func(*screen) {}, service.Write{Answer: 3, As: export.FormatPicture}},
		{"the session", false, func(s *screen) { s.press("left") }, service.Write{Session: 1, As: export.FormatMarkdown}},
		{"the turn as jsonl to a path", false, func(s *screen) {
			s.press("right", "tab", "left", "left", "tab")
			s.typed("/tmp/yes no.jsonl")
		}, service.Write{Turn: 2, As: export.FormatJSONL, Path: "/tmp/yes no.jsonl"}},
		{"the format stays where it can", false, func(s *screen) { s.press("tab", "right", "right", "shift+tab", "right") },
			service.Write{Turn: 2, As: export.FormatHTML}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			subject := subject
			subject.Picture = tt.picture
			s.open(dialog.NewWrite(subject, keys.Default(), s.styles))
			tt.do(s)
			s.press("enter")
			s.wants(action.CloseDialog{}, action.Write{What: tt.want})
		})
	}
	t.Run("the row of a run", func(t *testing.T) {
		s := newScreen(t, 80, 24)
		s.open(dialog.NewWrite(dialog.WriteSubject{Answer: 3, Turn: 2, Session: 1, Run: 5, Row: []int64{2, 4}},
			keys.Default(), s.styles))
		s.hides("turn")
		s.press("right", "tab", "left", "enter")
		want := action.Write{What: service.Write{Run: 5, Turns: []int64{2, 4}, As: export.FormatContactSheet}}
		if len(s.asked) != 2 || !reflect.DeepEqual(s.asked[1], want) {
			t.Errorf("asked for %#v", s.asked)
		}
	})
}

func TestVariablesSayWhatIsMissingAndHowManyPromptsTheyMake(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewVariables([]string{"tone", "who", "where"}, nil, keys.Default(), s.styles))
	s.shows("a | b makes a prompt for each")
	s.press("enter")
	if n := strings.Count(s.view(), "needs a value before it is sent"); n != 3 {
		t.Errorf("%d of the three are said to be missing:\n%s", n, s.view())
	}
	s.typed("warm | brief |")
	s.press("tab")
	s.typed("Ana|Bo|Cy")
	s.shows("these values make 6 prompts")
	s.press("enter")
	s.wants() // the third one has none, and the focus went to it
	s.typed("here")
	s.press("enter")
	want := action.Fill{Values: map[string][]string{"tone": {"warm", "brief"}, "who": {"Ana", "Bo", "Cy"},
		"where": {"here"}}}
	if len(s.asked) != 2 || !reflect.DeepEqual(s.asked[1], want) {
		t.Errorf("asked for %#v", s.asked)
	}
}

func TestSource(t *testing.T) {
	open := func(t *testing.T) *screen {
		s := newScreen(t, 120, 40)
		s.open(dialog.NewSource(9, "/home/ana", keys.Default(), s.styles))
		return s
	}
	chose := func(s *screen, src history.Source) {
		s.t.Helper()
		s.wants(action.CloseDialog{}, action.Compose{Source: &src})
	}
	t.Run("a picture", func(t *testing.T) {
		s := open(t)
		for _, a := range s.asked {
			if q := a.(action.Search); q.List == action.ListPictures && q.Session != 9 {
				t.Errorf("searches pictures of session %d", q.Session)
			}
		}
		s.foundIn(action.ListPictures, dialog.FoundMsg{Items: pictures(), Total: 3})
		s.asked = nil
		s.press("down", "enter")
		chose(s, history.Source{Answer: 12, Path: "/p/0002.png"})
	})
	t.Run("a file", func(t *testing.T) {
		s := open(t)
		s.press("tab")
		s.foundAt("/home/ana", files())
		s.asked = nil
		s.typed("boat")
		s.press("enter")
		chose(s, history.Source{Path: "/home/ana/pictures/summer holiday/boat.png"})
	})
	t.Run("a path typed", func(t *testing.T) {
		s := open(t)
		s.press("tab")
		s.foundAt("/home/ana", files())
		s.send(tea.PasteMsg{Content: "/tmp/fox.png"})
		s.asked = nil
		s.press("enter")
		chose(s, history.Source{Path: "/tmp/fox.png"})
	})
	t.Run("a folder", func(t *testing.T) {
		s := open(t)
		s.press("tab")
		s.foundAt("/home/ana", files())
		s.press("enter")
		if q := last[action.Search](s).Query; !strings.HasSuffix(q, "/beach") {
			t.Errorf("entered %q", q)
		}
	})
	for address, problem := range map[string]string{
		"https://example.org/fox.png": "", "http://[::1]:80/a?b": "",
		"": "Type the address", "fox.png": "must begin with", "file:///etc/passwd": "must begin with",
		"https://": "names no host", "https://a:b@example.org/": "name or password", "https://exa mple.org": "not an address",
	} {
		t.Run("address "+address, func(t *testing.T) {
			s := open(t)
			s.press("shift+tab")
			s.typed(address)
			s.asked = nil
			s.press("enter")
			if problem == "" {
				chose(s, history.Source{URL: address})
				return
			}
			s.wants()
			s.shows(problem)
			s.press("tab")
			s.shows("‹session›")
		})
	}
}

func TestText(t *testing.T) {
	s := newScreen(t, 80, 24)
	text := "\x1b[31mred\x1b[m and 日本\n" + strings.Repeat("a line\n", 60) + "the end"
	s.open(dialog.NewText("A request", text, 7, keys.Default(), s.styles))
	s.shows("␛[31mred")
	s.press("y")
	s.wants(action.Copy{Text: text, What: "A request"}) // exactly, not as drawn
	s.press("c")
	s.wants(action.Curl{Answer: 7})
	s.hides("the end")
	s.press("G")
	s.shows("the end")
	s.shows("↓ 100 %")
	s.press("g")
	s.shows("red")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.hides("red")
	s.press("q")
	s.wants(action.CloseDialog{})
	s.stack.Pop()

	s.open(dialog.NewText("Short", "text", 0, keys.Default(), s.styles))
	s.hides("curl")
	s.press("c")
	s.wants(action.Unused{Key: "c", Why: "This text tells of no request."})
}

func TestHelp(t *testing.T) {
	s := newScreen(t, 120, 60)
	m, err := keys.Default().Rebind(map[string][]string{"copy_answer": {"f12"}})
	if err != nil {
		t.Fatal(err)
	}
	s.open(dialog.NewHelp(m, keys.Conversation, s.styles))
	s.shows("f9 ")
	s.shows("Everywhere")
	s.press("f1") // the key that opened it
	s.wants(action.CloseDialog{})
	s.press("?")
	s.wants(action.CloseDialog{})
	s.press("esc")
	s.wants(action.CloseDialog{})
}

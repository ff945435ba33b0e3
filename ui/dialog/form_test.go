package dialog_test

import (
	"encoding/json"
	"fmt"
	"image"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/export"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"

	tea "charm.land/bubbletea/v2"
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
			s := overlaytest.New(t, 80, 24)
			s.Open(dialog.NewConfirm(action.Confirm{Title: "Delete", Question: "Really?", Yes: yes}, ui.Keys(),
				s.Styles))
			s.Press(tt.keys...)
			s.Wants(tt.want...)
		})
	}
}

func TestConfirmMouse(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewConfirm(action.Confirm{Question: "Really?", Yes: action.Undo{}}, ui.Keys(), s.Styles))
	y := 0
	var x int
	for i, line := range strings.Split(s.View(), "\n") {
		if at := strings.Index(line, "[ No ]"); at >= 0 {
			y, x = i, len([]rune(line[:at]))+1
		}
	}
	s.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	s.Wants(action.CloseDialog{})
	s.Send(tea.MouseClickMsg{X: x - 6, Y: y, Button: tea.MouseLeft})
	s.Wants(action.CloseDialog{}, action.Undo{})
}

// note is an action with a text.
func note(text string) action.Action { return action.Judge{Answer: 7, Note: text} }

func TestAskMany(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewAskText(action.AskText{Value: "one", Many: true, Then: note}, ui.Keys(), s.Styles))
	s.Press("ctrl+j")
	s.Type("two y q?")
	s.Send(tea.PasteMsg{Content: "\r\nthree"})
	s.Press("enter")
	s.Wants(action.CloseDialog{}, note("one\ntwo y q?\nthree"))
}

// TestAskManyKeepsWhatIsWritten: only a text without a change is closed at once.
func TestAskManyKeepsWhatIsWritten(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewAskText(action.AskText{Value: "one", Many: true, Then: note}, ui.Keys(), s.Styles))
	s.Type("x")
	s.Press("esc")
	if len(s.Asked) != 1 || !strings.Contains(s.Asked[0].(action.Confirm).Question, "Discard") {
		t.Errorf("esc does %#v", s.Asked)
	}
	s.Asked = nil
	s.Press("backspace", "esc")
	s.Wants(action.CloseDialog{})
}

// TestAskManySwapped has enter and the new line swapped, as a person can in
// the prompt: a note follows it.
func TestAskManySwapped(t *testing.T) {
	m, err := ui.Keys().Rebind(map[string][]string{"send": {"ctrl+j"}, "new_line": {"enter"}})
	if err != nil {
		t.Fatal(err)
	}
	s := overlaytest.New(t, 80, 24)
	s.Keys = m
	s.Open(dialog.NewAskText(action.AskText{Many: true, Then: note}, m, s.Styles))
	s.Type("one")
	s.Press("enter")
	s.Type("two")
	s.Press("ctrl+j")
	s.Wants(action.CloseDialog{}, note("one\ntwo"))
}

// TestField edits a text of wide characters: the cursor must stand where the
// next character goes, and the text scroll with it.
func TestField(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewAskText(action.AskText{Label: "Name", Then: note}, ui.Keys(), s.Styles))
	for _, tt := range []struct {
		name   string
		do     func()
		column int
	}{
		{"empty", func() {}, 3},
		{"wide", func() { s.Type("日本") }, 7},
		{"left over a wide one", func() { s.Press("left") }, 5},
		{"between", func() { s.Type("xy") }, 7},
		{"longer than the box", func() { s.Press("end"); s.Type(strings.Repeat("語", 60)) }, 61},
		{"home", func() { s.Press("home") }, 3},
	} {
		tt.do()
		s.View()
		if c := s.Stack.Top().Cursor(); c.X != tt.column {
			t.Errorf("%s: the cursor is in column %d, want %d", tt.name, c.X, tt.column)
		}
	}
	s.Press("enter")
	s.Wants(action.CloseDialog{}, note("日xy本"+strings.Repeat("語", 60)))
}

func TestPictureOptions(t *testing.T) {
	open := func(t *testing.T) *overlaytest.Screen {
		s := overlaytest.New(t, 80, 24)
		s.Open(dialog.NewPictureOptions("", history.Nonce{}, 0, ui.Keys(), s.Styles))
		return s
	}
	want := func(s *overlaytest.Screen, aspect string, nonce history.Nonce, samples int) {
		s.T.Helper()
		s.Wants(action.CloseDialog{}, action.Compose{Aspect: &aspect, Nonce: &nonce, Samples: &samples})
	}
	none := history.Nonce{Mode: history.NonceNone}
	t.Run("as it is", func(t *testing.T) {
		s := open(t)
		s.Press("enter")
		want(s, "", none, 1)
	})
	t.Run("chosen", func(t *testing.T) {
		s := open(t)
		s.Press("right", "right", "tab", "left", "tab")
		s.Type("3")
		s.Press("enter")
		want(s, "16:9", history.Nonce{Mode: history.NonceFresh}, 3)
	})
	t.Run("by letters", func(t *testing.T) {
		s := open(t)
		s.Type("4")
		s.Press("down")
		s.Type("a")
		s.Press("down")
		s.Type("y n") // text, not yes and no
		s.Press("down", "left", "enter")
		want(s, "4:3", history.Nonce{Mode: history.NonceFixed, Value: "y n"}, service.MaxSamples)
	})
	t.Run("more samples than a screen shows", func(t *testing.T) {
		s := overlaytest.New(t, 80, 24)
		s.Open(dialog.NewPictureOptions("", history.Nonce{}, 50, ui.Keys(), s.Styles))
		s.Press("enter")
		want(s, "", none, 50)
	})
	for ratio, good := range map[string]bool{"3:2": true, " 3 : 2 ": true, "1:20": true, "20:1": true, "1:21": false,
		"0:1": false, "3": false, "3:": false, "1.5:1": false, "-1:-1": false, "3:2:1": false} {
		t.Run("ratio "+ratio, func(t *testing.T) {
			s := open(t)
			s.Type("o")
			s.Press("tab")
			s.Type(ratio)
			s.Press("enter")
			if good {
				want(s, strings.ReplaceAll(ratio, " ", ""), none, 1)
				return
			}
			s.Wants()
			s.Shows("two whole numbers")
			s.Press("backspace")
			s.Hides("two whole numbers")
		})
	}
	t.Run("a fixed nonce without a value", func(t *testing.T) {
		s := open(t)
		s.Press("tab", "right", "enter")
		s.Wants()
		s.Shows("Must not be empty")
		s.Type("7") // the focus went to it
		s.Press("enter")
		want(s, "", history.Nonce{Mode: history.NonceFixed, Value: "7"}, 1)
	})
}

func TestWrite(t *testing.T) {
	subject := action.ShowWrite{Answer: 3, Turn: 2, Session: 1}
	for _, tt := range []struct {
		name    string
		picture bool
		do      func(s *overlaytest.Screen)
		want    export.Request
	}{
		{"as it is", false, func(*overlaytest.Screen) {}, export.Request{Answer: 3, As: export.FormatText}},
		{"a picture", true, func(*overlaytest.Screen) {}, export.Request{Answer: 3, As: export.FormatPicture}},
		{"the session", false, func(s *overlaytest.Screen) { s.Press("left") },
			export.Request{Session: 1, As: export.FormatMarkdown}},
		{"the turn as jsonl to a path", false, func(s *overlaytest.Screen) {
			s.Press("right", "tab", "left", "tab")
			s.Type("/tmp/yes no.jsonl")
		}, export.Request{Turn: 2, As: export.FormatJSONL, Path: "/tmp/yes no.jsonl"}},
		{"the ending of the path chooses the format", false, func(s *overlaytest.Screen) {
			s.Press("tab", "tab")
			s.Type("answer.html")
			s.Shows("● html")
		}, export.Request{Answer: 3, As: export.FormatHTML, Path: "answer.html"}},
		{"the format stays where it can", false,
			func(s *overlaytest.Screen) { s.Press("tab", "right", "right", "shift+tab", "right") },
			export.Request{Turn: 2, As: export.FormatHTML}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := overlaytest.New(t, 80, 24)
			subject := subject
			subject.IsPicture = tt.picture
			s.Open(dialog.NewWrite(subject, ui.Keys(), s.Styles))
			tt.do(s)
			s.Press("enter")
			s.Wants(action.CloseDialog{}, action.Write{What: tt.want, Form: subject})

			// After an error the form is there again, with the same choices and the cursor on the path.
			failed := subject
			failed.Failed, failed.Problem = &tt.want, "There is such a file already."
			s.Open(dialog.NewWrite(failed, ui.Keys(), s.Styles))
			s.Shows("There is such a file already.")
			s.Asked = nil
			s.Type("2")
			s.Press("enter")
			tt.want.Path += "2"
			s.Wants(action.CloseDialog{}, action.Write{What: tt.want, Form: subject})
		})
	}
	t.Run("a format that an answer has not", func(t *testing.T) {
		s := overlaytest.New(t, 80, 24)
		s.Open(dialog.NewWrite(subject, ui.Keys(), s.Styles))
		s.Press("tab", "tab")
		s.Type("suite.yaml")
		s.Press("enter")
		s.Shows("The ending must name one of these: text, ")
		if len(s.Asked) != 0 {
			t.Errorf("asked for %#v", s.Asked)
		}
	})
	t.Run("the row of a run", func(t *testing.T) {
		s := overlaytest.New(t, 80, 24)
		subject := action.ShowWrite{Answer: 3, Turn: 2, Session: 1, Run: 5, Row: []int64{2, 4}}
		s.Open(dialog.NewWrite(subject, ui.Keys(), s.Styles))
		s.Hides("turn")
		s.Press("right", "tab", "left", "enter")
		want := action.Write{What: export.Request{Run: 5, Turns: []int64{2, 4}, As: export.FormatJSONL}, Form: subject}
		if len(s.Asked) != 2 || !reflect.DeepEqual(s.Asked[1], want) {
			t.Errorf("asked for %#v", s.Asked)
		}
	})
}

func TestVariablesSayWhatIsMissingAndHowManyPromptsTheyMake(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewVariables([]string{"tone", "who", "where"}, nil,
		func(values map[string][]string) service.CallCount {
			p := service.Prompt{Text: "{{tone}} {{who}} {{where}}", Models: []string{"delta"}}
			return service.Axes{Values: values}.Count(p)
		}, ui.Keys(), s.Styles))
	s.Shows("a | b sends the prompt with each")
	s.Press("enter")
	if n := strings.Count(s.View(), "needs a value"); n != 3 {
		t.Errorf("%d of the three are said to be missing:\n%s", n, s.View())
	}
	s.Type("warm | brief |")
	s.Press("tab")
	s.Type("Ana|Bo|Cy")
	s.Shows("a | b sends the prompt with each")
	where, count := strings.Index(s.View(), "where"), strings.Index(s.View(), "6 values = 6 calls")
	if where < 0 || count < where {
		t.Errorf("the calls are not counted below the fields:\n%s", s.View())
	}
	s.Press("enter")
	s.Wants() // the third one has none, and the focus went to it
	s.Type("here")
	s.Press("enter")
	want := action.Fill{Values: map[string][]string{"tone": {"warm", "brief"}, "who": {"Ana", "Bo", "Cy"},
		"where": {"here"}}}
	if len(s.Asked) != 2 || !reflect.DeepEqual(s.Asked[1], want) {
		t.Errorf("asked for %#v", s.Asked)
	}
}

func TestText(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	text := "\x1b[31mred\x1b[m and 日本\n" + strings.Repeat("a line\n", 60) + "the end"
	s.Open(dialog.NewText(action.ShowText{Title: "A request", Text: text, Answer: 7}, ui.Keys(), s.Styles))
	s.Shows("␛[31mred")
	s.Press("y")
	s.Wants(action.Copy{Text: text, What: "A request"}) // exactly, not as drawn
	s.Press("c")
	s.Wants(action.Curl{Answer: 7})
	s.Hides("the end")
	s.Press("G")
	s.Shows("the end")
	s.Shows(" of 62 ━")
	s.Press("g")
	s.Shows("red")
	s.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.Hides("red")
	s.Press("q")
	s.Wants(action.CloseDialog{})
	s.Stack.Pop()

	s.Open(dialog.NewText(action.ShowText{Title: "Short", Text: "text"}, ui.Keys(), s.Styles))
	s.Hides("curl")
	s.Press("c")
	s.Wants(action.Unused{Why: "No request to copy here."})
}

func TestHelp(t *testing.T) {
	s := overlaytest.New(t, 120, 60)
	m, err := ui.Keys().Rebind(map[string][]string{"copy_answer": {"f11"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Open(dialog.NewHelp(m, keys.Conversation, s.Styles))
	s.Shows("f9 ")
	s.Shows("Everywhere")
	s.Press("f1") // the key that opened it
	s.Wants(action.CloseDialog{})
	s.Press("?")
	s.Wants(action.CloseDialog{})
	s.Press("esc")
	s.Wants(action.CloseDialog{})
}

// TestHelpIsReadPageByPage turns the pages of the help on small screens: no section goes on behind the first column of
// the next page, a page ends with no heading, and none shares lines with another.
func TestHelpIsReadPageByPage(t *testing.T) {
	for _, size := range []image.Point{{X: 80, Y: 24}, {X: 90, Y: 20}} {
		s := overlaytest.New(t, size.X, size.Y)
		s.Open(dialog.NewHelp(ui.Keys(), keys.Conversation, s.Styles))
		seen := map[string]int{}
		for page := 1; page < 12; page++ {
			lines := strings.Split(s.View(), "\n")
			if page == 1 && size.X == 80 && !strings.Contains(s.View(), "Read") {
				t.Errorf("the first page lacks the third section:\n%s", s.View())
			}
			for _, heading := range []string{"Move  ", "Copy and write  ", "Judge  ", "Compare  ", "Everywhere  "} {
				if strings.Contains(s.View(), "┃ "+heading) || strings.Contains(s.View(), "  "+heading) {
					seen[heading]++
				}
			}
			if last := strings.Fields(lines[len(lines)-2]); len(last) == 3 {
				t.Errorf("%v: page %d ends with the heading %s", size, page, last[1])
			}
			if !strings.Contains(lines[0], "↓") {
				break
			}
			s.Press("pgdown")
		}
		for heading, n := range seen {
			if n != 1 {
				t.Errorf("%v: %d pages have the section %s", size, n, heading)
			}
		}
		if len(seen) != 5 {
			t.Errorf("%v: saw %v", size, seen)
		}
	}
}

// TestHelpIsFiltered by names of keys, what they do, and headings; the key that goes back ends the filter first.
func TestHelpIsFiltered(t *testing.T) {
	s := overlaytest.New(t, 60, 20)
	s.Open(dialog.NewHelp(ui.Keys(), keys.Conversation, s.Styles))
	s.Shows("ype a key or a word to filter", "Down, up", "esc close", " ↓ ━")
	s.Type("best")
	s.Shows("Judge", "Mark the best answer", "esc clear")
	s.Hides("Down, up")
	s.Hides(" ↓ ━")
	s.Press("esc")
	s.Wants()
	s.Shows("Down, up", "esc close")
	s.Type("ctrl+g")
	s.Shows("All pictures")
	s.Press("esc")
	s.Type("judge")
	s.Shows("Rate good, bad", "Request and response")
	s.Type("q?") // letters that have commands in other texts
	s.Shows("No key matches “judgeq?”.")
	s.Press("backspace", "backspace")
	s.Shows("Rate good, bad")
	s.Press("esc", "esc")
	s.Wants(action.CloseDialog{})
}

// TestHelpInOneColumn goes on from page to page without blank ends.
func TestHelpInOneColumn(t *testing.T) {
	s := overlaytest.New(t, 60, 20)
	s.Open(dialog.NewHelp(ui.Keys(), keys.Conversation, s.Styles))
	s.Shows("Move", "Read")
	s.Press("end")
	s.Shows("Quit confab")
}

// TestHelpHasAWordForEachKey has opposites in one line with as many keys as words.
func TestHelpHasAWordForEachKey(t *testing.T) {
	s := overlaytest.New(t, 120, 40)
	s.Open(dialog.NewHelp(ui.Keys(), keys.Conversation, s.Styles))
	for _, want := range []string{`\+ - +Rate good, bad`, `\( \) +Move code left, right`, `b +Before or after the edit`,
		`alt\+s +Try again to save`} {
		if got := s.View(); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

func TestParams(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	seed := json.Number("7")
	s.Open(dialog.NewParams(history.Params{"seed": seed}, ui.Keys(), s.Styles))
	s.Press("3", "enter")
	if got := s.View(); !strings.Contains(got, "The parameter temperature must be a number from 0 to 2") {
		t.Errorf("a wrong value is taken:\n%s", got)
	}
	s.Wants()
	s.Press("backspace")
	s.Type("0.2 | 0.7|1.2")
	s.Press("down", "down", "9", "0", "enter")
	s.Wants(action.CloseDialog{},
		action.Compose{Params: &history.Params{"top_k": json.Number("90"), "seed": seed},
			ParamValues: map[string][]any{"temperature": {json.Number("0.2"), json.Number("0.7"), json.Number("1.2")}}})
}

// TestSystemPromptSaysWhatItIsFor asks that the editor names its session and the personas, as many as there is room
// for, and is as high as its text.
func TestSystemPromptSaysWhatItIsFor(t *testing.T) {
	var personas []history.Persona
	for i := range 9 {
		personas = append(personas, history.Persona{Name: fmt.Sprint("pirate ", i), Text: "You are a pirate.\nSing."})
	}
	s := overlaytest.New(t, 120, 40)
	s.Open(dialog.NewSystem(dialog.SystemPrompt{Session: "refund wording", Personas: personas}, ui.Keys(), s.Styles))
	s.Shows("each prompt of “refund wording”", "ou are a patient teacher.", "Personas  6 of 9",
		"pirate 5  You are a pirate. ")
	s.Hides("pirate 6")
	s.Hides("Sing")
	low := strings.Count(s.View(), "\n")
	s.Send(tea.PasteMsg{Content: strings.Repeat("a line of instructions\n", 12)})
	if high := strings.Count(s.View(), "\n"); high != low+8 {
		t.Errorf("the editor has %d lines with a text of 13, %d without", high, low)
	}
	s.Send(tea.PasteMsg{Content: strings.Repeat("a line of instructions\n", 40)})
	if high := strings.Count(s.View(), "\n"); high != low+14 {
		t.Errorf("the editor has %d lines with a long text", high)
	}
	s = overlaytest.New(t, 60, 20)
	s.Open(dialog.NewSystem(dialog.SystemPrompt{Personas: personas}, ui.Keys(), s.Styles))
	s.Shows("each prompt of this new session", "Personas  6 of 9")
}

// TestTheOldNameIsSelected types over the name of a session, and adds to it.
func TestTheOldNameIsSelected(t *testing.T) {
	for name, keys := range map[string][]string{"new": nil, "old new": {"end", "space"}} {
		s, got := overlaytest.New(t, 80, 24), ""
		s.Open(dialog.NewAskText(action.AskText{Title: "Rename", Label: "name", Value: "old",
			Then: func(text string) action.Action { got = text; return nil }}, ui.Keys(), s.Styles))
		s.Press(keys...)
		s.Type("new")
		s.Press("enter")
		if got != name {
			t.Errorf("after %q the name is %q", keys, got)
		}
	}
}

package dialog_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

// sizes are the screens that every dialog is drawn on.
var sizes = [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}}

// TestGolden draws every dialog on every screen.
func TestGolden(t *testing.T) {
	for name, open := range dialogs() {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				var view string
				synctest.Test(t, func(t *testing.T) {
					s := newScreen(t, size[0], size[1])
					open(s)
					view = s.view()
				})
				golden.RequireEqual(t, view)
			})
		}
	}
}

// TestSize draws every dialog on every small screen: it must never be larger
// than the screen, all lines must be as wide as each other, and the cursor must
// be within.
func TestSize(t *testing.T) {
	for name, open := range dialogs() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScreen(t, 120, 40)
				open(s)
				for _, w := range []int{0, 1, 2, 3, 5, 8, 12, 20, 31, 38, 59, 75, 76, 99, 100, 130} {
					for _, h := range []int{0, 1, 2, 3, 5, 8, 9, 15, 22, 31, 44} {
						s.stack.SetSize(w, h)
						s.w, s.h = w, h
						s.view()
					}
				}
			})
		})
	}
}

// dialogs are the dialogs by name, each as a function that opens it.
func dialogs() map[string]func(s *screen) {
	m := keys.Default()
	compose := action.Compose{}
	return map[string]func(s *screen){
		"sessions": func(s *screen) {
			s.open(dialog.NewBrowser(dialog.Shipped(action.ListSessions), m, s.styles))
			s.typed("refund")
			s.found(sessions(), 128, "")
			s.previewed(strings.Split("refund wording\n12 turns · 34 answers · 2 pictures\n\n▌ Write a warm refund reply to "+
				"a parcel that is late\n  alpha3.1-8b 1.2 s  Hi Sam, I am sorry your parcel is late and I will send a new one", "\n")...)
		},
		"sessions empty": func(s *screen) {
			s.open(dialog.NewBrowser(dialog.Shipped(action.ListSessions), m, s.styles))
			s.found(nil, 0, "")
		},
		"sessions problem": func(s *screen) {
			s.open(dialog.NewBrowser(dialog.Shipped(action.ListSessions), m, s.styles))
			s.typed("before:yesterday-ish")
			s.found(nil, 128, "before: takes a day as 2025-11-20, not “yesterday-ish”.")
		},
		"prompts":  list(m, action.ListPrompts, prompts()),
		"pictures": list(m, action.ListPictures, pictures()),
		"personas": list(m, action.ListPersonas, prompts()),
		"files": func(s *screen) {
			s.open(dialog.NewBrowser(dialog.Shipped(action.ListFiles), m, s.styles))
			s.foundAt("/home/ana/pictures/summer holiday", files())
		},
		"commands": func(s *screen) {
			c := dialog.Shipped(action.ListCommands)
			c.Items = commands()
			s.open(dialog.NewBrowser(c, m, s.styles))
		},
		"commands filtered": func(s *screen) {
			c := dialog.Shipped(action.ListCommands)
			c.Items = commands()
			s.open(dialog.NewBrowser(c, m, s.styles))
			s.typed("copy")
		},
		"themes":     func(s *screen) { s.open(themeList(m, s.styles)) },
		"help":       func(s *screen) { s.open(dialog.NewHelp(m, keys.Conversation, s.styles)) },
		"help lists": func(s *screen) { s.open(dialog.NewHelp(m, keys.Browser, s.styles)) },
		"help everywhere": func(s *screen) {
			s.open(dialog.NewHelp(m, keys.Everywhere, s.styles))
		},
		"text": func(s *screen) {
			text := "POST https://example.org/api/v1/text\n\n{\n  \"model\": \"oss-20b\",\n  \"prompt\": \"" +
				strings.Repeat("Explain it again. ", 30) + "\"\n}\n\n"
			s.open(dialog.NewText("Request of oss-20b", text+strings.Repeat("a header: of the response\n", 40), 7, m, s.styles))
		},
		"text short": func(s *screen) {
			s.open(dialog.NewText("About 模型", "日本語の説明。\x1b[31mred", 0, m, s.styles))
		},
		"confirm": func(s *screen) {
			s.open(dialog.NewConfirm(action.Confirm{Title: "Publish a picture",
				Question: "confab will serve fox.png at https://pictures.example.org/q7f3… until the edit has ended. Anyone who " +
					"knows this address can fetch it. Go on?", Yes: compose}, m, s.styles))
		},
		"ask": func(s *screen) {
			s.open(dialog.NewAskText(action.AskText{Title: "Rename the session", Label: "Name", Value: "refund wording"}, m,
				s.styles))
		},
		"ask many": func(s *screen) {
			s.open(dialog.NewAskText(action.AskText{Title: "Note", Label: "On the answer of oss-20b",
				Value: "Too stiff.\nThe second sentence is good.", Many: true}, m, s.styles))
		},
		"picture options": func(s *screen) {
			s.open(dialog.NewPictureOptions("3:2", history.Nonce{Mode: history.NonceFixed, Value: "4417"}, 4, m, s.styles))
		},
		"write": func(s *screen) {
			s.open(dialog.NewWrite(dialog.WriteSubject{Answer: 3, Turn: 2, Session: 1}, m, s.styles))
		},
		"gallery": func(s *screen) {
			of := &shelf{screen: s, n: 40}
			s.open(dialog.NewGallery(m, s.styles, of.looks()))
			of.settle()
			s.press("right", "down", "tab")
			of.settle()
		},
		"gallery empty": func(s *screen) {
			of := &shelf{screen: s}
			s.open(dialog.NewGallery(m, s.styles, of.looks()))
			of.settle()
		},
		"gallery problem": func(s *screen) {
			of := &shelf{screen: s, n: 3}
			s.open(dialog.NewGallery(m, s.styles, of.looks()))
			s.send(tea.PasteMsg{Content: "++"})
			of.settle()
		},
		"picture": func(s *screen) {
			of := &shelf{screen: s, n: 40}
			s.open(dialog.NewPicture(dialog.Shots{of.picture(1), of.picture(2)}, 1, m, s.styles, of.looks()))
			of.settle()
		},
		"write pictures": func(s *screen) {
			s.open(dialog.NewWrite(dialog.WriteSubject{Answers: []int64{4, 2, 9}}, m, s.styles))
		},
		"source": func(s *screen) {
			s.open(dialog.NewSource(9, "", m, s.styles))
			s.foundIn(action.ListPictures, dialog.FoundMsg{Items: pictures(), Total: 3})
		},
		"source url": func(s *screen) {
			s.open(dialog.NewSource(9, "", m, s.styles))
			s.press("tab", "tab")
			s.typed("ftp://example.org/fox.png")
			s.press("enter")
		},
	}
}

func list(m keys.Map, l action.List, items []dialog.Item) func(s *screen) {
	return func(s *screen) {
		s.open(dialog.NewBrowser(dialog.Shipped(l), m, s.styles))
		s.found(items, len(items), "")
		s.previewed("a preview", "of two lines")
	}
}

func themeList(m keys.Map, s *themes.Styles) *dialog.Browser {
	c := dialog.Shipped(action.ListThemes)
	c.Former = "night"
	c.Items = []dialog.Item{
		{Key: "day", Title: "day", Facts: "light", Detail: "Paper and ink"},
		{Key: "night", Title: "night", Facts: "dark", Detail: "The default on dark terminals", Marked: true},
		{Key: "plain", Title: "plain", Facts: "dark", Detail: "The terminal's own sixteen colours"},
	}
	return dialog.NewBrowser(c, m, s)
}

func sessions() []dialog.Item {
	keysOf := func(id int64) map[keys.Effect]action.Action {
		return map[keys.Effect]action.Action{
			keys.Rename: action.AskText{Title: "Rename", Value: "refund wording", Then: func(name string) action.Action {
				return action.Rename{Session: id, Name: name}
			}},
			keys.Fork: action.Fork{Session: id}, keys.Export: action.ShowWrite{}, keys.Remove: action.Delete{Session: id},
		}
	}
	detail := "…write a warm refund reply to a parcel that is late, and be sure to say that the money is on its way " +
		"back to the customer within five working days…"
	items := []dialog.Item{
		{ID: 1, Title: "refund wording", Facts: "today 14:02     12 turns", Detail: detail, Match: [][2]int{{16, 22}},
			Marked: true, Enter: action.OpenSession{Session: 1}},
		{ID: 2, Title: "tone of voice", Facts: "yesterday         4 turns",
			Detail: "…a first sentence that is so long that what was found is far beyond the right end of the row on any " +
				"screen, as it goes on and on and on; the refund is on its way, and we are sorry…", Match: [][2]int{{143,
				149}}, Enter: action.OpenSession{Session: 2}},
		{ID: 3, Title: "日本語の会話 \x1b[31mred", Facts: "12 Nov           31 turns", Detail: "…返金 refund のお知らせ\n次の行…",
			Match: [][2]int{{10, 16}}, Enter: action.OpenSession{Session: 3}},
	}
	for i := range items {
		items[i].Keys = keysOf(items[i].ID)
	}
	return items
}

// commands are some that stand still while the key map changes.
func commands() []dialog.Item {
	var items []dialog.Item
	for _, c := range [][2]string{
		{"Choose models", "ctrl+l"}, {"Find, open, rename, fork, export, delete sessions",
			"ctrl+s"}, {"Copy the newest answer", "ctrl+y"},
		{"Copy the answer's source", "conversation  y"}, {"Every picture made, newest first",
			"ctrl+g"}, {"The exact request and response; copy it as curl", "conversation  i"},
	} {
		items = append(items, dialog.Item{Title: c[0], Facts: c[1], Enter: action.Undo{}})
	}
	return items
}

func prompts() []dialog.Item {
	var items []dialog.Item
	for i := range 40 {
		items = append(items, dialog.Item{
			ID: int64(i + 1), Title: fmt.Sprintf("Explain a CRDT to a baker, take %d",
				i+1), Facts: "3 models", Detail: "refund wording · system: You are a patient teacher",
			Enter: action.Compose{}, Keys: map[keys.Effect]action.Action{keys.Edit: action.Compose{}},
		})
	}
	return items
}

func pictures() []dialog.Item {
	open := map[keys.Effect]action.Action{keys.OpenPicture: action.Open{Target: "/p/0001.png"},
		keys.CopyPath: action.Copy{}}
	return []dialog.Item{
		{ID: 11, Key: "/p/0003.png", Title: "a fox reading under a lamp, ink wash", Facts: "today 14:10",
			Detail: "diffusion-xl · 1344×768 · 1.3 MB · posters", Enter: action.OpenSession{Session: 1, Turn: 5}, Keys: open},
		{ID: 12, Key: "/p/0002.png", Title: "the same, in winter", Facts: "today 14:08",
			Detail: "imageedit · 1024×1024 · 0.9 MB · posters", Enter: action.OpenSession{Session: 1, Turn: 4}, Keys: open},
		{ID: 13, Key: "/p/0001.png", Title: "posters", Facts: "12 Nov", Detail: "sim-image · 1024×1024 · 1.1 MB · posters",
			Enter: action.OpenSession{Session: 1, Turn: 3}, Keys: open},
	}
}

func files() []dialog.Item {
	return []dialog.Item{
		{Title: "beach/", Key: "/home/ana/pictures/summer holiday/beach", Facts: "folder",
			Enter: action.Search{List: action.ListFiles, Query: "/home/ana/pictures/summer holiday/beach"}},
		{Title: "boat.png", Key: "/home/ana/pictures/summer holiday/boat.png", Facts: "1.2 MB  12 Aug",
			Enter: action.Compose{}},
		{Title: "harbour at night.jpg", Key: "/home/ana/pictures/summer holiday/harbour at night.jpg",
			Facts: "3.4 MB  13 Aug", Enter: action.Compose{}},
	}
}

// TestLongText draws rows of megabytes of text, with the match at the far end.
func TestLongText(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewBrowser(dialog.Shipped(action.ListPrompts), keys.Default(), s.styles))
	long := strings.Repeat("日本 text ", 300_000)
	s.found([]dialog.Item{{ID: 1, Title: long, Detail: long + "the refund" + long,
		Match: [][2]int{{len(long) + 4, len(long) + 10}}}}, 1, "")
	s.shows("日本 text the refund日本 text")
}

// BenchmarkLongText draws a list whose items are long texts; it should cost no
// more than BenchmarkView.
func BenchmarkLongText(b *testing.B) { benchmarkView(b, strings.Repeat("日本 text ", 100_000)) }

func BenchmarkView(b *testing.B) { benchmarkView(b, strings.Repeat("日本 text ", 10)) }

func benchmarkView(b *testing.B, text string) {
	d := dialog.NewBrowser(dialog.Shipped(action.ListPrompts), keys.Default(), &themes.Styles{})
	var stack dialog.Stack
	stack.SetSize(160, 48)
	wish, _ := stack.Push(d)
	items := make([]dialog.Item, 200)
	for i := range items {
		items[i] = dialog.Item{ID: int64(i), Title: text, Detail: text, Match: [][2]int{{7, 11}}}
	}
	stack.Update(dialog.FoundMsg{List: action.ListPrompts, Gen: wish.(action.Search).Gen, Items: items})
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

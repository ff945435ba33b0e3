package browse_test

import (
	"fmt"
	"strings"
	"testing"

	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"

	tea "charm.land/bubbletea/v2"
)

func TestGolden(t *testing.T) { overlaytest.Golden(t, dialogs()) }

func TestSize(t *testing.T) { overlaytest.Sizes(t, dialogs()) }

// dialogs are the dialogs by name, each as a function that opens it.
func dialogs() map[string]func(s *overlaytest.Screen) {
	m := ui.Keys()
	return map[string]func(s *overlaytest.Screen){
		"sessions": func(s *overlaytest.Screen) {
			f := list(s, action.ListSessions)
			s.Type("refund")
			f.found(sessions(), 128, "")
			f.previewed(strings.Split("refund wording\n12 turns · 34 answers · 2 pictures\n\n▌ Write a warm refund "+
				"reply to "+
				"a parcel that is late\n  alpha3.1-8b 1.2 s  Hi Sam, I am sorry your parcel is late and I will send "+
				"a new one", "\n")...)
		},
		"sessions empty": func(s *overlaytest.Screen) {
			f := list(s, action.ListSessions)
			f.found(nil, 0, "")
		},
		"sessions problem": func(s *overlaytest.Screen) {
			f := list(s, action.ListSessions)
			s.Type("before:yesterday-ish")
			f.found(nil, 128, "before: takes a day as 2025-11-20, not “yesterday-ish”.")
		},
		"prompts":  shown(action.ListPrompts, withoutKeys(prompts())),
		"pictures": shown(action.ListPictures, pictures()),
		"personas": shown(action.ListPersonas, prompts()),
		"files": func(s *overlaytest.Screen) {
			f := list(s, action.ListFiles)
			f.foundIn("/home/ana/pictures/summer holiday", files())
		},
		"commands": func(s *overlaytest.Screen) {
			c := browse.ListConfig(action.ListCommands, ui.Keys())
			c.Items = commands()
			s.Open(browse.NewList(c, m, s.Styles))
		},
		"commands filtered": func(s *overlaytest.Screen) {
			c := browse.ListConfig(action.ListCommands, ui.Keys())
			c.Items = commands()
			s.Open(browse.NewList(c, m, s.Styles))
			s.Type("copy")
		},
		"themes": func(s *overlaytest.Screen) { themeList(s) },
		"gallery": func(s *overlaytest.Screen) {
			of := &galleryFixture{Screen: s, n: 40}
			s.Open(browse.NewGallery(of.store(), m, s.Styles, of.look()))
			of.Settle()
			s.Press("right", "down", "tab")
			of.Settle()
		},
		"gallery empty": func(s *overlaytest.Screen) {
			of := &galleryFixture{Screen: s}
			s.Open(browse.NewGallery(of.store(), m, s.Styles, of.look()))
			of.Settle()
		},
		"gallery problem": func(s *overlaytest.Screen) {
			of := &galleryFixture{Screen: s, n: 3}
			s.Open(browse.NewGallery(of.store(), m, s.Styles, of.look()))
			s.Send(tea.PasteMsg{Content: "++"})
			of.Settle()
		},
		"picture": func(s *overlaytest.Screen) {
			of := &galleryFixture{Screen: s, n: 40}
			s.Open(browse.NewPicture(browse.PictureList{of.picture(1), of.picture(2)}, 1, m, s.Styles, of.look()))
			of.Settle()
		},
		"source": func(s *overlaytest.Screen) {
			picker(s, 0, false).found(pictures(), 3, "")
		},
		"source url": func(s *overlaytest.Screen) {
			picker(s, 2, false)
			s.Type("ftp://example.org/fox.png")
			s.Press("enter")
		},
	}
}

// withoutKeys returns items that only enter does something with.
func withoutKeys(items []browse.Item) []browse.Item {
	for i := range items {
		items[i].Keys = nil
	}
	return items
}

// shown opens a list of items.
func shown(name action.List, items []browse.Item) func(s *overlaytest.Screen) {
	return func(s *overlaytest.Screen) {
		f := list(s, name)
		f.found(items, len(items), "")
		f.previewed("a preview", "of two lines")
	}
}

// themeList opens the list of three themes.
func themeList(s *overlaytest.Screen) *source {
	f := &source{Screen: s}
	c := f.config(action.ListThemes)
	c.Items = []browse.Item{
		{Key: "day", Title: "day", Facts: "light", Detail: "Paper and ink"},
		{Key: "night", Title: "night", Facts: "dark", Detail: "The default on dark terminals", Marked: true},
		{Key: "plain", Title: "plain", Facts: "dark", Detail: "The terminal's own sixteen colors"},
	}
	for i := range c.Items {
		c.Items[i].Enter = action.SetTheme{Name: c.Items[i].Key, Save: true}
	}
	s.Open(browse.NewList(c, ui.Keys(), s.Styles))
	return f
}

func sessions() []browse.Item {
	keysOf := func(id int64) map[keys.Command]action.Action {
		return map[keys.Command]action.Action{
			keys.Rename: action.AskText{Title: "Rename", Value: "refund wording",
				Then: func(name string) action.Action {
					return action.Rename{Session: id, Name: name}
				}},
			keys.Fork: action.Fork{Session: id}, keys.Export: action.ShowWrite{}, keys.Remove: action.Delete{
				Session: id,
			},
		}
	}
	detail := "…write a warm refund reply to a parcel that is late, and be sure to say that the money is on its way " +
		"back to the customer within five working days…"
	items := []browse.Item{
		{ID: 1, Title: "refund wording", Facts: "12 min ago", Detail: detail, Match: [][2]int{{16, 22}},
			Models: []string{"alpha3.1-8b", "oss-20b", "delta"}, Columns: []string{"12 turns"}, Marked: true,
			Enter: action.OpenSession{Session: 1}},
		{ID: 2, Title: "tone of voice", Facts: "yesterday", Models: []string{"delta"}, Columns: []string{"4 turns"},
			Detail: "…a first sentence that is so long that what was found is far beyond the right end of the row on " +
				"any screen, as it goes on and on and on; the refund is on its way, and we are sorry…", Match: [][2]int{
				{143,
					149}}, Enter: action.OpenSession{Session: 2}},
		{ID: 3, Title: "日本語の会話 \x1b[31mred", Facts: "12 Nov",
			Detail: "…返金 refund のお知らせ\n次の行…", Models: strings.Fields("a b c d e f g"), Columns: []string{"31 turns"},
			Match: [][2]int{{10, 16}}, Enter: action.OpenSession{Session: 3}},
	}
	for i := range items {
		items[i].Keys = keysOf(items[i].ID)
	}
	return items
}

// commands are some that stand still while the key map changes.
func commands() []browse.Item {
	var items []browse.Item
	for _, c := range [][2]string{
		{"Choose models", "ctrl+l"}, {"Find, open, rename, fork, export, delete sessions",
			"ctrl+s"}, {"Copy the newest answer", "ctrl+y"},
		{"Copy the answer as markdown", "conversation  y"}, {"All pictures, newest first",
			"ctrl+g"}, {"Show the request and response; copy as curl", "conversation  i"},
	} {
		items = append(items, browse.Item{Title: c[0], Facts: c[1], Enter: action.Undo{}})
	}
	return items
}

func prompts() []browse.Item {
	var items []browse.Item
	for i := range 40 {
		items = append(items, browse.Item{
			ID: int64(i + 1), Title: fmt.Sprintf("Explain a CRDT to a baker, take %d",
				i+1), Facts: "12 Nov", Models: []string{"delta", "oss-20b"}, Columns: []string{"refund wording"},
			Enter: action.Compose{}, Keys: map[keys.Command]action.Action{keys.Edit: action.Compose{}},
		})
	}
	return items
}

func pictures() []browse.Item {
	open := map[keys.Command]action.Action{keys.OpenPicture: action.Open{Target: "/p/0001.png"},
		keys.CopyPath: action.Copy{}}
	return []browse.Item{
		{ID: 11, Key: "/p/0003.png", Title: "a fox reading under a lamp, ink wash", Facts: "today 14:10",
			Detail: "diffusion-xl · 1344×768 · 1.3 MB · posters", Enter: action.OpenSession{Session: 1,
				Turn: 5}, Keys: open},
		{ID: 12, Key: "/p/0002.png", Title: "the same, in winter", Facts: "today 14:08",
			Detail: "imageedit · 1024×1024 · 0.9 MB · posters", Enter: action.OpenSession{Session: 1,
				Turn: 4}, Keys: open},
		{ID: 13, Key: "/p/0001.png", Title: "posters", Facts: "12 Nov",
			Detail: "sim-image · 1024×1024 · 1.1 MB · posters",
			Enter:  action.OpenSession{Session: 1, Turn: 3}, Keys: open},
	}
}

func files() []browse.Item {
	return []browse.Item{
		{Title: "beach/", Key: "/home/ana/pictures/summer holiday/beach", Facts: "folder",
			IsFolder: true},
		{Title: "boat.png", Key: "/home/ana/pictures/summer holiday/boat.png", Facts: "1.2 MB  12 Aug",
			Enter: action.Compose{}},
		{Title: "harbour at night.jpg", Key: "/home/ana/pictures/summer holiday/harbour at night.jpg",
			Facts: "3.4 MB  13 Aug", Enter: action.Compose{}},
	}
}

// TestLongText draws rows of megabytes of text, with the match at the far end.
func TestLongText(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	f := list(s, action.ListPrompts)
	long := strings.Repeat("日本 text ", 300_000)
	f.found([]browse.Item{{ID: 1, Title: long, Detail: long + "the refund" + long,
		Match: [][2]int{{len(long) + 4, len(long) + 10}}}}, 1, "")
	s.Shows("日本 text the refund日本 text")
}

// BenchmarkLongText draws a list whose items are long texts; it should cost no
// more than BenchmarkView.
func BenchmarkLongText(b *testing.B) { benchmarkView(b, strings.Repeat("日本 text ", 100_000)) }

func BenchmarkView(b *testing.B) { benchmarkView(b, strings.Repeat("日本 text ", 10)) }

func benchmarkView(b *testing.B, text string) {
	items := make([]browse.Item, 200)
	for i := range items {
		items[i] = browse.Item{ID: int64(i), Title: text, Detail: text, Match: [][2]int{{7, 11}}}
	}
	s := overlaytest.New(b, 160, 48)
	list(s, action.ListPrompts).found(items, len(items), "")
	d := s.Stack.Top()
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

package conversation_test

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// plain is a picture of one color.
func plain(w, h int, c color.Color) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	return img
}

// settle does what a reader asks for until it asks for nothing more. Pictures
// are by path; the paths that were asked for are returned.
func settle(t *testing.T, c *conversation.Pane, pictures map[string]image.Image) (asked []string) {
	t.Helper()
	for range 10 {
		then, cmd := c.Work()
		var msgs []tea.Msg
		several, ok := then.(action.Sequence)
		if !ok {
			several = action.Sequence{then}
		}
		for _, w := range several {
			if l, ok := w.(action.LoadPicture); ok {
				asked = append(asked, l.File.Path)
				msg := graphics.PreviewMsg{File: l.File, Image: pictures[l.File.Path]}
				if msg.Image == nil {
					msg.Problem = "The picture's file cannot be read: " + l.File.Path
				}
				msgs = append(msgs, msg)
			}
		}
		msgs = append(msgs, run(cmd)...)
		if len(msgs) == 0 {
			return asked
		}
		for _, m := range msgs {
			c.Update(m)
		}
	}
	t.Fatal("it never has enough")
	return nil
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
		for _, c := range msg {
			out = append(out, run(c)...)
		}
		return out
	case part.Result:
		return []tea.Msg{msg.Msg}
	default:
		return []tea.Msg{msg}
	}
}

// edit is a turn with one edit of a source.
func edit(source *history.Source) history.Turn {
	return history.Turn{ID: 1, Prompt: "warmer", Source: source, Samples: 1, Answers: []history.Answer{{
		ID: 7, Turn: 1, Model: "edit", Kind: history.KindEdit, Sample: 1, State: history.Done, Version: 1,
		Picture: &history.Picture{Path: "/p/after.png", ContentType: "image/png", Width: 64, Height: 32, Bytes: 1300},
	}}}
}

func reader(w, h int, p colorprofile.Profile) *conversation.Pane {
	c := conversation.New(turns.New(part.Env{}), ui.Keys(),
		themes.New(themes.Pick(themes.Shipped(), "auto", true)), time.Now,
		func(string) time.Duration { return 0 })
	c.SetProfile(p)
	c.SetSize(w, h)
	return c
}

// drawn counts the lines that a picture takes, and the width of its widest.
func drawn(lines []string) (rows, cols int) {
	for _, l := range lines {
		if strings.Contains(l, "\x1b[48;2;") {
			rows++
			cols = max(cols, ansi.StringWidth(strings.TrimRight(ansi.Strip(l), " ")))
		}
	}
	return rows, cols
}

func TestAPictureAloneIsAsLargeAsItsBox(t *testing.T) {
	tests := []struct{ w, h, pw, ph, rows int }{
		{56, 14, 1344, 768, 13}, // 2x2 at 120x40: as high as there is room
		{37, 15, 1344, 768, 10}, // one of fifteen at 200x60: as wide
		{42, 16, 1344, 768, 11}, // beside the list at 80x24: as wide
		{42, 16, 1024, 1024, 15},
		{47, 22, 1024, 1024, 21},
	}
	for _, tt := range tests {
		turn := edit(nil)
		turn.Answers[0].Picture.Width, turn.Answers[0].Picture.Height = tt.pw, tt.ph
		c := reader(tt.w, tt.h, colorprofile.TrueColor)
		c.ReadTurn(turn, 7)
		settle(t, c, map[string]image.Image{"/p/after.png": plain(tt.pw/4, tt.ph/4, color.RGBA{200, 10, 10, 255})})
		rows, _ := drawn(c.View())
		if rows != tt.rows {
			t.Errorf("%d×%d in %d×%d cells takes %d lines, want %d:\n%s", tt.pw, tt.ph, tt.w, tt.h, rows, tt.rows,
				ansi.Strip(strings.Join(c.View(), "\n")))
		}
		if _, _, total := c.Lines(); total > tt.h {
			t.Errorf("%d×%d in %d×%d cells: the facts are out of sight", tt.pw, tt.ph, tt.w, tt.h)
		}
	}
}

func TestBeforeAndAfterInOnePlace(t *testing.T) {
	c := reader(56, 14, colorprofile.TrueColor)
	c.ReadTurn(edit(&history.Source{Path: "/p/before.png"}), 7)
	pictures := map[string]image.Image{"/p/after.png": plain(64, 32, color.RGBA{200, 10, 10, 255}),
		"/p/before.png": plain(30, 40, color.RGBA{10, 10, 200, 255})}
	if asked := settle(t, c, pictures); len(asked) != 1 || asked[0] != "/p/after.png" {
		t.Errorf("asked for %v before it was wanted", asked)
	}
	has := func(color string, parts ...string) {
		t.Helper()
		view := strings.Join(c.View(), "\n")
		if !strings.Contains(view, color) {
			t.Errorf("the color %s is not there", color)
		}
		for _, p := range parts {
			if !strings.Contains(ansi.Strip(view), p) {
				t.Errorf("%q is not there:\n%s", p, ansi.Strip(view))
			}
		}
	}
	has("200;10;10", "64×32", "after.png")
	c.Run(keys.BeforeAfter)
	if asked := settle(t, c, pictures); len(asked) != 1 || asked[0] != "/p/before.png" || !c.ShowsSource() {
		t.Errorf("asked for %v, before: %v", asked, c.ShowsSource())
	}
	has("10;10;200", "before: a file", "before.png")
	if rows, _ := drawn(c.View()); rows != 13 {
		t.Errorf("the source takes %d lines, want all 13: its shape is its own", rows)
	}
	c.Run(keys.BeforeAfter)
	settle(t, c, pictures)
	has("200;10;10", "64×32", "after.png")
}

func TestWhatCannotBeFlipped(t *testing.T) {
	url := reader(56, 14, colorprofile.TrueColor)
	url.ReadTurn(edit(&history.Source{URL: "https://example.com/secret.png"}), 7)
	url.SetBefore(true)
	if asked := settle(t, url, nil); len(asked) != 0 {
		t.Errorf("a URL was fetched: %v", asked)
	}
	if view := ansi.Strip(strings.Join(url.View(), "\n")); !strings.Contains(view, "not fetched") ||
		!strings.Contains(view, "secret.png") {
		t.Errorf("the URL is not named:\n%s", view)
	}
	gone := reader(56, 14, colorprofile.TrueColor)
	gone.ReadTurn(edit(&history.Source{Path: "/p/gone.png"}), 7)
	gone.SetBefore(true)
	settle(t, gone, nil)
	if view := ansi.Strip(strings.Join(gone.View(), "\n")); !strings.Contains(view, "cannot be read") {
		t.Errorf("nothing says that the file is gone:\n%s", view)
	}
	words := edit(nil)
	words.Answers[0].Kind = history.KindImage
	first := reader(56, 14, colorprofile.TrueColor)
	first.ReadTurn(words, 7)
	then := first.Run(keys.BeforeAfter)
	if n, ok := then.(action.Unused); !ok || !strings.Contains(n.Why, "not made from another") || first.ShowsSource() {
		t.Errorf("got %+v", then)
	}
	text := edit(nil)
	text.Answers[0].Picture, text.Answers[0].Text, text.Answers[0].Kind = nil, "words", history.KindText
	first.ReadTurn(text, 7)
	for _, command := range []keys.Command{keys.BeforeAfter, keys.EditChain} {
		if then := first.Run(command); then == nil {
			t.Errorf("%s on a text says nothing", command)
		}
	}
	first.ReadTurn(words, 7)
	if then := first.Run(keys.EditChain); then != (action.ShowChain{Answer: 7}) {
		t.Errorf("got %+v", then)
	}
}

func TestWithoutColorsAPictureIsNamed(t *testing.T) {
	c := reader(56, 14, colorprofile.ASCII)
	c.ReadTurn(edit(&history.Source{Path: "/p/before.png"}), 7)
	if asked := settle(t, c, nil); len(asked) != 0 {
		t.Errorf("read %v, which cannot be drawn", asked)
	}
	view, want := ansi.Strip(strings.Join(c.View(), "\n")), "picture, 64×32, /p/after.png; O opens it"
	if !strings.Contains(view, want) {
		t.Errorf("got\n%s", view)
	}
}

// A box may grow in height alone, when another layout is taken.
func TestAPictureGrowsWithItsBox(t *testing.T) {
	c := reader(56, 14, colorprofile.TrueColor)
	c.ReadTurn(edit(&history.Source{Path: "/p/before.png"}), 7)
	pictures := map[string]image.Image{"/p/after.png": plain(64, 32, color.RGBA{200, 10, 10, 255}),
		"/p/before.png": plain(40, 40, color.RGBA{10, 10, 200, 255})}
	settle(t, c, pictures)
	c.SetBefore(true)
	settle(t, c, pictures)
	c.SetBefore(false)
	for _, h := range []int{8, 20, 12} {
		_, cmd := c.Work() // drawn for the former height, and late
		c.SetSize(56, h)
		for _, m := range run(cmd) {
			c.Update(m)
		}
		settle(t, c, pictures)
		if rows, _ := drawn(c.View()); rows != min(h-1, 13) {
			t.Errorf("in %d lines the picture takes %d", h, rows)
		}
		c.SetBefore(true)
		settle(t, c, pictures)
		if rows, _ := drawn(c.View()); rows != h-1 {
			t.Errorf("in %d lines the source takes %d", h, rows)
		}
		c.SetBefore(false)
		settle(t, c, pictures)
	}
	whole := reader(56, 20, colorprofile.TrueColor)
	whole.SetTurns([]history.Turn{edit(nil)}, false)
	settle(t, whole, pictures)
	for _, h := range []int{12, 30, 20} {
		whole.SetSize(56, h)
		settle(t, whole, pictures)
		if view := ansi.Strip(strings.Join(whole.View(), "\n")); !strings.Contains(view, "64×32") {
			t.Errorf("in %d lines the facts are out of sight:\n%s", h, view)
		}
	}
}

package compare_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// pictureFixture is a comparison of pictures with what it asked for.
type pictureFixture struct {
	*comparison
	t      *testing.T
	loaded []string // paths of pictures
	moon   bool     // pictures can be read: a disc on a ground
}

func newAlbum(t *testing.T, w, h int, p colorprofile.Profile, of testCase, answer int64) *pictureFixture {
	t.Helper()
	styles := themes.New(themes.Pick(themes.Shipped(), "auto", true))
	clock := func() time.Time { return start.Add(3 * time.Second) }
	held := turns.New(part.Env{})
	session := conversation.New(held, ui.Keys(), styles, clock, func(string) time.Duration { return 0 })
	session.SetProfile(p)
	c := compare.New(env(styles, clock), held, session)
	c.SetFocused(true)
	c.SetSize(w, h)
	c.ShowCase(of.Case, of.Turns, answer)
	a := &pictureFixture{comparison: c, t: t, moon: true}
	a.settle()
	return a
}

// settle gives the view what it asks for until it asks for nothing more.
func (a *pictureFixture) settle() {
	a.t.Helper()
	for range 20 {
		requested, cmd := a.Work()
		msgs := a.run(cmd)
		several, _ := requested.(action.Sequence)
		for _, w := range several {
			msgs = append(msgs, a.answer(w)...)
		}
		if len(msgs) == 0 {
			return
		}
		for _, m := range msgs {
			deliver(a, m)
		}
	}
	a.t.Fatal("it never has enough")
}

func (a *pictureFixture) answer(requested action.Action) (msgs []tea.Msg) {
	switch w := requested.(type) {
	case action.Sequence:
		for _, one := range w {
			msgs = append(msgs, a.answer(one)...)
		}
	case action.LoadPicture:
		a.loaded = append(a.loaded, w.File.Path)
		msg := graphics.PreviewMsg{File: w.File, Image: discPicture(w.File.Path)}
		if !a.moon {
			msg = graphics.PreviewMsg{File: w.File, Problem: "The picture's file cannot be read: " + w.File.Path}
		}
		msgs = append(msgs, msg)
	}
	return msgs
}

func (a *pictureFixture) run(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var out []tea.Msg
		for _, c := range msg {
			out = append(out, a.run(c)...)
		}
		return out
	default:
		return []tea.Msg{msg}
	}
}

// do carries out commands, and returns what the last of them asked for.
func (a *pictureFixture) do(commands ...keys.Command) (requested action.Action) {
	a.t.Helper()
	for _, e := range commands {
		requested = a.Run(e)
		a.settle()
	}
	return requested
}

// text is what a person sees.
func (a *pictureFixture) text() string {
	lines := a.View()
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func (a *pictureFixture) shows(parts ...string) {
	a.t.Helper()
	for _, p := range parts {
		if !strings.Contains(a.text(), p) {
			a.t.Errorf("%q is not there:\n%s", p, a.text())
		}
	}
}

// discPicture is a disc on a ground; a source has another shape than what it became.
func discPicture(path string) image.Image {
	w, h := 168, 96
	if strings.Contains(path, "before") || strings.Contains(path, "square") {
		w, h = 96, 96
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{20, 30, 90, 255}
			if dx, dy := x-w/2, y-h/2; dx*dx+dy*dy < 900 {
				c = color.RGBA{250, 240, 180, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func drawn(id int64, model, nonce string, w, h int, sum string) history.Answer {
	kind := history.KindImage
	if strings.HasPrefix(model, "edit") {
		kind = history.KindEdit
	}
	name := fmt.Sprintf("/p/%04d-%s.png", id, model)
	if w == h {
		name = fmt.Sprintf("/p/%04d-%s-square.png", id, model)
	}
	return history.Answer{
		ID: id, Turn: 1, Model: model, Kind: kind, Sample: 1, State: history.Done, Version: 1, SentNonce: nonce,
		Elapsed: time.Duration(id) * 1100 * time.Millisecond,
		Picture: &history.Picture{Path: name, ContentType: "image/png", Width: w, Height: h,
			Bytes:  1_300_000 + 100_000*id,
			SHA256: sum},
	}
}

// pictureCase are four pictures: one of another shape than asked, two that are equal,
// one that is not done.
func pictureCase() testCase {
	t := history.Turn{
		ID: 1, Prompt: "a fox reading under a lamp, ink wash", Aspect: "16:9", Samples: 2,
		Nonce: history.Nonce{Mode: history.NonceFixed, Value: "4417"},
	}
	t.Answers = []history.Answer{
		drawn(1, "pict-a", "4417", 1344, 768, "9f31c2aa01"), drawn(2, "pict-a", "4417", 1344, 768, "9f31c2aa01"),
		drawn(3, "pict-b", "k3jd92ldk1", 1024, 1024, "77aa11bb22"),
		{ID: 4, Turn: 1, Model: "pict-b", Kind: history.KindImage, Sample: 2, State: history.Running, Started: start,
			Version: 1},
	}
	return testCase{Turns: []history.Turn{t}}
}

// editCase are n edits of a source.
func editCase(n int64, source history.Source) testCase {
	t := history.Turn{ID: 1, Prompt: "make it warmer", Source: &source, Samples: 1}
	for i := range n {
		t.Answers = append(t.Answers,
			drawn(i+1, fmt.Sprintf("edit-%c", 'a'+rune(i)), "", 1344, 768, fmt.Sprintf("%08d", i)))
	}
	return testCase{Turns: []history.Turn{t}}
}

func TestPicturesGolden(t *testing.T) {
	shots := map[string]func(t *testing.T) *pictureFixture{
		"list 80x20": func(t *testing.T) *pictureFixture {
			return newAlbum(t, 80, 20, colorprofile.TrueColor, pictureCase(), 1)
		},
		"list without colors 80x20": func(t *testing.T) *pictureFixture {
			return newAlbum(t, 80, 20, colorprofile.ANSI, pictureCase(), 3)
		},
		"grid 120x36": func(t *testing.T) *pictureFixture {
			return newAlbum(t, 120, 36, colorprofile.TrueColor, pictureCase(), 2)
		},
		"row 200x56": func(t *testing.T) *pictureFixture {
			return newAlbum(t, 200, 56, colorprofile.TrueColor, pictureCase(), 1)
		},
		"row of edits 200x56": func(t *testing.T) *pictureFixture {
			return newAlbum(t, 200, 56, colorprofile.TrueColor,
				editCase(4, history.Source{Answer: 90, Path: "/p/0090-before.png"}),
				2)
		},
		"side by side 120x36": func(t *testing.T) *pictureFixture {
			a := newAlbum(t, 120, 36, colorprofile.TrueColor, editCase(4, history.Source{Path: "/home/me/before.png"}),
				1)
			a.do(keys.BeforeAfter)
			return a
		},
		"before 80x20": func(t *testing.T) *pictureFixture {
			a := newAlbum(t, 80, 20, colorprofile.TrueColor, editCase(2, history.Source{Path: "/home/me/before.png"}),
				1)
			a.do(keys.BeforeAfter)
			return a
		},
		"with texts 120x36": func(t *testing.T) *pictureFixture {
			of := pictureCase()
			of.Turns[0].Answers = append(of.Turns[0].Answers[:2:2],
				history.Answer{ID: 9, Turn: 1, Model: "alpha", Kind: history.KindText, State: history.Done,
					Sample: 1, Version: 1, Text: "A fox reads.\n\n- under a lamp\n- in ink", Elapsed: time.Second})
			return newAlbum(t, 120, 36, colorprofile.TrueColor, of, 1)
		},
	}
	for name, shot := range shots {
		t.Run(name, func(t *testing.T) { golden.RequireEqual(t, shot(t).text()) })
	}
}

func TestWhatIsSaidOfAPicture(t *testing.T) {
	a := newAlbum(t, 120, 36, colorprofile.ANSI, pictureCase(), 1)
	a.shows("1 pict-a  nonce 4417  1.1 s  1.4 MB  16:9", "2 pict-a #2", "3 pict-b  nonce k3jd92l…", "1:1 !",
		"= same picture as 2",
		"= same picture as 1", "⠴ 3 s")
	a.do(keys.Layouts, keys.Layouts) // strip, then list
	a.shows("pictures 4", "asked 16:9", "got   1344×768 png 1.4 MB", "nonce 4417: sent again, the same",
		"sha256 9f31c2aa…  = same picture as 2",
		"0001-pict-a.png", "0001-pict-a.json", "made from text")
	a.do(keys.NextAnswer, keys.NextAnswer)
	a.shows("got   1024×1024 png 1.6 MB  ! other shape", "k3jd92ldk1: sent again, a new one", "no other is the same")
	a.do(keys.NextAnswer)
	a.shows("⠴ 3 s")
}

// TestFactsFillTheBoxUnderAPicture puts what is known of pictures side by side into the lines below them.
func TestFactsFillTheBoxUnderAPicture(t *testing.T) {
	of := pictureCase()
	of.Turns[0].Answers = of.Turns[0].Answers[:2]
	a := newAlbum(t, 80, 22, colorprofile.TrueColor, of, 1)
	if strings.Count(a.text(), "got   1344×768") != 2 || !strings.Contains(a.text(), "0002-pict-a.json") {
		t.Errorf("the lower parts of the boxes are empty:\n%s", a.text())
	}
	a.SetSize(80, 14)
	a.settle()
	if strings.Contains(a.text(), "got   ") {
		t.Errorf("there is no room for facts:\n%s", a.text())
	}
}

// Services round to blocks of pixels: only a shape off by more than one part in
// twenty is another one.
func TestOtherShapes(t *testing.T) {
	for _, tt := range []struct {
		asked string
		w, h  int
		other bool
	}{
		{"16:9", 1344, 768, false}, {"16:9", 1024, 576, false}, {"16:9", 1024, 608, true}, {"1:1", 1024, 1024,
			false}, {"1:1",
			1040, 1000, false},
		{"1:1", 1000, 1060, true}, {"9:16", 768, 1344, false}, {"9:16", 1344, 768, true}, {"2.39:1", 1536, 640,
			false}, {"",
			3, 1, false}, {"wide", 3, 1, false},
	} {
		of := pictureCase()
		of.Turns[0].Aspect, of.Turns[0].Answers = tt.asked, []history.Answer{drawn(1, "pict-a", "", tt.w, tt.h, "1"),
			drawn(2, "pict-b", "", 100, 100, "2")}
		a := newAlbum(t, 80, 20, colorprofile.ANSI, of, 1)
		title, _, _ := strings.Cut(strings.Split(a.text(), "\n")[1], "pict-b")
		if strings.Contains(title, "!") != tt.other {
			t.Errorf("asked %s, got %d×%d: %s", tt.asked, tt.w, tt.h, title)
		}
	}
}

func TestBeforeAndAfter(t *testing.T) {
	narrow := newAlbum(t, 80, 20, colorprofile.TrueColor,
		editCase(2, history.Source{Answer: 90, Path: "/p/0090-before.png"}),
		1)
	narrow.do(keys.BeforeAfter)
	narrow.shows("before  1 edit-a", "0090-before.png")
	narrow.do(keys.BeforeAfter)
	if text := narrow.text(); strings.Contains(text, "before  1") {
		t.Errorf("the picture does not come back:\n%s", text)
	}
	wide := newAlbum(t, 120, 36, colorprofile.TrueColor, editCase(4, history.Source{URL: "https://example.com/a.png"}),
		1)
	wide.do(keys.BeforeAfter, keys.NextAnswer)
	wide.shows("before  source: a URL", "https://example.com/a.png", "not fetched", "after  2 edit-b")
	for _, path := range wide.loaded {
		if strings.Contains(path, "example.com") {
			t.Error("a URL was fetched")
		}
	}
	if !wide.Back() {
		t.Error("esc does not go back to the pictures")
	}
	wide.shows("1 edit-a", "4 edit-d")

	words := newAlbum(t, 120, 36, colorprofile.TrueColor, pictureCase(), 1)
	if n, ok := words.do(keys.BeforeAfter).(action.Notify); !ok || !strings.Contains(n.Text, "not made from another") {
		t.Errorf("without a source it says %+v", n)
	}
	if a := words.do(keys.EditChain); a != (action.ShowChain{Answer: 1}) {
		t.Errorf("the chain is not asked for: %+v", a)
	}
	gone := newAlbum(t, 120, 36, colorprofile.TrueColor, editCase(4, history.Source{Path: "/p/gone.png"}), 1)
	gone.moon = false
	gone.do(keys.BeforeAfter)
	gone.shows("cannot be read")
}

func TestTheFactsNameTheSource(t *testing.T) {
	a := newAlbum(t, 80, 20, colorprofile.ANSI, editCase(4, history.Source{Answer: 90, Path: "/p/0090-before.png"}), 2)
	a.shows("an edit of 0090-before.png")
}

// A further sample stands beside the others and is looked at.
func TestAnotherPictureIsLookedAt(t *testing.T) {
	of := editCase(2, history.Source{Path: "/home/me/before.png"})
	a := newAlbum(t, 120, 36, colorprofile.ANSI, of, 1)
	turn := of.Turns[0]
	turn.Answers = append(turn.Answers[:1:1], drawn(8, "edit-a", "", 1344, 768, "new"), turn.Answers[1])
	a.PutTurn(turn)
	a.settle()
	if _, id := a.Focused(); id != 8 {
		t.Errorf("focused is %d, want the new one", id)
	}
	a.shows("1 edit-a", "2 edit-a #2", "3 edit-b")
}

// TestPicturesOfTwoRuns stand side by side, each with what was asked for.
func TestPicturesOfTwoRuns(t *testing.T) {
	of := pictureCase()
	other := of.Turns[0]
	other.ID, other.Prompt, other.Answers = 2, "a fox reading under a lamp, oil", nil
	x, y := of.Turns[0].Answers[0], drawn(9, "pict-a", "4417", 1024, 1024, "5500aa")
	y.Turn = 2
	a := newAlbum(t, 120, 36, colorprofile.TrueColor, of, 1)
	requested := a.ShowPair([2]history.Turn{of.Turns[0], other},
		action.ShowDifference{A: x, B: y, NameA: "run 1  pict-a", NameB: "run 2  pict-a"})
	if requested != nil {
		t.Errorf("requested %v", requested)
	}
	a.settle()
	a.shows("1 run 1  pict-a", "2 run 2  pict-a", "1:1", "= scroll by line   L list")
	if got := a.text(); strings.Contains(got, "pinned") || strings.Contains(got, "similarity") {
		t.Errorf("it is no difference of texts:\n%s", got)
	}
}

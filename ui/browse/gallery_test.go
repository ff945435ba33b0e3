package browse_test

import (
	"fmt"
	"image"
	"image/color"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// galleryFixture is what a gallery is shown from: n pictures, the newest with the highest
// number. It answers as the root does.
type galleryFixture struct {
	*overlaytest.Screen
	n     int
	gone  []int64
	names *graphics.ImageIDs
	few   bool     // the terminal has promised 256 colors only so far
	read  []int64  // ids that were asked for
	drawn []string // paths that were asked for
}

func (s *galleryFixture) look() browse.Look {
	return browse.Look{IDs: func() *graphics.ImageIDs { return s.names }, CellAspect: func() float64 { return 2 },
		Colors: func() colorprofile.Profile {
			if s.few {
				return colorprofile.ANSI256
			}
			return colorprofile.TrueColor
		},
		When: func(t time.Time) string { return t.UTC().Format("15:04") },
		Draw: func(f graphics.File, box image.Point) func() browse.Drawing {
			s.drawn = append(s.drawn, f.Path)
			return func() browse.Drawing { return drawn(f.Path, box) }
		}}
}

func (s *galleryFixture) store() browse.PictureStore {
	return browse.PictureStore{
		Find: func(query string) ([]int64, error) {
			if query == "++" {
				return nil, &api.Error{Message: "The search cannot be read."}
			}
			return s.find(query), nil
		},
		Read: func(answers []int64) (hits []history.PictureHit, err error) {
			s.read = append(s.read, answers...)
			for _, id := range answers {
				if !slices.Contains(s.gone, id) {
					hits = append(hits, s.picture(id))
				}
			}
			return hits, nil
		},
	}
}

// picture is the one of a number: three shapes, one not as it was asked for, one
// an edit.
func (s *galleryFixture) picture(id int64) history.PictureHit {
	shape := [][2]int{{64, 64}, {96, 54}, {54, 96}}[id%3]
	h := history.PictureHit{SessionName: "posters",
		Turn: history.Turn{ID: id, Session: 7, Created: time.Unix(1_700_000_000+60*id, 0),
			Prompt: fmt.Sprintf("a fox under lamp %d", id), Aspect: []string{"1:1", "16:9", "16:9"}[id%3]},
		Answer: history.Answer{ID: id, Turn: id, Model: []string{"sim-image", "diffusion-xl"}[id%2],
			Kind:  history.KindImage,
			State: history.Done, SentNonce: fmt.Sprint(4000 + id), Elapsed: 2 * time.Second,
			Picture: &history.Picture{Path: fmt.Sprintf("/p/%04d.png", id), ContentType: "image/png", Width: shape[0],
				Height: shape[1], Bytes: 1000 * id}}}
	if id%4 == 2 {
		h.Answer.Kind, h.Answer.Model = history.KindEdit, "imageedit"
		h.Turn.Source = &history.Source{Answer: id - 1, Path: fmt.Sprintf("/p/%04d.png", id-1)}
	}
	return h
}

func (s *galleryFixture) find(query string) []int64 {
	var ids []int64
	for id := int64(s.n); id > 0; id-- {
		if strings.Contains(s.picture(id).Turn.Prompt, query) && !slices.Contains(s.gone, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// drawn draws few colors; one file is gone.
func drawn(path string, box image.Point) browse.Drawing {
	var id int64
	_, _ = fmt.Sscanf(path, "/p/%d.png", &id)
	if id%10 == 7 {
		return browse.Drawing{Problem: "The picture's file cannot be read: " + path}
	}
	size := (&galleryFixture{}).picture(id).Answer.Picture
	img := image.NewRGBA(image.Rect(0, 0, size.Width, size.Height))
	for y := range size.Height {
		for x := range size.Width {
			img.Set(x, y, color.RGBA{uint8(64 * (4 * x / size.Width)), uint8(64 * (4 * y / size.Height)), 128, 255})
		}
	}
	cells, _ := graphics.RenderCells(img, box.X, box.Y, graphics.CellOptions{Profile: colorprofile.TrueColor})
	return browse.Drawing{Cells: image.Pt(cells.W, cells.H), Lines: cells.Lines}
}

// gallery opens the gallery of n pictures.
func gallery(t *testing.T, w, h, n int) *galleryFixture {
	t.Helper()
	s := &galleryFixture{Screen: overlaytest.New(t, w, h), n: n}
	s.Open(browse.NewGallery(s.store(), ui.Keys(), s.Styles, s.look()))
	s.Settle()
	return s
}

func TestTheGalleryReadsAndDrawsOnlyWhatIsNear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 120, 40, 10_000)
		s.Shows("Pictures", "10000", "a fox under lamp 10000")
		perScreen := len(s.captions())
		if perScreen < 6 || perScreen > 40 || len(s.drawn) > len(s.read) {
			t.Errorf("read %d and drew %d pictures to begin with, of %d", len(s.read), len(s.drawn), perScreen)
		}
		s.read, s.drawn = nil, nil
		for range 200 { // a held key: what is passed is not drawn
			s.Press("pgdown")
			s.SettleAtOnce()
		}
		if len(s.drawn) > 0 {
			t.Errorf("drew %d pictures while moving", len(s.drawn))
		}
		s.Settle()
		if n := len(s.drawn); n < perScreen || n > 2*perScreen {
			t.Errorf("drew %d pictures once at rest, there are %d on a screen", n, perScreen)
		}
		s.drawn = nil
		s.Press("end")
		s.Settle()
		s.Shows("a fox under lamp 1")
		s.Press("home")
		s.Settle()
		s.Shows("a fox under lamp 10000")
		if n := len(s.drawn); n > 3*perScreen {
			t.Errorf("drew %d pictures for the end and the beginning", n)
		}
	})
}

func TestNoMoreThanTwoThumbnailsAreMadeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &galleryFixture{Screen: overlaytest.New(t, 120, 40), n: 50}
		g := browse.NewGallery(s.store(), ui.Keys(), s.Styles, s.look())
		s.Open(g)
		s.RunFirst() // finds
		s.RunFirst() // reads
		if !slices.Equal(s.drawn, []string{"/p/0050.png", "/p/0049.png"}) {
			t.Fatalf("drew %v", s.drawn)
		}
		s.Resize(90, 24)
		s.Run()
		if n := len(g.Pictures()); n != 0 {
			t.Errorf("shows %d pictures drawn for another box", n)
		}
	})
}

// Terminals are asked for their colors while the first pictures are drawn already.
func TestPicturesAreDrawnAgainInMoreColors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &galleryFixture{Screen: overlaytest.New(t, 120, 40), n: 6, few: true}
		s.Open(browse.NewGallery(s.store(), ui.Keys(), s.Styles, s.look()))
		s.RunFirst() // finds
		s.RunFirst() // reads
		asked := len(s.drawn)
		s.few = false // two are being drawn in few colors
		s.Settle()
		if n := len(s.drawn); asked != 2 || n != asked+6 {
			t.Errorf("drew %d pictures in few colors, and %d of 6 in many", asked, n-asked)
		}
	})
}

func TestTheGalleryFiltersMarksAndWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 120, 40, 50)
		s.Press("alt+z")
		if a := overlaytest.Last[action.ViewPictures](s.Screen); a.At != 0 || a.Album.Len() != 50 {
			t.Errorf("views %d of %d", a.At, a.Album.Len())
		}
		s.Send(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}) // marks while the filter is empty, and goes on
		s.Press("right", "tab")
		s.Shows("2 marked", "◆ ")
		s.Press("alt+w")
		if a := overlaytest.Last[action.ShowWrite](s.Screen); !slices.Equal(a.Answers, []int64{50, 48}) {
			t.Errorf("writes %v", a.Answers)
		}
		s.Press("alt+s")
		if a := overlaytest.Last[action.FetchPictures](s.Screen); !slices.Equal(a.Paths,
			[]string{"/p/0050.png", "/p/0048.png"}) {
			t.Errorf("fetches %v", a.Paths)
		}
		s.Press("alt+p")
		if a := overlaytest.Last[action.Copy](s.Screen); a.Text != "/p/0050.png\n/p/0048.png" ||
			a.What != "the paths of 2 pictures" {
			t.Errorf("copies %+v", a)
		}
		s.Type("lamp 1")
		s.Settle()
		s.Shows("11 of 50 match", "2 marked", "> lamp 1") // the blank is text in a filter
		s.Press("alt+0", "alt+w")
		if a := overlaytest.Last[action.ShowWrite](s.Screen); !slices.Equal(a.Answers, []int64{19}) {
			t.Errorf("writes %v without marks, want the one under the cursor", a.Answers)
		}
		s.Press("enter")
		s.asks(action.Sequence{action.CloseDialog{All: true}, action.OpenSession{Session: 7, Turn: 19}})
		s.Type("nothing")
		s.Settle()
		s.Shows("Nothing matches")
		s.Press("alt+z", "alt+x", "tab", "enter") // there is nothing to do it with
	})
}

// asks fails the test unless these were asked for last, one by one.
func (s *galleryFixture) asks(want action.Sequence) {
	s.T.Helper()
	if n := len(s.Asked) - len(want); n < 0 || fmt.Sprint(s.Asked[n:]) != fmt.Sprint([]action.Action(want)) {
		s.T.Errorf("asked for %v, want %v", s.Asked, want)
	}
}

func TestEnterWaitsForTheSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 120, 40, 50)
		s.Type("lamp 12")
		s.Press("enter")
		for _, a := range s.Asked {
			if _, ok := a.(action.OpenSession); ok {
				t.Fatal("opened what was shown before the search was answered")
			}
		}
		s.Settle()
		s.asks(action.Sequence{action.CloseDialog{All: true}, action.OpenSession{Session: 7, Turn: 12}})
	})
}

// What is marked goes together; where some of it is not on screen only after a yes.
func TestMarkedPicturesAreDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 120, 40, 50)
		s.Press("tab", "right", "tab")
		s.Type("lamp 1")
		s.Settle()
		s.Press("alt+x")
		ask := overlaytest.Last[action.Confirm](s.Screen)
		if a, ok := ask.Yes.(action.DeletePictures); !ok || !slices.Equal(a.Answers, []int64{50, 48}) ||
			!strings.Contains(ask.Question, "2 of them off screen") {
			t.Errorf("asks %q for %v", ask.Question, ask.Yes)
		}
		s.Send(browse.RefreshMsg{OnlyEnded: true}) // while the question is open
		s.Settle()
		s.Asked = nil
		s.Press("alt+x")
		if a := overlaytest.Last[action.Confirm](s.Screen); !reflect.DeepEqual(a.Yes, ask.Yes) {
			t.Errorf("an answer that ended took the marks: asks for %v", a.Yes)
		}
		s.Send(browse.RefreshMsg{}) // they were deleted
		s.Settle()
		s.Press("alt+x")
		if a := overlaytest.Last[action.DeletePictures](s.Screen); !slices.Equal(a.Answers, []int64{19}) {
			t.Errorf("deletes %v without marks, want the one under the cursor", a.Answers)
		}
	})
}

func TestADeletedPictureGoesAndItsNeighbourIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 120, 40, 50)
		s.Press("right", "alt+x")
		if a := overlaytest.Last[action.DeletePictures](s.Screen); !slices.Equal(a.Answers, []int64{49}) {
			t.Fatalf("deletes %d", a.Answers)
		}
		s.gone = []int64{49}
		s.Send(browse.RefreshMsg{})
		s.Settle()
		s.Shows("49 ", "lamp 48")
		s.gone = nil
		s.Send(browse.RefreshMsg{})
		s.Settle()
		s.Shows("50 ", "lamp 48") // the cursor stays with its picture
	})
}

func TestWhereTheTerminalDrawsNothingIsDrawnAsCells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &galleryFixture{Screen: overlaytest.New(t, 120, 40), n: 50, names: graphics.NewImageIDs(3)}
		g := browse.NewGallery(s.store(), ui.Keys(), s.Styles, s.look())
		s.Open(g)
		s.Settle()
		placed := g.Pictures()
		if len(placed) < 8 || len(s.drawn) > 0 {
			t.Fatalf("places %d pictures and drew %v", len(placed), s.drawn)
		}
		for _, p := range placed {
			if p.Visible().Size() != p.Cells {
				t.Errorf("of %s only %v of %v is seen", p.File.Path, p.Visible().Size(), p.Cells)
			}
		}
		if strings.ContainsRune(g.View(), '\U0010EEEE') {
			t.Error("placeholders are drawn of pictures that were not sent")
		}
		s.names.SetSent(placed[0].File, true)
		s.Send(graphics.SentMsg{File: placed[0].File})
		s.Settle()
		if n := strings.Count(g.View(), "\U0010EEEE"); n != placed[0].Cells.X*placed[0].Cells.Y {
			t.Errorf("%d placeholders for a box of %v", n, placed[0].Cells)
		}
	})
}

func TestTheViewerGoesThroughAnAlbum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 120, 40, 200)
		g := s.Stack.Top().(*browse.Gallery)
		s.Open(browse.NewPicture(g, 0, ui.Keys(), s.Styles, s.look()))
		s.Settle()
		s.Shows("1 of 200", "54×96, asked 16:9, got 9:16!", "lamp 200")
		if p := s.Stack.Top().State().Pictures; len(p) != 1 || p[0].File.Path != "/p/0200.png" ||
			p[0].Cells.Y != 36 { // within a frame
			t.Errorf("places %+v", p)
		}
		s.Press("b")
		s.Shows("was not made from another one")
		for range 60 { // beyond what the gallery had read
			s.Press("l")
			s.Settle()
		}
		s.Shows("61 of 200", "lamp 140")
		s.Press("h", "h", "b") // 142 is an edit
		s.Settle()
		s.Shows("59 of 200", "before", "0141.png")
		s.Press("O", "b", "O")
		s.asks(action.Sequence{action.Open{Target: "/p/0141.png"}, action.Open{Target: "/p/0142.png"}})
		s.Press("E")
		source := overlaytest.Last[action.Compose](s.Screen).Source
		if source == nil || *source != (history.Source{Answer: 142, Path: "/p/0142.png"}) {
			t.Errorf("takes %+v as the source", source)
		}
		s.Press("s")
		if a := overlaytest.Last[action.FetchPictures](s.Screen); !slices.Equal(a.Paths, []string{"/p/0142.png"}) {
			t.Errorf("fetches %v", a.Paths)
		}
		s.Press("alt+u", "ctrl+c")
		s.asks(action.Sequence{action.RunCommand{Scope: keys.Everywhere, Command: keys.Undo}, action.CloseDialog{}})
		s.Press("esc")
		s.asks(action.Sequence{action.CloseDialog{}})
		s.Stack.Pop()
		s.Settle()
		s.Shows("Pictures", "lamp 142") // the gallery has followed
	})
}

func TestTheViewerSaysWhyItShowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &galleryFixture{Screen: overlaytest.New(t, 80, 24), n: 9}
		large := s.picture(4)
		large.Answer.Picture.IsTooLarge = true
		url := s.picture(2)
		url.Turn.Source = &history.Source{URL: "https://example.org/fox.png"}
		s.Open(browse.NewPicture(browse.PictureList{s.picture(7), large, url}, 0, ui.Keys(), s.Styles, s.look()))
		s.Settle()
		s.Shows("cannot be read", "1 of 3")
		s.Press("l")
		s.Settle()
		s.Shows("40 megapixels")
		s.Press("G")
		s.Settle()
		s.Shows("3 of 3")
		s.Press("b")
		s.Shows("not fetched")
	})
}

func TestTheLineThatFetchesIsOfferedOnlyFarAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, far := range []bool{false, true} {
			s := &galleryFixture{Screen: overlaytest.New(t, 120, 40), n: 3}
			look := s.look()
			look.IsRemote = far
			g := browse.NewGallery(s.store(), ui.Keys(), s.Styles, look)
			s.Open(g)
			s.Settle()
			borders, footer := g.Hints()
			offered := slices.ContainsFunc(slices.Concat(append(borders, footer)...),
				func(h keys.Hint) bool { return h.Text == "scp command" })
			if offered != far {
				t.Errorf("far away %t: offered %t", far, offered)
			}
			s.Settle()
		}
	})
}

// captions returns the first cells of the captions of the thumbnails on the screen.
func (s *galleryFixture) captions() (at []image.Point) {
	lines := strings.Split(ansi.Strip(s.View()), "\n")
	for y, line := range lines {
		for _, match := range regexp.MustCompile("[│┃] (● )?a ").FindAllStringIndex(line, -1) {
			if match[0] < strings.LastIndex(line, "┃") { // the facts are beside the grid
				at = append(at, image.Pt(ansi.StringWidth(line[:match[0]])+2, y))
			}
		}
	}
	return at
}

func TestThumbnailsAreMadeLargerAndSmaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 80, 24, 40)
		usual := len(s.captions())
		s.Press("+", "+")
		s.Settle()
		large := len(s.captions())
		s.Press("-", "-", "-")
		s.Settle()
		if small := len(s.captions()); large >= usual || small <= usual {
			t.Errorf("%d thumbnails, %d large ones, %d small ones", usual, large, small)
		}
		s.Asked = nil
		s.Press("-")
		if why := overlaytest.Last[action.Unused](s.Screen).Why; why != "Pictures are as small as they get." {
			t.Errorf("said %q", why)
		}
		s.Type("lamp 3")
		s.Press("-") // is text now
		s.Settle()
		s.Shows("lamp 3-")
	})
}

// TestFewPicturesAreLarge: they take the space that there is.
func TestFewPicturesAreLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct{ w, h, n, columns, last int }{
			{120, 40, 1, 1, 24}, {120, 40, 2, 2, 19}, {120, 40, 4, 2, 24}, {120, 40, 8, 4, 33}, {200, 60, 3, 3, 54},
			{60, 20, 3, 3, 8},
		} {
			s := gallery(t, tt.w, tt.h, tt.n)
			all := s.captions()
			columns := slices.IndexFunc(all, func(p image.Point) bool { return p.Y != all[0].Y })
			if columns < 0 {
				columns = len(all)
			}
			if len(all) != tt.n || columns != tt.columns || all[len(all)-1].Y < tt.last {
				t.Errorf("%dx%d: %d of %d pictures in %d columns to line %d, want %d columns to line %d", tt.w, tt.h,
					len(all), tt.n, columns, all[len(all)-1].Y, tt.columns, tt.last)
			}
		}
	})
}

// TestThumbnailsAreClicked clicks on thumbnails, and beside the last column.
func TestThumbnailsAreClicked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gallery(t, 100, 34, 40)
		all := s.captions()
		for i, at := range all[:6] {
			s.Send(tea.MouseClickMsg{X: at.X, Y: at.Y, Button: tea.MouseLeft})
			s.Shows(fmt.Sprintf("%d of 40", i+1))
		}
		s.Send(tea.MouseClickMsg{X: 98, Y: all[0].Y, Button: tea.MouseLeft})
		s.Shows("6 of 40")
	})
}

// TestThumbnailsStandInColumns: their captions begin in the same columns in all rows, which are as far from each other.
func TestThumbnailsStandInColumns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, size := range []image.Point{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			s := gallery(t, size.X, size.Y, 40)
			all := s.captions()
			inRow := slices.IndexFunc(all, func(p image.Point) bool { return p.Y != all[0].Y })
			if inRow < 0 {
				inRow = len(all)
			}
			for i, at := range all {
				first := all[i-i%inRow]
				if step := all[1].X - all[0].X; at != first.Add(image.Pt(i%inRow*step, 0)) || first.X != all[0].X {
					t.Errorf("%v: the caption %d is at %v, the first one of its row at %v", size, i, at, first)
				}
			}
		}
	})
}

// TestFramesFitTheirPictures checks that no blank line is in the frame of the selected picture, and that the viewer
// frames a picture.
func TestFramesFitTheirPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, size := range []image.Point{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			for _, n := range []int{2, 5, 40} {
				s := gallery(t, size.X, size.Y, n)
				if view := ansi.Strip(s.View()); !regexp.MustCompile(`┃ +┃[^┃]*\w[^┃]*┃.*\n┃ +┗━`).MatchString(view) {
					t.Errorf("%v, %d pictures: the frame does not end below the caption\n%s", size, n, view)
				}
			}
			s := gallery(t, size.X, size.Y, 2)
			s.Press("alt+z")
			album := overlaytest.Last[action.ViewPictures](s.Screen).Album
			s.Open(browse.NewPicture(album, 0, ui.Keys(), s.Styles, s.look()))
			s.Settle()
			s.Shows("╭──", "╰──", "a fox under lamp 2")
		}
	})
}

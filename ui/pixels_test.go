package ui_test

import (
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"confab/internal/testflags"
	"confab/service"
	"confab/ui"
	"confab/ui/graphics"
)

// drawsBy makes the terminal one that draws pictures in a way.
func drawsBy(way graphics.Protocol) option {
	return func(o *ui.Options, _ *service.Options) {
		o.Terminal.Pictures = way
		o.Start.Marked = []string{"sim-image"}
	}
}

var sentPicture = regexp.MustCompile(`\x1b_Ga=T,U=1,p=1,i=(\d+),f=100`)

// pictures returns how many pictures kitty was sent.
func (s *screen) pictures() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(sentPicture.FindAllString(s.raw.String(), -1))
}

func (s *screen) paintedPictures() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Count(s.raw.String(), "\x1bP0;1")
}

// answersAsKitty gives the answers that kitty 0.41 gives.
func (s *screen) answersAsKitty() {
	for _, id := range []int{31, 32} {
		s.program.Send(uv.KittyGraphicsEvent{Options: kitty.Options{ID: id}, Payload: []byte("OK")})
	}
	s.program.Send(tea.TerminalVersionMsg{Name: "kitty(0.41.1)"})
	s.program.Send(uv.CellSizeEvent{Width: 9, Height: 18})
	s.program.Send(uv.PrimaryDeviceAttributesEvent{62, 22})
	s.settle()
}

func TestTheTerminalIsAskedAndNeverWaitedFor(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Auto))
		s.shows("Nothing sent yet")
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		if n := s.pictures(); n != 0 {
			t.Errorf("%d pictures were sent to a terminal that did not answer", n)
		}
		s.shows("64×32") // drawn as cells meanwhile
		s.answersAsKitty()
		if n := s.pictures(); n != 1 {
			t.Errorf("%d pictures were sent once it answered, want 1", n)
		}
	})
}

func TestAPictureIsSentOnceHoweverOneScrolls(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Auto))
		s.answersAsKitty()
		for i := range 10 {
			s.typed(fmt.Sprintf("sea %d", i))
			s.press("enter")
			s.pass(7 * time.Second)
		}
		s.press("alt+2", "g")
		for range 12 {
			s.press("pgdown")
		}
		for range 12 {
			s.press("pgup")
		}
		s.press("ctrl+p", "esc", "ctrl+g", "esc", "G")
		if n := s.pictures(); n != 10 {
			t.Errorf("10 pictures were sent %d times", n)
		}
		s.program.Send(tea.WindowSizeMsg{Width: 90, Height: 28})
		s.settle()
		if n := s.pictures(); n > 11 {
			t.Errorf("a change of size sent %d pictures again", n-10)
		}
		s.press("f5")
		s.settle()
		if n := s.pictures(); n < 11 {
			t.Error("a screen drawn anew has its pictures sent again")
		}
		s.program.Quit()
	})
}

var (
	kittyBox  = regexp.MustCompile(`c=(\d+),r=(\d+),q=2`)
	sixelSize = regexp.MustCompile(`"1;1;(\d+);(\d+)`)
)

// Pictures keep their shape whatever that of a cell is: twice as wide as high in
// the conversation, the viewer and the gallery.
func TestPicturesAreNotStretched(t *testing.T) {
	cells := []image.Point{{X: 9, Y: 19}, {X: 8, Y: 16}, {X: 10, Y: 20}, {X: 7, Y: 15}, {X: 12, Y: 20}}
	if !testflags.IsLong() {
		cells = cells[:1]
	}
	for _, cell := range cells {
		for way, sizes := range map[graphics.Protocol]*regexp.Regexp{graphics.Kitty: kittyBox,
			graphics.Sixel: sixelSize} {
			run(t, func(t *testing.T) {
				s := open(t, 120, 40, drawsBy(way))
				s.program.Send(uv.CellSizeEvent{Width: cell.X, Height: cell.Y})
				s.program.Send(uv.PixelSizeEvent{Width: 120 * cell.X, Height: 40 * cell.Y})
				s.settle()
				s.typed("sea")
				s.press("enter")
				s.pass(7 * time.Second)
				s.press("ctrl+g")
				s.pass(time.Second)
				s.press("alt+z")
				s.pass(time.Second)
				s.mu.Lock()
				raw := s.raw.String()
				s.mu.Unlock()
				found := sizes.FindAllStringSubmatch(raw, -1)
				if len(found) < 3 {
					t.Fatalf("%s, cells of %v: got %d sizes, want those of three screens", way, cell, len(found))
				}
				for _, f := range found {
					w, _ := strconv.Atoi(f[1])
					h, _ := strconv.Atoi(f[2])
					if way == graphics.Kitty {
						w, h = w*cell.X, h*cell.Y
					}
					if h%cell.Y != 0 { // else the cells under the picture are seen below it
						t.Errorf("%s, cells of %v: %d×%d px do not fill a box", way, cell, w, h)
					}
					// Of a side in whole cells half a cell may be missing or too much.
					slack := float64(cell.Y) / 2 / float64(h)
					if got := float64(w) / float64(h) / 2; got > 1+slack+0.001 || got < 1-slack-0.001 {
						t.Errorf("%s, cells of %v: %d×%d px is off by %.3f", way, cell, w, h, got)
					}
				}
			})
		}
	}
}

// TestPicturesThatLeaveAreCleared has the screen cleared once painted pictures have left their places: a terminal may
// keep pixels where nothing is written over them.
func TestPicturesThatLeaveAreCleared(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, drawsBy(graphics.Sixel))
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		s.press("ctrl+g")
		s.pass(time.Second)
		clears := func() int {
			s.mu.Lock()
			defer s.mu.Unlock()
			return strings.Count(s.raw.String(), "\x1b[2J")
		}
		before := clears()
		s.press("esc")
		s.pass(time.Second)
		if n := clears() - before; n != 1 {
			t.Errorf("the screen was cleared %d times", n)
		}
		s.press("ctrl+p", "esc")
		s.pass(time.Second)
		before = clears()
		s.typed("nothing moves")
		s.pass(time.Second)
		if n := clears() - before; n != 0 {
			t.Errorf("typing cleared the screen %d times", n)
		}
	})
}

func TestLeavingFreesThePictures(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Auto))
		s.answersAsKitty()
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		s.press("ctrl+q")
		s.settle()
		s.mu.Lock()
		defer s.mu.Unlock()
		if !strings.Contains(s.raw.String(), "\x1b_Ga=d,d=I,i=") {
			t.Error("kitty keeps the picture")
		}
	})
}

func TestSixelIsPaintedOverItsCellsAndAnewWhenTheyAreWritten(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Sixel))
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		first := s.paintedPictures()
		if first == 0 {
			t.Fatal("nothing was painted")
		}
		s.mu.Lock()
		hidden := strings.Count(s.raw.String(), ansi.HideCursor+ansi.SaveCursor)
		s.mu.Unlock()
		if hidden != first {
			t.Errorf("%d of %d pictures were painted with the cursor hidden, which would leave a hole", hidden, first)
		}
		s.typed("waves")
		s.pass(time.Second)
		if n := s.paintedPictures(); n != first {
			t.Errorf("typing painted the picture %d times more", n-first)
		}
		s.press("ctrl+p") // over the picture
		s.pass(time.Second)
		under := s.paintedPictures()
		s.press("esc")
		s.pass(time.Second)
		if n := s.paintedPictures(); n != under+1 {
			t.Errorf("after a dialog it was painted %d times, want once", n-under)
		}
		s.press("alt+2") // the border beside it changes its color
		s.pass(time.Second)
		if n := s.paintedPictures(); n == under+1 {
			t.Error("the rows of the picture were written anew and it was not painted again")
		}
	})
}

// Where a renderer lets the terminal scroll, pixels go over rows that nobody
// writes; the screen is drawn anew once, when it rests.
func TestScrollingLeavesNoPixelsBehind(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Sixel))
		for range 3 {
			s.typed("sea")
			s.press("enter")
			s.pass(7 * time.Second)
		}
		s.press("alt+2")
		s.pass(time.Second)
		s.mu.Lock()
		before := s.raw.Len()
		s.mu.Unlock()
		s.press("k", "k", "k")
		s.pass(5 * time.Second)
		s.mu.Lock()
		defer s.mu.Unlock()
		raw := s.raw.String()[before:]
		cleared := strings.LastIndex(raw, ansi.EraseEntireScreen)
		if n := strings.Count(raw, ansi.EraseEntireScreen); n < 1 || n > 3 {
			t.Errorf("the screen was drawn anew %d times", n)
		}
		if strings.LastIndex(raw, "\x1bP0;1") < cleared {
			t.Error("nothing was painted after it was drawn anew")
		}
	})
}

func TestPicturesOffDrawsNone(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Off))
		s.answersAsKitty()
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		s.shows("64×32")
		s.lacks("▀", "▄", "▌▐")
		if s.pictures() != 0 || s.paintedPictures() != 0 {
			t.Error("a picture was drawn")
		}
	})
}

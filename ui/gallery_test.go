package ui_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/testflags"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/graphics"
)

// withPictureService lets a model of pictures answer, as services do: the bytes and their
// sum belong together.
func withPictureService() option {
	return withPublishing(&client{say: func(r api.Request) (api.Response, time.Duration, error) {
		resp, took, err := answerAll(r)
		resp.SHA256 = fmt.Sprintf("%x", sha256.Sum256(resp.Image))
		return resp, took, err
	}})
}

// draw sends prompts and waits for their pictures.
func (s *screen) draw(prompts ...string) {
	for _, p := range prompts {
		s.press("alt+4")
		s.typed(p)
		s.press("enter")
		s.pass(8 * time.Second)
	}
}

func TestTheGalleryShowsEveryPicture(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, size[0], size[1], withPictureService())
				s.draw("a fox under a lamp", "a hen on a roof")
				s.press("ctrl+n")
				s.draw("a whale")
				s.press("ctrl+g")
				s.shows("Pictures", " 3 ", "sim-image", "a whale", "enter go to")
				if n := strings.Count(s.text(), "▀"); n < 50 {
					t.Errorf("the thumbnails are not drawn:\n%s", s.text())
				}
				s.press("right", "alt+o", "alt+p")
				if len(s.desktop.opened) != 1 || len(s.desktop.copied) != 1 ||
					s.desktop.opened[0] != s.desktop.copied[0] ||
					!strings.Contains(s.desktop.opened[0], "hen") {
					t.Errorf("opened %v, copied %v", s.desktop.opened, s.desktop.copied)
				}
				s.typed("fox")
				s.shows("1 of 3 match", "a fox under a lamp")
				s.press("enter")
				s.shows("▌ you", "a fox under a lamp", "2 turns") // the session it was made in
				s.lacks("Pictures")
			})
		})
	}
}

func TestOnePictureFillsTheScreen(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPictureService())
		s.draw("a fox under a lamp")
		s.press("alt+2")
		s.edit("warmer")
		s.press("z")
		s.shows("1 of 1", "imageedit", "64×32", "warmer", "O open")
		s.lacks("Conversation", "┏━")
		s.press("b")
		s.shows("before", "fox")
		s.press("z")
		s.shows("Conversation")

		s.press("ctrl+g", "alt+z")
		s.shows("1 of 2", "warmer")
		s.press("l")
		s.shows("2 of 2", "a fox under a lamp")
		s.press("esc")
		s.shows("Pictures", "┏━", "a fox under a lamp")
		s.press("alt+z", "E")
		s.lacks("Pictures", "2 of 2")
		s.shows("Conversation", "Prompt")
		s.shows("a-fox") // the source of the next edit, named in the prompt
		s.press("ctrl+g", "alt+t")
		s.shows("Edits", "└─ warmer")
		s.press("enter")
		s.lacks("Edits", "Pictures")
	})
}

// A picture whose small version has another shape by a rounding still fits its frame.
func TestWidePicturesFitTheirFrames(t *testing.T) {
	run(t, func(t *testing.T) {
		wide := image.NewRGBA(image.Rect(0, 0, 1368, 768))
		var b bytes.Buffer
		if err := png.Encode(&b, wide); err != nil {
			t.Fatal(err)
		}
		s := open(t, 120, 40, withPublishing(&client{say: func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Image: b.Bytes(), ContentType: "image/png", Width: 1368, Height: 768, Status: 200,
				SHA256: fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))}, 0, nil
		}}))
		s.draw("a lighthouse", "another one")
		s.press("ctrl+g")
		s.settle()
		s.shows("Pictures   2")
		for _, line := range strings.Split(s.text(), "\n") {
			if strings.Contains(line, "…┃ ┃") || strings.Contains(line, "…│ ┃") {
				t.Fatalf("a line is cut: %s", line)
			}
		}
	})
}

func TestAPictureOfTheGalleryIsDeletedWithItsFile(t *testing.T) {
	run(t, func(t *testing.T) {
		var folder string
		s := open(t, 120, 40, withPictureService(), func(_ *ui.Options,
			o *service.Options) {
			folder = o.Pictures.Folder
		})
		s.draw("a fox under a lamp", "a hen on a roof")
		files := func() int {
			found, _ := filepath.Glob(filepath.Join(folder, "*.png"))
			return len(found)
		}
		s.press("ctrl+g", "alt+x")
		s.shows(" 1 ", "deleted", "a fox under")
		s.press("alt+u")
		s.shows(" 2 ", "Restored")
		if n := files(); n != 2 {
			t.Fatalf("%d files, deleting can be undone", n)
		}
		s.press("home", "alt+x")
		s.shows(" 1 ")
		if _, err := s.service.Purge(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
		if n := files(); n != 1 {
			t.Errorf("%d files are left of one picture", n)
		}
	})
}

func TestMarkedPicturesAreDeletedAndComeBackTogether(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPictureService())
		s.draw("a fox under a lamp", "a hen on a roof", "a whale")
		s.press("ctrl+g", "tab", "tab", "alt+x")
		s.shows(" 1 ", "2 pictures are deleted", "restores them", "a fox under")
		s.lacks("marked", "a hen on")
		s.press("alt+u")
		s.shows(" 3 ", "Restored", "a fox under")
		s.press("alt+x")
		s.shows(" 2 ", "The picture is deleted")
		s.press("alt+u", "alt+u")
		s.shows(" 3 ", "Nothing to undo")
	})
}

// A step within a screen of the gallery changes the frames of two pictures: at most one beside them is painted too.
func TestAStepInTheGalleryPaintsFewPictures(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("encodes many pictures")
	}
	run(t, func(t *testing.T) {
		s := open(t, 160, 40, withPictureService(), drawsBy(graphics.Sixel))
		s.draw("a fox under a lamp", "a hen on a roof", "a whale", "a cat", "a dog")
		s.press("ctrl+g")
		s.pass(2 * time.Second)
		before := s.paintedPictures()
		s.press("right", "right", "left", "left")
		s.pass(2 * time.Second)
		s.shows("a dog")
		if n := s.paintedPictures() - before; n > 3*4 {
			t.Errorf("%d pictures were painted anew in 4 steps", n)
		}
		before = s.paintedPictures()
		s.press("alt+x") // those behind it move up
		s.pass(2 * time.Second)
		if n := s.paintedPictures() - before; n != 4 {
			t.Errorf("%d pictures were painted after the first was deleted, want the 4 that moved", n)
		}
		s.press("f5") // drawn anew from nothing
		s.pass(2 * time.Second)
		if n := s.paintedPictures() - before; n != 8 {
			t.Errorf("%d pictures were painted on a screen drawn anew, want 4", n-4)
		}
	})
}

// remoteDesktop is a desktop at the other end of a line.
type remoteDesktop struct{ *desktop }

func (remoteDesktop) Fetch(paths ...string) (string, bool) {
	return "scp ana@host:" + strings.Join(paths, " ana@host:") + " .", true
}

func TestMarkedPicturesAreWrittenAndFetched(t *testing.T) {
	run(t, func(t *testing.T) {
		var folder string
		s := open(t, 120, 40, withPictureService(),
			func(_ *ui.Options, o *service.Options) { folder = filepath.Dir(o.Pictures.Folder) })
		s.draw("a fox under a lamp", "a hen on a roof", "a whale")
		s.press("ctrl+g", "space", "space", "alt+w")
		s.shows("Export to a file", "the 2 marked pictures", "exactly as received")
		s.press("enter")
		s.shows("Written: 2 files in")
		copies, _ := filepath.Glob(filepath.Join(folder, "exports", "*.png"))
		if len(copies) != 2 {
			t.Errorf("there are %v, want two pictures", copies)
		}
		if b, err := os.ReadFile(copies[len(copies)-1]); err != nil || len(b) == 0 {
			t.Errorf("%d bytes, %v", len(b), err)
		}
		s.press("alt+s")
		s.shows("No need to fetch it")
	})
	run(t, func(t *testing.T) {
		var d *remoteDesktop
		s := open(t, 120, 40, withPictureService(), func(o *ui.Options, _ *service.Options) {
			d = &remoteDesktop{o.Desktop.(*desktop)}
			o.Desktop = d
		})
		s.draw("a fox under a lamp", "a hen on a roof")
		s.press("ctrl+g", "space", "space", "alt+s")
		s.shows("Run this on your own machine", "scp ana@host:")
		if len(d.copied) != 1 || strings.Count(d.copied[0], "ana@host:") != 2 || !strings.HasSuffix(d.copied[0], " .") {
			t.Errorf("copied %q", d.copied)
		}
	})
}

func TestOnASmallScreenPicturesAreInColumns(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 60, 20, withPictureService())
		s.draw("a fox under a lamp", "a hen on a roof")
		s.press("ctrl+g")
		s.shows("Pictures", "2", "a hen on a roof", "▀▀▀▀", "enter go to")
		s.shows("1 of 2  ● sim-image  a hen on a roof")
		s.press("right")
		s.shows("2 of 2  ● sim-image  a fox under a lamp")
		s.press("+", "+", "+")
		s.shows("as large as they get; alt+z")
	})
}

func TestOnATinyScreenPicturesAreAList(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 38, 24, withPictureService())
		s.draw("a fox under a lamp", "a hen on a roof")
		s.press("ctrl+g")
		s.shows("Pictures", "2", "▌ a hen")
		s.press("esc")
		s.resize(100, 30)
		s.press("ctrl+g")
		s.typed("fox")
		s.shows("1 of 2 match", "64×32  127 B")
		s.resize(38, 24)
		s.shows("Pictures", "> fox", "1 of ", "▌ a fox")
		s.lacks("64×32  127 B")
	})
}

// resize gives the terminal another size.
func (s *screen) resize(w, h int) {
	s.mu.Lock()
	s.term.Resize(w, h)
	s.mu.Unlock()
	s.program.Send(tea.WindowSizeMsg{Width: w, Height: h})
	s.settle()
}

// What stands for a picture that is sent anew, larger, stays blank in kitty: it
// must be drawn again once the picture is there.
func TestAPictureSentAnewIsDrawnAnew(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, drawsBy(graphics.Auto))
		s.answersAsKitty()
		s.draw("sea")
		s.press("alt+2")
		before := s.pictures()
		s.press("z")
		s.pass(time.Second)
		if n := s.pictures(); n != before+1 {
			t.Fatalf("the picture was sent %d times more for the whole screen, want once", n-before)
		}
		s.mu.Lock()
		sent := s.raw.String()
		all := sentPicture.FindAllStringIndex(sent, -1)
		drawn := strings.Count(sent[all[len(all)-1][0]:], "\U0010EEEE")
		s.mu.Unlock()
		if drawn < 98*25 { // within a frame
			t.Errorf("%d cells were drawn after it was sent", drawn)
		}
		s.press("esc", "ctrl+g")
		s.pass(time.Second)
		if n := s.pictures(); n != before+1 {
			t.Errorf("the picture was sent %d times more for a smaller box", n-before-1)
		}
		if n := strings.Count(s.text(), "\U0010EEEE"); n < 16*4 {
			t.Errorf("the thumbnail has %d cells", n)
		}
	})
}

func TestTheSourcePickerShowsPicturesAndFolders(t *testing.T) {
	run(t, func(t *testing.T) {
		var folder string
		s := open(t, 120, 40, withPictureService(),
			func(_ *ui.Options, o *service.Options) { folder = filepath.Dir(o.Pictures.Folder) })
		s.draw("a fox under a lamp")
		s.press("alt+2", "E", "alt+e")
		s.shows("Source", "‹session›", "a fox under a lamp", "64×32")
		s.press("tab")
		s.typed(folder + "/")
		s.pass(time.Second)
		s.shows("‹files›", "pictures/", "1 picture", "0001-sim-image")
		s.lacks("cannot be read")
		s.typed("pictures/")
		s.pass(time.Second)
		s.shows("0001-sim-image", "64×32")
		s.press("enter")
		s.shows("source 0001-sim-image")
	})
}

// TestAFilteredPictureShowsItsEditsAtOnce presses the key of the edits of a picture right after the last letter of a
// filter: a key that only opens a view is no danger.
func TestAFilteredPictureShowsItsEditsAtOnce(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withPictureService())
		s.draw("a fox under a lamp", "a hen on a roof")
		s.press("ctrl+g")
		for _, key := range []string{"f", "o", "x", "alt+t"} {
			s.program.Send(keyPress(key))
			time.Sleep(20 * time.Millisecond)
		}
		s.settle()
		s.lacks("The selection just changed", "nothing selected")
		s.shows("Edits")
	})
}

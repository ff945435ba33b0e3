package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/pictures"
	"confab/ui"
	"confab/ui/graphics"
)

// plainPicture returns a picture of one color.
func plainPicture(t *testing.T, c color.RGBA) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for i := range 64 * 32 {
		img.SetRGBA(i%64, i/64, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withOneName is a session with a hen and a fox whose pictures have one path, as two hosts of earlier releases gave it,
// and an edit of the hen. The file is the fox.
func withOneName(t *testing.T, dir string, fox, hen []byte) option {
	t.Helper()
	path, edited := filepath.Join(dir, "0001.png"), filepath.Join(dir, "0002.png")
	warm := plainPicture(t, color.RGBA{200, 120, 0, 255})
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "history.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(prompt string, kind history.ModelKind, source *history.Source, path string, b []byte) history.Turn {
		turn, err := store.AddTurnToSession(t.Context(), "animals", history.Turn{Prompt: prompt, Source: source,
			Answers: []history.Answer{{Model: "sim-image", Kind: kind, State: history.Done, Version: 1,
				Picture: &history.Picture{Path: path, ContentType: "image/png", Width: 64, Height: 32,
					Bytes: int64(len(b)), SHA256: pictures.SHA256(b)}}}})
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	first := add("a hen", history.KindImage, nil, path, hen)
	add("warmer", history.KindEdit, &history.Source{Answer: first.Answers[0].ID, Path: path}, edited, warm)
	add("a fox", history.KindImage, nil, path, fox)
	for _, err := range []error{store.Close(), os.WriteFile(path, fox, 0o600), os.WriteFile(edited, warm, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return func(u *ui.Options, o *service.Options) {
		u.Start.Session.ID = first.Session
		o.Pictures.Folder = dir
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{})
		}
	}
}

// An answer whose file holds the picture of another answer says so wherever the picture would stand, and what was drawn
// of one is not shown for the other.
func TestPicturesOfOnePathAreToldApart(t *testing.T) {
	for _, way := range []graphics.Protocol{graphics.Cells, graphics.Auto} {
		t.Run(fmt.Sprint(way), func(t *testing.T) {
			run(t, func(t *testing.T) { testPicturesOfOnePath(t, way) })
		})
	}
}

func testPicturesOfOnePath(t *testing.T, way graphics.Protocol) {
	fox, hen := plainPicture(t, color.RGBA{200, 80, 0, 255}), plainPicture(t, color.RGBA{90, 90, 90, 255})
	dir := t.TempDir()
	const refused = "is not the picture of this answer"
	s := open(t, 120, 40, withOneName(t, dir, fox, hen), drawsBy(way))
	if way == graphics.Auto {
		s.answersAsKitty()
	}
	s.pass(time.Second)
	s.press("alt+2")
	s.shows("a fox")
	s.lacks(refused)
	s.press("[", "[")
	s.pass(time.Second)
	s.shows("a hen", refused)
	s.press("]", "b")
	s.pass(time.Second)
	s.shows("warmer", "before", refused)
	s.press("b", "ctrl+g")
	s.pass(time.Second)
	s.shows("Pictures", "not the", "a fox")
	s.press("alt+z")
	s.pass(time.Second)
	s.shows("1 of 3", "a fox")
	s.lacks(refused)
	s.press("l", "l")
	s.pass(time.Second)
	s.shows("3 of 3", "a hen", refused)
	s.press("esc", "esc")

	if err := os.WriteFile(filepath.Join(dir, "0001.png"), hen, 0o600); err != nil {
		t.Fatal(err)
	}
	s.press("ctrl+g", "end", "alt+z")
	s.pass(time.Second)
	s.shows("3 of 3", "a hen")
	s.lacks(refused)
	s.press("h", "h")
	s.pass(time.Second)
	s.shows("1 of 3", "a fox")
	if way == graphics.Cells { // kitty has the pixels of the fox
		s.shows(refused)
	}
}

// TestAFileThatExistsIsNamedAgain exports an answer to a file that exists: the form stays, and takes another name.
func TestAFileThatExistsIsNamedAgain(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first")
		path := filepath.Join(t.TempDir(), "answer.txt")
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.press("alt+2", "w", "tab", "tab")
		s.typed(path)
		s.press("enter")
		s.pass(time.Second)
		s.shows("A file of this name exists; choose another name", "Export to a file")
		s.typed(".new")
		s.press("enter")
		s.pass(time.Second)
		s.shows("Written: ")
		if text, err := os.ReadFile(path + ".new"); err != nil || string(text) != "yes" {
			t.Errorf("wrote %q, %v", text, err)
		}
	})
}

package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/termtext"
)

// A file is attached by its name after an @, shown with its size, sent, and shown again from the conversation.
func TestAttachAFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"notes.md": "# lighthouse notes\n", "other.txt": "x",
		"bad.bin": "a\x00b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("sum up @")
		s.shows("notes.md", "other.txt")
		s.typed("nts")
		s.press("enter")
		s.shows("sum up @notes.md", "@notes.md 19 B ~")
		s.press("enter")
		s.shows("@notes.md 19 B", "sum up @notes.md")
		s.press("alt+2", "F")
		s.shows("Files of the prompt", "# lighthouse notes")
		s.press("esc", "alt+4")
		s.typed("mail a@b ")
		s.lacks("other.txt")
		s.typed("@bad")
		s.press("enter")
		s.shows("neither UTF-8 text nor a picture")
	})
}

// What is typed after an @ before the files are read narrows them, and a file can be named twice.
func TestAttachAFileInOneGo(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("# notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("read @no")
		s.press("enter")
		s.shows("read @notes.md", "@notes.md 8 B ~")
		s.typed("and @no")
		s.press("enter")
		s.shows("read @notes.md and @notes.md")
	})
}

// The picture of the clipboard is attached, and its text is pasted.
func TestPasteOfTheClipboard(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.desktop.text = "pasted words"
		s.press("ctrl+v")
		s.shows("pasted words")
		s.desktop.text, s.desktop.picture = "", testPicture()
		s.press("ctrl+v")
		s.shows("pasted words @clipboard-", ".png", " B")
	})
}

// The list of files stands at the word that it completes, above the prompt where that is at the bottom, and the prompt
// shows what is typed.
func TestFilesAreListedAtTheWord(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.md", "other.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, size := range []struct{ w, h, below int }{{60, 20, -2}, {80, 24, -2}, {120, 40, -2}, {40, 12, 2}} {
		run(t, func(t *testing.T) {
			s := open(t, size.w, size.h)
			s.typed("sum up @not")
			lines := strings.Split(s.text(), "\n")
			find := func(text string) (row, column int) {
				for row, line := range lines {
					if before, _, ok := strings.Cut(line, text); ok {
						return row, termtext.Width(before)
					}
				}
				t.Fatalf("%q is not on the screen:\n%s", text, s.text())
				return 0, 0
			}
			row, column := find("sum up @not")
			listed, at := find("notes.md")
			if column += len("sum up @"); listed != row+size.below || at != column {
				t.Errorf("%dx%d: the file is at %d:%d, its word at %d:%d", size.w, size.h, listed, at, row, column)
			}
			s.press("backspace", "backspace", "backspace")
			s.shows("notes.md", "other.txt")
			s.press("backspace")
			s.shows("sum up ")
			s.lacks("sum up @", "other.txt")
		})
	}
}

// An @ that is followed by something else than the name of a file stays a part of the text.
func TestASignThatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "my notes.md"), []byte("# notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("meet @ noon, @anna says")
		s.lacks("attach")
		s.shows("meet @ noon, @anna says")
		s.typed(" @my")
		s.press("esc")
		s.shows("says @my")
		s.typed(", and @my no")
		s.press("tab")
		s.shows("says @my, and @my notes.md", "@my notes.md 8 B")
	})
}

// A file whose name was typed whole is attached by the blank behind it. One that is not there is told.
func TestAFileIsNamedInFull(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.md", "people.csv", "people.csv old"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# notes\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("sum up @")
		s.typed("./notes.md ")
		s.typed("in a line")
		s.shows("sum up @notes.md in a line", "@notes.md 8 B ~")
		s.typed(" and @")
		s.typed("people.csv ")
		s.shows("people.csv old")
		s.typed("old ")
		s.shows("@people.csv old 8 B ~")
		s.typed("and @")
		s.typed("nonexist.txt ")
		s.shows("@nonexist.txt stays text: this folder has no such file.")
	})
}

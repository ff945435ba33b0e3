package ui_test

import (
	"os"
	"path/filepath"
	"testing"
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

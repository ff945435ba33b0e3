package history

import (
	"path/filepath"
	"strings"
)

// FileKind is the form in which a file goes to a model.
type FileKind string

// The kinds of files.
const (
	TextFile    FileKind = "text"
	PictureFile FileKind = "picture"
)

// File is a file that goes with a prompt. Its content is that of the moment at which it was read.
type File struct {
	Name   string // as the person gave it
	Kind   FileKind
	Bytes  int64
	SHA256 string // of the kept content
	Path   string // of the kept copy of a picture
	Text   string // of a text
}

// Language returns the extension of the name as the language of a fenced part; empty for an unusual one.
func (f File) Language() string {
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.Name)), ".")
	isOdd := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	if len(ext) > 10 || strings.ContainsFunc(ext, isOdd) {
		return ""
	}
	return ext
}

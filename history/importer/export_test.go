package importer

import "io/fs"

// OpenFS is [Open] for files in memory.
func OpenFS(files fs.FS) (*Source, error) {
	s := newSource("", files)
	return s, s.list()
}

// MaxBytes bounds a conversation.
const MaxBytes = maxBytes

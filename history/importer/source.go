package importer

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"confab/internal/fileio"
)

// maxFiles bounds the files of a folder or an archive.
const maxFiles = 200_000

// ErrUnknown means that a path holds nothing that is known.
var ErrUnknown = errors.New("no known conversations")

// What is counted as left out.
const (
	toolCall          = "tool call"
	toolResult        = "tool result"
	recording         = "recording"
	hiddenMessage     = "hidden message"
	missingFile       = "missing file"
	unreadableFile    = "unreadable file"
	toolSession       = "tool session"
	unreadableMessage = "unreadable message"
	unreadable        = "unreadable conversation"
	tooLarge          = "oversized conversation"
)

// Source is a file, a folder or an archive with conversations.
type Source struct {
	Skipped map[string]int // what was left out, by nouns for people; complete after the last conversation
	folder  string         // of a folder, or of a single file; empty for an archive
	files   fs.FS
	names   []string          // of all files, in their order
	assets  map[string]string // paths by names without folders
	sorted  []string          // the names of assets
	close   func() error
	open    OpenDatabase
}

// OpenDatabase opens the SQLite database of another program for reading, with values of at most maxBytes.
type OpenDatabase func(ctx context.Context, path string, maxBytes int) (*sql.DB, error)

// Open finds the files below a path, or in an archive. The caller closes the source.
func Open(name string, open OpenDatabase) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		s := newSource(name, os.DirFS(name))
		s.open = open
		return s, s.list()
	}
	f, err := fileio.Open(name)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(f, info.Size())
	if err != nil {
		s := newSource(filepath.Dir(name), os.DirFS(filepath.Dir(name)))
		s.open, s.names = open, []string{filepath.Base(name)}
		return s, f.Close()
	}
	s := newSource("", archive)
	s.close = f.Close
	return s, s.list()
}

func newSource(folder string, files fs.FS) *Source {
	return &Source{Skipped: map[string]int{}, folder: folder, files: files, assets: map[string]string{},
		close: func() error { return nil }}
}

// Close closes the archive.
func (s *Source) Close() error { return s.close() }

// list finds the regular files.
func (s *Source) list() error {
	err := fs.WalkDir(s.files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.Type().IsRegular():
			return nil // a folder that cannot be read has no conversations
		case len(s.names) == maxFiles:
			return fmt.Errorf("more than %d files", maxFiles)
		}
		s.names = append(s.names, name)
		s.assets[path.Base(name)] = name
		return nil
	})
	for name := range s.assets {
		s.sorted = append(s.sorted, name)
	}
	slices.Sort(s.sorted)
	return err
}

// asset returns a file of an export by the id with which its name begins.
func (s *Source) asset(id, name string) (f File, ok bool) {
	i, _ := slices.BinarySearch(s.sorted, id)
	if id == "" || i == len(s.sorted) || !strings.HasPrefix(s.sorted[i], id) ||
		strings.IndexAny(s.sorted[i][len(id):]+".", ".-_") != 0 {
		s.Skipped[missingFile]++
		return f, false
	}
	at := s.assets[s.sorted[i]]
	if name == "" {
		name = s.sorted[i]
	}
	return File{Name: name, Read: func(context.Context) ([]byte, error) {
		in, err := s.files.Open(at)
		if err != nil {
			return nil, err
		}
		defer in.Close() //nolint:errcheck // it was only read
		return readAll(in)
	}}, true
}

// content returns a file with a known content.
func content(name string, b []byte) File {
	return File{Name: name, Read: func(context.Context) ([]byte, error) { return b, nil }}
}

// readAll reads at most maxBytes.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(b) > maxBytes {
		err = fileio.ErrTooLarge
	}
	return b, err
}

// Conversations returns the conversations of all files that are known. An error ends one file, not all. A source
// without any known file yields [ErrUnknown].
func (s *Source) Conversations(ctx context.Context) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		unknown := 0
		for _, name := range s.names {
			for c, err := range s.read(ctx, name) {
				if errors.Is(err, ErrUnknown) {
					unknown++
					continue
				}
				if err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
				if !yield(c, err) || ctx.Err() != nil {
					return
				}
			}
		}
		if unknown == len(s.names) {
			yield(Conversation{}, ErrUnknown)
		}
	}
}

// read returns the conversations of a file.
func (s *Source) read(ctx context.Context, name string) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		in, err := s.files.Open(name)
		if err != nil {
			s.Skipped[unreadableFile]++
			return
		}
		defer in.Close() //nolint:errcheck // it was only read
		r := bufio.NewReaderSize(in, 64<<10)
		// Errors are those of reading, which the reader returns again.
		head, _ := r.Peek(512)
		give := func(c conversation) bool {
			built, err := c.build()
			if err != nil {
				s.Skipped[tooLarge]++
				return true
			}
			return len(built.Session.Turns) == 0 || yield(built, nil)
		}
		switch text := bytes.TrimLeft(head, "\uFEFF \t\r\n"); {
		case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
			err = s.readDatabase(ctx, name, give)
		case bytes.HasPrefix(text, []byte("[")) || bytes.HasPrefix(text, []byte("{")):
			_, _ = r.Discard(len(head) - len(text))
			err = s.readJSON(r, text[0] == '[', give)
		case slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(path.Ext(name))):
			err = s.readSession(r, in, name, give)
		default:
			err = ErrUnknown
		}
		if err != nil {
			yield(Conversation{}, err)
		}
	}
}

// errStopped ends the reading of a file whose conversations are not wanted any more.
var errStopped = errors.New("stopped")

// budget fails once more was read than a conversation may have.
type budget struct {
	io.Reader
	left int
}

func (b *budget) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= n; b.left < 0 {
		return n, errTooLarge
	}
	return n, err
}

// readJSON reads an export: a list of conversations, or a single one.
func (s *Source) readJSON(r io.Reader, isList bool, give func(conversation) bool) error {
	bounded := &budget{Reader: r, left: maxBytes}
	in := json.NewDecoder(bounded)
	if isList {
		if _, err := in.Token(); err != nil {
			return err
		}
	}
	isKnown := false
	for !isList || in.More() {
		bounded.left = maxBytes
		var one json.RawMessage
		if err := in.Decode(&one); err != nil {
			if !isKnown && !errors.Is(err, errTooLarge) {
				return ErrUnknown
			}
			return err
		}
		var shape struct {
			Mapping  json.RawMessage `json:"mapping"`
			Messages json.RawMessage `json:"chat_messages"`
		}
		_ = json.Unmarshal(one, &shape) // what is no object has no shape
		parse := s.chatGPT
		if shape.Messages != nil {
			parse = s.claude
		} else if shape.Mapping == nil {
			if !isKnown {
				return ErrUnknown
			}
			s.Skipped[unreadable]++
			continue
		}
		isKnown = true
		if c, err := parse(one); err != nil {
			s.Skipped[unreadable]++
		} else if !give(c) {
			return nil
		}
		if !isList {
			return nil
		}
	}
	if !isKnown {
		return ErrUnknown
	}
	_, err := in.Token() // the end of the list
	return err
}

// readDatabase reads the file of llm or of crush.
func (s *Source) readDatabase(ctx context.Context, name string, give func(conversation) bool) error {
	if s.folder == "" {
		return errors.New("a database in an archive cannot be read; unpack it first")
	}
	db, err := s.open(ctx, filepath.Join(s.folder, filepath.FromSlash(name)), maxBytes)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	q := &queries{ctx: ctx, db: db, left: maxBytes}
	switch {
	case q.has("responses", "conversation_id"), q.has("turns", "tip_message_hash"):
		s.llm(q, give)
	case q.has("sessions", "parent_session_id") && q.has("messages", "parts"):
		s.crush(q, give)
	default:
		q.err = errors.Join(q.err, ErrUnknown)
	}
	if errors.Is(q.err, errStopped) {
		return nil
	}
	return q.err
}

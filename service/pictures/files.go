package pictures

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"confab/history"
	"confab/internal/filename"
	"confab/internal/redact"
	"confab/internal/regularfile"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
	"confab/service/process"
	"confab/service/userpath"
)

// maxPicture is how many bytes are read of a picture as received.
const maxPicture = 64 << 20

// maxTextAdded is how many bytes a saved picture may be larger than the received one.
const maxTextAdded = 1 << 20

// sweepAge is the age from which the files of dead processes are removed. Younger ones may belong to a process that a
// slow clock hides.
const sweepAge = time.Minute

// errNoPicture is the cause when an answer without a picture is asked for one.
var errNoPicture = errors.New("the answer has no picture")

// FilesOptions are what [Files] need. All but Folder, Root, Publisher and Mask are required.
type FilesOptions struct {
	History func(ctx context.Context) (history.Store, error) // its errors are for people
	// Answer returns an answer as it is shown, which the history may not hold yet.
	Answer func(ctx context.Context, id int64) (history.Answer, error)
	// Unsaved returns a picture that is in memory only, by its path.
	Unsaved func(path string) (image []byte, ok bool)
	// IsEmbedded reports whether the service that answers runs in this process.
	IsEmbedded func(ctx context.Context) bool

	Folder    string        // of the pictures; empty = a temporary one
	Template  string        // of file names, see package filename
	Root      userpath.Root // that the paths of users must lie in
	Publisher Publisher     // for a remote service; nil = none
	Process   process.Process
	Mask      *redact.Masker // nil masks nothing
	Log       *slog.Logger
	Now       func() time.Time
}

// Files are the picture files of a history: saved with their provenance, read, compared with the history, deleted, and
// published as the sources of edits. They are safe for concurrent use.
type Files struct {
	o FilesOptions

	mu        sync.Mutex
	store     *Store          // nil until first needed
	tempDir   string          // the folder, when it is temporary
	announced map[string]bool // paths whose [Files.PublishPlan] was asked for
}

// NewFiles returns the picture files of a history. It creates nothing.
func NewFiles(o FilesOptions) *Files { return &Files{o: o, announced: map[string]bool{}} }

// Close removes the temporary folder, if there is one.
func (f *Files) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tempDir == "" {
		return nil
	}
	return os.RemoveAll(f.tempDir)
}

// folder returns the store of the picture folder.
func (f *Files) folder() (*Store, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.store != nil {
		return f.store, nil
	}
	dir, err := filepath.Abs(f.o.Folder)
	if f.o.Folder == "" {
		dir, err = f.o.Process.MakeTempFolder()
		f.tempDir = dir
	}
	if err != nil {
		return nil, problem.Disk("make a temporary folder for pictures", err)
	}
	f.store = NewStore(dir, StoreOptions{
		Template: f.o.Template, Owner: f.o.Process.Token(), Alive: f.o.Process.IsAlive, Now: f.o.Now,
	})
	return f.store, nil
}

// Save writes the picture of an answer and its provenance, and returns the path. The turn and the answer have the ids
// under which the history on disk holds them, or none.
func (f *Files) Save(t history.Turn, a history.Answer, image []byte, session string) (path string, err error) {
	store, err := f.folder()
	if err != nil {
		return "", err
	}
	p := newProvenance(t, a, session, f.o.Mask)
	saved, err := store.Keep(NewPicture{
		Bytes: image, Ext: export.PictureExt(a.Picture.ContentType), Text: p.parameters(),
		Parts: filename.Parts{Model: a.Model, Prompt: p.Prompt, Nonce: f.o.Mask.String(a.SentNonce)},
		Facts: p.encode,
	})
	if err != nil {
		return "", problem.Disk("save the picture", err)
	}
	return saved.Path, nil
}

// locate returns where a picture is now: at its path, or, when it is not there, under its name in the picture folder,
// which may have been moved.
func (f *Files) locate(path string) string {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || f.o.Folder == "" {
		return path
	}
	moved := filepath.Join(f.o.Folder, filepath.Base(path))
	if info, err := os.Lstat(moved); err != nil || !info.Mode().IsRegular() {
		return path
	}
	return moved
}

// Read returns the bytes of a picture, at most 64 MiB and the text that was added. It knows the paths of pictures that
// could not be saved yet.
func (f *Files) Read(_ context.Context, path string) ([]byte, error) {
	if b, ok := f.o.Unsaved(path); ok {
		return b, nil
	}
	if history.IsUnsavedPicture(path) {
		return nil, problem.Usage("the picture is no longer in memory")
	}
	name := filepath.Base(path)
	path, err := f.o.Root.Confine(f.locate(path))
	if err != nil {
		return nil, err
	}
	b, err := regularfile.Read(path, maxPicture+maxTextAdded)
	var kind *regularfile.KindError
	switch {
	case errors.As(err, &kind):
		return nil, problem.Usage("what was chosen, %s, %s", name, kind)
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.New(api.CodeUsage, err, "there is no picture %s; it may have been moved or deleted", name)
	case errors.Is(err, regularfile.ErrTooLarge):
		return nil, problem.New(api.CodeTooLarge, err, "the picture %s is larger than 64 MiB", name)
	case err != nil:
		return nil, problem.Disk("read the picture "+name, err)
	}
	return b, nil
}

// CleanCopy returns the picture of an answer byte for byte as the service sent it, without the text that confab put
// into the file for other tools; a key that the service quoted in it stays out.
func (f *Files) CleanCopy(ctx context.Context, answer int64) ([]byte, error) {
	a, err := f.o.Answer(ctx, answer)
	if err != nil {
		return nil, err
	}
	if a.Picture == nil {
		return nil, problem.New(api.CodeUsage, errNoPicture, "the answer has no picture")
	}
	b, err := f.Read(ctx, a.Picture.Path)
	if err != nil {
		return nil, err
	}
	if a.Masked {
		return CleanCopy(b), nil // the sha256 is of the bytes with the key
	}
	for _, candidate := range [][]byte{CleanCopy(b), b} {
		if SHA256(candidate) == a.Picture.SHA256 {
			return candidate, nil
		}
	}
	return nil, problem.New(api.CodeBadImage, nil, "the file %s was changed after it was saved, so the picture as "+
		"received is gone", filepath.Base(a.Picture.Path))
}

// SHA256 returns the sha256 in hexadecimal.
func SHA256(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

package pictures

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"confab/history"
	"confab/internal/fileio"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/export"
	"confab/service/localfile"
	"confab/service/problem"
)

// MaxBytes is the maximum size of a picture.
const MaxBytes = 64 << 20

// maxTextAdded is the maximum number of bytes by which saving enlarges a picture.
const maxTextAdded = 1 << 20

// sweepAge is the minimum age of orphans. A process may be writing younger files.
const sweepAge = time.Minute

var errNoPicture = errors.New("the answer has no picture")

// Options configure where pictures are stored and published. The zero value uses a temporary folder.
type Options struct {
	Folder       string // empty means a temporary one
	NameTemplate string // of files; empty means [fileio.DefaultNameTemplate]
	// Bucket receives the pictures saved in Folder, which then holds pictures before their upload and copies of at
	// most CacheBytes. If it is nil, pictures stay in Folder.
	Bucket     Bucket
	CacheBytes int64
	// OtherCopies returns the copies of other users of this host, which share CacheBytes; may be nil.
	OtherCopies func() []Copies
	// SharedBucket returns the part of the bucket with another user's pictures; nil means that they are not readable.
	SharedBucket func(owner string) Bucket
	Publisher    Publisher // publishes sources for a remote service; may be nil
}

// Host is the part of the program that [Files] use. All fields but Mask and Root are required.
type Host struct {
	History func(ctx context.Context) (history.Store, error) // its errors are for people
	// Answer returns the current state of an answer, which the history may not hold yet.
	Answer func(ctx context.Context, id int64) (history.Answer, error)
	// Unsaved returns a picture in memory by its path.
	Unsaved func(path string) (image []byte, ok bool)
	// IsEmbedded reports whether the service runs in this process.
	IsEmbedded func(ctx context.Context) bool
	Root       localfile.Root // folder that contains all user-given paths
	Process    localfile.Process
	Mask       *redact.Masker // nil masks nothing
	Log        *slog.Logger
	Now        func() time.Time
}

// Files are the picture files of a history: saved with their provenance, read, compared with the history, deleted,
// and published as the sources of edits. They are safe for concurrent use.
type Files struct {
	o    Options
	host Host

	uploading sync.Mutex // held by Upload
	mu        sync.Mutex
	tempDir   string          // the temporary folder, if any; empty until first use
	announced map[string]bool // paths passed to [Files.PublishPlan]
}

// NewFiles returns the picture files of a history. It creates no files.
func NewFiles(o Options, host Host) *Files {
	o.NameTemplate = cmp.Or(o.NameTemplate, fileio.DefaultNameTemplate)
	return &Files{o: o, host: host, announced: map[string]bool{}}
}

// Close removes the temporary folder, if there is one.
func (f *Files) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tempDir == "" {
		return nil
	}
	return os.RemoveAll(f.tempDir)
}

func (f *Files) folder() (folder, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.o.Folder == "" && f.tempDir == "" {
		dir, err := f.host.Process.MakeTempFolder()
		if err != nil {
			return folder{}, problem.Disk("make a temporary folder for pictures", err)
		}
		f.tempDir = dir
	}
	dir, err := filepath.Abs(cmp.Or(f.o.Folder, f.tempDir))
	if err != nil {
		return folder{}, problem.Disk("find the picture folder", err)
	}
	return folder{dir: dir, template: f.o.NameTemplate}, nil
}

// Save writes the picture of an answer with its provenance and returns the path. The turn and the answer have their
// ids in the permanent history, or none.
func (f *Files) Save(t history.Turn, a history.Answer, image []byte, session string) (path string, err error) {
	folder, err := f.folder()
	if err != nil {
		return "", err
	}
	p := newProvenance(t, a, session, f.host.Mask)
	saved, err := folder.save(newPicture{
		suffix: p.suffix(), image: image, ext: export.PictureExt(a.Picture.ContentType), text: p.parameters(),
		parts:    fileio.NameParts{Model: a.Model, Prompt: p.Prompt, Nonce: f.host.Mask.String(a.SentNonce)},
		describe: p.encode,
	})
	if err != nil {
		return "", problem.Disk("save the picture", err)
	}
	return saved.path, nil
}

// Remove deletes pictures that no answer names, with their provenance, and returns their number. It syncs the
// deletion to disk. It continues after an error and returns the first.
func (f *Files) Remove(ctx context.Context, paths []string) (removed int, failed error) {
	if len(paths) == 0 {
		return 0, nil
	}
	db, err := f.host.History(ctx)
	if err != nil {
		return 0, err
	}
	current, err := f.folder()
	if err != nil {
		return 0, err
	}
	changed := map[string]bool{}
	for _, path := range paths {
		if ctx.Err() != nil {
			failed = cmp.Or(failed, context.Cause(ctx))
			break
		}
		if history.IsSharedPicture(path) {
			continue // a fork names it, but it belongs to its owner
		}
		path = f.locate(path)
		from := current
		if filepath.Dir(path) != current.dir {
			if from, err = f.formerFolder(path); err != nil {
				failed = cmp.Or(failed, err)
				continue
			}
		}
		p, _, err := f.provenance(ctx, from, filepath.Base(path))
		if _, used := answerOf(ctx, db, p); used {
			continue // the name belongs to another picture now
		}
		if err == nil {
			err = f.removeStored(ctx, current, filepath.Base(path))
		}
		if err != nil {
			failed = cmp.Or(failed, err)
			continue
		}
		if err := from.remove(path); err != nil {
			failed = cmp.Or[error](failed, problem.Disk("delete the picture", err))
			continue
		}
		removed++
		changed[from.dir] = true
	}
	for dir := range changed {
		if err := fileio.SyncFolder(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = cmp.Or[error](failed, problem.Disk("delete the pictures", err))
		}
	}
	return removed, failed
}

// formerFolder returns the folder of a picture that was saved with another configuration. Only files whose provenance
// is confab's are deleted there.
func (f *Files) formerFolder(path string) (folder, error) {
	if _, err := f.host.Root.Confine(path); err != nil {
		return folder{}, err
	}
	former := folder{dir: filepath.Dir(path)}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return former, nil
	}
	if p, ok := former.provenance(filepath.Base(path)); ok && p.File == filepath.Base(path) {
		return former, nil
	}
	return folder{}, problem.New(api.CodeDisk, nil,
		"the file %s was left, because it lies outside the picture folder and no "+
			"facts beside it show that confab saved it; delete it by hand", path)
}

// locate returns the current location of a picture: its path, or, if that is missing or forbidden, its name in the
// picture folder, which may have been moved or belong to another host. With a bucket the file may be only there, see
// [Files.Local].
func (f *Files) locate(path string) string {
	if f.o.Folder == "" || history.IsSharedPicture(path) {
		return path
	}
	if _, err := f.host.Root.Confine(path); err == nil {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
	moved := filepath.Join(f.o.Folder, filepath.Base(path))
	if f.o.Bucket != nil && isPictureName(moved) {
		return moved
	}
	if info, err := os.Lstat(moved); err != nil || !info.Mode().IsRegular() {
		return path
	}
	return moved
}

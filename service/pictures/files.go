package pictures

import (
	"cmp"
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
	"confab/internal/fileio"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/export"
	"confab/service/localfile"
	"confab/service/problem"
)

// maxPicture is how many bytes are read of a picture as received.
const maxPicture = 64 << 20

// maxTextAdded is how many bytes a saved picture may be larger than the received one.
const maxTextAdded = 1 << 20

// sweepAge is the age from which files can be orphans. A process may be writing younger ones.
const sweepAge = time.Minute

// errNoPicture is the cause when an answer without a picture is asked for one.
var errNoPicture = errors.New("the answer has no picture")

// Options say where pictures are kept and how others reach them. The zero value keeps them in a temporary folder.
type Options struct {
	Folder       string // of the pictures; empty = a temporary one
	NameTemplate string // of files; empty = [fileio.DefaultNameTemplate]
	// Bucket gets what is saved in Folder, which then holds what was not uploaded yet and copies of at most CacheBytes;
	// nil = pictures stay in Folder.
	Bucket     Bucket
	CacheBytes int64
	// OtherCopies returns the copies of other users of this host, which CacheBytes bounds with those in Folder; nil =
	// there are none.
	OtherCopies func() []Copies
	// SharedBucket returns the part of the bucket with the pictures of another user; nil = they cannot be read.
	SharedBucket func(owner string) Bucket
	Publisher    Publisher // of sources, for a remote service; nil = none
}

// Host is what [Files] need of the program around them. All but Mask and Root are required.
type Host struct {
	History func(ctx context.Context) (history.Store, error) // its errors are for people
	// Answer returns an answer as it is shown, which the history may not hold yet.
	Answer func(ctx context.Context, id int64) (history.Answer, error)
	// Unsaved returns a picture that is in memory only, by its path.
	Unsaved func(path string) (image []byte, ok bool)
	// IsEmbedded reports whether the service that answers runs in this process.
	IsEmbedded func(ctx context.Context) bool
	Root       localfile.Root // that the paths of users must lie in
	Process    localfile.Process
	Mask       *redact.Masker // nil masks nothing
	Log        *slog.Logger
	Now        func() time.Time
}

// Files are the picture files of a history: saved with their provenance, read, compared with the history, deleted, and
// published as the sources of edits. They are safe for concurrent use.
type Files struct {
	o    Options
	host Host

	uploading sync.Mutex // held by Upload
	mu        sync.Mutex
	tempDir   string          // the folder, when it is temporary; empty until first needed
	announced map[string]bool // paths whose [Files.PublishPlan] was asked for
}

// NewFiles returns the picture files of a history. It creates nothing.
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

// folder returns the picture folder.
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

// Save writes the picture of an answer and its provenance, and returns the path. The turn and the answer have the ids
// under which the history on disk holds them, or none.
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

// Remove deletes pictures that no answer names any more, with their provenance, and returns how many. When it returns
// they stay deleted after a power cut. The error is the first; the other files are deleted in spite of it.
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
			continue // a copy of a session names it, and it stays its owner's
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
			continue // the file was deleted before, and its name given to another picture
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

// formerFolder returns the folder of a picture that was saved when another one was configured. Only files are deleted
// there whose provenance shows that confab saved them.
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

// locate returns where a picture is now: at its path, or, when it is not there or may not be read there, under its
// name in the picture folder, which may have been moved or be that of another host. With a bucket the file may be there
// only, see [Files.Local].
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

// Read returns the bytes of a picture, at most 64 MiB and the text that was added. It knows the paths of pictures that
// could not be saved yet.
func (f *Files) Read(ctx context.Context, path string) ([]byte, error) {
	if b, ok := f.host.Unsaved(path); ok {
		return b, nil
	}
	switch {
	case history.IsUnsavedPicture(path):
		return nil, problem.Usage("the picture is no longer in memory")
	case history.IsSharedPicture(path):
		return f.readShared(ctx, path)
	}
	name := filepath.Base(path)
	path, err := f.host.Root.Confine(f.locate(path))
	if err != nil {
		return nil, err
	}
	var b []byte
	for range 2 { // what another user looks at may push out a copy before it is read
		if path, err = f.Local(ctx, path); err != nil {
			return nil, err
		}
		if b, err = fileio.Read(path, maxPicture+maxTextAdded); !errors.Is(err, fs.ErrNotExist) || f.o.Bucket == nil {
			break
		}
	}
	var kind *fileio.FileTypeError
	switch {
	case errors.As(err, &kind):
		return nil, problem.Usage("what was chosen, %s, %s", name, kind)
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.New(api.CodeUsage, err, "there is no picture %s; it may have been moved or deleted", name)
	case errors.Is(err, fileio.ErrTooLarge):
		return nil, problem.New(api.CodeTooLarge, err, "the picture %s is larger than 64 MiB", name)
	case err != nil:
		return nil, problem.Disk("read the picture "+name, err)
	}
	return b, nil
}

// CleanCopy returns the picture of an answer byte for byte as the service sent it, without the text that confab put
// into the file for other tools; a key that the service quoted in it stays out.
func (f *Files) CleanCopy(ctx context.Context, answer int64) ([]byte, error) {
	a, err := f.host.Answer(ctx, answer)
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
	if a.IsMasked {
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

// ReadPicture is [Files.Read] of the picture of an answer. A file of that name that is not that picture is refused:
// another host may have written it, or a person changed it.
func (f *Files) ReadPicture(ctx context.Context, p history.Picture) ([]byte, error) {
	b, err := f.Read(ctx, p.Path)
	if err != nil || p.SHA256 == "" || SHA256(CleanCopy(b)) == p.SHA256 || SHA256(b) == p.SHA256 {
		return b, err
	}
	// Of a picture that quoted the key, the sum is of what is not kept; the file beside it has both.
	beside, _ := folder{dir: filepath.Dir(f.locate(p.Path))}.provenance(filepath.Base(p.Path))
	if beside.IsMasked && beside.SHA256Received == p.SHA256 && beside.SHA256File == SHA256(b) {
		return b, nil
	}
	return nil, problem.New(api.CodeBadImage, nil, "the file %s is not the picture of this answer; it was changed "+
		"after it was saved, or another machine saved it", filepath.Base(p.Path))
}

// SHA256 returns the sha256 in hexadecimal.
func SHA256(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// readShared returns the picture of an answer that another user shares, from that one's folder of the bucket.
func (f *Files) readShared(ctx context.Context, path string) ([]byte, error) {
	owner, answer, original, ok := history.SharedPicture(path)
	switch {
	case !ok:
		return nil, problem.Usage("there is no picture %s", path)
	case answer == 0:
		return nil, problem.Usage("the picture %s is a file of %s and not shared", filepath.Base(original), owner)
	case f.o.SharedBucket == nil:
		return nil, problem.Usage("the picture is on a machine of %s; pictures of others are shown where they are in "+
			"a bucket (pictures.url)", owner)
	}
	if _, err := f.host.Answer(ctx, answer); err != nil {
		if api.CodeOf(err) == api.CodeUsage {
			return nil, problem.New(api.CodeUsage, err, "%s does not share the picture any more", owner)
		}
		return nil, err
	}
	b, err := f.o.SharedBucket(owner).Get(ctx, filepath.Base(original), maxPicture+maxTextAdded)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(api.CodeUsage, err, "the picture of %s is not in the bucket", owner)
	}
	if err != nil {
		return nil, bucketProblem("fetch the picture of "+owner, err)
	}
	return b, nil
}

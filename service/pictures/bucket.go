package pictures

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/fileio"
	"confab/service/api"
	"confab/service/problem"
)

// Bucket is object storage for pictures and their provenance under the names of the folder. A missing object is
// [fs.ErrNotExist].
type Bucket interface {
	// Put writes an object once. If it exists, the same content is no error and other content is [fs.ErrExist].
	Put(ctx context.Context, name string, content []byte) error
	// Get returns an object of at most limit bytes and verifies its content.
	Get(ctx context.Context, name string, limit int64) ([]byte, error)
	// Remove deletes an object. A missing one is no error.
	Remove(ctx context.Context, name string) error
	// List yields the objects in a folder, "" or a name that ends with a slash, without those of subfolders.
	List(ctx context.Context, folder string) iter.Seq2[Object, error]
	// Link returns a URL from which anyone can fetch the object until it expires.
	Link(ctx context.Context, name string, expiry time.Duration) (string, error)
	// Address returns the address of an object, or of the bucket for "", for people.
	Address(name string) string
}

// Object is an object of a [Bucket].
type Object struct {
	Name     string
	Bytes    int64
	Modified time.Time
}

// Upload uploads the pictures of the folder that the history knows, with their provenance. It returns how many remain
// because of the error. It writes no object twice; the next call continues after the process was killed.
func (f *Files) Upload(ctx context.Context) (left int, failed error) {
	if f.o.Bucket == nil {
		return 0, nil
	}
	f.uploading.Lock()
	defer f.uploading.Unlock()
	folder, err := f.folder()
	if err != nil {
		return 0, err
	}
	db, err := f.host.History(ctx)
	if err != nil {
		return 0, err
	}
	found, err := folder.list(f.host.Now())
	if err != nil {
		return 0, problem.Disk("look into the picture folder", err)
	}
	named, err := namesInHistory(ctx, db)
	if err != nil {
		return 0, err
	}
	for _, name := range found.pictures {
		if f.isCopy(folder, name) {
			continue
		}
		p, _ := folder.provenance(name)
		a, ok := answerOf(ctx, db, p)
		isOfAnswer := ok && a.Picture != nil && filepath.Base(a.Picture.Path) == name
		if p.File != name || !isOfAnswer && !(p.IsAttached && named[name]) {
			continue // not in the history yet, or a person's file
		}
		err := f.upload(ctx, folder, name, p.IsAttached)
		if errors.Is(err, fs.ErrExist) { // another host used the name for another picture
			err = f.uploadRenamed(ctx, db, folder, p)
		}
		if ctx.Err() != nil {
			return left + 1, context.Cause(ctx)
		}
		if err != nil {
			left++
			failed = cmp.Or(failed, bucketProblem("upload the picture "+name, err))
		}
	}
	f.removeOldCopies(folder)
	return left, failed
}

// namesInHistory returns the names of all files that the history names.
func namesInHistory(ctx context.Context, db history.Store) (map[string]bool, error) {
	paths, err := db.PicturePaths(ctx)
	if err != nil {
		return nil, problem.Store(err)
	}
	names := map[string]bool{}
	for path := range paths {
		names[filepath.Base(path)] = true
	}
	return names, nil
}

// upload uploads the provenance before the picture, so that every picture has one. Where the name tells the content,
// what has that name already is the same.
func (f *Files) upload(ctx context.Context, folder folder, name string, tellsContent bool) error {
	for _, n := range []string{provenanceName(name), name} {
		b, err := folder.read(n, MaxBytes+maxTextAdded)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the picture was deleted
		}
		if err != nil {
			return err
		}
		err = f.o.Bucket.Put(ctx, n, b)
		if err != nil && !(tellsContent && errors.Is(err, fs.ErrExist)) {
			return err
		}
	}
	return f.mark(folder, name)
}

// uploadRenamed renames a picture to a free name in the folder and the history, and uploads it.
func (f *Files) uploadRenamed(ctx context.Context, db history.Store, folder folder, p provenance) error {
	a, err := db.Answer(ctx, p.Answer)
	if err != nil {
		return err
	}
	former, ext := p.File, filepath.Ext(p.File)
	p.File = strings.TrimSuffix(former, ext) + p.suffix() + ext
	image, err := folder.read(former, MaxBytes+maxTextAdded)
	if err != nil {
		return err
	}
	path := filepath.Join(folder.dir, p.File)
	err = savedPicture{path: path, bytes: p.BytesFile, sha256: p.SHA256File, hasAddedText: p.HasAddedText}.
		write(image, p.encode)
	if err != nil && !errors.Is(err, fs.ErrExist) { // it exists after a crash
		return problem.Disk("rename the picture "+former, err)
	}
	for h, err := range pictureHits(ctx, db) { // forks show the picture too
		x := h.Answer
		if err == nil && x.Picture.Path == a.Picture.Path && x.Picture.SHA256 == a.Picture.SHA256 {
			picture := *x.Picture
			picture.Path, x.Picture, x.Version = path, &picture, x.Version+1
			err = db.SaveAnswer(ctx, x)
		}
		if err != nil {
			return problem.Store(err)
		}
	}
	if err := folder.remove(filepath.Join(folder.dir, former)); err != nil {
		return problem.Disk("rename the picture "+former, err)
	}
	return f.upload(ctx, folder, p.File, false)
}

// Local returns the path of a picture's file on this machine. It fetches a picture that is only in the bucket.
func (f *Files) Local(ctx context.Context, path string) (string, error) {
	if owner, _, _, ok := history.SharedPicture(path); ok {
		return "", problem.Usage("the picture belongs to %s; write it to a file to have one of your own", owner)
	}
	path = f.locate(path)
	if f.o.Bucket == nil {
		return path, nil
	}
	folder, err := f.folder()
	if err != nil {
		return "", err
	}
	name, now := filepath.Base(path), f.host.Now()
	if filepath.Dir(path) != folder.dir || !isPictureName(name) {
		return path, nil
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		_ = os.Chtimes(f.marker(folder, name), now, now) // fails before the upload
		return path, nil
	}
	if err := f.fetch(ctx, folder, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", bucketProblem("fetch the picture "+name, err)
	}
	return path, nil
}

// fetch copies a picture and its provenance from the bucket to the folder.
func (f *Files) fetch(ctx context.Context, folder folder, name string) error {
	image, err := f.o.Bucket.Get(ctx, name, MaxBytes+maxTextAdded)
	if err != nil {
		return err
	}
	description, err := f.o.Bucket.Get(ctx, provenanceName(name), maxProvenance)
	if err != nil {
		return err
	}
	if err := f.mark(folder, name); err != nil {
		return problem.Disk("keep a copy of the picture", err)
	}
	for _, file := range []struct {
		name    string
		content []byte
	}{{provenanceName(name), description}, {name, image}} {
		err := writeNew(filepath.Join(folder.dir, file.name), file.content)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return problem.Disk("keep a copy of the picture", err)
		}
	}
	f.removeOldCopies(folder)
	return nil
}

// provenance returns the provenance of a picture from the folder or the bucket.
func (f *Files) provenance(ctx context.Context, from folder, name string) (p provenance, ok bool, err error) {
	if p, ok = from.provenance(name); ok || f.o.Bucket == nil {
		return p, ok, nil
	}
	b, err := f.o.Bucket.Get(ctx, provenanceName(name), maxProvenance)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fileio.ErrTooLarge) {
		return p, false, nil
	}
	if err != nil {
		return p, false, bucketProblem("read the facts of the picture", err)
	}
	p, ok = decodeProvenance(b)
	return p, ok, nil
}

// removeStored deletes a picture, then its provenance, from the bucket, and its marker.
func (f *Files) removeStored(ctx context.Context, folder folder, name string) error {
	if f.o.Bucket == nil {
		return nil
	}
	for _, n := range slices.Compact([]string{name, provenanceName(name)}) {
		if err := f.o.Bucket.Remove(ctx, n); err != nil {
			return bucketProblem("delete "+n, err)
		}
	}
	if err := os.Remove(f.marker(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem.Disk("delete the marker of the picture", err)
	}
	return nil
}

// bucketProblem returns an error of the bucket for people.
func bucketProblem(step string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return problem.New(api.CodeStore, err, "could not %s: the bucket holds another file of that name", step)
	}
	if api.CodeOf(err) != "" {
		return err
	}
	return problem.New(api.CodeStore, err, "could not %s, the log says more", step)
}

package pictures

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
)

// Place stores pictures and their provenance by name: a [Bucket] or a [Folder].
type Place interface {
	Put(ctx context.Context, name string, content []byte) error
	Get(ctx context.Context, name string, limit int64) ([]byte, error)
}

// Folder is a [Place] in a folder, which it creates when necessary.
type Folder string

// Put implements [Place].
func (f Folder) Put(_ context.Context, name string, content []byte) error {
	step := "write into the folder " + termtext.Line(string(f))
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return problem.Disk(step, err)
	}
	err := writeNew(filepath.Join(string(f), name), content)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return problem.Disk(step, err)
	}
	there, err := folder{dir: string(f)}.read(name, MaxBytes+maxTextAdded)
	if err == nil && !bytes.Equal(there, content) {
		err = fs.ErrExist
	}
	return err
}

// Get implements [Place].
func (f Folder) Get(_ context.Context, name string, limit int64) ([]byte, error) {
	return folder{dir: string(f)}.read(name, limit)
}

// CopyReport is the result of [Files.CopyTo].
type CopyReport struct {
	Files   int // pictures and files of provenance
	Bytes   int64
	SHA256  string   // of the files: the exclusive or of the hashes of their contents
	Missing []string // pictures whose file does not exist
	Damaged []string // pictures that were changed since they were saved; the rest was copied
	Refused []string // files not copied because the target has another file of the name
}

// CopyTo copies the pictures of the history with their provenance to another place: those of answers and the sources
// of edits, including deleted entries that can be restored. It reads every copy again. It skips existing files and
// never replaces one. The originals are not changed.
func (f *Files) CopyTo(ctx context.Context, to Place, progress func(done, total int)) (r CopyReport, err error) {
	db, err := f.host.History(ctx)
	if err != nil {
		return r, err
	}
	paths, err := db.PicturePaths(ctx)
	if err != nil {
		return r, problem.Store(err)
	}
	var own []string
	for path, isOwn := range paths {
		if isOwn && !history.IsUnsavedPicture(path) && !history.IsSharedPicture(path) {
			own = append(own, path)
		}
	}
	slices.Sort(own)
	sum := make([]byte, sha256.Size)
	for i, path := range own {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		if err := f.copyPicture(ctx, path, to, &r, sum); err != nil {
			return r, err
		}
		progress(i+1, len(own))
	}
	r.SHA256 = hex.EncodeToString(sum)
	return r, nil
}

// copyPicture copies the provenance before the picture, so that every picture has one.
func (f *Files) copyPicture(ctx context.Context, path string, to Place, r *CopyReport, sum []byte) error {
	path = f.locate(path)
	name, from := filepath.Base(path), folder{dir: filepath.Dir(path)}
	image, err := f.original(ctx, from, name, MaxBytes+maxTextAdded)
	if errors.Is(err, fs.ErrNotExist) {
		r.Missing = append(r.Missing, name)
		return nil
	}
	if api.CodeOf(err) == api.CodeBadImage { // the content in the bucket was changed
		r.Damaged = append(r.Damaged, name)
		return nil
	}
	if err != nil {
		return problem.Disk("read the picture "+name, err)
	}
	contents := map[string][]byte{name: image}
	description, err := f.original(ctx, from, provenanceName(name), maxProvenance)
	if err == nil {
		contents[provenanceName(name)] = description
	} else if !errors.Is(err, fs.ErrNotExist) {
		return problem.Disk("read the facts of the picture "+name, err)
	}
	if p, ok := decodeProvenance(description); !ok || p.SHA256File != SHA256(image) {
		r.Damaged = append(r.Damaged, name)
	}
	for _, n := range []string{provenanceName(name), name} {
		content, ok := contents[n]
		if !ok {
			continue
		}
		err := to.Put(ctx, n, content)
		if errors.Is(err, fs.ErrExist) {
			r.Refused = append(r.Refused, n)
			continue
		}
		if err == nil {
			var copied []byte
			if copied, err = to.Get(ctx, n, int64(len(content))); err == nil && !bytes.Equal(copied, content) {
				err = errors.New("what was written is read as something else")
			}
		}
		if err != nil {
			return problem.Disk("copy "+n, err)
		}
		r.Files++
		r.Bytes += int64(len(content))
		hash := sha256.Sum256(content)
		subtle.XORBytes(sum, sum, hash[:])
	}
	return nil
}

// original reads a file from the folder, or else from the bucket.
func (f *Files) original(ctx context.Context, from folder, name string, limit int64) ([]byte, error) {
	b, err := from.read(name, limit)
	if errors.Is(err, fs.ErrNotExist) && f.o.Bucket != nil {
		return f.o.Bucket.Get(ctx, name, limit)
	}
	return b, err
}

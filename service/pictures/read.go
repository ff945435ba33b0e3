package pictures

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"

	"confab/history"
	"confab/internal/fileio"
	"confab/service/api"
	"confab/service/problem"
)

// Read returns the bytes of a picture, at most 64 MiB plus the added text. It accepts paths of unsaved pictures.
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
	for range 2 { // use by another user may evict a copy before it is read
		if path, err = f.Local(ctx, path); err != nil {
			return nil, err
		}
		if b, err = fileio.Read(path, MaxBytes+maxTextAdded); !errors.Is(err, fs.ErrNotExist) || f.o.Bucket == nil {
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

// CleanCopy returns the picture of an answer as received, without the text that confab added to the file. A quoted
// key stays masked.
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

// ReadPicture is [Files.Read] for the picture of an answer. It refuses a file with other content, which another host
// may have written or a person changed.
func (f *Files) ReadPicture(ctx context.Context, p history.Picture) ([]byte, error) {
	b, err := f.Read(ctx, p.Path)
	if err != nil || p.SHA256 == "" || SHA256(CleanCopy(b)) == p.SHA256 || SHA256(b) == p.SHA256 ||
		f.isMasked(ctx, p, b) {
		return b, err
	}
	return nil, problem.New(api.CodeBadImage, nil, "the file %s is not the picture of this answer; it was changed "+
		"after it was saved, or another machine saved it", filepath.Base(p.Path))
}

// isMasked reports whether b is a picture without the key that the service quoted in it: the sum is of the bytes with
// the key. The provenance has the sum of the file, and what is in memory has no file.
func (f *Files) isMasked(ctx context.Context, p history.Picture, b []byte) bool {
	if history.IsUnsavedPicture(p.Path) {
		return true
	}
	if _, answer, _, ok := history.SharedPicture(p.Path); ok {
		a, err := f.host.Answer(ctx, answer)
		return err == nil && a.IsMasked
	}
	path := f.locate(p.Path)
	facts, _ := folder{dir: filepath.Dir(path)}.provenance(filepath.Base(path))
	return facts.IsMasked && facts.SHA256Received == p.SHA256 && facts.SHA256File == SHA256(b)
}

// SHA256 returns a hash in hexadecimal.
func SHA256(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// readShared returns the picture of an answer that another user shares, from the user's part of the bucket.
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
	b, err := f.o.SharedBucket(owner).Get(ctx, filepath.Base(original), MaxBytes+maxTextAdded)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(api.CodeUsage, err, "the picture of %s is not in the bucket", owner)
	}
	if err != nil {
		return nil, bucketProblem("fetch the picture of "+owner, err)
	}
	return b, nil
}

package pictures

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"confab/service/api"
	"confab/service/problem"
)

// Remove deletes pictures that no answer names any more, with their provenance, and returns how many. When it returns
// they stay deleted after a power cut. The error is the first; the other files are deleted in spite of it.
func (f *Files) Remove(ctx context.Context, paths []string) (removed int, failed error) {
	if len(paths) == 0 {
		return 0, nil
	}
	db, err := f.o.History(ctx)
	if err != nil {
		return 0, err
	}
	current, err := f.folder()
	if err != nil {
		return 0, err
	}
	fail := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	touched := map[string]*Store{}
	for _, path := range paths {
		if ctx.Err() != nil {
			fail(context.Cause(ctx))
			break
		}
		path = f.locate(path)
		store := current
		if filepath.Dir(path) != current.Dir() {
			if store, err = f.formerFolder(path); err != nil {
				fail(err)
				continue
			}
		}
		if _, _, used := describedAnswer(ctx, db, store, filepath.Base(path)); used {
			continue // the file was deleted before, and its name given to another picture
		}
		if err := store.Remove(path); err != nil {
			fail(problem.Disk("delete the picture", err))
			continue
		}
		removed++
		touched[store.Dir()] = store
	}
	for _, store := range touched {
		if err := store.Settle(); err != nil {
			fail(problem.Disk("delete the pictures", err))
		}
	}
	return removed, failed
}

// formerFolder returns the store of a picture that was saved when another folder was configured. Only files are deleted
// there whose provenance shows that confab saved them.
func (f *Files) formerFolder(path string) (*Store, error) {
	if _, err := f.o.Root.Confine(path); err != nil {
		return nil, err
	}
	store, name := NewStore(filepath.Dir(path), StoreOptions{}), filepath.Base(path)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return store, nil
	}
	if b, err := store.Facts(name); err == nil {
		if p, ok := decodeProvenance(b); ok && p.File == name {
			return store, nil
		}
	}
	return nil, problem.New(api.CodeDisk, nil,
		"the file %s was left, because it lies outside the picture folder and no "+
			"facts beside it show that confab saved it; delete it by hand", path)
}

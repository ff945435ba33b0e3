package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"confab/history"
	"confab/service/pictures"
)

// Leftovers is where the picture folder and the history disagree.
type Leftovers struct {
	Temporary []string             // files that dead processes left half written
	Facts     []string             // files of facts without a picture, of answers that are gone
	Pictures  []string             // pictures that confab saved, with their facts beside them, of answers that are gone
	Foreign   []string             // other files of pictures or facts: a person's own, or changed since
	Missing   []history.PictureHit // pictures of the history whose file is gone
	Bytes     int64                // of Temporary, Facts and Pictures
}

// Swept is what [Service.Sweep] deleted.
type Swept struct {
	Files int
	Bytes int64
}

// Leftovers compares the picture folder with the history. It changes nothing.
// What is younger than a minute is not looked at: a process may be at it.
func (s *Service) Leftovers(ctx context.Context) (Leftovers, error) {
	var l Leftovers
	store, err := s.history(ctx)
	if err != nil {
		return l, err
	}
	pictureStore, err := s.pictureStore(ctx)
	if err != nil {
		return l, err
	}
	found, err := pictureStore.List(sweepAge)
	if err != nil {
		return l, diskProblem("look into the picture folder", err)
	}
	paths, err := store.PicturePaths(ctx)
	if err != nil {
		return l, problemOf(err)
	}
	// By their names, as the folder may have been moved since.
	known := make(map[string]bool, len(paths))
	for path := range paths {
		known[filepath.Base(path)] = true
	}
	for _, name := range found.Leftover {
		s.leftover(pictureStore, &l.Temporary, &l, name)
	}
	for _, name := range slices.Concat(found.Pictures, found.Widowed) {
		path := filepath.Join(pictureStore.Dir(), name)
		info, err := os.Lstat(path)
		if known[name] || err != nil || s.o.Now().Sub(info.ModTime()) < sweepAge {
			continue
		}
		switch s.whose(ctx, store, pictureStore, name, info) {
		case ofAnAnswer:
		case aPersons:
			l.Foreign = append(l.Foreign, path)
		case nobodys:
			list := &l.Facts
			if filepath.Ext(name) != pictures.ProvenanceExt {
				list = &l.Pictures
				s.leftover(pictureStore, nil, &l, pictures.ProvenanceName(name))
			}
			s.leftover(pictureStore, list, &l, name)
		}
	}
	l.Missing, err = s.missing(ctx, store)
	return l, problemOf(err)
}

// leftover adds a file to the leftovers.
func (s *Service) leftover(pictureStore *pictures.Store, list *[]string, l *Leftovers, name string) {
	path := filepath.Join(pictureStore.Dir(), name)
	if info, err := os.Lstat(path); err == nil {
		l.Bytes += info.Size()
	}
	if list != nil {
		*list = append(*list, path)
	}
}

// owned is whose a file is that the history does not name as a picture.
type owned int

const (
	ofAnAnswer owned = iota // of an answer that runs, whose picture may come back, or that was not to be saved
	aPersons                // nothing shows that confab wrote it as it is
	nobodys                 // confab's, of an answer that is gone
)

// whose tells whose a picture or a file of facts is.
func (s *Service) whose(ctx context.Context, store history.Store, pictureStore *pictures.Store, name string,
	info fs.FileInfo) owned {
	b, err := pictureStore.Facts(name)
	if err != nil {
		return aPersons
	}
	f, ok := decodeFacts(b)
	isFacts := filepath.Ext(name) == pictures.ProvenanceExt
	switch {
	case !ok, isFacts && pictures.ProvenanceName(f.File) != name, !isFacts &&
		(f.File != name || f.BytesFile != info.Size()):
		return aPersons
	}
	if f.Answer == 0 {
		return ofAnAnswer // no history knows it, so none can say that it is gone
	}
	if _, _, ok := s.answerOf(ctx, store, pictureStore, name); ok {
		return ofAnAnswer
	}
	return nobodys
}

// missing returns the pictures of the history whose file is gone.
func (s *Service) missing(ctx context.Context, store history.Store) ([]history.PictureHit, error) {
	const page = 500 // what the store gives at a time
	ids, err := store.PictureIDs(ctx, history.Query{})
	if err != nil {
		return nil, err
	}
	var gone []history.PictureHit
	for some := range slices.Chunk(ids, page) {
		hits, err := store.PicturesOf(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if _, err := os.Lstat(s.locate(h.Answer.Picture.Path)); errors.Is(err, fs.ErrNotExist) {
				gone = append(gone, h)
			}
		}
	}
	return gone, nil
}

// Sweep deletes leftovers of confab's own: temporary files, files of facts, and,
// when the pictures are wanted gone too, those that confab saved and that are
// still as it saved them. What is a person's stays.
func (s *Service) Sweep(ctx context.Context, l Leftovers, alsoPictures bool) (Swept, error) {
	var swept Swept
	pictureStore, err := s.pictureStore(ctx)
	if err != nil {
		return swept, err
	}
	files := slices.Concat(l.Temporary, l.Facts)
	if alsoPictures {
		files = append(files, l.Pictures...)
	}
	var failed error
	for _, path := range files {
		if ctx.Err() != nil {
			return swept, context.Cause(ctx)
		}
		n, size, err := s.sweepFile(pictureStore, filepath.Base(path))
		swept.Files += n
		swept.Bytes += size
		if err != nil {
			failed = cmpError(failed, diskProblem("delete "+filepath.Base(path), err))
		}
	}
	return swept, failed
}

// sweepFile deletes one leftover, of a picture with its facts, unless it was
// changed since confab wrote it.
func (s *Service) sweepFile(pictureStore *pictures.Store, name string) (files int, bytes int64, err error) {
	names := []string{name}
	if ext := filepath.Ext(name); ext == ".png" || ext == ".jpg" {
		names = append(names, pictures.ProvenanceName(name))
		facts, err := pictureStore.Facts(name)
		if err != nil {
			return 0, 0, err
		}
		b, err := pictureStore.Read(name, maxPicture+maxFactsAdded)
		if err != nil {
			return 0, 0, err
		}
		if f, ok := decodeFacts(facts); !ok || f.File != name || f.SHA256File != sha(b) {
			return 0, 0, nil
		}
	}
	for _, n := range names {
		if info, err := os.Lstat(filepath.Join(pictureStore.Dir(), n)); err == nil {
			files++
			bytes += info.Size()
		}
	}
	return files, bytes, pictureStore.Remove(filepath.Join(pictureStore.Dir(), name))
}

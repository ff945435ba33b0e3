package pictures

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"confab/history"
	"confab/service/problem"
)

// OrphanFiles are where the picture folder and the history disagree.
type OrphanFiles struct {
	Temporary  []string             // files that dead processes left half written
	Provenance []string             // files of provenance without a picture, of answers that were deleted
	Pictures   []string             // pictures with their provenance, unchanged, of answers that were deleted
	Foreign    []string             // other pictures and provenance: a user's own, or changed since
	Missing    []history.PictureHit // pictures of the history whose file is gone
	Bytes      int64                // of Temporary, Provenance and Pictures
}

// SweepReport is what [Files.Sweep] deleted.
type SweepReport struct {
	Files int
	Bytes int64
}

// FindOrphans compares the picture folder with the history. It changes nothing, and passes over files that are younger
// than a minute: a process may be writing them.
func (f *Files) FindOrphans(ctx context.Context) (OrphanFiles, error) {
	var orphans OrphanFiles
	db, err := f.o.History(ctx)
	if err != nil {
		return orphans, err
	}
	store, err := f.folder()
	if err != nil {
		return orphans, err
	}
	listing, err := store.List(sweepAge)
	if err != nil {
		return orphans, problem.Disk("look into the picture folder", err)
	}
	known, err := knownNames(ctx, db)
	if err != nil {
		return orphans, err
	}
	add := func(list *[]string, name string) {
		*list = append(*list, filepath.Join(store.Dir(), name))
		orphans.Bytes += store.size(name)
	}
	for _, name := range listing.Leftover {
		add(&orphans.Temporary, name)
	}
	for _, name := range slices.Concat(listing.Pictures, listing.Widowed) {
		path := filepath.Join(store.Dir(), name)
		info, err := os.Lstat(path)
		if known[name] || err != nil || f.o.Now().Sub(info.ModTime()) < sweepAge {
			continue
		}
		switch origin := originOf(ctx, db, store, name, info); {
		case origin == originAnswer:
		case origin == originUser:
			orphans.Foreign = append(orphans.Foreign, path)
		case filepath.Ext(name) == ProvenanceExt:
			add(&orphans.Provenance, name)
		default:
			add(&orphans.Pictures, name)
			orphans.Bytes += store.size(ProvenanceName(name))
		}
	}
	orphans.Missing, err = f.missingPictures(ctx, db)
	return orphans, problem.Store(err)
}

// knownNames returns the file names of all pictures of the history. The folder may have been moved since they were
// saved, so their paths may not hold.
func knownNames(ctx context.Context, db history.Store) (map[string]bool, error) {
	paths, err := db.PicturePaths(ctx)
	if err != nil {
		return nil, problem.Store(err)
	}
	names := make(map[string]bool, len(paths))
	for path := range paths {
		names[filepath.Base(path)] = true
	}
	return names, nil
}

// origin tells where a file comes from that no answer of the history names as its picture.
type origin int

const (
	originAnswer  origin = iota // an answer that runs, that a user may still bring back, or that was not to be saved
	originUser                  // nothing shows that confab wrote it as it is
	originDeleted               // an answer that was deleted
)

// originOf returns the origin of a picture or a file of provenance.
func originOf(ctx context.Context, db history.Store, store *Store, name string, info fs.FileInfo) origin {
	b, err := store.Facts(name)
	if err != nil {
		return originUser
	}
	p, ok := decodeProvenance(b)
	if filepath.Ext(name) == ProvenanceExt {
		ok = ok && ProvenanceName(p.File) == name
	} else {
		ok = ok && p.File == name && p.BytesFile == info.Size()
	}
	if !ok {
		return originUser
	}
	if p.Answer == 0 {
		return originAnswer // no history knows it, so none can tell that it was deleted
	}
	if _, _, ok := describedAnswer(ctx, db, store, name); ok {
		return originAnswer
	}
	return originDeleted
}

// missingPictures returns the pictures of the history whose file is gone.
func (f *Files) missingPictures(ctx context.Context, db history.Store) ([]history.PictureHit, error) {
	const page = 500 // what the store gives at a time
	ids, err := db.PictureIDs(ctx, history.Query{})
	if err != nil {
		return nil, err
	}
	var missing []history.PictureHit
	for some := range slices.Chunk(ids, page) {
		hits, err := db.PicturesOf(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if _, err := os.Lstat(f.locate(h.Answer.Picture.Path)); errors.Is(err, fs.ErrNotExist) {
				missing = append(missing, h)
			}
		}
	}
	return missing, nil
}

// Sweep deletes the orphans that confab wrote: temporary files, files of provenance and, with alsoPictures, pictures
// that are still as confab saved them. Files of users stay.
func (f *Files) Sweep(ctx context.Context, orphans OrphanFiles, alsoPictures bool) (SweepReport, error) {
	var report SweepReport
	store, err := f.folder()
	if err != nil {
		return report, err
	}
	paths := slices.Concat(orphans.Temporary, orphans.Provenance)
	if alsoPictures {
		paths = append(paths, orphans.Pictures...)
	}
	var failed error
	for _, path := range paths {
		if ctx.Err() != nil {
			return report, context.Cause(ctx)
		}
		name := filepath.Base(path)
		unchanged, err := store.isUnchanged(name)
		if err == nil && unchanged {
			names := []string{name}
			if isPictureName(name) {
				names = append(names, ProvenanceName(name))
			}
			for _, n := range names {
				if info, err := os.Lstat(filepath.Join(store.Dir(), n)); err == nil {
					report.Files++
					report.Bytes += info.Size()
				}
			}
			err = store.Remove(path)
		}
		if err != nil && failed == nil {
			failed = problem.Disk("delete "+name, err)
		}
	}
	return report, failed
}

// isUnchanged reports whether a picture is still as its provenance says; other files always are.
func (s *Store) isUnchanged(name string) (bool, error) {
	if !isPictureName(name) {
		return true, nil
	}
	described, err := s.Facts(name)
	if err != nil {
		return false, err
	}
	b, err := s.Read(name, maxPicture+maxTextAdded)
	if err != nil {
		return false, err
	}
	p, ok := decodeProvenance(described)
	return ok && p.File == name && p.SHA256File == SHA256(b), nil
}

// size returns the bytes of a file of the folder; zero when it is not there.
func (s *Store) size(name string) int64 {
	info, err := os.Lstat(filepath.Join(s.dir, name))
	if err != nil {
		return 0
	}
	return info.Size()
}

func isPictureName(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".png" || ext == ".jpg"
}

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

	"confab/history"
	"confab/service/problem"
)

// OrphanFiles are the differences between the picture folder and the history.
type OrphanFiles struct {
	Temporary  []string             // partial files of ended processes
	Provenance []string             // provenance without a picture, of deleted answers
	Pictures   []string             // unchanged pictures with provenance, of deleted answers
	Foreign    []string             // other pictures and provenance: a user's own or changed ones
	Missing    []history.PictureHit // pictures of the history without a file
	Bytes      int64                // of Temporary, Provenance and Pictures
}

// Recovery is the result of [Files.Recover].
type Recovery struct {
	Adopted int      // answers of ended processes whose picture had been saved, now done
	Removed int      // removed partial files of ended processes
	Orphans []string // paths of pictures unknown to the history; kept
}

// SweepReport is the result of [Files.Sweep].
type SweepReport struct {
	Files int
	Bytes int64
}

// comparison is the picture folder and the history to compare.
type comparison struct {
	folder
	listing
	db    history.Store
	known map[string]bool // names of the history's pictures; the folder may have been moved
}

func (f *Files) compare(ctx context.Context) (comparison, error) {
	var c comparison
	var err error
	if c.db, err = f.host.History(ctx); err != nil {
		return c, err
	}
	if c.folder, err = f.folder(); err != nil {
		return c, err
	}
	if c.listing, err = c.list(f.host.Now()); err != nil {
		return c, problem.Disk("look into the picture folder", err)
	}
	paths, err := c.db.PicturePaths(ctx)
	if err != nil {
		return c, problem.Store(err)
	}
	c.known = make(map[string]bool, len(paths))
	for path := range paths {
		c.known[filepath.Base(path)] = true
	}
	return c, nil
}

func (c comparison) path(name string) string { return filepath.Join(c.dir, name) }

// size returns the size of a file in the folder; zero if missing.
func (c comparison) size(name string) int64 {
	info, err := os.Lstat(c.path(name))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Recover cleans the picture folder after killed processes: it removes their temporary files, completes their
// interrupted answers from saved pictures, and removes provenance without a picture.
func (f *Files) Recover(ctx context.Context) (Recovery, error) {
	var r Recovery
	c, err := f.compare(ctx)
	if err != nil {
		return r, err
	}
	for _, name := range c.temporary {
		if c.remove(c.path(name)) == nil {
			r.Removed++
		}
	}
	for _, name := range c.pictures {
		if c.known[name] {
			continue
		}
		p, _ := c.provenance(name)
		if isCopy, isRemoved := c.removeUnsent(name, p, f.host.Now()); isCopy {
			if isRemoved {
				r.Removed++
			}
			continue
		}
		a, ok := answerOf(ctx, c.db, p)
		switch {
		case ok && !a.State.HasEnded(): // it is running in another process
		case ok && a.State == history.Interrupted && a.Picture == nil && p.File == name && f.adopt(ctx, c, p, a):
			r.Adopted++
		case !ok && p.File == name && f.isCopy(c.folder, name) && f.copies(c.folder).remove(name) == nil:
			r.Removed++ // another machine deleted the picture
		default:
			r.Orphans = append(r.Orphans, c.path(name))
		}
	}
	for _, name := range c.loneProvenance {
		// The process ended between writing the provenance and the picture.
		p, _ := c.provenance(name)
		a, ok := answerOf(ctx, c.db, p)
		if ok && a.State == history.Interrupted && a.Picture == nil && c.remove(c.path(name)) == nil {
			r.Removed++
		}
	}
	return r, nil
}

// adopt completes an interrupted answer whose picture was saved before its process ended.
func (f *Files) adopt(ctx context.Context, c comparison, p provenance, a history.Answer) bool {
	if unchanged, err := c.isUnchanged(p.File); err != nil || !unchanged {
		return false
	}
	p.restore(&a, c.path(p.File))
	if err := c.db.SaveAnswer(ctx, a); err != nil {
		f.host.Log.Warn("Could not complete an answer from its picture", "answer", a.ID, "error", err)
		return false
	}
	return true
}

// answerOf returns the answer of a picture's provenance. Its queue time distinguishes it from an answer of another
// history with the same ids.
func answerOf(ctx context.Context, db history.Store, p provenance) (history.Answer, bool) {
	if p.Answer == 0 {
		return history.Answer{}, false
	}
	a, err := db.Answer(ctx, p.Answer)
	return a, err == nil && a.Turn == p.Turn && a.Model == p.Model && a.Sample == p.Sample &&
		a.Queued.UnixMilli() == p.Asked.UnixMilli()
}

// FindOrphans compares the picture folder and the bucket with the history. It changes nothing. It ignores pictures
// and provenance younger than a minute and temporary files younger than an hour, which a process may be writing.
func (f *Files) FindOrphans(ctx context.Context) (OrphanFiles, error) {
	var orphans OrphanFiles
	c, err := f.compare(ctx)
	if err != nil {
		return orphans, err
	}
	for _, name := range c.temporary {
		orphans.Temporary = append(orphans.Temporary, c.path(name))
		orphans.Bytes += c.size(name)
	}
	for _, name := range slices.Concat(c.pictures, c.loneProvenance) {
		info, err := os.Lstat(c.path(name))
		if c.known[name] || err != nil || f.host.Now().Sub(info.ModTime()) < sweepAge {
			continue
		}
		p, ok := c.provenance(name)
		orphans.add(c.originOf(ctx, name, info.Size(), p, ok), c.path(name),
			info.Size()+c.size(provenanceName(name)))
	}
	stored, err := f.findStoredOrphans(ctx, c, &orphans)
	if err != nil {
		return orphans, err
	}
	orphans.Missing, err = f.missingPictures(ctx, c.db, stored)
	return orphans, problem.Store(err)
}

// add adds a picture or provenance file that no answer names.
func (o *OrphanFiles) add(from origin, path string, bytes int64) {
	switch {
	case from == originAnswer:
		return
	case from == originUser:
		o.Foreign = append(o.Foreign, path)
		return
	case filepath.Ext(path) == provenanceExt:
		o.Provenance = append(o.Provenance, path)
	default:
		o.Pictures = append(o.Pictures, path)
	}
	o.Bytes += bytes
}

// origin is the origin of a file that no answer of the history names as its picture.
type origin int

const (
	originAnswer  origin = iota // an answer that is running, restorable or not to be saved
	originUser                  // not provably written by confab
	originDeleted               // a deleted answer
)

// originOf returns the origin of a picture or provenance file with a size and its provenance.
func (c comparison) originOf(ctx context.Context, name string, size int64, p provenance, ok bool) origin {
	if filepath.Ext(name) == provenanceExt {
		ok = ok && provenanceName(p.File) == name
	} else {
		ok = ok && p.File == name && p.BytesFile == size
	}
	if !ok {
		return originUser
	}
	if p.Answer == 0 {
		return originAnswer // no history has it, so none can tell that it was deleted
	}
	if _, ok := answerOf(ctx, c.db, p); ok {
		return originAnswer
	}
	return originDeleted
}

// missingPictures returns the pictures of the history without a file, here or in the bucket.
func (f *Files) missingPictures(ctx context.Context, db history.Store, stored map[string]bool) ([]history.PictureHit,
	error) {
	var missing []history.PictureHit
	for h, err := range pictureHits(ctx, db) {
		if err != nil {
			return nil, err
		}
		path := f.locate(h.Answer.Picture.Path)
		if history.IsSharedPicture(path) {
			continue
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && !stored[filepath.Base(path)] {
			missing = append(missing, h)
		}
	}
	return missing, nil
}

// pictureHits yields the pictures of the history until the first error.
func pictureHits(ctx context.Context, db history.Store) iter.Seq2[history.PictureHit, error] {
	const page = 500 // page size of the store
	return func(yield func(history.PictureHit, error) bool) {
		ids, err := db.PictureIDs(ctx, history.Query{})
		for some := range slices.Chunk(ids, page) {
			var hits []history.PictureHit
			if hits, err = db.PicturesOf(ctx, some); err != nil {
				break
			}
			for _, h := range hits {
				if !yield(h, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(history.PictureHit{}, err)
		}
	}
}

// Sweep deletes the orphans that confab wrote: temporary files, provenance and, with includesPictures, unchanged
// pictures. It keeps files of users.
func (f *Files) Sweep(ctx context.Context, orphans OrphanFiles, includesPictures bool) (SweepReport, error) {
	var report SweepReport
	folder, err := f.folder()
	if err != nil {
		return report, err
	}
	c := comparison{folder: folder}
	paths := slices.Concat(orphans.Temporary, orphans.Provenance)
	if includesPictures {
		paths = append(paths, orphans.Pictures...)
	}
	var failed error
	for _, path := range paths {
		if ctx.Err() != nil {
			return report, context.Cause(ctx)
		}
		name := filepath.Base(path)
		if stored, ok := f.storedName(path); ok {
			if err := f.sweepStored(ctx, folder, stored, &report); err != nil {
				failed = cmp.Or(failed, bucketProblem("delete "+name, err))
			}
			continue
		}
		unchanged, err := c.isUnchanged(name)
		if err == nil && unchanged {
			for _, n := range slices.Compact([]string{name, provenanceName(name)}) {
				if info, err := os.Lstat(c.path(n)); err == nil {
					report.Files++
					report.Bytes += info.Size()
				}
			}
			err = c.remove(path)
		}
		if err != nil && failed == nil {
			failed = problem.Disk("delete "+name, err)
		}
	}
	return report, failed
}

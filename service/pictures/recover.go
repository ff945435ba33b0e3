package pictures

import (
	"context"
	"path/filepath"

	"confab/history"
)

// Recovery is what [Files.Recover] found and did.
type Recovery struct {
	Adopted int      // answers of dead processes whose picture had been saved, and that are done now
	Removed int      // files that dead processes left half written
	Orphans []string // paths of pictures that the history does not know; they were left alone
}

// Recover puts the picture folder in order after processes that were killed: it removes their temporary files,
// completes their interrupted answers from pictures that were saved, and removes provenance whose picture was not.
func (f *Files) Recover(ctx context.Context) (Recovery, error) {
	var r Recovery
	db, err := f.o.History(ctx)
	if err != nil {
		return r, err
	}
	store, err := f.folder()
	if err != nil {
		return r, err
	}
	listing, err := store.Sweep(sweepAge)
	r.Removed = listing.Swept
	if err != nil || len(listing.Pictures)+len(listing.Widowed) == 0 {
		return r, err
	}
	known, err := knownNames(ctx, db)
	if err != nil {
		return r, err
	}
	for _, name := range listing.Pictures {
		if known[name] {
			continue
		}
		switch adopted, running := f.adopt(ctx, db, store, name); {
		case adopted:
			r.Adopted++
		case !running:
			r.Orphans = append(r.Orphans, filepath.Join(store.Dir(), name))
		}
	}
	for _, name := range listing.Widowed {
		// The process died between writing the provenance and the picture.
		_, a, ok := describedAnswer(ctx, db, store, name)
		if ok && a.State == history.Interrupted && a.Picture == nil &&
			store.Remove(filepath.Join(store.Dir(), name)) == nil {
			r.Removed++
		}
	}
	return r, nil
}

// adopt completes an interrupted answer whose picture was saved just before its process died. It also reports whether
// the answer is still running in another process.
func (f *Files) adopt(ctx context.Context, db history.Store, store *Store, name string) (adopted, running bool) {
	p, a, ok := describedAnswer(ctx, db, store, name)
	if !ok {
		return false, false
	}
	if !a.State.Ended() {
		return false, true
	}
	if a.State != history.Interrupted || a.Picture != nil || p.File != name {
		return false, false
	}
	if unchanged, err := store.isUnchanged(name); err != nil || !unchanged {
		return false, false
	}
	p.restore(&a, filepath.Join(store.Dir(), name))
	if err := db.SaveAnswer(ctx, a); err != nil {
		f.o.Log.Warn("Could not complete an answer from its picture", "answer", a.ID, "error", err)
		return false, false
	}
	return true, false
}

// describedAnswer returns the answer that the provenance of a picture describes. The time at which it was queued tells
// it from an answer of another history with the same ids.
func describedAnswer(ctx context.Context, db history.Store, store *Store, name string) (provenance, history.Answer,
	bool) {
	b, err := store.Facts(name)
	if err != nil {
		return provenance{}, history.Answer{}, false
	}
	p, ok := decodeProvenance(b)
	if !ok {
		return provenance{}, history.Answer{}, false
	}
	a, err := db.Answer(ctx, p.Answer)
	if err != nil || a.Turn != p.Turn || a.Model != p.Model || a.Sample != p.Sample ||
		a.Queued.UnixMilli() != p.Asked.UnixMilli() {
		return provenance{}, history.Answer{}, false
	}
	return p, a, true
}

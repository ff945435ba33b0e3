package pictures

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// publishedAge is the age at which a published copy counts as left by a killed process.
const publishedAge = publishedExpiry

// findStoredOrphans adds the objects of the bucket that the history lacks, and returns the names of the pictures in
// the bucket.
func (f *Files) findStoredOrphans(ctx context.Context, c comparison, orphans *OrphanFiles) (map[string]bool, error) {
	if f.o.Bucket == nil {
		return nil, nil
	}
	var unknown []Object
	stored := map[string]bool{}
	for _, folder := range []string{"", publishedFolder} {
		for object, err := range f.o.Bucket.List(ctx, folder) {
			if err != nil {
				return nil, bucketProblem("look into the bucket", err)
			}
			age := f.host.Now().Sub(object.Modified)
			switch name := object.Name; {
			case folder == publishedFolder && age >= publishedAge:
				orphans.Temporary = append(orphans.Temporary, f.o.Bucket.Address(name))
				orphans.Bytes += object.Bytes
			case folder == publishedFolder:
			default:
				stored[name] = stored[name] || isPictureName(name)
				if !c.known[name] && age >= sweepAge {
					unknown = append(unknown, object)
				}
			}
		}
	}
	return stored, f.judgeStored(ctx, c, orphans, unknown, stored)
}

// judgeStored adds the objects that are orphans.
func (f *Files) judgeStored(ctx context.Context, c comparison, orphans *OrphanFiles, unknown []Object,
	stored map[string]bool) error {
	for _, object := range unknown {
		base := strings.TrimSuffix(object.Name, filepath.Ext(object.Name))
		if isProvenance := filepath.Ext(object.Name) == provenanceExt; !isProvenance && !isPictureName(object.Name) ||
			isProvenance && (stored[base+".png"] || stored[base+".jpg"]) {
			continue
		}
		p, ok, err := f.provenance(ctx, folder{dir: c.dir}, object.Name)
		if err != nil {
			return err
		}
		orphans.add(c.originOf(ctx, object.Name, object.Bytes, p, ok), f.o.Bucket.Address(object.Name), object.Bytes)
	}
	return nil
}

// storedName returns the name of an object from its address.
func (f *Files) storedName(path string) (string, bool) {
	if f.o.Bucket == nil {
		return "", false
	}
	return strings.CutPrefix(path, f.o.Bucket.Address(""))
}

// sweepStored deletes an orphan from the bucket, a picture only if it matches its provenance.
func (f *Files) sweepStored(ctx context.Context, folder folder, name string, report *SweepReport) error {
	b, err := f.o.Bucket.Get(ctx, name, MaxBytes+maxTextAdded)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process deleted it
	}
	if err != nil {
		return err
	}
	if strings.HasPrefix(name, publishedFolder) {
		report.Files++
		report.Bytes += int64(len(b))
		return f.o.Bucket.Remove(ctx, name)
	}
	if isPictureName(name) {
		p, ok, err := f.provenance(ctx, folder, name)
		if err != nil || !ok || p.File != name || p.SHA256File != SHA256(b) {
			return err
		}
		report.Files++
	}
	report.Files++
	report.Bytes += int64(len(b))
	return f.removeStored(ctx, folder, name)
}

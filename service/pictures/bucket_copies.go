package pictures

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Copies are the copies of a bucket's pictures in a folder.
type Copies struct {
	Folder string
	Bucket string // its address
}

func (f *Files) copies(folder folder) Copies { return Copies{folder.dir, f.o.Bucket.Address("")} }

// markers returns the folder of the markers, one for each bucket.
func (c Copies) markers() string {
	return filepath.Join(c.Folder, "uploaded-"+SHA256([]byte(c.Bucket))[:8])
}

// marker returns the path of an empty file that marks the picture in the folder as a copy of one in the bucket. Its
// modification time is that of the last use of the copy.
func (f *Files) marker(folder folder, name string) string {
	return filepath.Join(f.copies(folder).markers(), name)
}

// mark records that the bucket holds a picture, and that it is used now. It sets the time, because the system's time
// of a new file lags by some milliseconds, which can change the order of use.
func (f *Files) mark(folder folder, name string) error {
	if err := os.MkdirAll(f.copies(folder).markers(), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(f.marker(folder, name), nil, 0o600); err != nil {
		return err
	}
	now := f.host.Now()
	return os.Chtimes(f.marker(folder, name), now, now)
}

// isCopy reports whether the bucket holds a picture of the folder, or held it until another machine deleted it.
func (f *Files) isCopy(folder folder, name string) bool {
	if f.o.Bucket == nil {
		return false
	}
	_, err := os.Lstat(f.marker(folder, name))
	return err == nil
}

// usedCopy is a copy with the time of its last use.
type usedCopy struct {
	from  Copies
	name  string
	used  time.Time
	bytes int64
}

// list returns the copies of a folder.
func (c Copies) list() (all []usedCopy) {
	entries, err := os.ReadDir(c.markers())
	if err != nil {
		return nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		x := usedCopy{from: c, name: e.Name(), used: info.ModTime()}
		for _, name := range []string{x.name, provenanceName(x.name)} {
			if info, err := os.Lstat(filepath.Join(c.Folder, name)); err == nil {
				x.bytes += info.Size()
			}
		}
		all = append(all, x)
	}
	return all
}

// remove deletes a copy with its marker.
func (c Copies) remove(name string) error {
	if err := (folder{dir: c.Folder}).remove(filepath.Join(c.Folder, name)); err != nil {
		return err
	}
	return os.Remove(filepath.Join(c.markers(), name))
}

// removeOldCopies deletes the least recently used copies, but not the newest, until all folders together are within
// the limit. The next call retries failed deletions.
func (f *Files) removeOldCopies(folder folder) {
	all := f.copies(folder).list()
	if f.o.OtherCopies != nil {
		for _, other := range f.o.OtherCopies() {
			all = append(all, other.list()...)
		}
	}
	var bytes int64
	for _, x := range all {
		bytes += x.bytes
	}
	slices.SortFunc(all, func(a, b usedCopy) int { return a.used.Compare(b.used) })
	for i := 0; i < len(all)-1 && bytes > f.o.CacheBytes; i++ {
		if err := all[i].from.remove(all[i].name); err == nil || errors.Is(err, fs.ErrNotExist) {
			bytes -= all[i].bytes
		}
	}
}

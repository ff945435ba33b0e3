package pictures

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Copies are copies of pictures of a bucket in a folder.
type Copies struct {
	Folder string
	Bucket string // its address
}

// copies returns the copies in a folder of pictures.
func (f *Files) copies(folder folder) Copies { return Copies{folder.dir, f.o.Bucket.Address("")} }

// markers returns the folder of the markers, one for each bucket.
func (c Copies) markers() string {
	return filepath.Join(c.Folder, "uploaded-"+SHA256([]byte(c.Bucket))[:8])
}

// marker returns the path of an empty file that says that the bucket holds a picture. The picture in the folder is then
// a copy. The last use of the copy is the time of the marker.
func (f *Files) marker(folder folder, name string) string {
	return filepath.Join(f.copies(folder).markers(), name)
}

// mark notes that the bucket holds a picture, and that it is used now. The time is set, because the one that the system
// gives a new file is some milliseconds old, which may be before that of a copy used earlier.
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

// usedCopy is a copy and when it was used last.
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

// removeOldCopies deletes the copies that were used longest ago, until they take as little as they may, in the folder
// and in those that count with it. The newest stays. What it cannot delete, the next call tries again.
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

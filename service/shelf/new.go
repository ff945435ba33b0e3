package shelf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// WriteNew writes a file that is not there yet, for its owner only, whole or
// not at all, and returns its path. When another stands there it fails with
// fs.ErrExist, or, when it may, takes a name with a number behind it. The
// folder must exist. write is told the path the file will have; it is called
// once, before a number is added.
func WriteNew(path string, mayNumber bool, write func(out io.Writer, path string) error) (string, error) {
	d, err := openFolder(filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("open the folder: %w", err)
	}
	defer d.Close()
	s := &Shelf{o: Options{Owner: "write"}}
	temp := s.temp()
	f, err := d.Create(temp)
	if err != nil {
		return "", err
	}
	defer d.Remove(temp)
	if err := write(f, path); err != nil {
		return "", errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return "", errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(filepath.Base(path), ext)
	for try := 1; try <= maxTries; try++ {
		name := filepath.Base(path)
		if try > 1 {
			name = numbered(base, try) + ext
		}
		err = d.Link(temp, name)
		if err == nil {
			return filepath.Join(filepath.Dir(path), name), d.Sync()
		}
		if !errors.Is(err, fs.ErrExist) || !mayNumber {
			return "", err
		}
	}
	return "", err
}

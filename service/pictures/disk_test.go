package pictures

import (
	"errors"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// faulty is a disk that fails at the n-th step.
type faulty struct {
	disk
	left  *int
	cause error
}

func (d faulty) step() error {
	*d.left--
	if *d.left == 0 {
		return d.cause
	}
	return nil
}

func (d faulty) Create(name string) (file, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	f, err := d.disk.Create(name)
	return faultyFile{f, d}, err
}

func (d faulty) Link(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.disk.Link(from, to)
}

func (d faulty) Sync() error {
	if err := d.step(); err != nil {
		return err
	}
	return d.disk.Sync()
}

type faultyFile struct {
	file
	d faulty
}

func (f faultyFile) Write(b []byte) (int, error) {
	if err := f.d.step(); err != nil {
		n, _ := f.file.Write(b[:len(b)/2]) // a full disk takes a part
		return n, err
	}
	return f.file.Write(b)
}

func (f faultyFile) Sync() error {
	if err := f.d.step(); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f faultyFile) Close() error {
	err := f.file.Close()
	if failed := f.d.step(); failed != nil {
		return failed
	}
	return err
}

func TestKeepFailsWhole(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
		steps := 0
		for n := 1; ; n++ {
			dir := t.TempDir()
			s := NewStore(dir, StoreOptions{})
			left := n
			s.open = func(dir string) (disk, error) {
				d, err := openFolder(dir)
				return faulty{d, &left, cause}, err
			}
			_, err := s.Keep(item(pngOf(t, 3)))
			if err == nil {
				steps = n
				break
			}
			if !errors.Is(err, cause) {
				t.Fatalf("step %d: got %v, want %v", n, err, cause)
			}
			if got := names(t, dir); len(got) > 1 || len(got) == 1 && got[0] != counterName {
				t.Errorf("step %d left %q", n, got)
			}
		}
		if steps < 10 {
			t.Errorf("only %d steps were tried", steps)
		}
	}
}

// noted writes down what is done to a disk.
type noted struct {
	disk
	steps *[]string
}

func (d noted) note(step string) { *d.steps = append(*d.steps, step) }

func (d noted) Create(name string) (file, error) {
	f, err := d.disk.Create(name)
	return notedFile{f, d}, err
}

func (d noted) Link(from, to string) error {
	d.note("link " + filepath.Ext(to))
	return d.disk.Link(from, to)
}

func (d noted) Sync() error {
	d.note("sync folder")
	return d.disk.Sync()
}

type notedFile struct {
	file
	d noted
}

func (f notedFile) Sync() error {
	f.d.note("sync file")
	return f.file.Sync()
}

func TestKeepSyncsBeforeItNames(t *testing.T) {
	s := NewStore(t.TempDir(), StoreOptions{})
	var steps []string
	s.open = func(dir string) (disk, error) {
		d, err := openFolder(dir)
		return noted{d, &steps}, err
	}
	if _, err := s.Keep(item(pngOf(t, 3))); err != nil {
		t.Fatal(err)
	}
	want := []string{"sync file", "sync file", "link .json", "link .png", "sync folder"}
	if !slices.Equal(steps, want) {
		t.Errorf("got %q, want %q", steps, want)
	}
}

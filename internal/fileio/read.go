package fileio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrTooLarge is the error for a file larger than the limit.
var ErrTooLarge = errors.New("it is larger than allowed")

// FileTypeError means that a path is not a regular file. An [fs.PathError] wraps it.
type FileTypeError struct {
	Mode fs.FileMode
}

// Error returns a clause whose subject is the path, such as "is a named pipe, not a regular file".
func (e *FileTypeError) Error() string {
	kind := "a special file"
	switch {
	case e.Mode.IsDir():
		return "is a folder, not a file"
	case e.Mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case e.Mode&fs.ModeSocket != 0:
		kind = "a socket"
	case e.Mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return "is " + kind + ", not a regular file"
}

// Open opens a regular file for reading without ever blocking. It checks the type before and after opening, because
// the file may be replaced in between.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return open(path, info, os.OpenFile)
}

func open(path string, info fs.FileInfo, with func(string, int, os.FileMode) (*os.File, error)) (*os.File, error) {
	if err := check(path, info); err != nil {
		return nil, err
	}
	f, err := with(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: &FileTypeError{info.Mode()}}
}

// ReadSettings is [Read], but treats [os.DevNull] as an empty file, since users name it to mean no settings.
func ReadSettings(path string, most int64) ([]byte, error) {
	if path == os.DevNull {
		return nil, nil
	}
	return Read(path, most)
}

// Read returns the content of a regular file, or [ErrTooLarge] if it has more than most bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return ReadAll(f, most)
}

// ReadAll returns the rest of an open file, or [ErrTooLarge] if it has more than most bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		return nil, ErrTooLarge
	}
	return b, err
}

// ReadProblem returns an error of reading a file with a limit as a clause whose subject is the file.
func ReadProblem(err error, most int64) string {
	var kind *FileTypeError
	var atPath *fs.PathError
	switch {
	case errors.As(err, &kind):
		return kind.Error()
	case errors.Is(err, ErrTooLarge) && most < 1<<20:
		return fmt.Sprintf("is larger than %d KiB", most>>10)
	case errors.Is(err, ErrTooLarge):
		return fmt.Sprintf("is larger than %d MiB", most>>20)
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.As(err, &atPath):
		return "cannot be read: " + atPath.Err.Error()
	}
	return "cannot be read"
}

// FS returns the files in root as an [fs.FS] that opens only folders and regular files.
func FS(root *os.Root) fs.FS { return rootFS{root} }

type rootFS struct{ root *os.Root }

// Open implements [fs.FS].
func (r rootFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	info, err := r.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return r.root.FS().Open(name)
	}
	f, err := open(name, info, r.root.OpenFile)
	if err != nil {
		return nil, err
	}
	return f, nil
}

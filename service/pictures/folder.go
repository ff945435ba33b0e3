package pictures

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"confab/internal/fileio"
)

// provenanceExt is the extension of a picture's provenance.
const provenanceExt = ".json"

// maxProvenance is the maximum size of a provenance file in bytes.
const maxProvenance = 1 << 20

// maxTries is the maximum number of names to try.
const maxTries = 10000

// staleAge is the age at which a temporary file counts as left by a killed process. Writing one takes far less.
const staleAge = time.Hour

// folder holds pictures, each with a provenance file. Several processes may save pictures in it. It is created before
// the first picture is saved.
type folder struct {
	dir      string
	template string // of names, see [fileio.NameFromTemplate]
}

// newPicture is a picture to save.
type newPicture struct {
	image []byte
	ext   string           // ".png" or ".jpg"
	parts fileio.NameParts // save sets Counter
	// suffix is added to the name.
	suffix string
	text   string // to add to a PNG for other tools; may be empty
	// describe returns the content of the provenance file.
	describe func(saved savedPicture) ([]byte, error)
}

// savedPicture describes a saved picture.
type savedPicture struct {
	path         string // absolute
	bytes        int64  // of the file
	sha256       string // of the file
	hasAddedText bool   // with a PNG text chunk, see [CleanCopy]
}

// save writes and syncs the picture and its provenance. After an error neither exists. It never replaces a file: it
// adds a number to an existing name.
func (f folder) save(p newPicture) (savedPicture, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return savedPicture{}, fmt.Errorf("make the picture folder: %w", err)
	}
	if strings.Contains(f.template, "{counter}") {
		var err error
		if p.parts.Counter, err = f.count(); err != nil {
			return savedPicture{}, fmt.Errorf("count the pictures: %w", err)
		}
	}
	content, chunk := p.image, textChunk(p.image, p.text)
	if chunk != nil {
		content = slices.Concat(p.image[:pngHeaderEnd], chunk, p.image[pngHeaderEnd:])
	}
	saved := savedPicture{bytes: int64(len(content)), sha256: SHA256(content), hasAddedText: chunk != nil}
	base := fileio.NameFromTemplate(f.template, p.parts) + p.suffix
	for try := 1; try <= maxTries; try++ {
		saved.path = filepath.Join(f.dir, fileio.NumberedName(base, try)+p.ext)
		err := saved.write(content, p.describe)
		if err == nil {
			return saved, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return savedPicture{}, err
		}
	}
	return savedPicture{}, fmt.Errorf("find a free name like %s: %w", base, fs.ErrExist)
}

// write writes the provenance before the picture, so that every picture has one, and either both or none.
func (s savedPicture) write(content []byte, describe func(savedPicture) ([]byte, error)) error {
	provenance := provenanceName(s.path)
	for _, path := range []string{s.path, provenance} {
		if _, err := os.Lstat(path); err == nil {
			return fs.ErrExist
		}
	}
	description, err := describe(s)
	if err != nil {
		return fmt.Errorf("describe the picture: %w", err)
	}
	if err := writeNew(provenance, description); err != nil {
		return fmt.Errorf("write the provenance of the picture: %w", err)
	}
	if err := writeNew(s.path, content); err != nil {
		return errors.Join(fmt.Errorf("write the picture: %w", err), os.Remove(provenance))
	}
	return nil
}

func writeNew(path string, content []byte) error {
	_, err := fileio.WriteNew(path, false, func(out io.Writer, _ string) error {
		_, err := out.Write(content)
		return err
	})
	return err
}

// provenanceName returns the name of a picture's provenance file from the name of either.
func provenanceName(name string) string {
	return strings.TrimSuffix(name, filepath.Ext(name)) + provenanceExt
}

// CopiesSize returns the total size of the files in a folder of pictures that are copies from a bucket.
func CopiesSize(dir string) (bytes int64) {
	markers, _ := filepath.Glob(filepath.Join(dir, "uploaded-*", "*")) // the pattern is valid
	for _, marker := range markers {
		for _, name := range []string{filepath.Base(marker), provenanceName(filepath.Base(marker))} {
			if info, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				bytes += info.Size()
			}
		}
	}
	return bytes
}

func isPictureName(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".png" || ext == ".jpg"
}

type listing struct {
	pictures       []string
	loneProvenance []string // without a picture
	temporary      []string // left by killed processes
}

// list returns the content of the folder. A missing folder is empty.
func (f folder) list(now time.Time) (listing, error) {
	var found listing
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, fmt.Errorf("list the picture folder: %w", err)
	}
	described := map[string]bool{}
	for _, e := range entries {
		name := e.Name()
		switch ext := filepath.Ext(name); {
		case !e.Type().IsRegular():
		case strings.HasPrefix(name, "."):
			if info, err := e.Info(); err == nil && ext == ".tmp" && now.Sub(info.ModTime()) >= staleAge {
				found.temporary = append(found.temporary, name)
			}
		case isPictureName(name):
			found.pictures = append(found.pictures, name)
			described[provenanceName(name)] = true
		case ext == provenanceExt:
			found.loneProvenance = append(found.loneProvenance, name)
		}
	}
	found.loneProvenance = slices.DeleteFunc(found.loneProvenance, func(name string) bool { return described[name] })
	return found, nil
}

// provenance reads the provenance of a picture from the name of either; ok is false for a file that confab did not
// write.
func (f folder) provenance(name string) (p provenance, ok bool) {
	b, err := f.read(provenanceName(name), maxProvenance)
	if err != nil {
		return provenance{}, false
	}
	return decodeProvenance(b)
}

// read returns the content of a file in the folder, at most limit bytes.
func (f folder) read(name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return fileio.ReadAll(file, limit)
}

// isUnchanged reports whether a picture matches its provenance; it is true for other files.
func (f folder) isUnchanged(name string) (bool, error) {
	if !isPictureName(name) {
		return true, nil
	}
	b, err := f.read(name, MaxBytes+maxTextAdded)
	if err != nil {
		return false, err
	}
	p, ok := f.provenance(name)
	return ok && p.File == name && p.SHA256File == SHA256(b), nil
}

// remove deletes a picture with its provenance, or another file, by path. It ignores paths outside the folder and
// missing files.
func (f folder) remove(path string) error {
	name, err := filepath.Rel(f.dir, path)
	if err != nil || name == "." || name != filepath.Base(name) || name == ".." {
		return nil
	}
	root, err := os.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the picture folder: %w", err)
	}
	defer root.Close()
	var failed error
	for _, n := range []string{name, provenanceName(name)} {
		if err := root.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// counterName is the file with the number of the newest picture.
const counterName = ".counter"

// count returns the next number of the folder, unique across processes and deletions: a locked file holds the last
// one. If that file is lost, it continues from the names of the pictures. Windows and some network file systems lack
// such locks; there two pictures may share a number, but not a name.
func (f folder) count() (int, error) {
	path := filepath.Join(f.dir, counterName)
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if runtime.GOOS != "windows" && lock.Lock() == nil { // Windows forbids reading a locked file
		defer lock.Unlock() //nolint:errcheck // closing the file unlocks it
	}
	held, err := fileio.Read(path, 32)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fileio.ErrTooLarge) {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(held)))
	if err != nil || n < 0 {
		if n, err = f.highest(); err != nil {
			return 0, err
		}
	}
	n++
	// After a crash the file may be short; then the names are used again.
	return n, os.WriteFile(path, fmt.Appendf(nil, "%d\n", n), 0o600)
}

// highest returns the greatest number at the beginning of a name in the folder.
func (f folder) highest() (top int, err error) {
	counted := regexp.MustCompile(`^(\d{4,9})(?:[^\pL\d]|$)`)
	entries, err := os.ReadDir(f.dir)
	for _, e := range entries {
		if m := counted.FindStringSubmatch(e.Name()); m != nil {
			n, _ := strconv.Atoi(m[1]) // at most nine digits
			top = max(top, n)
		}
	}
	return top, err
}

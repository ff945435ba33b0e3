package pictures

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/filename"
)

// Temporary files are called .confab-<owner>-<random>.tmp.
const (
	tempPrefix = ".confab-"
	tempSuffix = ".tmp"
)

// maxTries is how many names are tried when others already exist.
const maxTries = 10000

// StoreOptions is what a [Store] is made of.
type StoreOptions struct {
	Template string // of names, see package filename; empty = filename.DefaultTemplate
	// Owner names the process in its temporary files; letters, digits and dashes only.
	Owner string
	// Alive tells whether the process of that name still runs.
	Alive func(owner string) bool
	Now   func() time.Time // nil = time.Now
}

// Store is a folder of pictures. Several processes may keep pictures in one folder. It is safe for concurrent use.
type Store struct {
	dir  string
	o    StoreOptions
	open func(dir string) (disk, error)
}

// NewStore returns the store of a folder. Nothing is created before the first picture is kept.
func NewStore(dir string, o StoreOptions) *Store {
	if o.Template == "" {
		o.Template = filename.DefaultTemplate
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{dir: dir, o: o, open: openFolder}
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

// NewPicture is a picture to be kept.
type NewPicture struct {
	Bytes []byte
	Ext   string         // ".png" or ".jpg"
	Parts filename.Parts // Counter is filled in
	Text  string         // put into a PNG for other tools to read; empty = nothing
	// Facts returns the content of the file beside the picture, of which k is known by then.
	Facts func(k SavedPicture) ([]byte, error)
}

// SavedPicture is where and how a picture was kept.
type SavedPicture struct {
	Path       string // absolute
	Name       string // with extension
	Bytes      int64  // of the file
	SHA256     string // of the file
	TextAdded  bool   // a PNG text chunk was put in, see [CleanCopy]
	FactsName  string // of the file of facts beside it
	CountedAs  int
	ReceivedAt time.Time
}

// Keep writes the picture and its facts and returns when both would survive a power cut. When it fails nothing of them
// is left. Another file is never replaced: a taken name gets a number behind it.
func (s *Store) Keep(it NewPicture) (SavedPicture, error) {
	d, err := s.open(s.dir)
	if err != nil {
		return SavedPicture{}, fmt.Errorf("open the picture folder: %w", err)
	}
	defer d.Close()
	if strings.Contains(s.o.Template, "{counter}") {
		if it.Parts.Counter, err = s.count(); err != nil {
			return SavedPicture{}, fmt.Errorf("count the pictures: %w", err)
		}
	}

	chunk := textChunk(it.Bytes, it.Text)
	parts := [][]byte{it.Bytes}
	if chunk != nil {
		parts = [][]byte{it.Bytes[:pngHeaderEnd], chunk, it.Bytes[pngHeaderEnd:]}
	}
	picture := s.temp()
	sum, n, err := write(d, picture, parts...)
	if err != nil {
		return SavedPicture{}, fmt.Errorf("write the picture: %w", err)
	}
	defer d.Remove(picture)

	k := SavedPicture{Bytes: n, SHA256: sum, TextAdded: chunk != nil, CountedAs: it.Parts.Counter,
		ReceivedAt: s.o.Now()}
	base := filename.FromTemplate(s.o.Template, it.Parts)
	for try := 1; try <= maxTries; try++ {
		name := filename.Numbered(base, try)
		k.Name, k.FactsName = name+it.Ext, name+ProvenanceExt
		k.Path = filepath.Join(s.dir, k.Name)
		err = s.place(d, picture, it, k)
		if err == nil {
			return k, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return SavedPicture{}, err
		}
	}
	return SavedPicture{}, fmt.Errorf("find a free name like %s: %w", base, err)
}

// place gives the picture and its facts their names: the facts first, so that a picture never stands without them, and
// both or none.
func (s *Store) place(d disk, picture string, it NewPicture, k SavedPicture) (err error) {
	if _, err := os.Lstat(k.Path); err == nil {
		return fs.ErrExist
	}
	facts, err := it.Facts(k)
	if err != nil {
		return fmt.Errorf("describe the picture: %w", err)
	}
	temp := s.temp()
	if _, _, err := write(d, temp, facts); err != nil {
		return fmt.Errorf("write the facts of the picture: %w", err)
	}
	defer d.Remove(temp)
	if err := d.Link(temp, k.FactsName); err != nil {
		return fmt.Errorf("name the facts of the picture: %w", err)
	}
	if err := d.Link(picture, k.Name); err != nil {
		d.Remove(k.FactsName)
		return fmt.Errorf("name the picture: %w", err)
	}
	if err := d.Sync(); err != nil {
		d.Remove(k.Name)
		d.Remove(k.FactsName)
		return fmt.Errorf("sync the picture folder: %w", err)
	}
	return nil
}

// write creates a file of the given parts, synced; when it fails there is no such file. It returns the sha256 and the
// length.
func write(d disk, name string, parts ...[]byte) (sum string, n int64, err error) {
	f, err := d.Create(name)
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			d.Remove(name)
		}
	}()
	hash := sha256.New()
	for _, p := range parts {
		if _, err := f.Write(p); err != nil {
			return "", 0, errors.Join(err, f.Close())
		}
		hash.Write(p)
		n += int64(len(p))
	}
	if err := f.Sync(); err != nil {
		return "", 0, errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(hash.Sum(nil)), n, nil
}

// temp returns the name of a new temporary file.
func (s *Store) temp() string { return tempPrefix + s.o.Owner + "-" + rand.Text()[:12] + tempSuffix }

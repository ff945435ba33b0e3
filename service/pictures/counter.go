package pictures

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"confab/internal/fileio"
)

// counterName is the file with the number of the newest picture of the folder.
const counterName = ".counter"

// count returns the next number of the folder. It grows across processes, also when the newest pictures were deleted:
// the number is kept in a file that is locked meanwhile. Where that file is lost, the names of the pictures tell where
// to go on. Windows and some network file systems have no such locks; there two processes may give two pictures the
// same number, never the same name.
func (f folder) count() (int, error) {
	path := filepath.Join(f.dir, counterName)
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if runtime.GOOS != "windows" && lock.Lock() == nil { // a file that is locked on Windows cannot be read
		defer lock.Unlock() //nolint:errcheck // the system unlocks a file that is closed
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
	// A crash in between leaves the file short and the names are asked again.
	return n, os.WriteFile(path, fmt.Appendf(nil, "%d\n", n), 0o600)
}

// highest returns the largest number at the beginning of a name in the folder.
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

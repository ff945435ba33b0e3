package pictures

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// counterName holds the number of the newest picture of the folder.
const counterName = ".counter"

// count returns the next number of the folder. It grows across processes, also when the newest pictures were deleted:
// the number is kept in a file that is locked meanwhile. Where that file is lost, the names of the pictures tell where
// to go on.
func (s *Store) count() (int, error) {
	f, err := os.OpenFile(filepath.Join(s.dir, counterName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := lock(f); err != nil {
		return 0, err
	}
	defer unlock(f)

	held, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(held)))
	if err != nil || n < 0 {
		if n, err = s.highest(); err != nil {
			return 0, err
		}
	}
	n++
	// A crash in between leaves the file short and the names are asked again.
	line := fmt.Sprintf("%d\n", n)
	if _, err := f.WriteAt([]byte(line), 0); err != nil {
		return 0, err
	}
	return n, f.Truncate(int64(len(line)))
}

// highest returns the largest number that a name of the folder carries where the template puts it.
func (s *Store) highest() (int, error) {
	pattern := regexp.QuoteMeta(s.o.Template)
	pattern = strings.Replace(pattern, regexp.QuoteMeta("{counter}"), `(\d{4,9})`, 1)
	pattern = regexp.MustCompile(`\\\{(counter|model|slug|nonce)\\\}`).ReplaceAllString(pattern, `.*`)
	if head, _, found := strings.Cut(pattern, `(\d{4,9})`); found {
		pattern = head + `(\d{4,9})(?:[^\pL\d]|$)` // what follows may have been cut away
	}
	match, err := regexp.Compile("^" + pattern)
	if err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, err
	}
	top := 0
	for _, e := range entries {
		if m := match.FindStringSubmatch(e.Name()); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				top = max(top, n)
			}
		}
	}
	return top, nil
}

package suite

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"confab/internal/fileio"
)

// fileScheme is the prefix of the name of a file in the folder of the suite.
const fileScheme = "file://"

// fileRef returns the reference in a value that names a file.
func fileRef(value any) (string, bool) {
	s, ok := value.(string)
	return s, ok && strings.HasPrefix(s, fileScheme)
}

// extension returns the lower-case extension of a reference, without promptfoo's suffix after a colon or number sign.
func extension(ref string) string {
	name := strings.TrimPrefix(ref, fileScheme)
	base := path.Base(name)
	for _, mark := range []string{"#", ":"} {
		if before, _, ok := strings.Cut(base, mark); ok && path.Ext(before) != "" {
			base = before
		}
	}
	return strings.ToLower(path.Ext(base))
}

// runsCode reports whether a reference names a script.
func runsCode(ref string) bool {
	return slices.Contains([]string{".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb", ".sh", ".exe"},
		extension(ref))
}

// isMedia reports whether a reference names a file that is not text.
func isMedia(ref string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".pdf", ".mp3", ".wav",
		".mp4"}, extension(ref))
}

// folder reads files of the suite's folder within bounds.
type folder struct {
	ctx    context.Context
	fsys   fs.FS
	dir    string
	budget int64 // remaining bytes
	files  int   // number of files read

	values map[string]any // of checks and variables, by reference
}

// names returns the sorted files of a reference, which may be a pattern. It refuses a reference that leads out of the
// folder.
func (f *folder) names(ref string, line int) ([]string, error) {
	name := strings.TrimPrefix(ref, fileScheme)
	name = strings.TrimPrefix(name, "./")
	clean := path.Clean(name)
	if name == "" || strings.ContainsRune(name, '\\') || !fs.ValidPath(clean) {
		return nil, errorAt(line, "the file %s is not inside the suite's folder", quote(ref))
	}
	full := path.Join(f.dir, clean)
	if !strings.ContainsAny(clean, "*?[") {
		return []string{full}, nil
	}
	found, err := fs.Glob(f.fsys, full)
	if err != nil {
		return nil, errorAt(line, "the pattern %s is not one that files can fit", quote(ref))
	}
	if len(found) == 0 {
		return nil, errorAt(line, "no file fits %s", quote(ref))
	}
	slices.Sort(found)
	return found, nil
}

// has reports whether there is a file of a name or pattern.
func (f *folder) has(name string) bool {
	names, err := f.names(name, 0)
	if err != nil || len(names) == 0 {
		return false
	}
	_, err = fs.Stat(f.fsys, names[0])
	return err == nil
}

// eachFile calls visit with the base names and texts of the files of a reference, in order. An error of visit names
// the file.
func (f *folder) eachFile(ref string, line int, visit func(name, text string) error) error {
	names, err := f.names(ref, line)
	for i := 0; i < len(names) && err == nil; i++ {
		var text string
		if text, err = f.read(names[i], line); err == nil {
			name := path.Base(names[i])
			err = inFile(name, visit(name, text))
		}
	}
	return err
}

// eachYAML is eachFile with the roots of YAML files that are not empty.
func (f *folder) eachYAML(ref string, line int, visit func(root *yaml.Node) error) error {
	return f.eachFile(ref, line, func(_, text string) error {
		root, err := parseYAML(text)
		if err != nil || root == nil {
			return err
		}
		return visit(root)
	})
}

// read returns the text of one file.
func (f *folder) read(full string, line int) (string, error) {
	if err := f.ctx.Err(); err != nil {
		return "", err
	}
	name := strings.TrimPrefix(strings.TrimPrefix(full, f.dir), "/")
	if f.files++; f.files > maxFiles {
		return "", errorAt(line, "the suite names more than %d files", maxFiles)
	}
	b, err := readFile(f.fsys, full)
	if err != nil {
		e := errorAt(line, "the file %s %s", quote(name), fileio.ReadProblem(err, MaxBytes))
		e.cause = err
		return "", e
	}
	if f.budget -= int64(len(b)); f.budget < 0 {
		return "", errorAt(line, "the files of the suite are larger than 16 MiB together")
	}
	text := strings.TrimPrefix(string(b), "\ufeff")
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", errorAt(line, "the file %s is not text", quote(name))
	}
	return text, nil
}

// readFile reads a regular file of at most MaxBytes. Opening a named pipe blocks unless the file system refuses it,
// as [fileio.FS] does.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, &fileio.FileTypeError{Mode: info.Mode()}
	}
	b, err := fileio.ReadAll(file, MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return b, nil
}

package desktop

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/fileio"
	"confab/service/api"
)

const maxEdited = 16 << 20

// oldTextAge is the age at which a folder counts as left behind by a crash.
const oldTextAge = 7 * 24 * time.Hour

// detachTime bounds the run of an editor that only asks a window to open the file. A user who is as quick has changed
// nothing.
const detachTime = 3 * time.Second

// Editor returns a function that runs $VISUAL, $EDITOR, nano or vi on text and returns the changed text, also with an
// error if the editor failed after it wrote.
//
// An editor that ends at once without a change may have opened a window: then the file is kept and its path returned.
func (d *Desktop) Editor(_ context.Context, text string) (func(in io.Reader, out io.Writer) (became, kept string,
	err error), error) {
	argv, _, err := d.editor()
	if err != nil {
		return nil, err
	}
	dir, path, err := d.writeForEditor(text)
	if err != nil {
		return nil, failure(api.CodeDisk, err, "the text could not be written for the editor, below %s", d.o.State)
	}
	return func(in io.Reader, out io.Writer) (became, kept string, err error) {
		cmd := exec.Command(argv[0], append(argv[1:], path)...) //nolint:gosec // the person's own setting
		cmd.Env = d.environ
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
		if d.o.Terminal != nil {
			cmd.Stdin = d.o.Terminal // the file itself: Bubble Tea's input decodes what it reads
		}
		began := time.Now()
		runErr := cmd.Run()
		became, err = readBack(path)
		if runErr == nil && err == nil && became == text && time.Since(began) < detachTime {
			return became, path, nil
		}
		if removed := os.RemoveAll(dir); err == nil && removed != nil {
			err = failure(api.CodeDisk, removed, "the editor's copy of the text could not be removed: %s", dir)
		}
		switch {
		case runErr == nil:
			return became, "", err
		case err != nil || became == text:
			return "", "", runErr
		}
		return became, "", runErr
	}, nil
}

// Saved returns the content of a file that an editor still has open.
func (d *Desktop) Saved(path string) (string, error) { return readBack(path) }

// EditorName returns the name of the editor; ok is false without one.
func (d *Desktop) EditorName() (name string, ok bool) {
	_, name, err := d.editor()
	return name, err == nil
}

func (d *Desktop) editor() (argv []string, name string, err error) {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(d.get(variable))
		if value == "" {
			continue
		}
		name = value + " ($" + variable + ")"
		if shell, ok := d.findProgram("sh"); ok && strings.ContainsAny(value, "\"'\\$`|&;<>()*?~#") {
			// A shell handles quotes and the like, as with git.
			return []string{shell, "-c", value + ` "$@"`, value}, name, nil
		}
		words := strings.Fields(value)
		path, ok := d.findProgram(words[0])
		if !ok {
			return nil, "", failure(api.CodeConfig, nil, "the editor %s of $%s is not a program that can be found",
				words[0], variable)
		}
		return append([]string{path}, words[1:]...), name, nil
	}
	usual := []string{"nano", "vi", "vim"}
	if d.o.System == "windows" {
		usual = []string{"notepad"}
	}
	if path, ok := d.findProgram(usual...); ok {
		return []string{path}, path, nil
	}
	return nil, "", failure(api.CodeConfig, nil, "there is no editor: set $VISUAL or $EDITOR")
}

// writeForEditor writes the text into a new folder, where the editor may also write backups.
func (d *Desktop) writeForEditor(text string) (dir, path string, err error) {
	base := filepath.Join(d.o.State, "editing")
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", "", err
	}
	removeOldTexts(base)
	if dir, err = os.MkdirTemp(base, "text-"); err != nil { // 0700
		return "", "", err
	}
	path = filepath.Join(dir, "prompt.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, path, nil
}

func removeOldTexts(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && time.Since(info.ModTime()) > oldTextAge {
			_ = os.RemoveAll(filepath.Join(base, e.Name())) // the next time tries again
		}
	}
}

func readBack(path string) (string, error) {
	b, err := fileio.Read(path, maxEdited)
	switch {
	case errors.Is(err, fileio.ErrTooLarge):
		return "", failure(api.CodeTooLarge, nil, "the text from the editor is larger than 16 MiB")
	case err != nil:
		return "", failure(api.CodeDisk, err, "the text could not be read back from the editor; the old one is kept")
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), nil
}

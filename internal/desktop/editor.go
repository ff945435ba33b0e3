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

// maxEdited bounds what is read back from an editor, in bytes.
const maxEdited = 16 << 20

// oldTextAge is how old the folder of a text is before it counts as left behind
// by a crash.
const oldTextAge = 7 * 24 * time.Hour

// detachTime is the longest time that an editor takes which only asks a window to open the file. One that was closed so
// soon by the person has changed nothing either.
const detachTime = 3 * time.Second

// Editor returns a function that runs the person's editor ($VISUAL, $EDITOR, else nano or vi) on text and returns what
// it became; with an error too where the editor failed after it wrote. The variable may hold arguments. An editor that
// ends at once and changes nothing may go on in a window of its own: then the file is kept, and its path returned.
func (d *Desktop) Editor(_ context.Context, text string) (func(in io.Reader, out io.Writer) (became, kept string,
	err error), error) {
	argv, err := d.editor()
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

// Saved returns what the file that an editor goes on with holds now.
func (d *Desktop) Saved(path string) (string, error) { return readBack(path) }

// EditorName says which editor would be used; ok is false when none would.
func (d *Desktop) EditorName() (name string, ok bool) {
	argv, err := d.editor()
	if err != nil {
		return "", false
	}
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := strings.TrimSpace(d.get(name)); v != "" {
			return v + " ($" + name + ")", true
		}
	}
	return argv[0], true
}

// editor returns the program and its arguments.
func (d *Desktop) editor() ([]string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(d.get(name))
		if value == "" {
			continue
		}
		if shell, ok := d.findProgram("sh"); ok && strings.ContainsAny(value, "\"'\\$`|&;<>()*?~#") {
			// Quotes and the like mean what they mean to a shell, as with git.
			return []string{shell, "-c", value + ` "$@"`, value}, nil
		}
		words := strings.Fields(value)
		path, ok := d.findProgram(words[0])
		if !ok {
			return nil, failure(api.CodeConfig, nil, "the editor %s of $%s is not a program that can be found",
				words[0], name)
		}
		return append([]string{path}, words[1:]...), nil
	}
	usual := []string{"nano", "vi", "vim"}
	if d.o.System == "windows" {
		usual = []string{"notepad"}
	}
	if path, ok := d.findProgram(usual...); ok {
		return []string{path}, nil
	}
	return nil, failure(api.CodeConfig, nil, "there is no editor: set $VISUAL or $EDITOR")
}

// writeForEditor writes the text into a folder of its own, where the editor may also
// leave its backups.
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

// removeOldTexts removes the folders that crashes left behind.
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

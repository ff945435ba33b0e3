// Package desktop uses the clipboard, the editor and the programs for files and links of the user's machine. Over SSH
// that is another machine, so nothing local is used: the terminal is asked, or the user told what to do.
//
// The environment is passed in; nothing here reads the process's own. The package may import service/api for its
// error type and the leaves, and no other layer.
package desktop

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"confab/internal/redact"
	"confab/service/api"
)

// Options configures a [Desktop].
type Options struct {
	Environ []string       // "NAME=value"; the last of a name wins
	State   string         // folder for texts in the editor and copies that are too large
	Mask    *redact.Masker // variables that hold a secret are kept from programs; nil knows none
	// Clipboard puts text on the local clipboard; nil is the system's.
	Clipboard func(ctx context.Context, text string) error
	// ReadClipboard returns its text; nil is that of the system's.
	ReadClipboard func(ctx context.Context) (string, error)
	System        string    // as runtime.GOOS; empty is this one
	Terminal      io.Reader // the editor's standard input
	IsMosh        bool      // mosh carries the terminal, which takes smaller copies
}

// Desktop uses the programs of the user's machine. It is safe for concurrent use.
type Desktop struct {
	o         Options
	variables map[string]string
	environ   []string // what programs get to see
}

// New returns a [Desktop].
func New(o Options) *Desktop {
	if o.System == "" {
		o.System = runtime.GOOS
	}
	if o.Clipboard == nil {
		o.Clipboard = systemClipboard
	}
	if o.ReadClipboard == nil {
		o.ReadClipboard = readSystemClipboard
	}
	d := &Desktop{o: o, variables: map[string]string{}}
	for _, kv := range o.Environ {
		name, value, ok := strings.Cut(kv, "=")
		d.variables[name] = value
		if ok && name != "CONFAB_API_KEY" && o.Mask.String(value) == value {
			d.environ = append(d.environ, kv)
		}
	}
	return d
}

// IsRemote reports whether the terminal belongs to another machine.
func (d *Desktop) IsRemote() bool {
	return d.get("SSH_CONNECTION") != "" || d.get("SSH_TTY") != ""
}

func (d *Desktop) get(name string) string { return d.variables[name] }

// findProgram returns the path of the first program that is found on PATH. Like Go, it ignores relative folders.
func (d *Desktop) findProgram(names ...string) (path string, ok bool) {
	for _, name := range names {
		if runtime.GOOS == "windows" {
			if path, err := exec.LookPath(name); err == nil { // endings of programs are the system's matter
				return path, true
			}
			continue
		}
		candidates := []string{name}
		if !strings.ContainsRune(name, filepath.Separator) {
			candidates = nil
			for _, dir := range filepath.SplitList(d.get("PATH")) {
				if filepath.IsAbs(dir) {
					candidates = append(candidates, filepath.Join(dir, name))
				}
			}
		}
		if i := slices.IndexFunc(candidates, isExecutable); i >= 0 {
			return candidates[i], true
		}
	}
	return "", false
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

func failure(code api.Code, err error, format string, args ...any) *api.Error {
	return &api.Error{Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

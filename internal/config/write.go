package config

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the examples
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"confab/internal/fileio"
	"confab/service/api"
)

// examples is the end of the template: repeated tables and keys.
//
//go:embed examples.toml
var examples string

// Init writes the template to a new private file. Errors are [*api.Error].
func Init(path string) error {
	if err := EnsureDir(filepath.Dir(path)); err != nil {
		return err
	}
	_, err := fileio.WriteNew(path, false, func(out io.Writer, _ string) error {
		_, err := io.WriteString(out, Template())
		return err
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("There is a file %s already; it was left as "+
			"it is.", clean(path)), Err: err}
	case err != nil:
		return notWritten(path, err)
	}
	return nil
}

func notWritten(path string, err error) error {
	return &api.Error{Code: api.CodeDisk,
		Message: fmt.Sprintf("The file %s cannot be written: %s.", clean(path), reason(err)), Err: err}
}

// FoundServer is a server to be added to the file.
type FoundServer struct{ Name, URL string } // the name is that of the engine

// EnginesText returns the TOML for servers, whose models are listed by themselves.
func EnginesText(servers []FoundServer) string {
	var b strings.Builder
	for _, s := range servers {
		fmt.Fprintf(&b, "\n# Found on this machine by confab.\n[engines.%s]\nurl = %s\n", s.Name, strconv.Quote(s.URL))
	}
	return b.String()
}

// Append adds text to the configuration file, which must be valid afterwards, and returns the engines of the whole. It
// creates a missing file and follows links. Errors are [*api.Error].
func Append(ctx context.Context, path, text string) ([]Engine, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o600)
	old, err := fileio.ReadSettings(path, maxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := EnsureDir(filepath.Dir(path)); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, readError("configuration file", path, err)
	default:
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	whole := append(old, text...)
	trial := Config{Settings: defaults(settingsFile).Settings, origins: map[string]Origin{}}
	if err := cmp.Or(readSettings(&trial, path, whole), trial.check()); err != nil {
		var said *api.Error
		if !errors.As(err, &said) {
			return nil, err
		}
		return nil, &api.Error{Code: api.CodeConfig, Message: "Nothing was written, because the file would not be " +
			"right afterwards: " + said.Message, Err: err}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("append to the configuration: %w", err)
	}
	if err := fileio.Write(path, whole, mode); err != nil {
		return nil, notWritten(path, err)
	}
	return trial.Engines, nil
}

// Template returns a file in which every setting is commented out, with its meaning and its default.
func Template() string {
	var b strings.Builder
	b.WriteString(`# The configuration of confab. Take away the # before a setting to change it.
# A flag wins over the environment, the environment over this file.
# "confab config show" says what is set and where it came from.

`)
	_, text, _ := strings.Cut(settingsFile, "\n\n")
	settings, section := described(), ""
	for line := range strings.Lines(text) {
		name, _, isSetting := strings.Cut(line, " = ")
		switch {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]\n")
		case isSetting && line[0] != '#':
			if about := settings[section+"."+name].about(); about != "" {
				fmt.Fprintf(&b, "#%s\n", about)
			}
			b.WriteByte('#')
		}
		b.WriteString(line)
	}
	return b.String() + examples
}

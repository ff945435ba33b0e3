package config

import (
	_ "embed" // the examples
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/service/api"
)

// examples is the end of the template: tables that may stand several times, and keys.
//
//go:embed examples.toml
var examples string

// Template returns a file in which every setting stands commented out, with
// what it means and its default.
func Template() string {
	var b strings.Builder
	b.WriteString(`# The configuration of confab. Take away the # before a setting to change it.
# A flag wins over the environment, the environment over this file.
# "confab config show" says what is set and where it came from.
`)
	last := ""
	for _, s := range Table() {
		section, name := s.section()
		if section != last {
			last = section
			fmt.Fprintf(&b, "\n[%s]\n", section)
		}
		b.WriteString("\n# " + strings.ReplaceAll(ansi.Wordwrap(s.about(), 96, ""), "\n", "\n# ") + "\n")
		if s.Example != nil {
			fmt.Fprintf(&b, "# Example: %s = %s\n", name, inline(s.Example))
		}
		fmt.Fprintf(&b, "#%s = %s\n", name, inline(s.Default))
	}
	return b.String() + examples
}

// Init writes the template to path, 0600, and makes its folder. A file that is
// there is never replaced. Errors are [*api.Error].
func Init(path string) error {
	if err := EnsureDir(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("There is a file %s already; it was left as "+
			"it is.", clean(path)), Err: err}
	}
	if err != nil {
		return notWritten(path, err)
	}
	_, err = f.WriteString(Template())
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(path) // ours, and not whole
		return notWritten(path, err)
	}
	return nil
}

func notWritten(path string, err error) error {
	return &api.Error{Code: api.CodeDisk,
		Message: fmt.Sprintf("The file %s cannot be written: %s.", clean(path), reason(err)), Err: err}
}

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"confab/service/api"
)

// Template returns a file in which every setting stands commented out, with
// what it means and its default.
func Template() string {
	var b strings.Builder
	b.WriteString(`# The configuration of confab. Take away the # before a setting to change it.
# A flag wins over the environment, the environment over this file.
# "confab config show" says what is set and where it came from.
`)
	section := ""
	for _, s := range Table() {
		sec, name, _ := strings.Cut(s.Name, ".")
		if sec != section {
			if section == "models" {
				b.WriteString(customExample + enginesExample)
			}
			section = sec
			fmt.Fprintf(&b, "\n[%s]\n", section)
		}
		b.WriteByte('\n')
		for _, line := range wrap(s.about(), 96) {
			b.WriteString("# " + line + "\n")
		}
		if s.Example != "" {
			fmt.Fprintf(&b, "# Example: %s = %s\n", name, s.Example)
		}
		fmt.Fprintf(&b, "#%s = %s\n", name, s.Default)
	}
	b.WriteString(keysExample)
	return b.String()
}

const customExample = `
# A model that the built-in catalogue does not have; as many as you like.
#[[models.custom]]
#slug = "my-model"
#kind = "text"          # or "image", "edit"
#about = "What it is good for"
#slow = false           # true: the longer time-outs
#system_prompt = true   # whether it takes one
`

const keysExample = `
# Other keys for what keys do; docs/keys.md lists the names. A list replaces all keys of that name.
[keys]
#send = ["enter"]
#new_line = ["ctrl+j", "shift+enter", "alt+enter"]
`

// about is the meaning with the values that may be chosen from.
func (s Setting) about() string {
	switch s.Type {
	case Choice:
		return s.About + " One of " + strings.Join(quoteAll(s.Choices), ", ") + "."
	case Number:
		return fmt.Sprintf("%s From %d to %d.", s.About, s.Min, s.Max)
	case Duration:
		return fmt.Sprintf("%s From %q to %q.", s.About, showDuration(s.Min), showDuration(s.Max))
	case Size:
		return fmt.Sprintf("%s From %q to %q.", s.About, showSize(s.Min), showSize(s.Max))
	}
	return s.About
}

func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
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

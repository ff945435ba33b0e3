package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/pelletier/go-toml/v2"
)

// invalid replaces a time or size that cannot be read. No setting allows it, so the error tells what the setting must
// be.
const invalid = -1

// Duration is a time with its unit, such as "90s", "5m" or "90d".
type Duration struct{ time.Duration }

// UnmarshalText reads a time. It never fails: it sets invalid instead.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	if days, ok := strings.CutSuffix(string(text), "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		d.Duration = time.Duration(n) * 24 * time.Hour
		if err != nil {
			d.Duration = invalid
		}
		return nil
	}
	if d.Duration, err = time.ParseDuration(string(text)); err != nil {
		d.Duration = invalid
	}
	return nil
}

// MarshalText writes the time as the file has it.
func (d Duration) MarshalText() ([]byte, error) {
	const day = 24 * time.Hour
	if d.Duration > day && d.Duration%day == 0 {
		return []byte(strconv.Itoa(int(d.Duration/day)) + "d"), nil
	}
	s := d.String()
	if rest, ok := strings.CutSuffix(s, "m0s"); ok {
		s = rest + "m"
	}
	if rest, ok := strings.CutSuffix(s, "h0m"); ok {
		s = rest + "h"
	}
	return []byte(s), nil
}

// Size is a number of bytes, in the file perhaps with a unit: 8388608 or "8MiB".
type Size int64

// UnmarshalText reads a size. It never fails: it sets invalid instead.
func (s *Size) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	*s = Size(n)
	if err != nil || n > math.MaxInt64 {
		*s = invalid
	}
	return nil
}

// MarshalText writes the size as the file has it.
func (s Size) MarshalText() ([]byte, error) {
	unit := ""
	for _, larger := range []string{"KiB", "MiB", "GiB"} {
		if s == 0 || s%1024 != 0 {
			break
		}
		s, unit = s/1024, larger
	}
	return []byte(strconv.FormatInt(int64(s), 10) + unit), nil
}

// List is a list of texts: as TOML has it, or one text with commas between.
type List []string

// UnmarshalText splits a text at its commas.
func (l *List) UnmarshalText(text []byte) error {
	*l = split(string(text), func(r rune) bool { return r == ',' })
	return nil
}

// Command is a program with its arguments, run without a shell: a TOML list, or one text with blanks between.
type Command []string

// UnmarshalText splits a text at its blanks.
func (c *Command) UnmarshalText(text []byte) error {
	*c = split(string(text), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
	return nil
}

// MarshalText writes the program without its arguments, which may hold a secret.
func (c Command) MarshalText() ([]byte, error) {
	if len(c) > 1 {
		return []byte(c[0] + " …"), nil
	}
	return []byte(strings.Join(c, "")), nil
}

// split reads a TOML list, or texts with separators between them.
func split(text string, isSeparator func(rune) bool) []string {
	var list struct {
		Value []string `toml:"value"`
	}
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "[") && !strings.Contains(text, "\n") &&
		toml.Unmarshal([]byte("value = "+text), &list) == nil {
		return list.Value
	}
	parts := strings.FieldsFunc(text, isSeparator)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

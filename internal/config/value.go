package config

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"confab/internal/tomldoc"
)

// literal reads one value as TOML writes it.
func literal(text string) (any, error) {
	entries, err := tomldoc.Parse([]byte("value = " + text))
	if err != nil {
		return nil, fmt.Errorf("read a value: %w", err)
	}
	if len(entries) != 1 || len(entries[0].Path) != 1 {
		return nil, errors.New("read a value: it is not one plain value")
	}
	return entries[0].Value, nil
}

// expected is what a value of the setting must be, as "must be …".
func (s Setting) expected() string {
	switch s.Type {
	case Choice:
		return "must be one of " + strings.Join(quoteAll(s.Choices), ", ")
	case Folder:
		return "must be an absolute path, or one that begins with ~/"
	case Switch:
		return "must be true or false"
	case Number:
		return fmt.Sprintf("must be a whole number from %d to %d", s.Min, s.Max)
	case Duration:
		return fmt.Sprintf("must be a time with its unit, from %q to %q", showDuration(s.Min), showDuration(s.Max))
	case Size:
		return fmt.Sprintf("must be bytes, or a number with a unit, from %q to %q", showSize(s.Min), showSize(s.Max))
	case List:
		return `must be a list of texts: ["…", "…"]`
	case Command:
		return `must be a program and its words: ["…", "…"]`
	default:
		return "must be a text"
	}
}

// set takes a value as TOML has it and returns what is wrong with it, or "".
func (s Setting) set(to *Settings, v any) string {
	switch field := s.field(to).(type) {
	case *string:
		return s.setString(field, v)
	case *bool:
		if takeSwitch(v, field) != "" {
			return s.expected()
		}
	case *int:
		n, ok := v.(int64)
		if !ok || n < s.Min || n > s.Max {
			return s.expected()
		}
		*field = int(n)
	case *time.Duration:
		text, _ := v.(string)
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Duration(s.Min)*time.Millisecond || d > time.Duration(s.Max)*time.Millisecond {
			return s.expected()
		}
		*field = d
	case *int64:
		n, ok := sizeOf(v)
		if !ok || n < s.Min || n > s.Max {
			return s.expected()
		}
		*field = n
	case *[]string:
		return s.setList(field, v)
	}
	return ""
}

func (s Setting) setString(field *string, v any) string {
	text, ok := v.(string)
	if !ok {
		return s.expected()
	}
	switch s.Type {
	case Choice:
		if !slices.Contains(s.Choices, text) {
			return s.expected()
		}
	case Folder:
		if wrong := checkPath(text); wrong != "" {
			return wrong
		}
	}
	if s.check != nil {
		if wrong := s.check(text); wrong != "" {
			return wrong
		}
	}
	*field = text
	return ""
}

func (s Setting) setList(field *[]string, v any) string {
	list, ok := v.([]any)
	if !ok || len(list) > 200 {
		return s.expected()
	}
	texts := make([]string, 0, len(list))
	for i, el := range list {
		text, ok := el.(string)
		if !ok {
			return s.expected()
		}
		if s.check != nil && (s.Type == List || i == 0) {
			if wrong := s.check(text); wrong != "" {
				return wrong
			}
		}
		if strings.ContainsRune(text, 0) {
			return s.expected()
		}
		texts = append(texts, text)
	}
	*field = texts
	return ""
}

// setText takes a value as a flag or the environment has it. Relative paths
// start from dir.
func (s Setting) setText(to *Settings, text, dir string) string {
	var v any = text
	switch s.Type {
	case Switch:
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "1", "yes", "on":
			v = true
		case "false", "0", "no", "off":
			v = false
		}
	case Number:
		if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			v = n
		}
	case Folder:
		if text != "" && !filepath.IsAbs(text) && !home(text) {
			v = filepath.Join(dir, text)
		}
	case List, Command:
		list, err := splitList(text)
		if s.Type == Command && !strings.HasPrefix(strings.TrimSpace(text), "[") {
			list, err = toAny(strings.Fields(text)), nil
		}
		if err != nil {
			return s.expected()
		}
		v = list
	}
	return s.set(to, v)
}

// splitList reads a list as TOML writes it, or texts with commas between.
func splitList(text string) ([]any, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") {
		v, err := literal(text)
		if err != nil {
			return nil, err
		}
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("not a list")
		}
		return list, nil
	}
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return toAny(parts), nil
}

func toAny(texts []string) []any {
	list := make([]any, len(texts))
	for i, t := range texts {
		list[i] = t
	}
	return list
}

// sizeOf reads bytes: a whole number, or a text with KiB, MiB or GiB.
func sizeOf(v any) (int64, bool) {
	if n, ok := v.(int64); ok {
		return n, true
	}
	text, ok := v.(string)
	if !ok {
		return 0, false
	}
	text = strings.TrimSpace(text)
	unit := int64(1)
	for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = strings.TrimSpace(rest), size
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}

func showSize(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

func showDuration(ms int64) string {
	s := (time.Duration(ms) * time.Millisecond).String()
	if rest, ok := strings.CutSuffix(s, "m0s"); ok {
		s = rest + "m"
	}
	if rest, ok := strings.CutSuffix(s, "h0m"); ok {
		s = rest + "h"
	}
	return s
}

// show writes the setting's value as TOML has it.
func (s Setting) show(from *Settings) string {
	switch v := s.field(from).(type) {
	case *string:
		return quote(*v)
	case *bool:
		return strconv.FormatBool(*v)
	case *int:
		return strconv.Itoa(*v)
	case *time.Duration:
		return quote(showDuration(v.Milliseconds()))
	case *int64:
		return quote(showSize(*v))
	case *[]string:
		if s.Type == Command && len(*v) > 1 {
			return fmt.Sprintf("[%s, %q]", quote((*v)[0]), "…") // its words may hold a secret
		}
		return "[" + strings.Join(quoteAll(*v), ", ") + "]"
	}
	return ""
}

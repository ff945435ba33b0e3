package config

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"confab/internal/termtext"
	"confab/internal/tomldoc"
)

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
	case Decimal:
		return fmt.Sprintf("must be a number from %s to %s", inline(s.Min), inline(s.Max))
	case Duration:
		return fmt.Sprintf("must be a time with its unit, from %q to %q", s.Min, s.Max)
	case Size:
		return fmt.Sprintf("must be bytes, or a number with a unit, from %q to %q", s.Min, s.Max)
	case List:
		if len(s.Choices) > 0 {
			return "must be a list made of " + strings.Join(quoteAll(s.Choices), ", ")
		}
		return `must be a list of texts: ["…", "…"]`
	case Command:
		return `must be a program and its words: ["…", "…"]`
	}
	return "must be a text"
}

// set puts a value as TOML has it into the setting's field and returns what is wrong with it, or "".
func (s Setting) set(of, v any) (wrong string) {
	ok := false
	switch field := s.field(of).(type) {
	case *string:
		var text string
		if text, ok = v.(string); ok {
			if wrong := s.checkText(text); wrong != "" {
				return wrong
			}
			*field = text
		}
	case *bool:
		var on bool
		if on, ok = v.(bool); ok {
			*field = on
		}
	case *int, *time.Duration, *int64:
		n, isNumber := s.number(v)
		least, _ := s.number(s.Min)
		most, _ := s.number(s.Max)
		if ok = isNumber && n >= least && n <= most; ok {
			reflect.ValueOf(field).Elem().SetInt(n)
		}
	case *float64:
		n, isNumber := decimal(v)
		least, _ := decimal(s.Min)
		most, _ := decimal(s.Max)
		if ok = isNumber && n >= least && n <= most; ok {
			*field = n
		}
	case *[]string:
		var texts []string
		if texts, ok = textsOf(v); ok {
			for i, text := range texts {
				if s.Type == Command && i > 0 {
					break // the words of a program may be anything
				}
				if wrong := s.checkText(text); wrong != "" {
					return wrong
				}
			}
			*field = texts
		}
	}
	if !ok {
		return s.expected()
	}
	return ""
}

// checkText returns what is wrong with a text, or with an element of a list, or "".
func (s Setting) checkText(text string) string {
	switch {
	case len(s.Choices) > 0 && !slices.Contains(s.Choices, text):
		return s.expected()
	case s.Type == Folder && text != "" && (checkLine(text) != "" || !filepath.IsAbs(text) && !isInHome(text)):
		return s.expected()
	case s.Check != "":
		return checkWith(s.Check, text)
	}
	return ""
}

// setText puts a value as a flag or the environment has it into the setting's field and returns what is wrong with
// it, or "". Relative paths start from dir.
func (s Setting) setText(of any, text, dir string) string {
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
		if text != "" && !filepath.IsAbs(text) && !isInHome(text) {
			v = filepath.Join(dir, text)
		}
	case List:
		v = splitList(text, func(r rune) bool { return r == ',' })
	case Command:
		v = splitList(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
	}
	return s.set(of, v)
}

// splitList reads a list as TOML writes it, or texts with separators between them. It returns nil for what is neither.
func splitList(text string, isSeparator func(rune) bool) any {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") {
		entries, err := tomldoc.Parse([]byte("value = " + text))
		if err != nil || len(entries) != 1 || len(entries[0].Path) != 1 {
			return nil
		}
		return entries[0].Value
	}
	list := []any{}
	for part := range strings.FieldsFuncSeq(text, isSeparator) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// textsOf reads a list of at most 200 texts.
func textsOf(v any) (texts []string, ok bool) {
	list, ok := v.([]any)
	if !ok || len(list) > 200 {
		return nil, false
	}
	texts = make([]string, len(list))
	for i, el := range list {
		if texts[i], ok = el.(string); !ok || strings.ContainsRune(texts[i], 0) {
			return nil, false
		}
	}
	return texts, true
}

// number reads a whole number, a time with its unit, or bytes: a whole number, or a text with a number and perhaps a
// unit.
func (s Setting) number(v any) (n int64, ok bool) {
	text, isText := v.(string)
	switch {
	case s.Type == Duration:
		if days, ok := strings.CutSuffix(text, "d"); ok {
			n, err := strconv.ParseUint(days, 10, 16)
			return int64(n) * int64(24*time.Hour), err == nil
		}
		d, err := time.ParseDuration(text)
		return int64(d), err == nil
	case s.Type == Size && isText:
		n, err := humanize.ParseBytes(text)
		return int64(n), err == nil && n <= math.MaxInt64
	}
	n, ok = v.(int64)
	return n, ok
}

// decimal reads a number with or without decimals.
func decimal(v any) (n float64, ok bool) {
	if whole, isWhole := v.(int64); isWhole {
		return float64(whole), true
	}
	n, ok = v.(float64)
	return n, ok
}

func showSize(bytes int64) string {
	unit := ""
	for _, larger := range []string{"KiB", "MiB", "GiB"} {
		if bytes == 0 || bytes%1024 != 0 {
			break
		}
		bytes, unit = bytes/1024, larger
	}
	return strconv.FormatInt(bytes, 10) + unit
}

func showDuration(d time.Duration) string {
	const day = 24 * time.Hour
	if d > day && d%day == 0 {
		return strconv.Itoa(int(d/day)) + "d"
	}
	s := d.String()
	if rest, ok := strings.CutSuffix(s, "m0s"); ok {
		s = rest + "m"
	}
	if rest, ok := strings.CutSuffix(s, "h0m"); ok {
		s = rest + "h"
	}
	return s
}

// show writes the setting's value as TOML has it.
func (s Setting) show(of any) string {
	switch v := s.field(of).(type) {
	case *string:
		return quote(*v)
	case *time.Duration:
		return quote(showDuration(*v))
	case *int64:
		return quote(showSize(*v))
	case *[]string:
		if s.Type == Command && len(*v) > 1 {
			return fmt.Sprintf("[%s, %q]", quote((*v)[0]), "…") // its words may hold a secret
		}
		return "[" + strings.Join(quoteAll(*v), ", ") + "]"
	case *bool:
		return strconv.FormatBool(*v)
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
	return ""
}

// inline writes a value as TOML has it.
func inline(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, quote(name)+" = "+inline(v[name]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		var parts []string
		for _, el := range v {
			parts = append(parts, inline(el))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return quote(v)
	}
	return fmt.Sprint(v)
}

// quote writes a text as TOML has it, with everything invisible escaped.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case termtext.IsVisible(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return quoted
}

package suite

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// scalarText returns a scalar as text, a number as JavaScript writes it; ok is false for lists, objects and nothing.
func scalarText(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		if n, err := v.Float64(); err == nil && math.Abs(n) < 1e21 {
			return formatNumber(n), true
		}
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// needText returns the value as a nonempty text.
func needText(spec checkSpec) (string, error) {
	s, _ := scalarText(spec.Value)
	if s == "" {
		return "", errors.New("needs a text as its value")
	}
	return s, nil
}

// needList returns the value as a list of texts. It splits a single text at commas.
func needList(spec checkSpec) ([]string, error) {
	needed := errors.New("needs a list of texts as its value")
	var list []string
	if items, ok := spec.Value.([]any); ok {
		for _, item := range items {
			s, ok := scalarText(item)
			if !ok {
				return nil, needed
			}
			list = append(list, s)
		}
	} else {
		s, err := needText(spec)
		if err != nil {
			return nil, needed
		}
		if list, err = splitList(s); err != nil {
			return nil, err
		}
	}
	switch {
	case len(list) == 0:
		return nil, errors.New("needs at least one text in its list")
	case slices.Contains(list, ""): // every text contains the empty text
		return nil, errors.New("has an empty text in its list")
	}
	return list, nil
}

// quotedItem matches an item in double quotes, in which a backslash or a second quote escapes a quote.
var quotedItem = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^"((?:\\["\\]|""|[^"])*)"[\s\x{FEFF}]*(?:,|$)`)
})

// splitList splits a text at commas, and drops blanks around an item and empty items.
func splitList(s string) (list []string, err error) {
	for {
		s = strings.TrimLeftFunc(s, func(r rune) bool { return r == ',' || isBlank(r) })
		switch {
		case s == "":
			return list, nil
		case s[0] != '"':
			item, rest, _ := strings.Cut(s, ",")
			list, s = append(list, strings.TrimRightFunc(item, isBlank)), rest
			continue
		}
		m := quotedItem().FindStringSubmatch(s)
		if m == nil {
			return nil, errors.New("has a quote in its list that does not enclose an item")
		}
		list, s = append(list, strings.NewReplacer(`\"`, `"`, `\\`, `\`, `""`, `"`).Replace(m[1])), s[len(m[0]):]
	}
}

// isBlank reports whether JavaScript takes a character for white space.
func isBlank(r rune) bool { return unicode.IsSpace(r) && r != 0x85 || r == 0xFEFF }

// needNumber returns a finite number that is not negative.
func needNumber(value any) (float64, bool) {
	s, _ := scalarText(value)
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return n, err == nil && n >= 0 && !math.IsInf(n, 0)
}

// formatNumber formats a number with as few digits as possible.
func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// maxShown bounds the bytes of a value or an answer that a reason quotes.
const maxShown = 60

// quoted returns the beginning of a text in double quotes, with escapes for unprintable characters.
func quoted(s string) string {
	if len(s) <= maxShown {
		return strconv.Quote(s)
	}
	return strconv.Quote(strings.ToValidUTF8(s[:maxShown], "")) + "…"
}

func shortValue(value any) string {
	if s, ok := value.(string); ok {
		return quoted(s)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	if len(b) > maxShown {
		return strings.ToValidUTF8(string(b[:maxShown]), "") + "…"
	}
	return string(b)
}

// mapTexts returns a copy of a decoded JSON value with its texts replaced.
func mapTexts(value any, replace func(text string) (any, error)) (any, error) {
	var err error
	switch v := value.(type) {
	case string:
		return replace(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			if out[i], err = mapTexts(item, replace); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if out[key], err = mapTexts(v[key], replace); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// hasVariables reports whether the texts of a value have variables or other templates.
func hasVariables(value any) bool {
	found := false
	_, _ = mapTexts(value, func(text string) (any, error) {
		found = found || len(Variables(text)) > 0 || len(foreignTemplates(text)) > 0
		return text, nil
	})
	return found
}

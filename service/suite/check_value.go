package suite

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// scalarText returns a scalar as text; ok is false for lists, objects and nothing.
func scalarText(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
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

// needList returns the value as a list of texts. It splits a single text at commas; double quotes enclose an item
// with commas.
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
		// Line breaks are part of an item, as in promptfoo.
		r := csv.NewReader(strings.NewReader(strings.NewReplacer("\n", "\uE000", "\r", "\uE001").Replace(s)))
		r.LazyQuotes, r.TrimLeadingSpace, r.FieldsPerRecord = true, true, -1
		rows, err := r.ReadAll()
		if err != nil {
			return nil, errors.New("has a value that is no list with commas")
		}
		for _, item := range slices.Concat(rows...) {
			list = append(list, strings.TrimSpace(strings.NewReplacer("\uE000", "\n", "\uE001", "\r").Replace(item)))
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

package themes

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"confab/internal/termtext"
)

// ParseError is what is wrong with the file of a theme.
type ParseError struct {
	Line    int    // from 1; 0 when no line is to blame
	Message string // a clause for people, which never repeats a value
}

// Error returns "line N: message".
func (e *ParseError) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// maxLines bounds a file: the time that go-toml takes grows with the square of the number of unknown keys.
const maxLines = 1000

// Parse reads a palette from a TOML file's bytes. It is strict: an unknown key, a value of another type, a color
// that is none, and a missing name are errors, each a [*ParseError]. A color that the file leaves out is the
// terminal's own; accents, layers and the colors of models are made from the others.
func Parse(data []byte) (Palette, error) {
	var file struct {
		Palette
		Accent string   `toml:"accent"` // Focus, as files of earlier versions call it
		Models []string `toml:"models"`
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF")) // some editors on Windows begin files with it
	if bytes.Count(data, []byte("\n")) > maxLines {
		return Palette{}, &ParseError{Message: fmt.Sprintf("the file has more than %d lines", maxLines)}
	}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&file); err != nil {
		return Palette{}, parseError(err)
	}
	p := file.Palette
	if p.Focus == "" {
		p.Focus = file.Accent
	}
	copy(p.Models[:], file.Models)
	if key := p.wrongKey(file.Models); key != "" {
		return Palette{}, &ParseError{lineOf(data, key), key + " " + mustBe(key)}
	}
	if p.Name == "" {
		return Palette{}, &ParseError{Message: "the theme has no name"}
	}
	present := map[string]any{}
	if err := toml.Unmarshal(data, &present); err != nil {
		return Palette{}, parseError(err)
	}
	isSet := map[string]bool{}
	for key := range present {
		isSet[key] = true
	}
	p.derive(isSet)
	return p, nil
}

// parseError words what go-toml says about a file.
func parseError(err error) *ParseError {
	e := &ParseError{Message: strings.TrimPrefix(err.Error(), "toml: ")}
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		key := strings.Join(unknown.Errors[0].Key(), ".")
		e.Line, _ = unknown.Errors[0].Position()
		e.Message = termtext.Escape(key) + " is not a key of a theme"
		if near := termtext.NearestName(key, keys()); near != "" {
			e.Message += "; did you mean " + near + "?"
		}
	case errors.As(err, &wrong):
		e.Line, _ = wrong.Position()
		if key := strings.Join(wrong.Key(), "."); slices.Contains(keys(), key) &&
			strings.HasPrefix(e.Message, "cannot ") {
			e.Message = key + " " + mustBe(key)
		}
	}
	e.Message = termtext.Line(e.Message)
	return e
}

func keys() []string {
	names := []string{"name", "about", "dark", "own_text", "models", "accent"}
	for _, r := range new(Palette).roles() {
		names = append(names, r.key)
	}
	return names
}

func mustBe(key string) string {
	switch key {
	case "name":
		return "must be 1 to 40 letters, digits, hyphens, underscores or dots"
	case "about":
		return "must be a text of one line"
	case "dark", "own_text":
		return "must be true or false"
	case "models":
		return fmt.Sprintf("must be a list of at most %d colors", ModelColors)
	}
	if canBeDim(key) {
		return `must be a color: "#rrggbb", "0" to "255", "" for the terminal's own, or "dim" for that dimmed`
	}
	return `must be a color: "#rrggbb", "0" to "255", or "" for the terminal's own`
}

// canBeDim tells whether a key colors quiet text.
func canBeDim(key string) bool {
	return slices.Contains([]string{"muted", "faint", "code.comment"}, key)
}

// wrongKey returns the first key whose value is wrong, "" for none.
func (p *Palette) wrongKey(models []string) string {
	isWrong := func(color string) bool { return color == "" || !isColor(color) }
	switch {
	case p.Name != "" && !isValidName(p.Name):
		return "name"
	case !isOneLine(p.About):
		return "about"
	case len(models) > ModelColors || slices.ContainsFunc(models, isWrong):
		return "models"
	}
	for _, r := range p.roles() {
		if !isColor(*r.value) && !(*r.value == Dim && canBeDim(r.key)) {
			return r.key
		}
	}
	return ""
}

// lineOf returns the line of a key, 0 where it does not stand at the beginning of a line.
func lineOf(data []byte, key string) int {
	table, line := "", 0
	for text := range strings.Lines(string(data)) {
		line++
		name, _, _ := strings.Cut(strings.TrimSpace(text), "=")
		switch name = strings.TrimSpace(name); {
		case strings.HasPrefix(name, "["):
			table = strings.Trim(name, "[]") + "."
		case table+name == key:
			return line
		}
	}
	return 0
}

func isOneLine(s string) bool {
	return len(s) <= 200 && !strings.ContainsFunc(s, func(r rune) bool { return !termtext.IsVisible(r) })
}

func isValidName(s string) bool {
	return s != "" && len(s) <= 40 && s != "auto" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.", r)
	})
}

func isColor(s string) bool {
	if s == "" {
		return true
	}
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		_, err := strconv.ParseUint(hex, 16, 32)
		return err == nil && len(hex) == 6
	}
	n, err := strconv.ParseUint(s, 10, 8)
	return err == nil && strconv.FormatUint(n, 10) == s
}

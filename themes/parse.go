package themes

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"confab/internal/termtext"
	"confab/internal/tomldoc"
)

// Parse reads a palette from a TOML file's bytes. It is strict: an unknown
// key, a value of another type, a color that is none, and a missing name are
// errors, each a [*tomldoc.Error] that names its line. A color that the file
// leaves out is the terminal's own; accents, layers and the colors of models
// are made from the others.
func Parse(data []byte) (Palette, error) {
	entries, err := tomldoc.Parse(data)
	if err != nil {
		return Palette{}, err
	}
	var p Palette
	colors := map[string]*string{}
	for _, r := range p.roles() {
		colors[r.key] = r.value
	}
	colors["accent"] = &p.Focus // as files of earlier versions call it
	isSet := map[string]bool{}
	for _, e := range entries {
		if err := p.set(e, colors); err != nil {
			return Palette{}, err
		}
		isSet[e.Key()] = true
	}
	if p.Name == "" {
		return Palette{}, &tomldoc.Error{Message: "the theme has no name"}
	}
	p.derive(isSet)
	return p, nil
}

func (p *Palette) set(e tomldoc.Entry, colors map[string]*string) error {
	key := e.Key()
	wrong := func(what string) error {
		return &tomldoc.Error{Line: e.Line, Message: fmt.Sprintf("%s %s", e.Label(), what)}
	}
	if e.IsTable {
		if key == "code" {
			return nil
		}
		return wrong("is not a key of a theme")
	}
	switch key {
	case "name", "about":
		s, ok := e.Value.(string)
		if !ok || !isOneLine(s) {
			return wrong("must be a text of one line")
		}
		if key == "about" {
			p.About = s
			return nil
		}
		if !isValidName(s) {
			return wrong("must be 1 to 40 letters, digits, hyphens, underscores or dots")
		}
		p.Name = s
	case "dark", "own_text":
		yes, ok := e.Value.(bool)
		switch {
		case !ok:
			return wrong("must be true or false")
		case key == "dark":
			p.Dark = yes
		default:
			p.OwnText = yes
		}
	case "models":
		if !p.setModels(e.Value) {
			return wrong(fmt.Sprintf("must be a list of at most %d colors", ModelColors))
		}
	default:
		field, known := colors[key]
		if !known {
			if near := termtext.NearestName(key,
				append(slices.Collect(maps.Keys(colors)), "name", "about", "dark", "own_text", "models")); near != "" {
				return wrong("is not a key of a theme; did you mean " + near + "?")
			}
			return wrong("is not a key of a theme")
		}
		s, ok := e.Value.(string)
		if !ok || !isColor(s) {
			return wrong(`must be a color: "#rrggbb", "0" to "255", or "" for the terminal's own`)
		}
		*field = s
	}
	return nil
}

func (p *Palette) setModels(value any) (ok bool) {
	list, ok := value.([]any)
	if !ok || len(list) > len(p.Models) {
		return false
	}
	for i, v := range list {
		if p.Models[i], ok = v.(string); !ok || p.Models[i] == "" || !isColor(p.Models[i]) {
			return false
		}
	}
	return true
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

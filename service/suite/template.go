package suite

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A name has at most maxVariableName characters; the first is a letter or an underscore. The pattern does not check
// the length: a counted repetition of these classes would take megabytes, and milliseconds at each start.
const (
	maxVariableName = 64
	variablePattern = `[\pL_][\pL\pM\p{Nd}_-]*`
)

var (
	validVariableName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^` + variablePattern + `$`)
	})
	// templateMark matches a variable or doubled braces.
	templateMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{\{\{\{|\}\}\}\}|\{\{[ \t\r\n]*(` + variablePattern + `)[ \t\r\n]*\}\}`)
	})
)

// MissingVariablesError lists the variables of a text without values in order of appearance.
type MissingVariablesError struct{ Names []string }

func (e *MissingVariablesError) Error() string {
	return "no value for " + strings.Join(e.Names, ", ")
}

// Variables returns the distinct names of the variables of texts in order of appearance.
func Variables(texts ...string) []string {
	var names []string
	for _, text := range texts {
		walkTemplate(text, func(string) {}, func(name string) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		})
	}
	return names
}

// Expand replaces every variable of a text by its value, and doubled braces by single ones. If values are missing,
// the text is empty and the error is a [MissingVariablesError]; an empty value is not missing.
func Expand(text string, values map[string]string) (string, error) {
	var out strings.Builder
	var missing []string
	walkTemplate(text, func(s string) { out.WriteString(s) }, func(name string) {
		value, ok := values[name]
		if !ok && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		out.WriteString(value)
	})
	if len(missing) > 0 {
		return "", &MissingVariablesError{Names: missing}
	}
	return out.String(), nil
}

// escapeTemplate returns a template that expands to exactly the text. It differs from the text only if a template
// would change it, or promptfoo would interpret its double braces.
func escapeTemplate(text string) string {
	inBraces := func(t foreignTemplate) bool { return strings.HasPrefix(t.Text, "{{") }
	if plain, err := Expand(text, nil); err == nil && plain == text && !slices.ContainsFunc(foreignTemplates(text),
		inBraces) {
		return text
	}
	var out strings.Builder
	for text != "" {
		i := strings.Index(text, "{{")
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		out.WriteString("{{{{")
		text = text[i+2:]
		// The next }}}} closes this one, so a following pair of braces is doubled before another opens.
		if end := strings.Index(text, "}}"); end >= 0 {
			if next := strings.Index(text, "{{"); next < 0 || end < next {
				out.WriteString(text[:end])
				out.WriteString("}}}}")
				text = text[end+2:]
			}
		}
	}
	out.WriteString(text)
	return out.String()
}

// foreignTemplate is a piece of a text that promptfoo interprets as a template, but this package does not.
type foreignTemplate struct {
	Text string
	Line int // of the text, from 0
}

// templateTag matches {{ expressions }}, {% tags %} and {# comments #}.
var templateTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}`)
})

// foreignTemplates returns the promptfoo templates of a text that are not variables here.
func foreignTemplates(text string) (found []foreignTemplate) {
	line := 0
	walkTemplate(text, func(s string) {
		last := 0
		for _, m := range templateTag().FindAllStringIndex(s, -1) {
			line += strings.Count(s[last:m[0]], "\n")
			if last = m[0]; m[1]-m[0] > len("{{}}") {
				found = append(found, foreignTemplate{s[m[0]:m[1]], line})
			}
		}
		line += strings.Count(s[last:], "\n")
	}, func(string) {})
	return found
}

// isVariableName reports whether a text is a valid name of a variable.
func isVariableName(name string) bool {
	return utf8.RuneCountInString(name) <= maxVariableName && validVariableName().MatchString(name)
}

// walkTemplate passes the pieces of a template to literal and variable in order: text with single braces for doubled
// ones, and names. It passes literal text in as few pieces as possible.
func walkTemplate(text string, literal, variable func(string)) {
	start, isOpen := 0, false // isOpen: a {{{{ is not closed yet
	flush := func(end int) {
		if end > start {
			literal(text[start:end])
		}
	}
	var marks [][]int
	if strings.Contains(text, "{{") { // the expression is slow on long texts
		marks = templateMark().FindAllStringSubmatchIndex(text, -1)
	}
	for _, m := range marks {
		mark := text[m[0]:m[1]]
		isName := m[2] >= 0
		if mark == "}}}}" && !isOpen || isName && utf8.RuneCountInString(text[m[2]:m[3]]) > maxVariableName {
			continue // plain text
		}
		flush(m[0])
		start = m[1]
		switch mark {
		case "{{{{", "}}}}":
			literal(mark[:2])
			isOpen = mark == "{{{{"
		default:
			variable(text[m[2]:m[3]])
		}
	}
	flush(len(text))
}

// refuseTemplates returns an error for the first promptfoo template of a text that confab does not do. The text begins
// at a line.
func refuseTemplates(text string, line int) error {
	if offset, err := checkTemplate(text); err != nil {
		return errorAt(line+offset, "%s", err)
	}
	return nil
}

// refuseTemplatesIn refuses templates in the texts of a node, except in names of files.
func refuseTemplatesIn(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		for i, child := range n.Content {
			if isName := n.Kind == yaml.MappingNode && i%2 == 0; isName {
				continue
			}
			if err := refuseTemplatesIn(child); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := fileRef(n.Value); ok || n.ShortTag() != "!!str" {
		return nil
	}
	if n.Style&yaml.LiteralStyle != 0 { // the text begins on the next line
		return refuseTemplates(n.Value, n.Line+1)
	}
	return refuseTemplates(strings.ReplaceAll(n.Value, "\n", " "), n.Line)
}

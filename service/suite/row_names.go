package suite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The most terminal cells of a row's name, and of its parts.
const (
	maxNameWidth   = 100
	maxValueWidth  = 28
	maxPromptWidth = 28
)

// rowNamer names rows in a few words: by the prompt where there are several, and by the variables whose values differ.
type rowNamer struct {
	hasPrompts      bool     // there are several prompts
	variables       []string // whose values are part of a name
	isInHeadingOnly bool     // every row has these variables: their names are in the heading
}

func newRowNamer(rows []Row) rowNamer {
	prompts, first := map[string]bool{}, map[string]string{}
	uses, differs, longest := map[string]int{}, map[string]bool{}, map[string]int{}
	for _, r := range rows {
		prompts[r.Prompt] = true
		for name, v := range r.Vars {
			if uses[name] > 0 && first[name] != v {
				differs[name] = true
			}
			first[name] = v
			uses[name]++
			longest[name] = max(longest[name], min(len(v), maxValueWidth))
		}
	}
	n := rowNamer{hasPrompts: len(prompts) > 1, isInHeadingOnly: true}
	for name, in := range uses {
		if differs[name] || in < len(rows) {
			n.variables = append(n.variables, name)
			n.isInHeadingOnly = n.isInHeadingOnly && in == len(rows)
		}
	}
	// Short values first: a name that is cut loses the end of a long value.
	slices.SortFunc(n.variables, func(a, b string) int {
		return cmp.Or(cmp.Compare(longest[a], longest[b]), cmp.Compare(a, b))
	})
	return n
}

// heading returns the text above the names.
func (n rowNamer) heading() string {
	if len(n.variables) == 0 || !n.isInHeadingOnly {
		return "prompt"
	}
	variables := OneLine(strings.Join(n.variables, " · "))
	if n.hasPrompts {
		return "prompt · " + variables
	}
	return variables
}

func (n rowNamer) name(r Row) string {
	separator, text := "  ", joinValues(r.Vars, n.variables, "=", "  ", maxValueWidth)
	if n.isInHeadingOnly {
		separator, text = " · ", joinValues(r.Vars, n.variables, "", " · ", maxValueWidth)
	}
	if about := ansi.Truncate(OneLine(r.Description), maxPromptWidth, "…"); about != "" {
		if text == "" && !n.hasPrompts {
			return about
		}
		text = strings.TrimSuffix(about+" · "+text, " · ")
	}
	prompt := n.promptName(r)
	switch {
	case text == "":
		return ansi.Truncate(prompt, maxNameWidth, "…")
	case !n.hasPrompts:
		return text
	}
	return ansi.Truncate(prompt, maxPromptWidth, "…") + separator + text
}

// values describes the test of a row and its values that differ from those of other rows, in one line.
func (n rowNamer) values(r Row) string {
	values := joinValues(r.Vars, n.variables, "=", ", ", maxValueWidth)
	if r.Description != "" {
		values = strings.TrimSuffix(OneLine(r.Description)+", "+values, ", ")
	}
	return values
}

// promptName returns the name that the suite gives a prompt, else its beginning, after its number where there are
// several.
func (n rowNamer) promptName(r Row) string {
	name := OneLine(r.Prompt)
	if _, err := strconv.Atoi(name); err != nil || r.Text == "" {
		return name
	}
	if n.hasPrompts {
		return name + " " + OneLine(r.Text)
	}
	return OneLine(r.Text)
}

// rowFacts describes a row for the status lines: its prompt with its beginning, and all its values.
func rowFacts(at int, r Row) string {
	text := fmt.Sprintf("row %d  ", at+1)
	if r.Description != "" {
		text += OneLine(r.Description) + "  "
	}
	text += "prompt " + OneLine(r.Prompt)
	if r.Text != "" && r.Text != r.Prompt {
		text += ": " + OneLine(r.Text)
	}
	if values := joinValues(r.Vars, slices.Sorted(maps.Keys(r.Vars)), " = ", "   ", 0); values != "" {
		text += "   " + values
	}
	return text
}

// joinValues joins the values of variables, each at most so many cells wide (0 for any width). With a sign, the names
// of the variables come before their values.
func joinValues(vars map[string]string, names []string, sign, separator string, width int) string {
	var words []string
	for _, name := range names {
		v, ok := vars[name]
		if !ok {
			continue
		}
		v = OneLine(v)
		if width > 0 {
			v = ansi.Truncate(v, width, "…")
		}
		if v == "" {
			v = `""`
		}
		if sign != "" {
			v = OneLine(name) + sign + v
		}
		words = append(words, v)
	}
	return strings.Join(words, separator)
}

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

// The maximum widths of a row's name, and of its parts, in terminal cells.
const (
	maxNameWidth   = 100
	maxValueWidth  = 28
	maxPromptWidth = 28
)

// rowNamer names rows in a few words: by the prompt if there are several, and by the variables whose values differ.
type rowNamer struct {
	hasPrompts      bool     // there are several prompts
	variables       []string // whose values are part of a name
	isInHeadingOnly bool     // all rows have these variables, so only the heading names them
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
	// Short values first, because a cut name loses the end of a long value.
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

// values describes on one line the test of a row and its values that differ from other rows.
func (n rowNamer) values(r Row) string {
	values := joinValues(r.Vars, n.variables, "=", ", ", maxValueWidth)
	if r.Description != "" {
		values = strings.TrimSuffix(OneLine(r.Description)+", "+values, ", ")
	}
	return values
}

// promptName returns the suite's name of a prompt, or else its beginning, after its number if there are several.
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

// rowFacts describes a row for the status lines: its prompt with the beginning of its text, and all its values.
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

// joinValues joins the values of variables, each at most width cells wide (0 for any width). If sign is not empty,
// the name and sign precede each value.
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

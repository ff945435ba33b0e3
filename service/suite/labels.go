package suite

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
)

// The maximum widths of a row's name, of a value in it and elsewhere, and of the words of a prompt, in terminal cells.
const (
	maxNameWidth  = 100
	maxFieldWidth = 48
	maxValueWidth = 28
	maxWordsWidth = 28
)

// Labels names points by what differs among them, never by what is the same. All labels are sanitised.
type Labels struct {
	positions map[Axis][]string // in the order of their first appearance
	labels    map[Axis]map[string]label
	variables string   // names of those whose values differ, if all points have these; empty otherwise
	fields    []string // names of what differs in the values: "test", then the variables in the order of a label
}

// label names a position on an axis.
type label struct {
	text  string // empty where all points have the same position
	short string // of a prompt without a name its letter; of values these alone, if the heading names the variables
	// fields are the values in the order of the names in [Labels].
	fields []string
}

// NewLabels returns the labels of points.
func NewLabels(points []Point) *Labels {
	l := &Labels{positions: map[Axis][]string{}, labels: map[Axis]map[string]label{}}
	for axis, name := range map[Axis]func([]Point) []label{AxisPrompt: promptLabels, AxisValues: l.valueLabels,
		AxisParams: paramLabels, AxisModel: modelLabels} {
		byPosition, distinct := map[string]label{}, []Point(nil)
		for _, p := range points {
			position := p.On(axis)
			if _, isKnown := byPosition[position]; !isKnown {
				byPosition[position] = label{}
				l.positions[axis], distinct = append(l.positions[axis], position), append(distinct, p)
			}
		}
		if len(distinct) > 1 {
			for i, label := range name(distinct) {
				byPosition[l.positions[axis][i]] = label
			}
		}
		l.labels[axis] = byPosition
	}
	return l
}

// Differing returns the axes on which there are several positions.
func (l *Labels) Differing() []Axis {
	return slices.DeleteFunc(AllAxes(), func(a Axis) bool { return len(l.positions[a]) < 2 })
}

// Positions returns the positions on an axis in the order of their first appearance.
func (l *Labels) Positions(a Axis) []string { return l.positions[a] }

// Label returns the label of a position of an axis; it is empty where all points have the same one.
func (l *Labels) Label(a Axis, position string) string { return l.labels[a][position].text }

func modelLabels(points []Point) []label {
	labels := make([]label, len(points))
	for i, p := range points {
		labels[i].text = OneLine(p.Model)
	}
	return labels
}

// paramLabels names the parameters whose values differ.
func paramLabels(points []Point) []label {
	names := map[string]bool{}
	for _, p := range points {
		for name := range p.Params {
			names[name] = names[name] || slices.ContainsFunc(points, func(o Point) bool {
				return o.param(name) != p.param(name)
			})
		}
	}
	labels := make([]label, len(points))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for i := 0; i < len(points) && names[name]; i++ {
			labels[i].text = joinNonEmpty(", ", labels[i].text, OneLine(name)+" "+
				cmp.Or(points[i].param(name), "not set"))
		}
	}
	return labels
}

// promptLabels returns the names that a suite gives its prompts. Others are A, B, C in their order, each with the
// words in which they differ.
func promptLabels(points []Point) []label {
	var names, prompts, systems []string
	for _, p := range points {
		names, prompts, systems = append(names, p.Name), append(prompts, p.Prompt),
			append(systems, cmp.Or(p.System, "no system prompt"))
	}
	names, prompts, systems = cutTexts(names, maxWordsWidth), differingWords(prompts), differingWords(systems)
	labels := make([]label, len(points))
	for i, p := range points {
		if labels[i].text = names[i]; !p.isNamed() {
			letter := letters(i)
			labels[i] = label{text: joinNonEmpty(" ", letter, prompts[i], systems[i]), short: letter}
		}
	}
	return labels
}

// letters returns A to Z, then AA, AB and so on.
func letters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

// valueLabels names tests and variables that differ, and sets the variables. The variable with the shortest values is
// first, because a cut label loses its end.
func (l *Labels) valueLabels(points []Point) []label {
	type variable struct {
		name  string
		texts []string // by point, empty for none
		whole []string // the same in the name of a row, which is cut to the width of the table
		width int
	}
	var variables []variable
	names, isShort, hasTests := map[string]bool{}, true, false
	for _, p := range points {
		hasTests = hasTests || p.Test != points[0].Test
		for name := range p.Vars {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		v := variable{name: OneLine(name), texts: make([]string, len(points)), whole: make([]string, len(points))}
		var values []string
		var owners []int
		for i, p := range points {
			if value, ok := p.Vars[name]; ok {
				values, owners = append(values, value), append(owners, i)
				v.width = max(v.width, min(len(value), maxValueWidth))
			}
		}
		isEverywhere := len(values) == len(points)
		if isEverywhere && len(slices.Compact(slices.Clone(values))) == 1 {
			continue
		}
		whole := cutTexts(values, maxFieldWidth)
		for i, text := range cutTexts(values, maxWordsWidth) {
			v.texts[owners[i]], v.whole[owners[i]] = cmp.Or(text, `""`), cmp.Or(whole[i], `""`)
		}
		variables, isShort = append(variables, v), isShort && isEverywhere
	}
	slices.SortStableFunc(variables, func(a, b variable) int { return cmp.Compare(a.width, b.width) })
	labels := make([]label, len(points))
	for i, p := range points {
		if hasTests {
			labels[i].text = ansi.Truncate(OneLine(p.Test), maxWordsWidth, "…")
			labels[i].short, labels[i].fields = labels[i].text, []string{labels[i].text}
		}
		for _, v := range variables {
			labels[i].fields = append(labels[i].fields, v.whole[i])
			if text := v.texts[i]; text != "" {
				labels[i].text = joinNonEmpty(", ", labels[i].text, v.name+"="+text)
				labels[i].short = joinNonEmpty(" · ", labels[i].short, v.whole[i])
			}
		}
		if !isShort {
			labels[i].short = labels[i].text
		}
	}
	if hasTests {
		l.fields = []string{"test"}
	}
	for _, v := range variables {
		l.fields = append(l.fields, v.name)
		if isShort {
			l.variables = joinNonEmpty(" · ", l.variables, v.name)
		}
	}
	return labels
}

// heading returns the text above the names of rows.
func (l *Labels) heading() string {
	var parts []string
	for _, a := range l.Differing() {
		if a == AxisValues {
			parts = append(parts, l.variables)
		} else {
			parts = append(parts, string(a))
		}
	}
	return cmp.Or(joinNonEmpty(" · ", parts...), string(AxisPrompt))
}

// ShortName returns the shortest name that tells a point from others by its prompt, values or parameters; empty where
// these are the same.
func (l *Labels) ShortName(p Point) string {
	prompt := l.labels[AxisPrompt][p.On(AxisPrompt)]
	return joinNonEmpty(" · ", cmp.Or(prompt.short, prompt.text), l.labels[AxisValues][p.On(AxisValues)].short,
		l.Label(AxisParams, p.On(AxisParams)))
}

// rowName returns the name of a row below the heading.
func (l *Labels) rowName(p Point) string {
	name := l.nameWithout("", p)
	if name == "" {
		name = OneLine(p.Name)
		if !p.isNamed() && p.Prompt != "" {
			name = OneLine(history.Beginning(p.Prompt))
		}
	}
	return ansi.Truncate(name, maxNameWidth, "…")
}

// nameWithout is [Labels.rowName] without what all points of an axis's position share.
func (l *Labels) nameWithout(axis Axis, p Point) string {
	var parts []string
	for _, a := range []Axis{AxisPrompt, AxisValues, AxisParams} {
		label := l.labels[a][p.On(a)]
		if a == AxisValues {
			label.text = label.short
		}
		if a != axis {
			parts = append(parts, label.text)
		}
	}
	return ansi.Truncate(joinNonEmpty(" · ", parts...), maxNameWidth, "…")
}

// facts describes a point for the status lines: its prompt with the beginning of its text, its system prompt, all its
// values and parameters.
func (l *Labels) facts(p Point) string {
	name := l.labels[AxisPrompt][p.On(AxisPrompt)].short
	if p.isNamed() {
		name = OneLine(p.Name)
	}
	texts := []string{joinNonEmpty(": ", joinNonEmpty(" ", "prompt", name), OneLine(history.Beginning(p.Prompt)))}
	if p.Test != "" {
		texts[0] = OneLine(p.Test) + "  " + texts[0]
	}
	if p.System != "" {
		texts = append(texts, "system prompt: "+OneLine(history.Beginning(p.System)))
	}
	// Values come first, what differs before what does not, in the order of the fields: the end may be cut.
	var differing, same []string
	names := slices.Sorted(maps.Keys(p.Vars))
	field := func(name string) int { return slices.Index(l.fields, OneLine(name)) }
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(field(a), field(b)) })
	for _, name := range names {
		value := cmp.Or(termtext.CutMiddle(OneLine(p.Vars[name]), 3*maxValueWidth), `""`)
		if text := OneLine(name) + " = " + value; field(name) >= 0 {
			differing = append(differing, text)
		} else {
			same = append(same, text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		differing = append(differing, OneLine(name)+" "+p.param(name))
	}
	texts = slices.Concat(differing, texts, same)
	return strings.Join(texts, "   ")
}

package suite

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
)

// The maximum widths of a row's name, of a value, and of the words of a prompt, in terminal cells.
const (
	maxNameWidth  = 100
	maxValueWidth = 28
	maxWordsWidth = 28
)

// Labels names points by what differs among them, never by what is alike. All labels are sanitised.
type Labels struct {
	positions map[Axis][]string // in the order of their first appearance
	labels    map[Axis]map[string]string
	short     map[string]string            // by position on [AxisValues], below a heading
	variables []string                     // whose values differ
	values    map[string]map[string]string // cut, by variable and value
	hasTests  bool                         // the suite's tests differ
	isShort   bool                         // all points have these variables, so that a heading can name them
}

// NewLabels returns the labels of points.
func NewLabels(points []Point) *Labels {
	l := &Labels{positions: map[Axis][]string{}, labels: map[Axis]map[string]string{},
		short: map[string]string{}}
	for _, a := range AllAxes() {
		var distinct []Point
		l.labels[a] = map[string]string{}
		for _, p := range points {
			if at := p.On(a); !hasKey(l.labels[a], at) {
				l.labels[a][at] = ""
				l.positions[a], distinct = append(l.positions[a], at), append(distinct, p)
			}
		}
		if a == AxisValues {
			l.chooseVariables(distinct)
		}
		if len(distinct) < 2 {
			continue
		}
		for i, text := range l.texts(a, distinct) {
			at := l.positions[a][i]
			if l.labels[a][at] = text; a == AxisValues {
				l.short[at] = text
			}
			if a == AxisValues && l.isShort {
				l.short[at] = l.valuesText(distinct[i], "", " · ")
			}
		}
	}
	return l
}

func hasKey[V any](m map[string]V, key string) bool { _, ok := m[key]; return ok }

// Differing returns the axes on which there are several positions.
func (l *Labels) Differing() []Axis {
	return slices.DeleteFunc(AllAxes(), func(a Axis) bool { return len(l.positions[a]) < 2 })
}

// Positions returns the positions on an axis in the order of their first appearance.
func (l *Labels) Positions(a Axis) []string { return l.positions[a] }

// Label returns the label of a position of an axis; it is empty where all points have the same one.
func (l *Labels) Label(a Axis, position string) string { return l.labels[a][position] }

func (l *Labels) texts(a Axis, points []Point) []string {
	if a == AxisPrompt {
		return promptLabels(points)
	}
	var params []string
	for _, p := range points {
		params = append(params, slices.Collect(maps.Keys(p.Params))...)
	}
	slices.Sort(params)
	params = slices.DeleteFunc(slices.Compact(params), func(name string) bool {
		first := points[0].param(name)
		return !slices.ContainsFunc(points, func(p Point) bool { return p.param(name) != first })
	})
	texts := make([]string, len(points))
	for i, p := range points {
		switch a {
		case AxisModel:
			texts[i] = OneLine(p.Model)
		case AxisValues:
			texts[i] = l.valuesText(p, "=", ", ")
		default:
			var parts []string
			for _, name := range params {
				parts = append(parts, OneLine(name)+" "+cmp.Or(p.param(name), "not set"))
			}
			texts[i] = strings.Join(parts, ", ")
		}
	}
	return texts
}

// promptLabels returns the names that a suite gives its prompts. Others are A, B, C in their order, each with the
// words in which they differ.
func promptLabels(points []Point) []string {
	var names, prompts, systems []string
	for _, p := range points {
		names, prompts, systems = append(names, p.Name), append(prompts, p.Prompt),
			append(systems, cmp.Or(p.System, "no system prompt"))
	}
	prompts, systems = differingWords(prompts), differingWords(systems)
	labels := cutTexts(names)
	for i, p := range points {
		if p.isNamed() {
			continue
		}
		labels[i] = letters(i)
		for _, words := range [][]string{prompts, systems} {
			if words != nil && words[i] != "" {
				labels[i] += " " + words[i]
			}
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

// differingWords returns each text from the word in which it differs from the one with which it shares the longest
// beginning, cut; nil if the texts are the same.
func differingWords(texts []string) []string {
	sorted := slices.Compact(slices.Sorted(slices.Values(texts)))
	if len(sorted) < 2 {
		return nil
	}
	words, uses := map[string]string{}, map[string]int{}
	for i, t := range sorted {
		start := 0
		for _, other := range slices.Concat(sorted[max(i-1, 0):i], sorted[i+1:min(i+2, len(sorted))]) {
			start = max(start, differingWord(t, other))
		}
		words[t] = cutWords(t, start, maxWordsWidth)
		uses[words[t]]++
	}
	first, last, half := sorted[0], sorted[len(sorted)-1], maxWordsWidth/2
	shared := min(differingWord(first, last), differingWord(last, first)) // by all texts
	out := make([]string, len(texts))
	for i, t := range texts {
		if out[i] = words[t]; uses[out[i]] == 1 {
			continue
		}
		// Another text has the same end, so that the label shows the beginning too.
		if out[i] = cutWords(t, shared, maxWordsWidth); strings.HasSuffix(out[i], "…") {
			out[i] = cutWords(t, shared, half) + strings.TrimPrefix(cutWords(words[t], 0, half), "…")
		}
	}
	return out
}

// differingWord returns the start of the first word of a text that is not in another one, or of its last two words if
// all are. A very long word is divided.
func differingWord(text, other string) int {
	const blanks = " \n"
	n := 0
	for n < min(len(text), len(other)) && text[n] == other[n] {
		n++
	}
	endsWord := func(s string) bool { return n == len(s) || strings.ContainsRune(blanks, rune(s[n])) }
	shared := text[:n]
	switch {
	case n == len(text):
		shared = strings.TrimRight(shared, blanks)
		shared = strings.TrimRight(shared[:strings.LastIndexAny(shared, blanks)+1], blanks)
	case endsWord(text) && endsWord(other):
		return n
	}
	start := strings.LastIndexAny(shared, blanks) + 1
	if n < len(text) && cellWidth(text[start:n]) > maxWordsWidth/2 {
		for start = n; !utf8.RuneStart(text[start]); {
			start--
		}
	}
	return start
}

// cutWords returns what fits into w terminal cells of a text from its start, with "…" for what is before and after.
func cutWords(text string, start, w int) string {
	words := OneLine(strings.TrimLeft(text[start:], " \n"))
	if start > 0 {
		words = "…" + words
	}
	return ansi.Truncate(words, w, "…")
}

// cutTexts cuts texts. Those that would be the same are without the beginning that they share.
func cutTexts(texts []string) []string {
	out, differing := make([]string, len(texts)), []string(nil)
	whole, isAmbiguous := map[string]string{}, map[string]bool{}
	for i, t := range texts {
		out[i] = cutWords(t, 0, maxWordsWidth)
		if first, ok := whole[out[i]]; ok && first != t {
			isAmbiguous[out[i]] = true
		}
		whole[out[i]] = t
	}
	if len(isAmbiguous) > 0 {
		differing = differingWords(texts)
	}
	for i := range out {
		if isAmbiguous[out[i]] {
			out[i] = differing[i]
		}
	}
	return out
}

// chooseVariables finds the variables that differ. The one with the shortest values is first, because a cut label
// loses its end.
func (l *Labels) chooseVariables(points []Point) {
	uses, differs, longest := map[string]int{}, map[string]bool{}, map[string]int{}
	for _, p := range points {
		l.hasTests = l.hasTests || p.Test != points[0].Test
		for name, v := range p.Vars {
			differs[name] = differs[name] || points[0].Vars[name] != v
			uses[name]++
			longest[name] = max(longest[name], min(len(v), maxValueWidth))
		}
	}
	l.isShort = true
	for name, n := range uses {
		if differs[name] || n < len(points) {
			l.variables = append(l.variables, name)
			l.isShort = l.isShort && n == len(points)
		}
	}
	l.values = map[string]map[string]string{}
	for _, name := range l.variables {
		var values []string
		for _, p := range points {
			if v, ok := p.Vars[name]; ok {
				values = append(values, v)
			}
		}
		l.values[name] = map[string]string{}
		for i, text := range cutTexts(values) {
			l.values[name][values[i]] = text
		}
	}
	slices.SortFunc(l.variables, func(a, b string) int {
		return cmp.Or(cmp.Compare(longest[a], longest[b]), cmp.Compare(a, b))
	})
}

// valuesText returns the test of a point and its values that differ. If sign is empty, the values are without names.
func (l *Labels) valuesText(p Point, sign, separator string) string {
	var words []string
	if l.hasTests && p.Test != "" {
		words = append(words, ansi.Truncate(OneLine(p.Test), maxWordsWidth, "…"))
	}
	for _, name := range l.variables {
		v, ok := p.Vars[name]
		if !ok {
			continue
		}
		v = cmp.Or(l.values[name][v], `""`)
		if sign != "" {
			v = OneLine(name) + sign + v
		}
		words = append(words, v)
	}
	return strings.Join(words, separator)
}

// heading returns the text above the names of rows.
func (l *Labels) heading() string {
	var parts []string
	for _, a := range l.Differing() {
		switch {
		case a == AxisValues && l.isShort && len(l.variables) > 0:
			parts = append(parts, OneLine(strings.Join(l.variables, " · ")))
		case a != AxisValues:
			parts = append(parts, string(a))
		}
	}
	return cmp.Or(strings.Join(parts, " · "), string(AxisPrompt))
}

// rowName returns the name of a row below the heading.
func (l *Labels) rowName(p Point) string {
	parts := []string{l.Label(AxisPrompt, p.On(AxisPrompt)), l.short[p.On(AxisValues)],
		l.Label(AxisParams, p.On(AxisParams))}
	name := strings.Join(slices.DeleteFunc(parts, func(text string) bool { return text == "" }), " · ")
	if name == "" {
		name = promptName(p)
	}
	return ansi.Truncate(name, maxNameWidth, "…")
}

// promptName returns the suite's name of a prompt, or else its beginning.
func promptName(p Point) string {
	if p.isNamed() || p.Prompt == "" {
		return OneLine(p.Name)
	}
	return OneLine(history.Beginning(p.Prompt))
}

// facts describes a point for the status lines: its prompt with the beginning of its text, its system prompt if others
// differ, all its values and parameters.
func (l *Labels) facts(p Point) string {
	text := "prompt"
	if p.Test != "" {
		text = OneLine(p.Test) + "  prompt"
	}
	if label := l.Label(AxisPrompt, p.On(AxisPrompt)); p.isNamed() {
		text += " " + OneLine(p.Name)
	} else if label != "" {
		text += " " + strings.Fields(label)[0]
	}
	if beginning := OneLine(history.Beginning(p.Prompt)); beginning != "" {
		text += ": " + beginning
	}
	if p.System != "" {
		text += "   system prompt: " + OneLine(history.Beginning(p.System))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Vars)) {
		text += "   " + OneLine(name) + " = " + cmp.Or(OneLine(p.Vars[name]), `""`)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		text += "   " + OneLine(name) + " " + p.param(name)
	}
	return text
}

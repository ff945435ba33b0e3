package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/internal/format"
)

// figure is a figure of a group of cells.
type figure struct {
	labels  []string                // the longest first
	forms   func(s *Stats) []string // the longest first; as many for each group
	score   score                   // the best group has the highest; nil where none is best
	highest string                  // what is said of the highest score
	heads   []string                // above a column, the longest first; nil for the labels
	facts   func(s *Stats) string   // in a sentence of its own; nil for the longest form
	widths  []int                   // of the forms, the widest of all groups
}

// longest returns the text of a group for a sentence of its own.
func (f figure) longest(s *Stats) string {
	if f.facts != nil {
		return f.facts(s)
	}
	return f.forms(s)[0]
}

// headsIn returns the heads of a column of w terminal cells. One that names all parts stands above these only.
func (f figure) headsIn(w int) []string {
	switch {
	case f.heads == nil:
		return f.labels
	case f.widths[len(f.widths)-2] > w:
		return f.heads[len(f.heads)-len(f.labels):]
	}
	return f.heads
}

// isRate reports whether the figure is the one of cells that passed, or were answered.
func (f figure) isRate() bool { return f.labels[0] == "passed" || f.labels[0] == "answered" }

// tone returns the color of the figure of a group.
func (f figure) tone(s *Stats) Tone {
	if f.isRate() {
		return s.Tone()
	}
	return TonePlain
}

// measure sets the widths of the forms in groups that stand beside or below each other.
func (f *figure) measure(groups []Stats) {
	for i := range groups {
		for form, text := range f.forms(&groups[i]) {
			if form == len(f.widths) {
				f.widths = append(f.widths, 0)
			}
			f.widths[form] = max(f.widths[form], cellWidth(text))
		}
	}
}

// fitting returns the forms of the figure of a group from the one on in which all groups fit into w terminal cells.
func (f figure) fitting(s *Stats, w int) []string {
	fits := slices.IndexFunc(f.widths, func(width int) bool { return width <= w })
	if fits < 0 {
		fits = len(f.widths) - 1
	}
	return f.forms(s)[fits:]
}

// score returns the score of a group with its interval.
type score func(s *Stats) (score, low, high float64, isKnown bool)

func passRate(s *Stats) (rate, low, high float64, isKnown bool) {
	return shareOf(s.Passed, s.Passed+s.Failed)
}

func shareOf(n, all int) (share, low, high float64, isKnown bool) {
	low, high = wilson(n, all)
	return float64(n) / float64(max(all, 1)), low, high, all > 0
}

// figures returns the figures that the cells of the table have.
func (t *Results) figures() []figure {
	speed := func(s *Stats) (score, low, high float64, isKnown bool) { // as it is shown
		shown := func(d time.Duration) float64 { return -d.Round(100 * time.Millisecond).Seconds() }
		times := s.Time()
		return shown(times.Median), shown(times.Max), shown(times.Min), times.N > 0
	}
	ranged := []string{"median time (range)", "median time", "time"}
	figures := []figure{
		{labels: []string{"passed"}, forms: passedForms, facts: passedFacts, score: passRate,
			highest: "passed most often",
			heads:   []string{"passed (95 % interval)", "passed"}},
		{labels: ranged[1:], forms: timesForms, score: speed, highest: "fastest", heads: ranged}}
	if t.Total.Checks.All() == 0 {
		figures[0] = figure{labels: []string{"answered"}, forms: answeredForms}
	}
	if t.Total.Wins > 0 {
		figures = append(figures, figure{labels: []string{"best"}, forms: func(s *Stats) []string {
			return []string{fmt.Sprint(s.Wins)}
		}, score: func(s *Stats) (float64, float64, float64, bool) { return shareOf(s.Wins, s.Cells) },
			highest: "best most often"})
	}
	if labels := []string{"tokens in → out", "tokens"}; t.Total.UsageText() != "" {
		if len(t.Total.Costs) > 0 {
			labels = []string{"tokens and cost", "tokens"}
		}
		figures = append(figures, figure{labels: labels, forms: usageForms})
	}
	return figures
}

// passedForms returns how many of the judged cells passed, and what became of the others.
func passedForms(s *Stats) []string {
	passed := fmt.Sprintf("%d of %d", s.Passed, s.Passed+s.Failed)
	rate := passed + ", " + Rate(s.Passed, s.Passed+s.Failed)
	if s.Passed+s.Failed == 0 {
		passed = "none judged" // with the reason in place of a rate
		return []string{joinNonEmpty(", ", passed, s.problems("")), joinNonEmpty(", ", passed, s.problems("")), "–"}
	}
	return []string{joinNonEmpty(", ", rate, s.problems("")), rate, passed}
}

// passedFacts is the longest of the forms, where no column says that answers are counted.
func passedFacts(s *Stats) string {
	forms := passedForms(s)
	if s.Passed+s.Failed == 0 {
		return joinNonEmpty(", ", "none judged", s.problems(" answer"))
	}
	return joinNonEmpty(", ", forms[1], s.problems(" answer"))
}

// answeredForms returns how many cells were answered, where nothing is checked.
func answeredForms(s *Stats) []string {
	answered := fmt.Sprintf("%d of %d", s.Answered(), s.Cells)
	return []string{joinNonEmpty(", ", answered, s.problems("")), answered}
}

// problems returns the numbers of cells that were checked and have not passed: "4 failed, 1 error", or with a noun
// "4 answers failed, 1 error".
func (s *Stats) problems(noun string) string {
	unchecked := s.Unchecked
	if s.Checks.All() == 0 {
		unchecked = 0
	}
	errors := format.Plural(s.Errors, " error", " errors")
	if noun != "" {
		noun = format.Plural(s.Failed, noun, noun+"s")
	}
	return joinCounts(", ", signCount{s.Failed, noun + " failed"}, signCount{s.Errors, errors},
		signCount{s.Incomplete, " incomplete"}, signCount{s.Skipped, " skipped"}, signCount{unchecked, " unchecked"})
}

// Tone returns the color of a pass rate: that of a failed cell where none has passed, that of a passed one where all
// have.
func (s *Stats) Tone() Tone {
	switch {
	case s.Failed > 0 && s.Passed == 0:
		return ToneBad
	case s.Failed > 0:
		return TonePlain
	case s.Errors+s.Skipped+s.Incomplete > 0:
		return ToneWarning
	case s.Passed > 0 && s.Passed == s.Cells:
		return ToneGood
	}
	return TonePlain
}

func timesForms(s *Stats) []string {
	times := s.Time()
	switch text := format.Seconds(times.Median); times.N {
	case 0:
		return []string{"", ""}
	case 1:
		return []string{text, text}
	default:
		return []string{text + " " + timeRange(times), text}
	}
}

func usageForms(s *Stats) []string {
	costs, tokens := CostsText(s.Costs), strings.TrimSuffix(s.Usage.String(), " tokens")
	both := s.UsageText()
	if costs == "" {
		both = tokens // the label tells what is counted
	}
	return []string{both, cmp.Or(costs, tokens)}
}

package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/keys"
)

const (
	fewVotes    = 10 // pairs below which a share of wins means little
	maxWinsName = 32 // cells of a contestant's name in the table of wins
	minWinsName = 8
	maxWinsBar  = 24 // cells of a bar
	minWinsBar  = 8
)

// winShare is the share of its pairs that a contestant won, where an equal pair and one of two bad answers count half,
// and the interval in which the true share lies in 95 of 100 cases (Wilson's).
type winShare struct {
	pairs            int
	share, low, high float64
}

func newWinShare(t history.Tally) winShare {
	n := float64(t.N)
	if n == 0 {
		return winShare{high: 1}
	}
	const z = 1.96
	p := (float64(t.Wins) + float64(t.Ties+t.Bad)/2) / n
	center := (p + z*z/(2*n)) / (1 + z*z/n)
	around := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return winShare{pairs: t.N, share: p, low: max(center-around, 0), high: min(center+around, 1)}
}

// bar draws the share in w cells, and a thin line where it may end.
func (s winShare) bar(w int) string {
	at := func(share float64) int { return int(math.Round(share * float64(w))) }
	full, low, high := at(s.share), at(s.low), at(s.high)
	var out strings.Builder
	for i := range w {
		switch {
		case i < full && i < low:
			out.WriteString("█")
		case i < full:
			out.WriteString("▓")
		case i < high:
			out.WriteString("░")
		default:
			out.WriteString("·")
		}
	}
	return out.String()
}

func percent(share float64) string { return strconv.Itoa(int(math.Round(share * 100))) }

// winsLines draws the table of wins per contestant, in lines of at most w cells where that is possible.
func winsLines(wins history.Wins, m keys.Map, w int, s *themes.Styles) []string {
	if len(wins.Contestants) == 0 {
		return termtext.Wrap("No votes yet"+m.Phrase(keys.Compare, keys.BlindVote,
			": %s in a comparison votes between pairs without their names")+".", max(w, minWinsName))
	}
	contestants := slices.Clone(wins.Contestants)
	slices.SortStableFunc(contestants, func(a, b history.ContestantWins) int {
		return cmp.Compare(newWinShare(b.Tally).low, newWinShare(a.Tally).low)
	})
	width, hasFew := len("model"), false
	for _, x := range contestants {
		width = max(width, min(ansi.StringWidth(termtext.Line(x.Name())), maxWinsName))
		hasFew = hasFew || x.N < fewVotes
	}
	rows := [][]string{{"model", "share won", "%", "95 %", "pairs", "won", "lost", "equal", "bad", "blind"}}
	for _, x := range contestants {
		share, note := newWinShare(x.Tally), ""
		if x.N < fewVotes {
			note = " ?"
		}
		row := []string{"", "", percent(share.share),
			percent(share.low) + "–" + percent(share.high), strconv.Itoa(x.N) + note}
		for _, n := range []int{x.Wins, x.Losses, x.Ties, x.Bad, x.Blind} {
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, row)
	}
	columns, widths := winsWidths(width, w)
	slugs := make([]string, len(contestants))
	for i, x := range contestants {
		slugs[i] = x.Model
	}
	names := contestantNames(contestants, widths[0])
	for i, style := range s.ModelStyles(slugs) {
		rows[i+1][0] = style.On(names[i])
		rows[i+1][1] = style.On(newWinShare(contestants[i].Tally).bar(widths[1]))
	}
	for i := range rows {
		rows[i] = rows[i][:columns]
	}
	drawn := table.New().Headers(rows[0]...).Rows(rows[1:]...).Wrap(false).Border(lipgloss.RoundedBorder()).
		BorderStyle(s.Border.Style).StyleFunc(func(_, column int) lipgloss.Style {
		cell := lipgloss.NewStyle().Padding(0, 1).Width(widths[column] + 2)
		if column > 1 { // a number
			cell = cell.Align(lipgloss.Right)
		}
		return cell
	})
	out := strings.Split(drawn.Render(), "\n")
	notes := "An equal pair and one of two bad answers count half. 95 %: where the true share lies in 95 of 100 cases."
	if hasFew {
		notes += fmt.Sprintf(" ?: few votes, under %d pairs; the order may be chance.", fewVotes)
	}
	notes += " Votes in which an answer named a model, or after those of others were shown, are counted, but not as " +
		"blind."
	out = append(out, "")
	for _, line := range termtext.Wrap(notes, max(w, minWinsName)) {
		out = append(out, s.Muted.On(line))
	}
	return out
}

// contestantNames returns names of at most w cells. Labels are cut before models, and go on where they differ.
func contestantNames(contestants []history.ContestantWins, w int) (names []string) {
	var labels, all []string
	for _, x := range contestants {
		labels, all = append(labels, termtext.Line(x.Label)), append(all, termtext.Line(x.Name()))
	}
	for i, x := range contestants {
		model := " (" + termtext.Line(x.Model) + ")"
		name := termtext.CutName(all[i], w, all)
		if room := w - ansi.StringWidth(model); labels[i] != "" && room >= minWinsName {
			name = termtext.CutName(labels[i], room, labels) + model
		}
		names = append(names, name)
	}
	return names
}

// votesLines draws the wins per contestant in the votes on a run, and says who voted and how far they agree.
func votesLines(votes suite.Votes, m keys.Map, w int, s *themes.Styles) []string {
	var lines []string
	if len(votes.Voters) > 0 || votes.Hidden == 0 {
		lines = winsLines(votes.Wins, m, w, s)
	}
	for _, line := range termtext.Wrap(termtext.Line(votes.String()), max(w, minWinsName)) {
		lines = append(lines, s.Text.On(line))
	}
	return lines
}

// winsWidths returns how many columns fit into w cells, and their widths.
func winsWidths(names, w int) (columns int, widths []int) {
	widths = []int{names, minWinsBar, 3, 6, 6, 4, 4, 5, 4, 5}
	width := func(columns int) int {
		sum := 1
		for _, n := range widths[:columns] {
			sum += n + 3
		}
		return sum
	}
	columns = len(widths)
	if width(columns) > w {
		columns = 5
	}
	widths[0] = max(min(names, names+w-width(columns)), minWinsName)
	widths[1] = max(min(maxWinsBar, minWinsBar+w-width(columns)), minWinsBar)
	return columns, widths
}

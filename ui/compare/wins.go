package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/keys"
)

const (
	maxContestant = 32 // cells of a contestant's name in the table of wins
	minContestant = 8
	maxWinsBar    = 40 // cells of a bar
	minWinsBar    = 16
)

// winsLines draws a table of the contestants of each axis, in lines of at most w cells where that is possible, and says
// who voted.
func winsLines(votes suite.Votes, m keys.Map, w int, s *themes.Styles) (lines []string) {
	wrap := func(text string, style themes.Style) {
		for _, line := range termtext.Wrap(termtext.Line(text), max(w, minContestant)) {
			lines = append(lines, style.On(line))
		}
	}
	if len(votes.Voters) == 0 && votes.Hidden == 0 {
		wrap("No votes yet"+m.Phrase(keys.Compare, keys.BlindVote, ": %s votes blind")+".", s.Text)
		return lines
	}
	for _, axis := range votes.Axes {
		lines = append(lines, s.Strong.On(axis.Title()))
		lines = append(lines, axisLines(axis, w, s)...)
		wrap(axis.String(), s.Text)
		lines = append(lines, "")
	}
	if len(votes.Axes) > 0 {
		wrap("Bars show the share of pairs with the others that each is expected to win (Bradley-Terry), where an "+
			"equal pair and one of two bad answers count half. ├─┤ holds the true share in 95 of 100 cases.", s.Muted)
	}
	wrap(votes.String(), s.Muted)
	return lines
}

// axisLines draws the table of the contestants of an axis.
func axisLines(votes suite.AxisVotes, w int, s *themes.Styles) []string {
	rows := [][]string{{string(votes.Axis), "", "wins", "95 %", "pairs", "won", "lost", "equal", "bad", "blind"}}
	labels, styles := make([]string, len(votes.Contestants)), make([]themes.Style, len(votes.Contestants))
	slugs := make([]string, len(votes.Contestants))
	width := ansi.StringWidth(rows[0][0])
	for i, c := range votes.Contestants {
		labels[i], slugs[i], styles[i] = termtext.Line(c.Label), c.Model, s.Accent
		width = max(width, min(ansi.StringWidth(labels[i]), maxContestant))
	}
	if votes.Axis == suite.AxisModel {
		styles = s.ModelStyles(slugs)
	}
	columns, widths := winsWidths(width, w)
	half := widths[1] / 2
	rows[0][1] = fmt.Sprintf("0%*s%*s", half, "50", widths[1]-half-1, "100 %") // the axis of the bars
	for i, c := range votes.Contestants {
		row := []string{styles[i].On(termtext.CutName(labels[i], widths[0], labels)),
			strengthBar(c.Strength, widths[1], styles[i]), percent(c.Share) + " %",
			percent(c.Low) + "–" + percent(c.High)}
		for _, n := range []int{c.N, c.Wins, c.Losses, c.Ties, c.Bad, c.Blind} {
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, row)
	}
	for i, row := range rows {
		rows[i] = row[:columns]
	}
	drawn := table.New().Headers(rows[0]...).Rows(rows[1:]...).Wrap(false).BorderColumn(false).
		Border(lipgloss.RoundedBorder()).BorderStyle(s.Border.Style).StyleFunc(func(_, column int) lipgloss.Style {
		cell := lipgloss.NewStyle().Padding(0, 1).Width(widths[column] + 2)
		if column > 1 { // a number
			cell = cell.Align(lipgloss.Right)
		}
		return cell
	})
	return strings.Split(drawn.Render(), "\n")
}

// winsWidths returns how many columns fit into w cells, and their widths.
func winsWidths(names, w int) (columns int, widths []int) {
	widths = []int{names, minWinsBar, 5, 6, 5, 3, 4, 5, 3, 5}
	width := func(columns int) int {
		sum := 2
		for _, n := range widths[:columns] {
			sum += n + 2
		}
		return sum
	}
	for columns = len(widths); columns > 3 && width(columns) > w; columns-- {
	}
	widths[0] = max(min(names, names+w-width(columns)), minContestant)
	widths[1] = max(min(maxWinsBar, minWinsBar+w-width(columns)), minWinsBar)
	return columns, widths
}

func percent(share float64) string { return strconv.Itoa(int(math.Round(share * 100))) }

// strengthBar draws the share as a bar in w cells, and over it its interval as a thin line.
func strengthBar(c suite.Strength, w int, style themes.Style) string {
	full, low := int(math.Round(c.Share*float64(w))), min(int(c.Low*float64(w)), w-2)
	high := max(int(math.Ceil(c.High*float64(w)))-1, low+1)
	interval := []rune("├" + strings.Repeat("─", high-low-1) + "┤")
	onBar := themes.NewStyle(style.Style.Reverse(true))
	return style.On(strings.Repeat("█", low)) + onBar.On(string(interval[:full-low])) +
		style.On(string(interval[full-low:])) + strings.Repeat(" ", w-1-high)
}

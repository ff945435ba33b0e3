package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/keys"
)

const (
	minContestant = 8  // cells of a contestant's name
	maxContestant = 32 // cells
	minWinsAxis   = 14 // cells, for "0", "50" and "100 %"
	fairWinsAxis  = 21 // cells: for a narrower one the numbers of the intervals are left out, which it shows too
	maxWinsAxis   = 90 // cells
)

// winsLines says who is ahead on each axis above a table of its contestants, in lines of at most w cells where that is
// possible, and who voted.
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
		text := axis.String()
		if termtext.Width(text) > w { // each sentence on a line of its own
			text = strings.ReplaceAll(text, ". ", ".\n")
		}
		for sentence := range strings.SplitSeq(text, "\n") {
			wrap(sentence, s.Strong)
		}
		lines = append(lines, "", s.Text.On(axis.Title()))
		lines = append(append(lines, axisLines(axis, w, s)...), "")
	}
	if len(votes.Axes) > 0 {
		wrap("● expected share of wins   ├──┤ 95 % interval", s.Muted)
	}
	wrap(votes.String(), s.Muted)
	return lines
}

// winsNumbers returns the cells of the columns of numbers; that of the intervals may be left out.
func winsNumbers(hasIntervals bool) []int {
	widths := []int{7, 10, 5, 6, 6}
	if !hasIntervals {
		widths[1] = 0
	}
	return widths
}

// axisLines draws the table of the contestants of an axis.
func axisLines(votes suite.AxisVotes, w int, s *themes.Styles) []string {
	numbers := [][]string{{"share", "interval", "won", "lost", "tied"}}
	names, styles := []string{string(votes.Axis)}, []themes.Style{s.Muted}
	slugs, width := []string{""}, max(len(votes.Axis), minContestant)
	for _, c := range votes.Contestants {
		names, styles, slugs = append(names, termtext.Line(c.Label)), append(styles, s.Accent), append(slugs, c.Model)
		width = max(width, min(ansi.StringWidth(termtext.Line(c.Label)), maxContestant))
		numbers = append(numbers, []string{percent(c.Share) + " %", percent(c.Low) + "–" + percent(c.High) + " %",
			strconv.Itoa(c.Wins), strconv.Itoa(c.Losses), strconv.Itoa(c.Ties + c.Bad)})
	}
	if votes.Axis == suite.AxisModel {
		styles = slices.Insert(s.ModelStyles(slugs[1:]), 0, s.Muted)
	}
	numberWidths := winsNumbers(w-sum(winsNumbers(true))-fairWinsAxis-len(titleGap) >= width)
	numbersWidth := sum(numberWidths)
	axis := max(min(w-numbersWidth-width-len(titleGap), maxWinsAxis), minWinsAxis)
	width = max(min(width, w-numbersWidth-axis-len(titleGap)), minContestant)
	var lines []string
	for i, row := range numbers {
		line, style := styles[i].On(termtext.Fit(termtext.CutName(names[i], width, names), width))+titleGap, s.Text
		if i == 0 {
			style = s.Muted
			line += s.Muted.On(fmt.Sprintf("0%*s%*s", axis/2, "50", axis-axis/2-1, "100 %"))
		} else {
			line += strengthLine(votes.Contestants[i-1].Strength, axis, styles[i], s)
		}
		for j, cells := range numberWidths {
			if cells > 0 {
				line += style.On(fmt.Sprintf("%*s", cells, row[j]))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func sum(widths []int) (total int) {
	for _, w := range widths {
		total += w
	}
	return total
}

func percent(share float64) string { return strconv.Itoa(int(math.Round(share * 100))) }

// strengthLine draws the share as a point on an axis of w cells with its middle, and its interval as a thin line.
func strengthLine(c suite.Strength, w int, style themes.Style, s *themes.Styles) string {
	cell := func(share float64) int { return int(math.Round(share * float64(w-1))) }
	point, middle := cell(c.Share), w/2
	low, high := min(cell(c.Low), point), max(cell(c.High), point)
	signs := func(from, to int) string {
		var out strings.Builder
		for i := from; i < to; i++ {
			switch isWithin := i > low && i < high; {
			case i == low:
				out.WriteString("├")
			case i == high:
				out.WriteString("┤")
			case isWithin && i == middle:
				out.WriteString("┼")
			case isWithin:
				out.WriteString("─")
			case i == middle:
				out.WriteString("│")
			default:
				out.WriteString(" ")
			}
		}
		return s.Faint.On(out.String())
	}
	return signs(0, point) + style.On("●") + signs(point+1, w)
}

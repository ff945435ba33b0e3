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
	minWinsBar    = 12 // cells, for "0", "50" and "100"
	fairWinsBar   = 18 // cells: for a narrower one the intervals are left out, which it shows too
	maxWinsBar    = 60 // cells
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
		wrap("━━ expected share of wins   ┿──┤ 95 % interval", s.Muted)
	}
	wrap(votes.String(), s.Muted)
	return lines
}

// winsWidths returns the fewest cells in which the tables have all columns and bars that can be read, and the most
// cells that they take.
func winsWidths(votes suite.Votes) (least, most int) {
	name := minContestant
	for _, axis := range votes.Axes {
		for _, c := range axis.Contestants {
			name = max(name, min(ansi.StringWidth(termtext.Line(c.Label)), maxContestant))
		}
	}
	name += len(titleGap)
	return name + fairWinsBar + sum(winsNumbers(true)), name + maxWinsBar + sum(winsNumbers(true))
}

// winsNumbers returns the cells of the columns of numbers; that of the intervals may be left out.
func winsNumbers(hasIntervals bool) []int {
	widths := []int{7, 8, 5, 6, 6}
	if !hasIntervals {
		widths[1] = 0
	}
	return widths
}

// axisLines draws the table of the contestants of an axis.
func axisLines(votes suite.AxisVotes, w int, s *themes.Styles) []string {
	numbers := [][]string{{"share", "95 %", "won", "lost", "tied"}}
	names, styles := []string{string(votes.Axis)}, []themes.Style{s.Muted}
	slugs, width := []string{""}, max(len(votes.Axis), minContestant)
	for _, c := range votes.Contestants {
		names, styles, slugs = append(names, termtext.Line(c.Label)), append(styles, s.Accent), append(slugs, c.Model)
		width = max(width, min(ansi.StringWidth(termtext.Line(c.Label)), maxContestant))
		numbers = append(numbers, []string{percent(c.Share) + " %", percent(c.Low) + "–" + percent(c.High),
			strconv.Itoa(c.Wins), strconv.Itoa(c.Losses), strconv.Itoa(c.Ties + c.Bad)})
	}
	if votes.Axis == suite.AxisModel {
		styles = slices.Insert(s.ModelStyles(slugs[1:]), 0, s.Muted)
	}
	numberWidths := winsNumbers(w-sum(winsNumbers(true))-fairWinsBar-len(titleGap) >= width)
	numbersWidth := sum(numberWidths)
	bar := max(min(w-numbersWidth-width-len(titleGap), maxWinsBar), minWinsBar)
	width = max(min(width, w-numbersWidth-bar-len(titleGap)), minContestant)
	end := "100 %"
	if bar < 16 {
		end = "100"
	}
	var lines []string
	for i, row := range numbers {
		line, style := styles[i].On(termtext.Fit(termtext.CutName(names[i], width, names), width))+titleGap, s.Text
		if i == 0 {
			style = s.Muted
			line += s.Muted.On(fmt.Sprintf("0%*s%*s", bar/2, "50", bar-bar/2-1, end))
		} else {
			line += strengthBar(votes.Contestants[i-1].Strength, bar, styles[i], s)
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

// strengthBar draws the share as a heavy line in w cells, crossed where its interval begins, and a thin one to where it
// ends.
func strengthBar(c suite.Strength, w int, style themes.Style, s *themes.Styles) string {
	full := max(int(math.Round(c.Share*float64(w))), 1)
	low := min(int(c.Low*float64(w)), full-1)
	high := max(int(math.Ceil(c.High*float64(w))), full)
	end := ""
	if high > full {
		end = strings.Repeat("─", high-full-1) + "┤"
	}
	return style.On(strings.Repeat("━", low)+"┿"+strings.Repeat("━", full-low-1)) + s.Text.On(end) +
		strings.Repeat(" ", w-high)
}

package dialog

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"confab/internal/termtext"
)

// usualKeys returns the width of the keys of most lines.
func (d *help) usualKeys() (width int) {
	for _, section := range d.helpSections() {
		if own := widestKeys(section); own <= widestUsual {
			width = max(width, own)
		}
	}
	return width
}

// widestKeys returns the width of the keys of a section that begins with its heading, or of lines up to a blank one.
func widestKeys(lines []helpLine) (width int) {
	for _, line := range lines {
		if line.heading == "" && line.keys == "" {
			break
		}
		width = max(width, termtext.Width(line.keys))
	}
	return width
}

// drawColumn draws lines of w cells. What keys do begins in one place, but in sections with wide keys.
func (d *help) drawColumn(column []helpLine, w int) []string {
	usual, width := d.usualKeys(), 0
	lines := make([]string, len(column))
	for i, line := range column {
		if line.heading != "" {
			width = max(usual, widestKeys(column[i:])) + helpGap
		}
		drawn := d.Styles.Accent.On(line.heading)
		if line.keys != "" {
			text := cmp.Or(line.pair, bestText(line.entry, w-width))
			if termtext.Width(text) > w-width {
				text = strings.ReplaceAll(text, ", ", "/")
			}
			drawn = d.Styles.Key.On(termtext.Fit(line.keys, width)) + d.Styles.Text.On(text)
		}
		lines[i] = termtext.Fit(drawn, w)
	}
	return lines
}

// leastOfSection is how many lines of a section that is parted stand together at least, its heading among them.
const leastOfSection = 4

// layOutPages puts sections below each other in columns of w cells: of about the same height if all have room on a page
// of h lines, and else page by page, so that no column goes on behind the first one of the next page.
func (d *help) layOutPages(sections [][]helpLine, columns, w, h int) (lines []string) {
	h = max(h, leastOfSection)
	packed := packColumns(sections, h)
	for height := tallest(sections); height <= h && len(packed) <= columns; height++ {
		if balanced := packColumns(sections, height); len(balanced) <= columns {
			return d.drawColumns(balanced, w)
		}
	}
	for page := range slices.Chunk(packColumns(sections, h), columns) {
		lines = append(lines, d.drawColumns(page, w)...)
		lines = append(lines, make([]string, (h-len(lines)%h)%h)...)
	}
	return lines
}

// packColumns puts sections below each other in columns of h lines. It parts one that is taller than a column, and
// repeats its heading.
func packColumns(sections [][]helpLine, h int) [][]helpLine {
	columns := [][]helpLine{nil}
	for _, section := range sections {
		for len(section) > 0 {
			last := &columns[len(columns)-1]
			room, n := h-len(*last), len(section)
			if len(*last) > 0 {
				room-- // for the blank line before
			}
			if n > h && room >= leastOfSection {
				n = room
			}
			if n > room && len(*last) > 0 {
				columns = append(columns, nil)
				continue
			}
			if len(*last) > 0 {
				*last = append(*last, helpLine{})
			}
			*last = append(*last, section[:n]...)
			if n == len(section) {
				break
			}
			section = append([]helpLine{section[0]}, section[n:]...)
		}
	}
	return columns
}

func tallest(columns [][]helpLine) (h int) {
	for _, column := range columns {
		h = max(h, len(column))
	}
	return h
}

// drawColumns draws columns of w cells beside each other.
func (d *help) drawColumns(columns [][]helpLine, w int) []string {
	drawn := make([]string, 0, 2*len(columns))
	for i, column := range columns {
		if i > 0 {
			drawn = append(drawn, strings.Repeat(" ", helpGap))
		}
		drawn = append(drawn, strings.Join(d.drawColumn(column, w), "\n"))
	}
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, drawn...), "\n")
}

package browse

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/frame"
	"confab/ui/textedit"
)

// A row shows a part of a long text only: drawing it must not cost more for a text of megabytes.
const (
	maxRowBytes       = 1 << 10
	maxBytesBeforeHit = 256
)

// highlight draws foreign text of one line, exactly w cells wide, with the byte ranges of it that a search found in
// another style. When the first of them is too far right to be seen, the text before it is cut.
func highlight(s string, ranges [][2]int, w int, base, found themes.Style) string {
	if w < 1 {
		return ""
	}
	start := 0
	if len(s) > maxRowBytes && len(ranges) > 0 {
		start = max(min(ranges[0][0], len(s))-maxBytesBeforeHit, 0)
	}
	s = s[start:min(start+maxRowBytes, len(s))]
	var text strings.Builder
	var hits []frame.Span
	at, cells := 0, 0
	write := func(to int) {
		piece := textedit.OneLine(s[at:to])
		text.WriteString(piece)
		cells += ansi.StringWidth(piece)
		at = to
	}
	for _, r := range ranges {
		from, to := max(r[0]-start, at), min(r[1]-start, len(s))
		if from >= to {
			continue
		}
		write(from)
		hit := frame.Span{From: cells}
		write(to)
		hit.To = cells
		hits = append(hits, hit)
	}
	write(len(s))
	line := text.String()
	if len(hits) > 0 && hits[0].To >= w {
		size := hits[0].To - hits[0].From
		if cut := hits[0].From - min(w/3, max(w-1-size, 0)) + 1; cut > 0 {
			line = ansi.TruncateLeft(line, cut, "…")
			for i, moved := 0, cells-ansi.StringWidth(line); i < len(hits); i++ {
				hits[i].From, hits[i].To = max(hits[i].From-moved, 0), hits[i].To-moved
			}
		}
	}
	return frame.Mark(base.On(termtext.Fit(line, w)), hits, w, found)
}

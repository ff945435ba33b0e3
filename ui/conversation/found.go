package conversation

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/ui/flow"
)

// spot is a line of a part.
type spot struct {
	key  flow.Key
	line int
}

// stretch is a piece of a drawn line, from a cell up to, not including, another.
type stretch struct{ from, to int }

// CountMatches counts the places of a text that hold a part of it, whatever the case.
func CountMatches(text, part string) int {
	if part == "" {
		return 0
	}
	return strings.Count(strings.ToLower(text), strings.ToLower(part))
}

// found returns, by line, what of a part's lines on screen holds the searched
// text.
func (c *Pane) found(span flow.Span, lines []string) map[int][]stretch {
	if c.find.text == "" || span.Part.Key.Role == roleHead || span.Part.Key.Role == roleYou {
		return nil
	}
	// A match may begin or end on the line beside those that are seen.
	from, to := max(span.From-1, 0), min(span.To+1, len(lines))
	if from >= to {
		return nil
	}
	out := map[int][]stretch{}
	for _, m := range findAll(lines[from:to], c.find.text) {
		for line, s := range m {
			out[from+line] = append(out[from+line], s)
		}
	}
	return out
}

// findAll finds a text in drawn lines, which may have been broken within it;
// each match is a stretch of one line or of several.
func findAll(lines []string, part string) []map[int]stretch {
	var whole strings.Builder
	type piece struct{ start, end, indent int } // bytes of whole; cells before the text
	pieces := make([]piece, len(lines))
	for i, l := range lines {
		plain := strings.TrimRight(strings.ToLower(ansi.Strip(l)), " ")
		text := strings.TrimLeft(plain, " ")
		if whole.Len() > 0 {
			whole.WriteByte(' ')
		}
		start := whole.Len()
		whole.WriteString(text)
		pieces[i] = piece{start, whole.Len(), len(plain) - len(text)}
	}
	part = strings.ToLower(part)
	text := whole.String()
	var out []map[int]stretch
	for from := 0; part != ""; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			break
		}
		start, end := from+at, from+at+len(part)
		m := map[int]stretch{}
		for i, p := range pieces {
			a, b := max(start, p.start), min(end, p.end)
			if a < b {
				before := p.indent + ansi.StringWidth(text[p.start:a])
				m[i] = stretch{before, before + ansi.StringWidth(text[a:b])}
			}
		}
		out = append(out, m)
		from = end
	}
	return out
}

// mark highlights stretches of a line; once a match was gone to, those of its line
// stand out from the others.
func (c *Pane) mark(line string, found []stretch, here bool) string {
	if len(found) == 0 {
		return line
	}
	style := c.styles.Match
	if c.find.went && !here {
		style = c.styles.Selected
	}
	var out strings.Builder
	end := 0
	for _, s := range found {
		out.WriteString(ansi.Cut(line, end, s.from))
		out.WriteString(style.Render(ansi.Strip(ansi.Cut(line, s.from, s.to))))
		end = s.to
	}
	out.WriteString(ansi.Cut(line, end, ansi.StringWidth(line)))
	return out.String()
}

// SetFind marks a text in the one answer that is read; "" marks nothing.
func (c *Pane) SetFind(text string) {
	if text != c.find.text {
		c.find = finder{text: text, gen: c.find.gen + 1}
	}
}

// GoFound goes to the n-th place, from 0, that holds the text of
// [Pane.SetFind]; at once as far as the answer is drawn, and exactly once
// it is. A negative n leaves the place and marks none as the one gone to.
func (c *Pane) GoFound(n int) {
	c.find.want, c.find.here, c.find.went = max(n, -1)+1, spot{}, true
	c.seekFound()
}

// seekFound goes to the wanted match as well as what is drawn allows, again
// whenever more is, until the reader scrolls.
func (c *Pane) seekFound() {
	if c.find.want == 0 || c.only == 0 {
		return
	}
	t, _ := c.Turn(c.at.turn)
	a, _ := answerOf(t, c.only)
	key := flow.Key{Turn: t.ID, Answer: a.ID, Role: roleBody, Version: a.Version}
	n := c.find.want - 1
	if c.raw[a.ID] {
		key.Index = wholeText - 1
	} else {
		blocks, cut := c.blocks[textKey{a.ID, a.Version}]
		if !cut {
			return
		}
		for i, b := range blocks {
			key.Index = i
			in := CountMatches(b.Source, c.find.text)
			if n < in {
				break
			}
			n -= in
		}
	}
	line := 0
	if lines, drawn := c.lines[key]; drawn {
		// What is not seen of the source, as the target of a link, may hold it too.
		if all := findAll(lines, c.find.text); len(all) > 0 {
			line = len(lines)
			for l := range all[min(n, len(all)-1)] {
				line = min(line, l)
			}
		}
		c.find.here = spot{key, line}
	}
	c.showLine(key, line)
}

// showLine scrolls to a line of a part, to a third down, unless it is on screen.
func (c *Pane) showLine(key flow.Key, line int) {
	if c.rowOf(key, line) >= 0 {
		return
	}
	c.flow.ToPart(key, line)
	if up := c.room()/3 - c.rowOf(key, line); up > 0 {
		c.flow.ScrollBy(-up)
	}
}

// rowOf returns the row on screen of a line of a part, -1 for none.
func (c *Pane) rowOf(key flow.Key, line int) int {
	row := 0
	for _, span := range c.flow.Visible() {
		if span.Part.Key == key && line >= span.From && line < span.To {
			return row + line - span.From
		}
		row += span.To - span.From
	}
	return -1
}

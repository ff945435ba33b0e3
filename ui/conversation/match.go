package conversation

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/ui/flow"
	"confab/ui/widget"
)

// partLine is a line of a part.
type partLine struct {
	key  flow.Key
	line int
}

// CountMatches counts the places of a text that hold a part of it, whatever the case.
func CountMatches(text, part string) int {
	if part == "" {
		return 0
	}
	return strings.Count(strings.ToLower(text), strings.ToLower(part))
}

// matches returns, by line, what of a part's lines on screen holds the searched text.
func (c *Pane) matches(span flow.Span, lines []string) map[int][]widget.Span {
	if c.find.Text == "" || span.Part.Key.Role == roleReasoning || isDrawnAtOnce(span.Part.Key) {
		return nil
	}
	// A match may begin or end on the line beside those that are seen.
	from, to := max(span.From-1, 0), min(span.To+1, len(lines))
	if from >= to {
		return nil
	}
	out := map[int][]widget.Span{}
	for _, m := range findAll(lines[from:to], c.find.Text) {
		for line, r := range m {
			out[from+line] = append(out[from+line], r)
		}
	}
	return out
}

// findAll finds a text in drawn lines, which may have been broken within it; each match is a range of one line or of
// several.
func findAll(lines []string, part string) []map[int]widget.Span {
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
	var out []map[int]widget.Span
	for from := 0; part != ""; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			break
		}
		start, end := from+at, from+at+len(part)
		m := map[int]widget.Span{}
		for i, p := range pieces {
			a, b := max(start, p.start), min(end, p.end)
			if a < b {
				before := p.indent + ansi.StringWidth(text[p.start:a])
				m[i] = widget.Span{From: before, To: before + ansi.StringWidth(text[a:b])}
			}
		}
		out = append(out, m)
		from = end
	}
	return out
}

// highlight marks ranges of a line; once a match was gone to, those of its line stand out from the others.
func (c *Pane) highlight(line string, found []widget.Span, isHere bool) string {
	style := c.styles.Match
	if c.find.isStepping && !isHere {
		style = c.styles.SelectedText
	}
	return widget.MarkSpans(line, found, c.w, style)
}

// SetFind marks a text in the one answer that is read; "" marks nothing.
func (c *Pane) SetFind(text string) {
	if text != c.find.Text {
		c.find = finder{Finder: widget.Finder{Text: text}, generation: c.find.generation + 1}
	}
}

// GoFound goes to the n-th place, from 0, that holds the text of [Pane.SetFind]; at once as far as the answer is drawn,
// and exactly once it is. A negative n leaves the place and marks none as the one gone to.
func (c *Pane) GoFound(n int) {
	c.find.target, c.find.line, c.find.isStepping = target{}, partLine{}, true
	if n >= 0 {
		c.find.target = target{ref{c.chosen.turn, c.only}, n}
		c.seekMatch()
	}
}

// seekMatch goes to the wanted match as well as what is drawn allows, again when more is, until its block is or the
// reader scrolls.
func (c *Pane) seekMatch() {
	to, n := c.find.target, c.find.target.number
	if to.answer == 0 || c.view(to.answer).body.Len() == 0 {
		return
	}
	key, v := flow.Key{Turn: to.turn, Answer: to.answer, Role: roleBody}, c.view(to.answer)
	for i := range v.body.Len() {
		if key.Index = i; v.isUnformatted {
			key.Index = indexUnformatted - i
		}
		count := CountMatches(v.body.Block(i).Source, c.find.Text)
		if n < count {
			break
		}
		n -= count
	}
	line := 0
	if r, ok := c.rendered.parts[key]; ok {
		// What is not seen of the source, as the target of a link, may hold it too.
		if all := findAll(r.lines, c.find.Text); len(all) > 0 {
			line = len(r.lines)
			for l := range all[min(n, len(all)-1)] {
				line = min(line, l)
			}
		}
		c.find.line, c.find.target = partLine{key, line}, target{}
	}
	// The line is shown a third down, unless it is on screen.
	if c.rowOf(key, line) < 0 {
		c.flow.ScrollToPart(key, line)
		if up := c.turnLines()/3 - c.rowOf(key, line); up > 0 {
			c.flow.ScrollBy(-up)
		}
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

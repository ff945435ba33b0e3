package conversation

import (
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/flow"
	"confab/ui/graphics"
	"confab/ui/markdown"
	"confab/ui/part"
	"confab/ui/widget"
)

// textPlace is a cell of a line of a part, which stays where it is while the window moves.
type textPlace struct {
	key     flow.Key
	line, x int
}

// marking is text marked with the mouse.
type marking struct {
	active   bool
	moved    bool
	from, to textPlace   // where the button was pressed, and where the pointer is
	pointer  image.Point // in cells of the window
	scrolls  bool        // the window moves while the pointer is beyond its edge
}

// scrollPause is the time between two lines while text beyond the edge is being marked.
const scrollPause = 40 * time.Millisecond

// dragScrollMsg moves the window by a line while the pointer is beyond its edge.
type dragScrollMsg struct{}

// placeAt returns the place under a cell of the window.
func (c *Pane) placeAt(at image.Point) textPlace {
	_, above := c.flow.Lines()
	key, line := c.flow.At(above + at.Y)
	if key == (flow.Key{}) { // below the last line
		total, _ := c.flow.Lines()
		key, line = c.flow.At(total - 1)
		at.X = c.w
	}
	return textPlace{key, line, at.X}
}

// markedLines returns the first and the last marked line of the column, with the cells from which and up to which they
// are marked; ok is false where nothing is.
func (c *Pane) markedLines() (first, last image.Point, ok bool) {
	start, isThere := c.flow.LineOf(c.marking.from.key, c.marking.from.line)
	end, isThereToo := c.flow.LineOf(c.marking.to.key, c.marking.to.line)
	first, last = image.Pt(c.marking.from.x, start), image.Pt(c.marking.to.x, end)
	if last.Y < first.Y || last.Y == first.Y && last.X < first.X {
		first, last = last, first
	}
	return first, last, c.marking.moved && isThere && isThereToo
}

// markedCells returns the cells of a line of the column that are marked; ok is false for none.
func (c *Pane) markedCells(line int) (from, to int, ok bool) {
	first, last, ok := c.markedLines()
	if !ok || line < first.Y || line > last.Y {
		return 0, 0, false
	}
	to = c.w
	if line == first.Y {
		from = max(first.X, 0)
	}
	if line == last.Y {
		to = min(last.X+1, c.w)
	}
	return from, to, from < to
}

// mouse follows the mouse: a click selects an answer, dragging marks text, beyond the edge it also scrolls, and
// releasing the button copies the source of what is marked.
func (c *Pane) mouse(msg tea.MouseMsg) (action.Action, tea.Cmd) {
	at := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	switch msg.(type) {
	case tea.MouseClickMsg:
		c.marking = marking{active: msg.Mouse().Button == tea.MouseLeft, from: c.placeAt(at), to: c.placeAt(at)}
		if key := c.keyAt(at.Y); c.marking.active && key.Answer != 0 && at.Y >= 0 && at.Y < c.turnLines() {
			c.chosen = ref{key.Turn, key.Answer}
			return c.clickCode(at), nil
		}
	case tea.MouseMotionMsg:
		if c.marking.active {
			c.marking.moved, c.marking.pointer = true, at
			return nil, c.extendMarking()
		}
	case tea.MouseReleaseMsg:
		text := c.markedText()
		c.marking = marking{}
		if text != "" {
			return action.Copy{Text: text, What: "the marked text"}, nil
		}
	}
	return nil, nil
}

// extendMarking marks up to the pointer, and goes on by itself while that is beyond the edge of the window.
func (c *Pane) extendMarking() tea.Cmd {
	at := c.marking.pointer
	at.Y = max(min(at.Y, c.turnLines()-1), 0)
	c.marking.to = c.placeAt(at)
	if at.Y == c.marking.pointer.Y || c.marking.scrolls {
		return nil
	}
	c.marking.scrolls = true
	return tea.Tick(scrollPause, func(time.Time) tea.Msg { return part.Result{To: c, Msg: dragScrollMsg{}} })
}

// scrollMarking moves the window towards the pointer.
func (c *Pane) scrollMarking() tea.Cmd {
	c.marking.scrolls = false
	if !c.marking.active {
		return nil
	}
	switch y := c.marking.pointer.Y; {
	case y < 0:
		c.flow.ScrollBy(max(y, -3))
	case y >= c.turnLines():
		c.flow.ScrollBy(min(y-c.turnLines()+1, 3))
	}
	return c.extendMarking()
}

// markedSpans returns the cells of a line of the window that are marked, without those of pictures.
func (c *Pane) markedSpans(y int, pictures []graphics.Placement) []widget.Span {
	_, above := c.flow.Lines()
	from, to, ok := c.markedCells(above + y)
	if !ok || y >= c.turnLines() {
		return nil
	}
	for _, p := range pictures {
		if r := p.Visible(); y >= r.Min.Y && y < r.Max.Y {
			return []widget.Span{{From: from, To: min(to, r.Min.X)}, {From: max(from, r.Max.X), To: to}}
		}
	}
	return []widget.Span{{From: from, To: to}}
}

// markedText returns the source of what is marked: the text as it came, of what the marked cells show.
func (c *Pane) markedText() string {
	first, last, ok := c.markedLines()
	if !ok {
		return ""
	}
	var out strings.Builder
	line, selected := first.Y, c.selected()
	for _, span := range c.flow.Between(first.Y, last.Y+1) {
		p := c.pieceOf(span.Part.Key)
		lines := slices.Clone(c.partLines(span.Part, selected, c.styles.Text))
		margin := c.railWidth()
		if span.Part.Key.Role == roleHead || span.Part.Key.Answer == 0 {
			margin = 0
		}
		marked := make([]widget.Span, len(lines))
		for i := span.From; i < span.To && i < len(lines); i++ {
			from, to, _ := c.markedCells(line + i - span.From)
			marked[i] = widget.Span{From: max(from-margin, 0), To: max(to-margin, 0)}
		}
		line += span.To - span.From
		if hasPicture(p.answer) && p.key.Role == roleBody {
			continue
		}
		text := c.sourceOfMarked(p, lines, marked)
		switch {
		case text == "":
			continue
		case out.Len() == 0:
		case p.block != nil && p.block.IsContinuation:
			out.WriteString("\n")
		default:
			out.WriteString("\n\n")
		}
		out.WriteString(text)
	}
	return out.String()
}

// sourceOfMarked returns the source of the marked cells of a part.
func (c *Pane) sourceOfMarked(p piece, lines []string, marked []widget.Span) string {
	source := ""
	switch key := p.key; {
	case p.block != nil:
		source = sourceOfBlock(p.block)
	case key.Role == rolePrompt:
		source = p.turn.Prompt
	case key.Role == roleNote:
		source = p.answer.Note
	case key.Role == roleServiceNote:
		source = p.answer.ServiceNote
	case key.Index == indexFailure:
		source = p.answer.Failure.Message
	case key.Role == roleBody:
		source = p.answer.Text
	default: // a line that no text is the source of
		var out []string
		for i, line := range lines {
			text := ansi.Strip(ansi.Cut(line, marked[i].From, marked[i].To))
			if s := strings.Trim(text, " ▎▌"); s != "" {
				out = append(out, s)
			}
		}
		return strings.Join(out, "\n")
	}
	for i, line := range lines {
		lines[i] = ansi.Strip(line)
		if n, _ := c.codeHeader(lines[i], p.answer.Text); n >= 0 && p.block != nil {
			lines[i] = ""
		}
	}
	if b := p.block; b != nil && b.Kind == markdown.Fence && !b.IsContinuation {
		if codes := markdown.CodeBlocks(b.Source); len(codes) > 0 && codes[0].Lang != "" {
			i := slices.IndexFunc(lines, isDrawn) // the header, which without the focus has no key
			if i >= 0 && strings.HasPrefix(strings.TrimSpace(lines[i]), codes[0].Lang) {
				lines[i] = ""
			}
		}
	}
	return sourceRange(lines, marked, source)
}

func isDrawn(line string) bool { return strings.TrimSpace(line) != "" }

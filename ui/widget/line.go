package widget

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/keys"
)

// Piece is a piece of a line, with the command that a click on it does, "" for none.
type Piece struct {
	Text    string
	Command keys.Command
}

// Pieces are the pieces of a line, with the blanks between them.
type Pieces []Piece

// String returns the line.
func (p Pieces) String() string {
	var line strings.Builder
	for _, piece := range p {
		line.WriteString(piece.Text)
	}
	return line.String()
}

// Width returns how wide the line is, in cells.
func (p Pieces) Width() int { return termtext.Width(p.String()) }

// CommandAt returns what a click on a column of the line does, "" for nothing.
func (p Pieces) CommandAt(x int) keys.Command {
	for _, piece := range p {
		if x < 0 {
			break
		}
		if x -= termtext.Width(piece.Text); x < 0 {
			return piece.Command
		}
	}
	return ""
}

// Join returns the pieces that are not empty, with a gap between each two.
func (p Pieces) Join(gap string) Pieces {
	var line Pieces
	for _, piece := range p {
		if piece.Text == "" {
			continue
		}
		if len(line) > 0 {
			line = append(line, Piece{Text: gap})
		}
		line = append(line, piece)
	}
	return line
}

// Fitting returns as many of the pieces, with a gap between each two, as fit into w cells, from the first one on. The
// first one is cut if it must be.
func (p Pieces) Fitting(gap string, w int) Pieces {
	line := p.Join(gap)
	for len(line) > 1 && line.Width() > w {
		line = line[:len(line)-2]
	}
	if len(line) == 1 {
		line[0].Text = ansi.Truncate(line[0].Text, max(w, 1), "…")
	}
	return line
}

// Span is a piece of a drawn line, from a cell up to, not including, another.
type Span struct{ From, To int }

// MarkSpans draws pieces of a drawn line, w cells wide, in another style. The pieces are in their order, and do not
// overlap.
func MarkSpans(line string, spans []Span, w int, style themes.Style) string {
	var out strings.Builder
	end := 0
	for _, s := range spans {
		if s.From, s.To = max(s.From, end), min(s.To, w); s.From >= s.To {
			continue
		}
		out.WriteString(ansi.Cut(line, end, s.From))
		out.WriteString(style.On(ansi.Strip(ansi.Cut(line, s.From, s.To))))
		end = s.To
	}
	if end == 0 {
		return line
	}
	return out.String() + ansi.Cut(line, end, w)
}

// WordAt returns the word at a column of a line of plain text, "" between words.
func WordAt(line string, x int) string {
	column := 0
	for word := range strings.SplitSeq(line, " ") {
		end := column + ansi.StringWidth(word)
		if x >= column && x < end {
			return word
		}
		column = end + 1
	}
	return ""
}

// HintGap is drawn between two hints.
const HintGap = " · "

// HintLine draws hints in one line.
func HintLine(s *themes.Styles, hints []keys.Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = s.Key.On(h.Key) + " " + s.KeyText.On(h.Text)
	}
	return strings.Join(parts, s.Faint.On(HintGap))
}

// Buttons draws the hints of what a screen is there to choose from, louder than other hints.
func Buttons(s *themes.Styles, hints []keys.Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = s.Selected.On(" " + h.String() + " ")
	}
	return strings.Join(parts, " ")
}

// maxDots is how many models are drawn as dots before the rest is a number.
const maxDots = 5

// ModelDots draws models in a few cells: one by its name, several as dots of their colors. Where colors are not seen,
// they are a number.
func ModelDots(s *themes.Styles, slugs []string) string {
	text, colors := s.Muted, s.ModelStyles(slugs)
	if len(slugs) == 1 {
		return colors[0].On("●") + text.On(" "+termtext.Line(slugs[0]))
	}
	if len(slugs) > 1 && (s.ScreenReader || colors[0].Prefix == "") {
		return text.On(format.Count(len(slugs), "model"))
	}
	return Dots(s, slugs, maxDots, false)
}

// Dots draws the dots of models, without their names, and how many more there are than most. A single one more is a dot
// too, which takes less room than its number. On the bar of the selected row they are as dark or light as it takes.
func Dots(s *themes.Styles, slugs []string, most int, isSelected bool) string {
	if len(slugs) == most+1 {
		most++
	}
	dots, colors := make([]string, min(len(slugs), most)), s.ModelStyles(slugs)
	text := s.Muted
	if isSelected {
		text = s.Selected
	}
	for i := range dots {
		if isSelected {
			colors[i] = s.OnSelected(colors[i])
		}
		dots[i] = colors[i].On(s.Sign("●", "*"))
	}
	line := strings.Join(dots, text.On(" "))
	if more := len(slugs) - len(dots); more > 0 {
		line += text.On(" +" + strconv.Itoa(more))
	}
	return line
}

// StyleLines draws lines in a style, each after a margin.
func StyleLines(style themes.Style, margin string, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = margin + style.On(line)
	}
	return out
}

// Bar draws a share of a whole in cells as a line, and what is missing as dots.
func Bar(s *themes.Styles, style themes.Style, full, cells int) string {
	return style.On(strings.Repeat("━", full)) + s.Faint.On(strings.Repeat("·", cells-full))
}

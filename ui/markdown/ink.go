package markdown

import (
	"image/color"
	"strings"

	"confab/themes"
	"confab/ui/terminal"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// ink is how a piece of text looks. It is comparable.
type ink struct {
	fg, bg                          color.Color
	bold, italic, underline, strike bool
}

// over returns the ink of text inside text: what top says, and what it leaves
// open from below.
func (top ink) over(below ink) ink {
	if top.fg == nil {
		top.fg = below.fg
	}
	if top.bg == nil {
		top.bg = below.bg
	}
	top.bold = top.bold || below.bold
	top.italic = top.italic || below.italic
	top.underline = top.underline || below.underline
	top.strike = top.strike || below.strike
	return top
}

// inks are the looks of a theme.
type inks struct {
	text, muted, faint, marker, code, link ink
	headings                               [6]ink
}

func newInks(p themes.Palette) inks {
	heading := ink{fg: paint(p.Heading), bold: true}
	first := heading
	first.underline = true
	muted := ink{fg: paint(p.Muted)}
	strong := ink{fg: paint(p.Ordinary()), bold: true}
	return inks{
		text:     ink{fg: paint(p.Ordinary())},
		muted:    muted,
		faint:    ink{fg: paint(p.Faint)},
		marker:   ink{fg: paint(p.Accent)},
		code:     ink{fg: paint(p.Code.String), bg: paint(p.Surface)},
		link:     ink{fg: paint(p.Link), underline: true},
		headings: [6]ink{first, heading, strong, strong, muted, muted},
	}
}

// paint returns a palette's colour, nil for the terminal's own.
func paint(s string) color.Color {
	if s == "" {
		return nil
	}
	return lipgloss.Color(s)
}

// sequence returns the SGR sequence that switches the ink on.
func (k ink) sequence() string {
	var s ansi.Style
	if k.fg != nil {
		s = s.ForegroundColor(k.fg)
	}
	if k.bg != nil {
		s = s.BackgroundColor(k.bg)
	}
	if k.bold {
		s = s.Bold()
	}
	if k.italic {
		s = s.Italic(true)
	}
	if k.underline {
		s = s.Underline(true)
	}
	if k.strike {
		s = s.Strikethrough(true)
	}
	if len(s) == 0 {
		return ""
	}
	return s.String()
}

// span is a piece of cleaned text in one ink. Its text is one line, or "\n" alone
// for a hard line break.
type span struct {
	text string
	ink  ink
	link link
}

// link is what a span leads to; the zero value is nowhere.
type link struct{ target, id string }

// draw returns spans as one styled line.
func (r *Renderer) draw(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		seq, known := r.sequences[s.ink]
		if !known {
			look := s.ink
			if look.italic && r.noItalics {
				look.italic, look.underline = false, true
			}
			seq = look.sequence()
			r.sequences[s.ink] = seq
		}
		b.WriteString(seq)
		b.WriteString(terminal.Link(s.text, s.link.target, s.link.id))
		if seq != "" {
			b.WriteString(ansi.ResetStyle)
		}
	}
	return b.String()
}

// wrap breaks spans into lines of at most width cells.
func wrap(spans []span, width int) [][]span {
	var lines [][]span
	start := 0
	for i := 0; i <= len(spans); i++ {
		if i < len(spans) && spans[i].text != "\n" {
			continue
		}
		lines = append(lines, wrapLine(unindent(spans[start:i], start > 0), width)...)
		start = i + 1
	}
	return lines
}

// unindent drops the spaces a line starts with after a hard break.
func unindent(line []span, after bool) []span {
	if after && len(line) > 0 && strings.HasPrefix(line[0].text, " ") {
		line[0].text = strings.TrimLeft(line[0].text, " ")
	}
	return line
}

// wrapLine breaks spans without hard breaks.
func wrapLine(spans []span, width int) [][]span {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	plain := b.String()
	var lines [][]span
	i, at := 0, 0 // the span, and where it starts in plain
	for _, r := range terminal.Breaks(plain, width) {
		var line []span
		for i < len(spans) && at < r.End {
			s := spans[i]
			end := at + len(s.text)
			if from, to := max(at, r.Start), min(end, r.End); from < to {
				part := s
				part.text = s.text[from-at : to-at]
				line = append(line, part)
			}
			if end > r.End {
				break
			}
			i, at = i+1, end
		}
		lines = append(lines, line)
	}
	return lines
}

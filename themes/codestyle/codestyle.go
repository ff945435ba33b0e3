// Package codestyle colours the tokens of code by a palette. It imports
// chroma's token types only, whose initialisation is cheap; lexers are the
// caller's. Unlike chroma's own formatters it needs no process-wide registry
// of styles, so that any number of themes can be drawn side by side, and it
// keeps the sixteen colours of a terminal what they are.
package codestyle

import (
	"strings"

	"confab/themes"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/x/ansi"
)

// class is what the colour of a token says.
type class int

const (
	text class = iota
	comment
	keyword
	name
	literal
	number
	added
	removed
	heading
	strong
	emphasis
	classes
)

// Code colours tokens. It is immutable and may be used by many at once.
type Code struct {
	open [classes]string // what switches the style of a class on, empty for none
}

// New returns the colours of code of s.
func New(s *themes.Styles) *Code {
	p := s.Palette
	emphasized := func(s ansi.Style) ansi.Style { return s.Italic(true) }
	if s.NoItalics {
		emphasized = func(s ansi.Style) ansi.Style { return s.Underline(true) }
	}
	return &Code{open: [classes]string{
		text: styleSequence(p.Code.Text), comment: styleSequence(p.Code.Comment),
		keyword: styleSequence(p.Code.Keyword), name: styleSequence(p.Code.Name),
		literal: styleSequence(p.Code.String), number: styleSequence(p.Code.Number),
		added: styleSequence(p.Success), removed: styleSequence(p.Danger),
		heading:  styleSequence(p.Heading, ansi.Style.Bold),
		strong:   styleSequence(p.Code.Text, ansi.Style.Bold),
		emphasis: styleSequence(p.Code.Text, emphasized),
	}}
}

func styleSequence(colour string, changes ...func(ansi.Style) ansi.Style) string {
	var s ansi.Style
	for _, c := range changes {
		s = c(s)
	}
	if colour != "" {
		s = s.ForegroundColor(lipgloss.Color(colour))
	}
	if len(s) == 0 {
		return ""
	}
	return s.String()
}

// Lines returns the tokens as coloured lines without line ends. Each line
// switches on what it needs and off what it switched on, so that lines can be
// drawn apart. It sets foregrounds only. The texts of the tokens must be clean of control characters.
func (c *Code) Lines(tokens []chroma.Token) []string {
	var lines []string
	var b strings.Builder
	for _, t := range tokens {
		style := c.open[classOf(t.Type)]
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, b.String())
				b.Reset()
			}
			if part == "" {
				continue
			}
			if style == "" {
				b.WriteString(part)
				continue
			}
			b.WriteString(style)
			b.WriteString(part)
			b.WriteString(ansi.ResetStyle)
		}
	}
	if b.Len() > 0 {
		lines = append(lines, b.String())
	}
	return lines
}

func classOf(t chroma.TokenType) class {
	switch t {
	case chroma.KeywordConstant:
		return number
	case chroma.KeywordType, chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameClass, chroma.NameBuiltin,
		chroma.NameTag,
		chroma.NameDecorator, chroma.NameNamespace, chroma.NameException, chroma.NameAttribute:
		return name
	case chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.OperatorWord:
		return keyword
	case chroma.GenericDeleted, chroma.GenericError, chroma.GenericTraceback:
		return removed
	case chroma.GenericInserted:
		return added
	case chroma.GenericHeading, chroma.GenericSubheading:
		return heading
	case chroma.GenericStrong:
		return strong
	case chroma.GenericEmph:
		return emphasis
	}
	switch {
	case t.InCategory(chroma.Comment):
		return comment
	case t.InCategory(chroma.Keyword):
		return keyword
	case t.InSubCategory(chroma.LiteralNumber):
		return number
	case t.InCategory(chroma.Literal):
		return literal
	}
	return text
}

package themes

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/x/ansi"
)

type tokenClass int

const (
	tokenText tokenClass = iota
	tokenComment
	tokenKeyword
	tokenName
	tokenLiteral
	tokenNumber
	tokenAdded
	tokenRemoved
	tokenHeading
	tokenStrong
	tokenEmphasis
	tokenClasses
)

// CodeStyle colors the tokens of code. It is immutable and may be used by many at once. Unlike chroma's own formatters
// it needs no registry of styles of the whole process, and keeps the sixteen colors of a terminal what they are.
type CodeStyle struct {
	open [tokenClasses]string // what switches the style of a class on, empty for none
}

// NewCodeStyle returns the colors of code of s.
func NewCodeStyle(s *Styles) *CodeStyle {
	p := s.Palette
	emphasized := func(s ansi.Style) ansi.Style { return s.Italic(true) }
	if s.NoItalics {
		emphasized = func(s ansi.Style) ansi.Style { return s.Underline(true) }
	}
	return &CodeStyle{open: [tokenClasses]string{
		tokenText: styleSequence(p.Code.Text), tokenComment: styleSequence(p.Code.Comment),
		tokenKeyword: styleSequence(p.Code.Keyword), tokenName: styleSequence(p.Code.Name),
		tokenLiteral: styleSequence(p.Code.String), tokenNumber: styleSequence(p.Code.Number),
		tokenAdded: styleSequence(p.Success), tokenRemoved: styleSequence(p.Danger),
		tokenHeading:  styleSequence(p.Heading, ansi.Style.Bold),
		tokenStrong:   styleSequence(p.Code.Text, ansi.Style.Bold),
		tokenEmphasis: styleSequence(p.Code.Text, emphasized),
	}}
}

func styleSequence(color string, changes ...func(ansi.Style) ansi.Style) string {
	var s ansi.Style
	for _, c := range changes {
		s = c(s)
	}
	switch color {
	case "":
	case Dim:
		s = s.Faint()
	default:
		s = s.ForegroundColor(lipgloss.Color(color))
	}
	if len(s) == 0 {
		return ""
	}
	return s.String()
}

// Lines returns the tokens as colored lines without line ends. Each line
// switches on what it needs and off what it switched on, so that lines can be
// drawn apart. It sets foregrounds only. The texts of the tokens must be clean of control characters.
func (c *CodeStyle) Lines(tokens []chroma.Token) []string {
	var lines []string
	var b strings.Builder
	for _, t := range tokens {
		style := c.open[tokenClassOf(t.Type)]
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

func tokenClassOf(t chroma.TokenType) tokenClass {
	switch t {
	case chroma.KeywordConstant:
		return tokenNumber
	case chroma.KeywordType, chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameClass, chroma.NameBuiltin,
		chroma.NameTag,
		chroma.NameDecorator, chroma.NameNamespace, chroma.NameException, chroma.NameAttribute:
		return tokenName
	case chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.OperatorWord:
		return tokenKeyword
	case chroma.GenericDeleted, chroma.GenericError, chroma.GenericTraceback:
		return tokenRemoved
	case chroma.GenericInserted:
		return tokenAdded
	case chroma.GenericHeading, chroma.GenericSubheading:
		return tokenHeading
	case chroma.GenericStrong:
		return tokenStrong
	case chroma.GenericEmph:
		return tokenEmphasis
	}
	switch {
	case t.InCategory(chroma.Comment):
		return tokenComment
	case t.InCategory(chroma.Keyword):
		return tokenKeyword
	case t.InSubCategory(chroma.LiteralNumber):
		return tokenNumber
	case t.InCategory(chroma.Literal):
		return tokenLiteral
	}
	return tokenText
}

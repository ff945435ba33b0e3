// Package mdsyntax extends goldmark's Markdown for the screen and for exports.
//
// It recognises emphasis next to Chinese, Japanese and Korean text, which has no blanks between words and
// punctuation, so that CommonMark would treat the marks in "**重要：**これは" as text. Table rows keep surplus cells.
package mdsyntax

import (
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// InlineParsers returns the parsers of emphasis and strikethrough, with precedence over goldmark's.
func InlineParsers() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(delimiterParser{parser.NewEmphasisParser()}, 490),
		util.Prioritized(delimiterParser{extension.NewStrikethroughParser()}, 490),
	}
}

// delimiterParser decides again which marks of another parser may open and close.
type delimiterParser struct{ parser.InlineParser }

// Parse parses a run of marks.
func (p delimiterParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	n := p.InlineParser.Parse(parent, block, pc)
	marks, ok := n.(*parser.Delimiter)
	if !ok {
		return n
	}
	after := ' '
	if line, _ := block.PeekLine(); len(line) > 0 {
		after = util.ToRune(line, 0)
	}
	if isCJK(before) || isCJK(after) {
		marks.CanOpen, marks.CanClose = flanks(marks.Char, before, after)
	}
	return n
}

// flanks reports whether marks between two characters may open and close emphasis. It differs from CommonMark in that
// Chinese, Japanese and Korean punctuation counts as letters, and such letters allow punctuation on the other side of
// the marks.
func flanks(mark byte, before, after rune) (canOpen, canClose bool) {
	isSign := func(r rune) bool { return util.IsPunctRune(r) && !isCJK(r) }
	left := !util.IsSpaceRune(after) &&
		(!isSign(after) || util.IsSpaceRune(before) || isSign(before) || isCJK(before))
	right := !util.IsSpaceRune(before) &&
		(!isSign(before) || util.IsSpaceRune(after) || isSign(after) || isCJK(after))
	if mark == '_' {
		return left && (!right || util.IsPunctRune(before)), right && (!left || util.IsPunctRune(after))
	}
	return left, right
}

// isCJK reports whether a character is a Chinese, Japanese or Korean letter or punctuation mark.
func isCJK(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Bopomofo) || r >= 0x3000 && r <= 0x303f || r >= 0xfe30 && r <= 0xfe4f || r >= 0xff01 && r <= 0xffee)
}

package markdown

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
)

const (
	maxColored  = 2000                   // bytes of the longest line of code that is colored
	maxLanguage = 40                     // bytes of the longest name; chroma compares names with all lexers' files
	maxLexing   = 100 * time.Millisecond // for one block; lexers are expressions that hostile text makes very slow
)

// Code is a block of code exactly as it was written, for copying.
type Code struct {
	Lang string // what the fence says, "" for none
	Text string // with its line feeds, without the fences
}

// CodeBlocks returns the blocks of code of a text in their order, also those in lists and quotes. The code is byte for
// byte what stands between the fences, without the indentation of the list or quote around it.
func CodeBlocks(text string) []Code {
	var codes []Code
	p := sync.OnceValue(newParser)
	for _, b := range Split(text) {
		found := b.codes(p)
		if b.Kind == Fence && b.IsContinuation && len(codes) > 0 && len(found) > 0 {
			codes[len(codes)-1].Text += found[0].Text
			found = found[1:]
		}
		codes = append(codes, found...)
	}
	return codes
}

// codes returns the blocks of code in a block. Of a piece of code that was cut it is the piece.
func (b Block) codes(p func() parser.Parser) []Code {
	source := b.head + b.Source
	switch {
	case b.Kind != Fence && b.Kind != List && b.Kind != Quote || b.IsPlain || !mayHoldCode.MatchString(source):
		return nil
	case !b.isFenced() && (limitNesting(source) != source || isCostly(source)):
		return nil // nobody nests code so deep, and it would not be as it was written
	}
	return codeIn(b.parse(p(), source), []byte(source))
}

// mayHoldCode matches what every block of code has: a fence, or an indentation.
var mayHoldCode = regexp.MustCompile("```|~~~|    |\t")

// numberCode tells each block how many blocks of code stand before it, of which there are some before the first, and
// returns how many stand before the last one.
func numberCode(blocks []Block, before int) int {
	p := sync.OnceValue(newParser) // few texts need it
	for i := range blocks {
		if i > 0 {
			before += blocks[i-1].countCodes(p)
		}
		blocks[i].codesBefore = before
	}
	return before
}

// countCodes returns how many blocks of code begin in a block.
func (b Block) countCodes(p func() parser.Parser) int {
	if b.Kind == Fence && b.isFenced() && !b.IsPlain {
		if b.IsContinuation {
			return 0
		}
		return 1
	}
	return len(b.codes(p))
}

// isFenced reports whether a block is code between fences, or a piece of it: nothing in it is parsed.
func (b Block) isFenced() bool {
	run, _ := lineAt(cmp.Or(b.head, trimBlank(b.Source, false)), 0).fence()
	return b.Kind == Fence && run != ""
}

// codeIn returns the blocks of code below a node.
func codeIn(doc ast.Node, source []byte) []Code {
	var codes []Code
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			codes = append(codes, Code{Lang: language(infoOf(n, source)), Text: linesOf(n, source)})
		case *ast.CodeBlock:
			codes = append(codes, Code{Text: linesOf(n, source)})
		}
		return ast.WalkContinue, nil
	})
	return codes
}

// linesOf returns the lines of a block of code as they are.
func linesOf(n ast.Node, source []byte) string {
	lines := n.Lines()
	text := string(lines.Value(source))
	last := lines.Len() - 1
	if last >= 0 && lines.At(last).Stop == len(source) && source[len(source)-1] != '\n' { // the parser added one
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// infoOf returns what follows the fence of a block of code.
func infoOf(n *ast.FencedCodeBlock, source []byte) string {
	if n.Info == nil {
		return ""
	}
	return strings.TrimSpace(string(n.Info.Value(source)))
}

// language returns the first word of what follows a fence.
func language(info string) string {
	if i := strings.IndexAny(info, " \t,{"); i >= 0 {
		return info[:i]
	}
	return info
}

// lexerOf returns the lexer of a language, nil for none.
func lexerOf(lang string) chroma.Lexer {
	if lang == "" || len(lang) > maxLanguage {
		return nil
	}
	return lexers.Get(lang)
}

// tokens cuts code into tokens with glamour's highlighting. Code whose text the lexer would change, or that it cannot
// read in time, is one token.
func (r *Renderer) tokens(lang, text string) []chroma.Token {
	whole := []chroma.Token{{Type: chroma.Text, Value: text}}
	if lexerOf(lang) == nil || len(text) > 2*maxCostly || longestLine(text) > maxColored {
		return whole
	}
	source := []byte(lang + "\n" + text)
	code := ast.NewFencedCodeBlock(ast.NewTextSegment(gmtext.NewSegment(0, len(lang))))
	code.Lines().Append(gmtext.NewSegment(len(lang)+1, len(source)))
	out, err := r.leaves.render(code, source)
	if err != nil {
		return whole
	}
	tokens, seen := readTokens(out), strings.Builder{}
	for _, t := range tokens {
		seen.WriteString(t.Value)
	}
	if strings.Trim(seen.String(), "\n") != strings.Trim(text, "\n") {
		return whole
	}
	return tokens
}

func longestLine(s string) int {
	longest := 0
	for line := range strings.SplitSeq(s, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}

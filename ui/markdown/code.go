package markdown

import (
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
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
func CodeBlocks(text string) (codes []Code) {
	source := []byte(text)
	for _, n := range codeNodes(parseBlocks(text)) {
		codes = append(codes, Code{Lang: language(infoOf(n, source)), Text: linesOf(n, source)})
	}
	return codes
}

// codeNodes returns the blocks of code below a node.
func codeNodes(parent ast.Node) (codes []ast.Node) {
	for n := parent.FirstChild(); n != nil && n.Type() == ast.TypeBlock; n = n.NextSibling() {
		if k := n.Kind(); k == ast.KindFencedCodeBlock || k == ast.KindCodeBlock {
			codes = append(codes, n)
		} else {
			codes = append(codes, codeNodes(n)...)
		}
	}
	return codes
}

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
func infoOf(n ast.Node, source []byte) string {
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Info != nil {
		return strings.TrimSpace(string(fenced.Info.Value(source)))
	}
	return ""
}

func language(info string) string {
	if i := strings.IndexAny(info, " \t,{"); i >= 0 {
		return info[:i]
	}
	return info
}

// codeTokens cuts code into tokens. Code that has no lexer, whose text the lexer would change, or that it cannot read
// in time, is one token.
func codeTokens(lang, text string) (tokens []chroma.Token) {
	whole := []chroma.Token{{Type: chroma.Text, Value: text}}
	if lang == "" || len(lang) > maxLanguage || len(text) > 2*maxCostly || longestLine(text) > maxColored {
		return whole
	}
	lexer := lexers.Get(lang)
	if lexer == nil {
		return whole
	}
	defer func() {
		if recover() != nil { // the lexer
			tokens = whole
		}
	}()
	next, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return whole
	}
	var read strings.Builder
	deadline := time.Now().Add(maxLexing)
	for t := next(); t != chroma.EOF; t = next() {
		if time.Now().After(deadline) {
			return whole
		}
		tokens = append(tokens, t)
		read.WriteString(t.Value)
	}
	if strings.TrimRight(read.String(), "\n") != strings.TrimRight(text, "\n") {
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

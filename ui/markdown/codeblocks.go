package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Code is a block of code exactly as it was written, for copying.
type Code struct {
	Lang string // what the fence says, "" for none
	Text string // with its line feeds, without the fences
}

// CodeBlocks returns the blocks of code of a text in their order, also those in
// lists and quotes. The code is byte for byte what stands between the fences,
// without the indentation of the list or quote around it.
func CodeBlocks(text string) []Code {
	var codes []Code
	var p parser.Parser
	for _, b := range Split(text) {
		switch {
		case b.Kind == Fence && b.IsContinuation && len(codes) > 0:
			_, more := codeOf(b)
			codes[len(codes)-1].Text += more
		case b.Kind == Fence && !isIndentedCode(b):
			info, body := codeOf(b)
			codes = append(codes, Code{Lang: language(info), Text: body})
		case b.Kind == Fence || canHoldCode(b):
			if p == nil {
				p = newParser()
			}
			codes = append(codes, nestedCode(p, b.Source)...)
		}
	}
	return codes
}

// canHoldCode reports whether a block may have code within.
func canHoldCode(b Block) bool {
	return !b.IsPlain && (b.Kind == List || b.Kind == Quote)
}

// nestedCode returns the code within one block.
func nestedCode(p parser.Parser, source string) []Code {
	if limitNesting(source) != source || isCostly(source) {
		return nil // nobody nests code so deep, and it would not be as it was written
	}
	var codes []Code
	reader := []byte(source)
	doc := p.Parse(text.NewReader(reader))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkContinue, nil
		}
		code := Code{}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			code.Lang = string(n.Language(reader))
		case *ast.CodeBlock:
		default:
			return ast.WalkContinue, nil
		}
		var b strings.Builder
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			b.Write(seg.Value(reader))
		}
		code.Text = b.String()
		codes = append(codes, code)
		return ast.WalkSkipChildren, nil
	})
	return codes
}

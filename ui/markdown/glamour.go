package markdown

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	glamour "charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"confab/themes"
)

// Stand-ins from the private-use areas, which [termtext.Clean] removes from foreign text.
const (
	ampersand = '\ue000' // "&", so that glamour decodes no entity: it would bring control characters back
	backslash = '\ue001' // "\", so that glamour removes no escape a second time
	column    = '\ue002' // "│" between the columns of a table
	crossing  = '\ue003' // "┼"
	dash      = '\ue004' // "─"

	tokenBase = '\U000f8000' // plus a [chroma.TokenType]: the start of a token of code
)

var (
	protect = strings.NewReplacer("&", string(ampersand), `\`, string(backslash))
	restore = strings.NewReplacer(string(ampersand), "&", string(backslash), `\`)
)

// codeFormatter is the name of the chroma formatter that glamour uses for code. It marks the tokens and colors nothing,
// because chroma's registry of styles is shared by all themes of the process.
const codeFormatter = "confab-tokens"

// registerFormatter registers codeFormatter with chroma, once per process.
var registerFormatter = sync.OnceFunc(func() { formatters.Register(codeFormatter, chroma.FormatterFunc(markTokens)) })

// markTokens writes each token after the stand-in for its type.
func markTokens(w io.Writer, _ *chroma.Style, next chroma.Iterator) error {
	out := bufio.NewWriter(w)
	deadline := time.Now().Add(maxLexing)
	for t := next(); t != chroma.EOF; t = next() {
		if time.Now().After(deadline) {
			return errors.New("the lexer took too long")
		}
		_, _ = out.WriteRune(tokenBase + rune(t.Type)) // Flush reports an error
		_, _ = out.WriteString(t.Value)
	}
	return out.Flush() //nolint:wrapcheck // glamour wraps it
}

// readTokens reads what markTokens wrote.
func readTokens(s string) (tokens []chroma.Token) {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		end := strings.IndexFunc(s[size:], func(r rune) bool { return r >= 0xf0000 })
		if end < 0 {
			end = len(s) - size
		}
		tokens = append(tokens, chroma.Token{Type: chroma.TokenType(r - tokenBase), Value: s[size : size+end]})
		s = s[size+end:]
	}
	return tokens
}

// leafRenderer renders leaf blocks (paragraphs, headings, rules, tables, code) with glamour. Wrapping is off: the text
// of a leaf holds its line breaks already.
type leafRenderer struct {
	style    glamour.StyleConfig
	out      bufio.Writer
	renderer renderer.Renderer // nil before the first leaf and after an error, which leaves glamour in an unknown state
}

// render renders one leaf block without its surrounding line feeds.
func (l *leafRenderer) render(n ast.Node, source []byte) (out string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("render markdown: %v", p)
		}
		if err != nil {
			l.renderer = nil
		}
	}()
	if l.renderer == nil {
		r := glamour.NewRenderer(glamour.Options{
			Styles: l.style, ChromaFormatter: codeFormatter, InlineTableLinks: true, PreserveNewLines: true,
		})
		l.renderer = renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(r, 1000)))
	}
	doc := ast.NewDocument()
	doc.AppendChild(doc, n)
	var b strings.Builder
	l.out.Reset(&b)
	if err := l.renderer.Render(&l.out, source, doc); err != nil {
		return "", fmt.Errorf("render markdown: %w", err)
	}
	return strings.Trim(b.String(), "\n"), nil
}

// glamourStyle returns a palette as a glamour style; text is the color of ordinary text.
func glamourStyle(p themes.Palette, text string, noItalics bool) glamour.StyleConfig {
	on, zero := true, uint(0)
	color := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	block := func(s glamour.StylePrimitive) glamour.StyleBlock { return glamour.StyleBlock{StylePrimitive: s} }
	heading := glamour.StylePrimitive{Color: color(p.Heading), Bold: &on} // layout.heading adds a line to H1
	second := heading
	second.Underline = &on
	muted := glamour.StylePrimitive{Color: color(p.Muted)}
	emphasis := glamour.StylePrimitive{Italic: &on}
	if noItalics {
		emphasis = glamour.StylePrimitive{Underline: &on}
	}
	separator := func(r rune) *string { s := string(r); return &s }
	return glamour.StyleConfig{
		Document:       glamour.StyleBlock{StylePrimitive: glamour.StylePrimitive{Color: color(text)}, Margin: &zero},
		H1:             block(heading),
		H2:             block(second),
		H3:             block(heading),
		H4:             block(glamour.StylePrimitive{Color: color(p.Ordinary()), Bold: &on}),
		H5:             block(emphasis),
		H6:             block(glamour.StylePrimitive{}),
		Emph:           emphasis,
		Strong:         glamour.StylePrimitive{Bold: &on},
		Strikethrough:  glamour.StylePrimitive{CrossedOut: &on},
		HorizontalRule: glamour.StylePrimitive{Color: color(p.Faint), Format: strings.Repeat("─", maxRule)},
		LinkText:       glamour.StylePrimitive{Color: color(p.Link), Underline: &on},
		ImageText:      muted, // used for notes, see inlineBuilder.addNote
		Code:           block(glamour.StylePrimitive{Color: color(p.Code.String), BackgroundColor: color(p.Surface)}),
		CodeBlock:      glamour.StyleCodeBlock{Theme: "bw"}, // any theme: markTokens ignores it
		Table: glamour.StyleTable{
			ColumnSeparator: separator(column), RowSeparator: separator(dash), CenterSeparator: separator(crossing),
		},
	}
}

// maxRule is the widest horizontal rule, in cells.
const maxRule = 500

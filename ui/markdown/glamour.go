package markdown

import (
	"fmt"
	"strings"

	glamour "charm.land/glamour/v2/ansi"
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
)

var (
	protect = strings.NewReplacer("&", string(ampersand), `\`, string(backslash))
	restore = strings.NewReplacer(string(ampersand), "&", string(backslash), `\`)
)

// leafRenderer renders leaf blocks (paragraphs, headings, rules, tables) with glamour. Wrapping is off: the text
// of a leaf holds its line breaks already.
type leafRenderer struct{ style glamour.StyleConfig }

// render renders one leaf block without its surrounding line feeds. Glamour's state is undefined after an error, and
// making its renderer is cheap.
func (l leafRenderer) render(n ast.Node, source []byte) (out string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("render markdown: %v", p)
		}
	}()
	doc := ast.NewDocument()
	doc.AppendChild(doc, n)
	var b strings.Builder
	r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(glamour.NewRenderer(glamour.Options{
		Styles: l.style, InlineTableLinks: true, PreserveNewLines: true,
	}), 1000)))
	if err := r.Render(&b, source, doc); err != nil {
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
	heading := glamour.StylePrimitive{Color: color(p.Heading), Bold: &on}
	first := heading
	first.Underline = &on
	strong := glamour.StylePrimitive{Color: color(p.Ordinary()), Bold: &on}
	muted := glamour.StylePrimitive{Color: color(p.Muted)}
	emphasis := glamour.StylePrimitive{Italic: &on}
	if noItalics {
		emphasis = glamour.StylePrimitive{Underline: &on}
	}
	separator := func(r rune) *string { s := string(r); return &s }
	return glamour.StyleConfig{
		Document:       glamour.StyleBlock{StylePrimitive: glamour.StylePrimitive{Color: color(text)}, Margin: &zero},
		H1:             block(first),
		H2:             block(heading),
		H3:             block(strong),
		H4:             block(strong),
		H5:             block(muted),
		H6:             block(muted),
		Emph:           emphasis,
		Strong:         glamour.StylePrimitive{Bold: &on},
		Strikethrough:  glamour.StylePrimitive{CrossedOut: &on},
		HorizontalRule: glamour.StylePrimitive{Color: color(p.Faint), Format: strings.Repeat("─", maxRule)},
		LinkText:       glamour.StylePrimitive{Color: color(p.Link), Underline: &on},
		ImageText:      muted, // used for notes, see inlineBuilder.addNote
		Code:           block(glamour.StylePrimitive{Color: color(p.Code.String), BackgroundColor: color(p.Surface)}),
		Table: glamour.StyleTable{
			ColumnSeparator: separator(column), RowSeparator: separator(dash), CenterSeparator: separator(crossing),
		},
	}
}

// maxRule is the widest horizontal rule, in cells.
const maxRule = 500

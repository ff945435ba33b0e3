package markdown

import (
	"bufio"
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
)

var (
	protect = strings.NewReplacer("&", string(ampersand), `\`, string(backslash))
	restore = strings.NewReplacer(string(ampersand), "&", string(backslash), `\`)
)

// leafRenderer renders leaf blocks (paragraphs, headings, rules) with glamour. Wrapping is off: the text of a leaf
// holds its line breaks already.
type leafRenderer struct {
	style    glamour.StyleConfig
	out      bufio.Writer
	renderer renderer.Renderer // nil before the first leaf and after an error, which leaves glamour in an unknown state
}

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
		r := glamour.NewRenderer(glamour.Options{Styles: l.style, PreserveNewLines: true})
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
		if s == "" || s == themes.Dim {
			return nil
		}
		return &s
	}
	block := func(s glamour.StylePrimitive) glamour.StyleBlock { return glamour.StyleBlock{StylePrimitive: s} }
	heading := glamour.StylePrimitive{Color: color(p.Heading), Bold: &on} // layout.heading adds a line to H1
	second := heading
	second.Underline = &on
	isDim := p.Muted == themes.Dim
	muted := glamour.StylePrimitive{Color: color(p.Muted), Faint: &isDim}
	emphasis := glamour.StylePrimitive{Italic: &on}
	if noItalics {
		emphasis = glamour.StylePrimitive{Underline: &on}
	}
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
	}
}

const maxRule = 500

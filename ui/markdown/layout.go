package markdown

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// minInner is the width a container leaves for its content; with less it draws no marker and does not indent.
const minInner = 10

// layout renders one parsed block: lists and quotes itself, their leaves with glamour. Glamour joins the paragraphs of
// a list item, has no hanging indent, and drops hard line breaks.
type layout struct {
	*Renderer
	leaves *leafRenderer
	source []byte
	parsed Block
	codes  *int // blocks of code drawn so far, those before the block counted
}

func (l *layout) blocks(n ast.Node, width int, loose bool) []string {
	var lines []string
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		part := l.block(child, width)
		if len(part) == 0 {
			continue
		}
		if len(lines) > 0 && loose && !(child.Kind() == ast.KindList && n.Kind() == ast.KindListItem) {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
	}
	return lines
}

func (l *layout) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.ThematicBreak:
		if l.isPlain {
			return []string{"───"}
		}
		return []string{ansi.Truncate(strings.Join(l.renderLeaf(ast.NewThematicBreak(), nil), ""), width, "")}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return l.code(n, width)
	case *ast.TextBlock:
		if f, ok := n.FirstChild().(*formula); ok && n.ChildCount() == 1 {
			return l.formula(f, width)
		}
	case *ast.Blockquote:
		return l.quote(n, width)
	case *ast.List:
		return l.list(n, width)
	case *east.Table:
		return l.table(n, width)
	case *east.DefinitionList:
		return l.blocks(n, width, false)
	case *east.DefinitionTerm:
		c := l.inline(n, true)
		return l.leafLines(&c, width)
	case *east.DefinitionDescription:
		return l.item(n, "    ", width, !n.IsTight)
	case *east.Footnote:
		inner := *l
		inner.leaves = l.Renderer.quote
		return inner.item(n, footnoteSign(string(n.Ref))+" ", width, true)
	case *ast.Heading:
		return l.heading(n, width)
	case *ast.Paragraph:
		if drawing := l.drawing(n); drawing != "" {
			return l.renderPlain(drawing, l.styles.Text)
		}
	}
	c := l.inline(n, false)
	return l.leafLines(&c, width)
}

// drawing returns the text of a paragraph that is a drawing made of characters, empty for any other: several lines with
// backslashes and few letters. Nothing in it is markup.
func (l *layout) drawing(n *ast.Paragraph) string {
	if n.Lines().Len() < 2 || n.FirstChild() == nil || n.FirstChild().Kind() == kindFormula {
		return ""
	}
	first, last := n.Lines().At(0), n.Lines().At(n.Lines().Len()-1)
	source := string(l.source[bytes.LastIndexByte(l.source[:first.Start], '\n')+1 : last.Stop])
	letters, visible := 0, 0
	for _, r := range source {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
		if !unicode.IsSpace(r) {
			visible++
		}
	}
	if !strings.Contains(source, `\`) || letters*3 > visible {
		return ""
	}
	return source
}

func (l *layout) heading(n *ast.Heading, width int) []string {
	c := inlineBuilder{emoji: l.styles.Emoji, source: l.source, leaf: ast.NewHeading(n.Level), indent: -1}
	c.copyChildren(c.leaf, n)
	lines := l.leafLines(&c, width)
	longest := 0
	for _, line := range lines {
		longest = max(longest, ansi.StringWidth(strings.TrimRight(ansi.Strip(line), " ")))
	}
	if n.Level > 1 || longest == 0 || l.isPlain {
		return lines
	}
	return append(lines, l.styles.Heading.Render(strings.Repeat("━", longest)))
}

// inline copies the inline content of n to a leaf of its own.
func (l *layout) inline(n ast.Node, isBold bool) inlineBuilder {
	c := inlineBuilder{emoji: l.styles.Emoji, source: l.source, leaf: ast.NewTextBlock(), indent: -1}
	parent := c.leaf
	if k := n.Parent().Kind(); k == ast.KindDocument && n.Kind() == ast.KindParagraph {
		lines := n.Lines().Sliced(0, n.Lines().Len())
		start := func(line text.Segment) int { return bytes.LastIndexByte(l.source[:line.Start], '\n') + 1 }
		c.indent = math.MaxInt
		for _, line := range lines {
			c.indent = min(c.indent, indentAt(l.source, start(line)))
		}
		c.addIndent(parent, start(lines[0]))
	}
	if isBold {
		parent = ast.NewEmphasis(2)
		c.leaf.AppendChild(c.leaf, parent)
	}
	c.copyChildren(parent, n)
	return c
}

// leafLines renders a leaf whose content was copied, or its text when that fails.
func (l *layout) leafLines(c *inlineBuilder, width int) []string {
	var plain []string
	if l.isPlain || l.leaves == nil {
		plain = RenderPlain(textOf(c.runs), width, l.styles.Emoji)
	}
	if l.leaves != nil {
		lines := l.renderLeaf(c.leaf, c.write(width))
		if lines != nil && (!l.isPlain || ansi.Strip(strings.Join(lines, "\n")) == strings.Join(plain, "\n")) {
			return lines
		}
	}
	return plain
}

func (l *layout) renderLeaf(n ast.Node, source []byte) []string {
	out, err := l.leaves.render(n, source)
	if err != nil {
		return nil
	}
	return strings.Split(l.styles.Emoji.Allow(restore.Replace(out)), "\n")
}

func (l *layout) quote(n ast.Node, width int) []string {
	inner := *l
	inner.leaves = l.Renderer.quote
	if width-2 < minInner {
		return inner.blocks(n, width, true)
	}
	bar := l.styles.Faint.Render("│ ")
	lines := inner.blocks(n, width-2, true)
	for i := range lines {
		lines[i] = bar + lines[i]
	}
	return lines
}

func (l *layout) list(n *ast.List, width int) []string {
	number := n.Start
	indent := ""
	if n.Parent().Kind() == ast.KindDocument {
		indent = "  "
		if l.parsed.number > 0 && n.PreviousSibling() == nil {
			number = l.parsed.number
		}
	}
	digits := len(strconv.Itoa(number + n.ChildCount() - 1))
	var lines []string
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "•"
		if n.IsOrdered() {
			s := strconv.Itoa(number)
			marker = strings.Repeat(" ", max(digits-len(s), 0)) + s + string(n.Marker)
			number++
		}
		if box := taskBox(item); box != nil {
			if marker = "☐"; box.IsChecked {
				marker = "☑"
			}
		}
		if len(lines) > 0 && !n.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, l.item(item, indent+marker+" ", width, !n.IsTight)...)
	}
	return lines
}

func (l *layout) item(n ast.Node, marker string, width int, loose bool) []string {
	indent := ansi.StringWidth(marker)
	if width-indent < minInner {
		marker = strings.TrimLeft(marker, " ")
		if indent = ansi.StringWidth(marker); width-indent < minInner {
			marker, indent = "", 0
		}
	}
	lines := l.blocks(n, width-indent, loose)
	if len(lines) == 0 {
		lines = []string{""}
	}
	lines[0] = l.styles.Accent.Render(marker) + lines[0]
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", indent) + lines[i]
		}
	}
	return lines
}

func taskBox(item ast.Node) *east.TaskCheckBox {
	first := item.FirstChild()
	if first == nil {
		return nil
	}
	box, _ := first.FirstChild().(*east.TaskCheckBox)
	return box
}

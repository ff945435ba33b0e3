package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/charmbracelet/x/ansi"
)

// minInner is the room a container leaves for what it holds; with less it draws
// no mark and does not indent.
const minInner = 10

// layout renders one parsed block.
type layout struct {
	*Renderer
	source []byte
	number int // of the first item of the first list, 0 for as it says
}

// blocks renders the children of n, with an empty line between them when loose.
func (l *layout) blocks(n ast.Node, width int, k ink, loose bool) []string {
	var lines []string
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		part := l.block(child, width, k)
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

func (l *layout) block(n ast.Node, width int, k ink) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return l.flow(n, width, l.inks.headings[min(max(n.Level, 1), 6)-1].over(k))
	case *ast.ThematicBreak:
		return []string{l.draw([]span{{text: strings.Repeat("─", width), ink: l.inks.faint}})}
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = string(n.Info.Value(l.source))
		}
		return l.codeBlock(strings.TrimSpace(info), l.rawLines(n), width)
	case *ast.CodeBlock:
		return l.codeLines("", l.rawLines(n), width)
	case *ast.Blockquote:
		return l.quote(n, width)
	case *ast.List:
		return l.list(n, width, k)
	case *east.Table:
		return l.table(n, width, k)
	}
	return l.flow(n, width, k)
}

// flow renders text that fills its lines.
func (l *layout) flow(n ast.Node, width int, k ink) []string {
	var lines []string
	for _, line := range wrap(l.inline(n, l.source, k), width) {
		lines = append(lines, l.draw(line))
	}
	return lines
}

// rawLines returns the lines of a block of code as they are.
func (l *layout) rawLines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(l.source))
	}
	return b.String()
}

func (l *layout) quote(n ast.Node, width int) []string {
	const bar = "│ "
	if width-2 < minInner {
		return l.blocks(n, width, l.inks.muted, true)
	}
	prefix := l.draw([]span{{text: bar, ink: l.inks.faint}})
	lines := l.blocks(n, width-2, l.inks.muted, true)
	for i := range lines {
		lines[i] = prefix + lines[i]
	}
	return lines
}

// list renders items with hanging indents.
func (l *layout) list(n *ast.List, width int, k ink) []string {
	number := n.Start
	if l.number > 0 && n.PreviousSibling() == nil && n.Parent().Kind() == ast.KindDocument {
		number = l.number
	}
	room := len(strconv.Itoa(number + n.ChildCount() - 1))
	indent := ""
	if n.Parent().Kind() == ast.KindDocument {
		indent = "  "
	}
	var lines []string
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "•"
		if n.IsOrdered() {
			digits := strconv.Itoa(number)
			mark = strings.Repeat(" ", max(room-len(digits), 0)) + digits + string(n.Marker)
			number++
		}
		if box := taskBox(item); box != nil {
			if mark = "☐"; box.IsChecked {
				mark = "☑"
			}
		}
		if len(lines) > 0 && !n.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, l.item(item, indent+mark+" ", width, k, !n.IsTight)...)
	}
	return lines
}

// item renders one item after its mark.
func (l *layout) item(n ast.Node, mark string, width int, k ink, loose bool) []string {
	room := ansi.StringWidth(mark)
	if width-room < minInner {
		mark = strings.TrimLeft(mark, " ")
		if room = ansi.StringWidth(mark); width-room < minInner {
			mark, room = "", 0
		}
	}
	lines := l.blocks(n, width-room, k, loose)
	if len(lines) == 0 {
		lines = []string{""}
	}
	first := l.draw([]span{{text: mark, ink: l.inks.marker}})
	rest := strings.Repeat(" ", room)
	for i := range lines {
		if i == 0 {
			lines[i] = first + lines[i]
		} else if lines[i] != "" {
			lines[i] = rest + lines[i]
		}
	}
	return lines
}

// taskBox returns the check box an item starts with, or nil.
func taskBox(item ast.Node) *east.TaskCheckBox {
	first := item.FirstChild()
	if first == nil {
		return nil
	}
	box, _ := first.FirstChild().(*east.TaskCheckBox)
	return box
}

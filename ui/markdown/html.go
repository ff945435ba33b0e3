package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

const maxElement = 40 // nodes within an element

// tagOf returns the tag that a node is, in lower case and without blanks; empty for none.
func (c *inlineBuilder) tagOf(n ast.Node) string {
	if tag, ok := n.(*ast.RawHTML); ok {
		return strings.ToLower(strings.ReplaceAll(string(tag.Segments.Value(c.source)), " ", ""))
	}
	return ""
}

// copyElement copies an element of HTML that is drawn, and returns its last node; nil when none begins here.
func (c *inlineBuilder) copyElement(parent, n ast.Node) (last ast.Node) {
	tag := c.tagOf(n)
	switch tag {
	case "<sub>", "<sup>", "<summary>":
		last = c.closingTag(n, "</"+tag[1:])
	}
	switch {
	case last == nil:
		return nil
	case tag == "<summary>":
		c.copySummary(parent, n, last)
		return last
	}
	var inner strings.Builder
	for child := n.NextSibling(); child != last; child = child.NextSibling() {
		text, ok := child.(*ast.Text)
		if !ok {
			return nil
		}
		inner.WriteString(decode(string(text.Segment.Value(c.source))))
	}
	if tag == "<sub>" {
		c.addText(parent, script(inner.String(), "subscript", '_'))
	} else {
		c.addText(parent, script(inner.String(), "superscript", '^'))
	}
	return last
}

// closingTag returns the node after n that closes its element, nil when there is none.
func (c *inlineBuilder) closingTag(n ast.Node, tag string) ast.Node {
	for range maxElement {
		if n = n.NextSibling(); n == nil || c.tagOf(n) == tag {
			return n
		}
	}
	return nil
}

// copySummary copies the summary of details, on a line of its own.
func (c *inlineBuilder) copySummary(parent, start, end ast.Node) {
	if n := len(c.runs); n > 0 { // the line break after <details>
		c.runs[n-1].text = strings.TrimRight(c.runs[n-1].text, " ")
	}
	bold := ast.NewEmphasis(2)
	c.addText(bold, "▾ ")
	for child := start.NextSibling(); child != end; child = child.NextSibling() {
		c.copyNode(bold, child)
	}
	parent.AppendChild(parent, bold)
	if end.NextSibling() != nil {
		c.add(parent, run{text: "\n"})
	}
}

// copyTag copies a tag of HTML: <br> breaks the line, details are drawn open, any other is shown as it is written.
func (c *inlineBuilder) copyTag(parent ast.Node, n *ast.RawHTML) {
	tag := c.tagOf(n)
	switch tag {
	case "<br>", "<br/>":
		c.add(parent, run{text: "\n"})
	case "<details>", "<detailsopen>":
		if !c.hasSummary(n) {
			c.addText(parent, "▾ ")
		}
	case "</details>":
		if len(c.runs) > 0 {
			c.add(parent, run{text: "\n"})
		}
		c.addNote(parent, "▴")
	default:
		c.addNote(parent, string(n.Segments.Value(c.source)))
	}
}

// hasSummary reports whether details begin with their summary.
func (c *inlineBuilder) hasSummary(details ast.Node) bool {
	for n := details.NextSibling(); n != nil; n = n.NextSibling() {
		if text, ok := n.(*ast.Text); !ok || strings.TrimSpace(string(text.Segment.Value(c.source))) != "" {
			return c.tagOf(n) == "<summary>"
		}
	}
	return false
}

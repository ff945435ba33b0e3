package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

const maxElement = 40 // nodes within an element

// copyTag copies a tag of HTML to a node. It returns the node that what follows is copied to, and the last node that
// was copied. <br> breaks the line, <sub> and <sup> make the characters of a text small, details are drawn open with a
// bold summary. Any other tag is shown as it is written.
func (c *inlineBuilder) copyTag(parent ast.Node, n *ast.RawHTML) (to, last ast.Node) {
	tag := c.tagOf(n)
	switch tag {
	case "<br>", "<br/>":
		c.add(parent, run{text: "\n"})
		return parent, n
	case "<details>", "<detailsopen>":
		c.addText(parent, "▾ ")
		return parent, n
	case "</details>":
		c.endLine(parent)
		c.addNote(parent, "▴")
		return parent, n
	case "</summary>":
		if parent.Kind() == ast.KindEmphasis && parent != c.leaf {
			if n.NextSibling() != nil {
				c.add(parent, run{text: "\n"})
			}
			return parent.Parent(), n
		}
	case "<sub>", "<sup>", "<summary>":
		text, isText, end := c.elementText(n, "</"+tag[1:])
		switch {
		case end != nil && tag == "<summary>":
			if at := len(c.runs) - 1; at > 0 && c.runs[at].text == "\n" { // the line break after <details>
				c.runs[at].text = ""
			}
			bold := ast.NewEmphasis(2)
			parent.AppendChild(parent, bold)
			return bold, n
		case end != nil && isText && tag == "<sub>":
			c.addText(parent, script(text, "subscript", '_'))
			return parent, end
		case end != nil && isText:
			c.addText(parent, script(text, "superscript", '^'))
			return parent, end
		}
	}
	c.addNote(parent, string(n.Segments.Value(c.source)))
	return parent, n
}

// tagOf returns the tag that a node is, in lower case and without blanks; empty for none.
func (c *inlineBuilder) tagOf(n ast.Node) string {
	if tag, ok := n.(*ast.RawHTML); ok {
		return strings.ToLower(strings.ReplaceAll(string(tag.Segments.Value(c.source)), " ", ""))
	}
	return ""
}

// elementText returns the text from a tag to the one that closes it, whether there is nothing but text, and the closing
// tag, nil where there is none.
func (c *inlineBuilder) elementText(n ast.Node, closing string) (text string, isText bool, end ast.Node) {
	isText = true
	for range maxElement {
		if n = n.NextSibling(); n == nil || c.tagOf(n) == closing {
			return text, isText, n
		}
		t, ok := n.(*ast.Text)
		if isText = isText && ok; isText {
			text += decode(string(t.Segment.Value(c.source)))
		}
	}
	return "", false, nil
}

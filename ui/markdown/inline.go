package markdown

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"html"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"confab/internal/termtext"
)

// maxTarget is how much of a link's target is shown, in bytes.
const maxTarget = 300

// inlineBuilder copies the inline content of a parsed block to nodes that glamour renders well: texts are decoded and
// cleaned, links carry their own OSC 8 sequences and a note of where they lead, HTML is shown, lines are broken.
type inlineBuilder struct {
	emoji  termtext.Emoji
	source []byte   // of the parsed block
	leaf   ast.Node // the block that the nodes are copied to
	runs   []run
	indent int // the blanks that all lines of a paragraph begin with; -1 where those of no line are kept
}

type run struct {
	node    *ast.Text
	text    string // cleaned
	control string // written as it is and not measured
}

// copyChildren appends copies of the children of from to parent.
func (c *inlineBuilder) copyChildren(parent, from ast.Node) {
	for child := from.FirstChild(); child != nil; child = child.NextSibling() {
		if tag, ok := child.(*ast.RawHTML); ok {
			parent, child = c.copyTag(parent, tag)
		} else {
			c.copyNode(parent, child)
		}
	}
}

func (c *inlineBuilder) copyNode(parent, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		c.copyText(parent, n)
	case *ast.CodeSpan:
		c.copyInto(parent, ast.NewCodeSpan(), n)
	case *ast.Emphasis:
		c.copyInto(parent, ast.NewEmphasis(n.Level), n)
	case *east.Strikethrough:
		c.copyInto(parent, east.NewStrikethrough(), n)
	case *ast.Link:
		c.copyLink(parent, n, string(n.Destination), string(n.Title))
	case *ast.Image:
		c.addText(parent, "[image: ")
		c.copyLink(parent, n, string(n.Destination), string(n.Title))
	case *ast.AutoLink:
		end := c.openLink(&parent, string(n.URL(c.source)))
		c.addText(parent, string(n.Label(c.source)))
		end()
	case *formula:
		c.copyFormula(parent, n)
	case *ast.String: // the mark of a footnote
		c.addText(parent, string(n.Value))
	case *east.TaskCheckBox: // drawn as the marker of its item
	default:
		c.copyChildren(parent, n)
	}
}

func (c *inlineBuilder) copyInto(parent, to, from ast.Node) {
	parent.AppendChild(parent, to)
	c.copyChildren(to, from)
}

// addText appends a text node. A zero-width space separates characters of two nodes that would join into one cell,
// because each is measured by itself.
func (c *inlineBuilder) addText(parent ast.Node, s string) {
	s = strings.ReplaceAll(c.emoji.Clean(s), "\n", " ")
	if c.isAtLineStart() {
		s = strings.TrimLeft(s, " ")
	}
	if s == "" {
		return
	}
	if n := len(c.runs); n > 0 {
		last, _ := utf8.DecodeLastRuneInString(c.runs[n-1].text)
		first, size := utf8.DecodeRuneInString(s)
		if last >= utf8.RuneSelf || first >= utf8.RuneSelf {
			both := string(last) + string(first)
			if cluster, _ := ansi.FirstGraphemeCluster(both, ansi.GraphemeWidth); len(cluster) > len(both)-size {
				s = "\u200b" + s
			}
		}
	}
	c.add(parent, run{text: s})
}

func (c *inlineBuilder) add(parent ast.Node, r run) {
	r.node = ast.NewText()
	parent.AppendChild(parent, r.node)
	c.runs = append(c.runs, r)
}

// addNote appends a muted text. Glamour's style for the text of images is free for it, as images are copied as links.
func (c *inlineBuilder) addNote(parent ast.Node, s string) {
	note := ast.NewImage(ast.NewLink())
	c.addText(note, s)
	parent.AppendChild(parent, note)
}

// copyText copies a text node and the line break after it.
func (c *inlineBuilder) copyText(parent ast.Node, n *ast.Text) {
	s := string(n.Segment.Value(c.source))
	if !n.IsRaw() {
		s = decode(s)
	}
	c.addText(parent, s)
	switch {
	case n.HardLineBreak():
		c.add(parent, run{text: "\n"})
	case n.SoftLineBreak():
		c.endLine(parent)
	default:
		return
	}
	next := n.Segment.Stop + bytes.IndexByte(c.source[n.Segment.Stop:], '\n') + 1
	c.addIndent(parent, next)
}

// endLine breaks the line unless it was broken by a tag.
func (c *inlineBuilder) endLine(parent ast.Node) {
	if n := len(c.runs); n > 0 && c.runs[n-1].text != "\n" {
		c.add(parent, run{text: "\n"})
	}
}

// addIndent appends the blanks that a line of the source begins with, beyond those that all lines have.
func (c *inlineBuilder) addIndent(parent ast.Node, at int) {
	if n := indentAt(c.source, at) - c.indent; c.indent >= 0 && n > 0 {
		c.add(parent, run{text: strings.Repeat(" ", n)})
	}
}

func indentAt(source []byte, at int) int {
	return len(source) - at - len(bytes.TrimLeft(source[at:], " "))
}

func (c *inlineBuilder) isAtLineStart() bool {
	return len(c.runs) > 0 && c.runs[len(c.runs)-1].text == "\n"
}

// copyLink copies a link or an image: its label, and in parentheses where it leads when the label does not say so.
func (c *inlineBuilder) copyLink(parent, n ast.Node, target, title string) {
	target, title = decode(target), decode(title)
	first, inner := len(c.runs), parent
	end := c.openLink(&inner, target)
	c.copyChildren(inner, n)
	end()
	label := textOf(c.runs[first:])
	if n.Kind() == ast.KindImage {
		c.addText(parent, "]")
	}
	note := linkNote(target, strings.TrimSpace(label))
	if title != "" {
		note = strings.TrimPrefix(note+", "+title, ", ")
	}
	if note != "" {
		c.addNote(parent, " ("+note+")")
	}
}

// openLink replaces *parent with a link node where target may be clicked, and returns what ends the link. Glamour gets
// an anchor as its target, for which it writes neither a sequence nor the address beside the label.
func (c *inlineBuilder) openLink(parent *ast.Node, target string) (end func()) {
	escaped, ok := termtext.LinkTarget(target)
	if !ok {
		return func() {}
	}
	link := ast.NewLink()
	link.Destination = []byte("#")
	(*parent).AppendChild(*parent, link)
	*parent = link
	h := fnv.New32a()
	h.Write([]byte(target))
	// A bell ends the sequences: glamour takes the backslash of ESC \ for an escape of markdown.
	c.add(link, run{control: fmt.Sprintf("\x1b]8;id=%x;%s\a", h.Sum32(), escaped)})
	return func() { c.add(link, run{control: "\x1b]8;;\a"}) }
}

// textOf returns the cleaned text of runs with a line feed for each hard line break.
func textOf(runs []run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.text)
	}
	return b.String()
}

// write returns the source of the nodes, broken to lines of at most width cells.
func (c *inlineBuilder) write(width int) (out []byte) {
	text := textOf(c.runs)
	lines := lineSpans(text, width)
	line, at := 0, 0 // the current line, and where the current run starts in text
	for _, r := range c.runs {
		start, end := len(out), at+len(r.text)
		out = append(out, protect.Replace(r.control)...)
		for {
			if from, to := max(at, lines[line].Start), min(end, lines[line].End); from < to {
				out = append(out, protect.Replace(text[from:to])...)
			}
			if line == len(lines)-1 || lines[line+1].Start >= end {
				break
			}
			line++
			out = append(out, '\n')
		}
		r.node.Segment = gmtext.NewSegment(start, len(out))
		at = end
	}
	return out
}

// lineSpans returns where text is broken: at its line feeds, and to lines of at most width cells.
func lineSpans(text string, width int) []termtext.Span {
	var spans []termtext.Span
	for at := 0; at <= len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		for _, s := range termtext.Breaks(line, width) {
			spans = append(spans, termtext.Span{Start: at + s.Start, End: at + s.End})
		}
		at += len(line) + 1
	}
	return spans
}

// linkNote says where a link leads, "" if its label does. For an ordinary web address that is the host; any other
// target is shown whole.
func linkNote(target, label string) string {
	if target == "" || target == label || "mailto:"+label == target {
		return ""
	}
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		oddInAddress().MatchString(target) {
		if len(target) > maxTarget {
			target = target[:maxTarget] + "…"
		}
		return target
	}
	if strings.EqualFold(hostOf(label), u.Host) {
		return ""
	}
	return u.Host
}

// oddInAddress matches what no ordinary address has: other characters than those of addresses, and encoded controls.
var oddInAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[^!-~]|[<>\"\\\\^`{|}]|%[019]|%7F")
})

// hostOf returns the host a label shows, "" if it shows none.
func hostOf(label string) string {
	if strings.ContainsAny(label, " \n") {
		return ""
	}
	if !strings.Contains(label, "://") {
		label = "http://" + label
	}
	u, err := url.Parse(label)
	if err != nil || u.User != nil {
		return ""
	}
	return u.Host
}

// escapeOrEntity matches a backslash escape or an entity of markdown.
var escapeOrEntity = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\[!-/:-@\[-\x60{-~]|&#?[0-9A-Za-z]{1,38};`)
})

// decode resolves backslash escapes and entities. The result is foreign text still, and is cleaned by addText.
func decode(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	return escapeOrEntity().ReplaceAllStringFunc(s, func(found string) string {
		if found[0] == '\\' {
			return found[1:]
		}
		return html.UnescapeString(found)
	})
}

package markdown

import (
	"fmt"
	"hash/fnv"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	"confab/ui/terminal"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// maxTarget is how much of a link's target is shown, in bytes.
const maxTarget = 300

// inliner collects the spans of a paragraph.
type inliner struct {
	inks   *inks
	source []byte
	spans  []span
}

// inline returns the content of n as spans in ink k.
func (r *Renderer) inline(n ast.Node, source []byte, k ink) []span {
	c := inliner{inks: &r.inks, source: source}
	c.children(n, k, link{})
	return c.spans
}

func (c *inliner) children(n ast.Node, k ink, l link) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		c.node(child, k, l)
	}
}

func (c *inliner) node(n ast.Node, k ink, l link) {
	switch n := n.(type) {
	case *ast.Text:
		c.text(n, k, l)
	case *ast.String:
		c.add(string(n.Value), k, l)
	case *ast.CodeSpan:
		c.add(strings.ReplaceAll(rawText(n, c.source), "\n", " "), c.inks.code.over(k), l)
	case *ast.Emphasis:
		k := k
		if n.Level == 1 {
			k.italic = true
		} else {
			k.bold = true
		}
		c.children(n, k, l)
	case *east.Strikethrough:
		k := k
		k.strike = true
		c.children(n, k, l)
	case *ast.Link:
		c.link(n, string(n.Destination), string(n.Title), "", k)
	case *ast.Image:
		c.link(n, string(n.Destination), string(n.Title), "image: ", k)
	case *ast.AutoLink:
		c.autoLink(n, k)
	case *ast.RawHTML:
		c.html(n, k, l)
	case *east.TaskCheckBox: // drawn as the mark of its item
	default:
		c.add(rawText(n, c.source), k, l)
	}
}

// add appends cleaned text. Characters of two spans that would join into one
// are kept apart, as each was measured by itself.
func (c *inliner) add(s string, k ink, l link) {
	s = strings.ReplaceAll(terminal.Clean(s), "\n", " ")
	if s == "" {
		return
	}
	if n := len(c.spans); n > 0 {
		last, _ := utf8.DecodeLastRuneInString(c.spans[n-1].text)
		first, size := utf8.DecodeRuneInString(s)
		if last >= utf8.RuneSelf || first >= utf8.RuneSelf {
			both := string(last) + string(first)
			if cluster, _ := ansi.FirstGraphemeCluster(both, ansi.GraphemeWidth); len(cluster) > len(both)-size {
				s = "\u200b" + s
			}
		}
	}
	c.spans = append(c.spans, span{text: s, ink: k, link: l})
}

// text adds a text node and the line break after it.
func (c *inliner) text(n *ast.Text, k ink, l link) {
	s := string(n.Segment.Value(c.source))
	if !n.IsRaw() {
		s = decode(s)
	}
	c.add(s, k, l)
	switch {
	case n.HardLineBreak():
		c.spans = append(c.spans, span{text: "\n"})
	case n.SoftLineBreak() && !c.joinsWide(n):
		c.spans = append(c.spans, span{text: " ", ink: k, link: l})
	}
}

// joinsWide reports whether the line break after n stands between two wide
// characters, where Chinese and Japanese have no space.
func (c *inliner) joinsWide(n *ast.Text) bool {
	last, _ := utf8.DecodeLastRune(n.Segment.Value(c.source))
	next, ok := n.NextSibling().(*ast.Text)
	if !ok || last < 0x2e80 {
		return false
	}
	first, _ := utf8.DecodeRune(next.Segment.Value(c.source))
	return first >= 0x2e80 && ansi.StringWidth(string(last)) == 2 && ansi.StringWidth(string(first)) == 2
}

// html adds raw HTML as it is written; <br> breaks the line.
func (c *inliner) html(n *ast.RawHTML, k ink, l link) {
	var b strings.Builder
	for i := range n.Segments.Len() {
		seg := n.Segments.At(i)
		b.Write(seg.Value(c.source))
	}
	switch strings.ToLower(strings.ReplaceAll(b.String(), " ", "")) {
	case "<br>", "<br/>":
		c.spans = append(c.spans, span{text: "\n"})
	default:
		c.add(b.String(), c.inks.muted.over(k), l)
	}
}

// autoLink adds an address that is its own label.
func (c *inliner) autoLink(n *ast.AutoLink, k ink) {
	label := string(n.Label(c.source))
	target := string(n.URL(c.source))
	l := newLink(target)
	if l.target != "" {
		k = c.inks.link.over(k)
	}
	c.add(label, k, l)
}

// link adds a link or picture: its label, and in brackets where it leads when
// the label does not say so.
func (c *inliner) link(n ast.Node, target, title, prefix string, k ink) {
	target, title = decode(target), decode(title)
	l := newLink(target)
	from, look := len(c.spans), k
	if l.target != "" { // what looks like a link can be clicked
		look = c.inks.link.over(k)
	}
	if prefix != "" {
		c.add("["+prefix, k, l)
		c.children(n, look, l)
		c.add("]", k, l)
	} else {
		c.children(n, look, l)
	}
	var label strings.Builder
	for _, s := range c.spans[min(from, len(c.spans)):] {
		label.WriteString(s.text)
	}
	note := whereTo(target, strings.TrimSpace(label.String()))
	if title != "" {
		note = strings.TrimPrefix(note+", "+title, ", ")
	}
	if note != "" {
		c.add(" ("+note+")", c.inks.muted.over(k), link{})
	}
}

// newLink returns the link to a target, nowhere if it may not be clicked.
func newLink(target string) link {
	if _, ok := terminal.LinkTarget(target); !ok {
		return link{}
	}
	h := fnv.New32a()
	h.Write([]byte(target))
	return link{target: target, id: fmt.Sprintf("%x", h.Sum32())}
}

// whereTo says where a link leads, "" if its label does. Of an ordinary web
// address that is the host; anything else is shown whole.
func whereTo(target, label string) string {
	if target == "" || target == label || "mailto:"+label == target {
		return ""
	}
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || !ordinary(target) {
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

// ordinary reports whether an address is made of the characters of addresses.
func ordinary(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("<>\"\\^`{|}", s[i]) >= 0 {
			return false
		}
	}
	return !strings.Contains(s, "%0") && !strings.Contains(s, "%1") && !strings.Contains(s, "%7F") && !strings.Contains(s, "%9")
}

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

// decode resolves backslash escapes and entities. What comes out is foreign
// still, and is cleaned where it is added.
func decode(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && isPunctuation(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
			continue
		case c == '&':
			if n := strings.IndexByte(s[i:min(len(s), i+40)], ';'); n > 0 {
				if entity := s[i : i+n+1]; html.UnescapeString(entity) != entity {
					b.WriteString(html.UnescapeString(entity))
					i += n + 1
					continue
				}
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// rawText returns the source of the texts below n.
func rawText(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte('\n')
			}
			continue
		}
		b.WriteString(rawText(child, source))
	}
	return b.String()
}

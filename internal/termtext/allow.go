package termtext

import (
	"image/color"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// maxURL is the maximum length in bytes of a link target.
const maxURL = 2048

// Allow is the last filter before the screen for text rendered from untrusted text. It keeps printable characters,
// line feeds, SGR without conceal and blink, and OSC 8 links to http and https. It drops other controls and keeps the
// printable rest of a refused sequence. Each line of the result is complete: styles and links end with it and are set
// again on the next, and sequences without effect are omitted.
func Allow(s string) string { return SingleEmoji.Allow(s) }

// Allow is like [Allow] and keeps emoji that the terminal draws as one.
func (e Emoji) Allow(s string) string {
	if isPlain(s) {
		return s
	}
	a := outputFilter{emoji: e}
	a.out.Grow(len(s))
	for i := 0; i < len(s); {
		i += a.step(s[i:])
	}
	a.endLine()
	return a.out.String()
}

// outputFilter is the state of [Allow]: the current style and link of the text, and the last written ones.
type outputFilter struct {
	emoji      Emoji
	out        strings.Builder
	want, have uv.Style
	link, open string // "params;target"; may be empty
	last       rune
	changes    [8]styleChange // the last ones
	made       int
}

// styleChange is the sequence for the change of one style to another.
type styleChange struct {
	from, to uv.Style
	text     string
}

// step processes the next letters, character or sequence and returns its length in bytes.
func (a *outputFilter) step(s string) int {
	c := s[0]
	switch {
	case c >= 0x20 && c < 0x7f:
		n := 1
		for n < len(s) && s[n] >= 0x20 && s[n] < 0x7f {
			n++
		}
		a.writeStyle()
		a.out.WriteString(s[:n])
		a.last = rune(s[n-1])
		return n
	case c == '\n':
		a.endLine()
		a.out.WriteByte(c)
		a.last = 0
		return 1
	case c == '\t':
		a.writeStyle()
		a.out.WriteString("    ")
		return 1
	case c == 0x1b:
		if n := a.sequence(s); n > 0 {
			return n
		}
		return 1
	case c < utf8.RuneSelf:
		return 1
	}
	if a.last < utf8.RuneSelf && strings.HasPrefix(s, keycapEnd) && a.emoji.prefix(string(a.last)+keycapEnd) > 0 {
		a.out.WriteString(keycapEnd)
		return len(keycapEnd)
	}
	if n := a.emoji.prefix(s); n > 0 {
		a.writeStyle()
		a.out.WriteString(s[:n])
		a.last, _ = utf8.DecodeLastRuneInString(s[:n])
		return n
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == separator && a.separates(s[size:]) ||
		isPrintable(r) && !IsInvisible(r) && !(r == utf8.RuneError && size <= 1) {
		a.writeStyle()
		a.out.WriteString(s[:size])
		a.last = r
	}
	return size
}

// writeStyle writes the changes of style and link for the next character.
func (a *outputFilter) writeStyle() {
	if a.have != a.want {
		a.out.WriteString(a.styleChange())
		a.have = a.want
	}
	if a.open != a.link {
		a.out.WriteString("\x1b]8;")
		a.out.WriteString(a.link)
		if a.link == "" {
			a.out.WriteByte(';')
		}
		a.out.WriteString("\x1b\\")
		a.open = a.link
	}
}

// styleChange returns the sequence that changes the style. It caches sequences, because a text has few styles.
func (a *outputFilter) styleChange() string {
	if a.want == (uv.Style{}) {
		return ansi.ResetStyle
	}
	for i := range a.changes {
		if c := &a.changes[i]; c.text != "" && c.to == a.want && c.from == a.have {
			return c.text
		}
	}
	c := &a.changes[a.made%len(a.changes)]
	a.made++
	*c = styleChange{a.have, a.want, uv.StyleDiff(&a.have, &a.want)}
	return c.text
}

// endLine closes the open style and link.
func (a *outputFilter) endLine() {
	want, link := a.want, a.link
	a.want, a.link = uv.Style{}, ""
	a.writeStyle()
	a.want, a.link = want, link
}

// sequence processes an SGR or OSC 8 sequence and returns its length, 0 if s starts with neither.
func (a *outputFilter) sequence(s string) int {
	switch {
	case strings.HasPrefix(s, "\x1b["):
		n := sgrLength(s)
		if n > 0 {
			readSGR(&a.want, s[2:n-1])
		}
		return n
	case strings.HasPrefix(s, "\x1b]8;"):
		return a.hyperlink(s)
	}
	return 0
}

// hyperlink processes one OSC 8 sequence. A refused target only closes the previous link.
func (a *outputFilter) hyperlink(s string) int {
	const start = len("\x1b]8;")
	for i := start; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != 0x7f {
			continue
		}
		end := 1
		if c == 0x1b && strings.HasPrefix(s[i:], "\x1b\\") {
			end = 2
		} else if c != 0x07 {
			return 0
		}
		params, target, _ := strings.Cut(s[start:i], ";")
		a.link = ""
		if target, ok := LinkTarget(target); ok {
			a.link = linkID(params) + ";" + target
		}
		return i + end
	}
	return 0
}

// linkID returns the id that joins the parts of a link on several lines.
func linkID(params string) string {
	id, ok := strings.CutPrefix(params, "id=")
	const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if !ok || len(id) > 32 || strings.Trim(id, plain) != "" {
		return ""
	}
	return params
}

// separates reports whether a zero-width space separates characters that would join into one cell of disputed width,
// as [Clean] inserts it.
func (a *outputFilter) separates(rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if IsInvisible(next) || !isPrintable(next) {
		return false
	}
	joins := func(r rune) bool { return r > 0x300 && unicode.In(r, unicode.L, unicode.M) }
	if joins(a.last) && joins(next) { // conjuncts can have more than two characters
		return true
	}
	both := string(a.last) + string(next)
	cluster, _ := ansi.FirstGraphemeCluster(both, ansi.GraphemeWidth)
	return len(cluster) == len(both)
}

// LinkTarget returns a link's target for an OSC 8 sequence, and whether it is allowed: http or https with a host, at
// most 2,048 bytes. It escapes all but printable ASCII.
func LinkTarget(target string) (string, bool) {
	if len(target) > maxURL {
		return "", false
	}
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	out := u.String()
	isUnsafe := func(r rune) bool { return r <= 0x20 || r >= 0x7f }
	if len(out) > maxURL || strings.ContainsFunc(out, isUnsafe) {
		return "", false
	}
	return out, true
}

// readSGR changes a style by the parameters of one SGR sequence: digits, semicolons and colons. It ignores conceal,
// blink and fonts.
func readSGR(style *uv.Style, parameters string) {
	list := make(ansi.Params, 0, 16)
	n := 0
	for i := range len(parameters) {
		switch c := parameters[i]; c {
		case ';':
			list, n = append(list, ansi.Param(n)), 0
		case ':':
			list, n = append(list, ansi.Param(n|parser.HasMoreFlag)), 0
		default:
			n = min(n*10+int(c-'0'), 9999)
		}
	}
	uv.ReadStyle(append(list, ansi.Param(n)), style)
	style.Attrs &^= uv.AttrBlink | uv.AttrRapidBlink | uv.AttrConceal
	style.Fg, style.Bg = basicColor(style.Fg), basicColor(style.Bg)
}

// basicColor returns an indexed color below 16 as a basic color, the only form that terminals without more colors
// support.
func basicColor(c color.Color) color.Color {
	if i, ok := c.(ansi.IndexedColor); ok && i < 16 {
		return ansi.BasicColor(i)
	}
	return c
}

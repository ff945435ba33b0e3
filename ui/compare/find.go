package compare

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/textedit"
)

// finder is the search in all answers that are listed.
type finder struct {
	typing bool
	text   string
	hits   []hit // in the order of the list
	at     int   // of hits, what was gone to; -1 for none yet
}

// hit is a match: the n-th of a cell, from 0.
type hit struct {
	cell string
	n    int
}

// openFind begins to type what to search for, or to change it.
func (c *Compare) openFind() { c.find.typing = true }

// typeFind takes a key while what to search for is typed.
func (c *Compare) typeFind(msg keys.Press) action.Action {
	switch msg.LineCommand() {
	case keys.Accept:
		c.find.typing = false
		if c.find.text == "" {
			c.closeFind()
			return nil
		}
		return c.nextHit(0)
	case keys.Close:
		c.closeFind()
		return nil
	}
	switch msg.String() {
	case "backspace":
		c.setFind(textedit.WithoutLast(c.find.text))
	case "ctrl+u":
		c.setFind("")
	default:
		if msg.Text != "" {
			c.setFind(c.find.text + msg.Text)
		}
	}
	return nil
}

// setFind searches for a text.
func (c *Compare) setFind(text string) {
	c.find.text, c.find.at = text, -1
	c.findHits()
}

// findHits marks the matches of what is listed, and counts them.
func (c *Compare) findHits() {
	var was hit
	if c.find.at >= 0 && c.find.at < len(c.find.hits) {
		was = c.find.hits[c.find.at]
	}
	c.find.hits = nil
	for _, x := range c.cells {
		x.reader.SetFind(c.find.text)
		if x.wide != nil {
			x.wide.SetFind(c.find.text)
		}
	}
	if c.find.text == "" {
		c.find.at = -1
		return
	}
	for _, x := range c.listed {
		if !x.isText() {
			continue
		}
		for n := range conversation.CountMatches(x.answer().Text, c.find.text) {
			c.find.hits = append(c.find.hits, hit{x.name, n})
		}
	}
	if was.cell != "" {
		c.find.at = slices.Index(c.find.hits, was)
	}
}

func (c *Compare) closeFind() {
	c.find = finder{at: -1}
	c.findHits()
}

// nextHit goes n matches on, or back; to the first of the focused answer, or
// behind it, when none was gone to yet.
func (c *Compare) nextHit(n int) action.Action {
	f := &c.find
	switch {
	case f.text == "":
		return action.Notify{Severity: action.Info,
			Text: "Nothing is searched for" + c.keys.Phrase(keys.Compare, keys.Find, ": %s starts a search") + "."}
	case len(f.hits) == 0:
		return action.Notify{Severity: action.Warn,
			Text: fmt.Sprintf("%q is in none of these answers.", termtext.Line(f.text))}
	case f.at < 0:
		f.at = c.firstHit()
		if n < 0 {
			f.at--
		}
	default:
		f.at += n
	}
	f.at = (f.at%len(f.hits) + len(f.hits)) % len(f.hits)
	to := f.hits[f.at]
	for i, x := range c.listed {
		if x.name == to.cell {
			c.focus(i)
			c.reading(x).GoFound(to.n)
			continue
		}
		c.reading(x).GoFound(-1)
	}
	return nil
}

// firstHit returns the first match in the focused answer or one behind it.
func (c *Compare) firstHit() int {
	for i, h := range c.find.hits {
		if slices.IndexFunc(c.listed, func(x *cell) bool { return x.name == h.cell }) >= c.at {
			return i
		}
	}
	return 0
}

// findPieces says what is searched for and how often it is there.
func (c *Compare) findPieces() []piece {
	s, f := c.styles, c.find
	count := fmt.Sprintf("%d matches", len(f.hits))
	if len(f.hits) == 1 {
		count = "1 match"
	}
	if f.at >= 0 && len(f.hits) > 0 {
		count = fmt.Sprintf("%d of %d", f.at+1, len(f.hits))
	}
	out := []piece{{"find", s.Key}, {termtext.Line(f.text), s.Text}, {count, s.Muted}}
	if f.text == "" {
		out = out[:1]
	}
	if f.typing {
		return append(out,
			piece{c.keys.Phrase(keys.Form, keys.Accept, "%s goes to the first") + c.keys.Phrase(keys.Form, keys.Close,
				", %s closes"), s.Faint})
	}
	return append(out,
		piece{strings.TrimSpace(c.keys.Key(keys.Compare, keys.FindNext) + " " + c.keys.Key(keys.Compare, keys.FindPrevious)),
			s.Key})
}

// findCursor is where the next letter comes.
func (c *Compare) findCursor() *tea.Cursor {
	return tea.NewCursor(min(1+len("find")+len(between)+ansi.StringWidth(termtext.Line(c.find.text)), c.w-1), c.h-1)
}

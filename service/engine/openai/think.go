package openai

import (
	"strings"

	"confab/service/engine"
)

// The tags around reasoning that a model writes at the beginning of its text.
const (
	thinkStart = "<think>"
	thinkEnd   = "</think>"
)

// thinkSplitter takes the reasoning out of a text that begins with it. The text comes in parts, which may end anywhere.
type thinkSplitter struct {
	state      thinkState
	skipsSpace bool   // white space at the beginning of what comes next is left out
	held       string // came, but may be the beginning of a tag
}

// thinkState says where in the text a [thinkSplitter] is.
type thinkState int

const (
	beforeText thinkState = iota
	inThought
	inText
)

// split takes the next part of the text.
func (s *thinkSplitter) split(text string) engine.Part {
	var p engine.Part
	s.held += text
	for {
		if s.skipsSpace {
			s.held = trimSpaceLeft(s.held)
			s.skipsSpace = s.held == ""
		}
		switch s.state {
		case beforeText:
			rest := trimSpaceLeft(s.held)
			if thought, ok := strings.CutPrefix(rest, thinkStart); ok {
				s.held, s.state, s.skipsSpace = thought, inThought, true
				continue
			}
			if strings.HasPrefix(thinkStart, rest) {
				return p // more must come to tell
			}
			s.state = inText
		case inThought:
			thought, after, ended := strings.Cut(s.held, thinkEnd)
			if ended {
				p.Reasoning += thought
				s.held, s.state, s.skipsSpace = after, inText, true
				continue
			}
			n := len(s.held) - beginningOf(thinkEnd, s.held)
			p.Reasoning += s.held[:n]
			s.held = s.held[n:]
			return p
		case inText:
			p.Text += s.held
			s.held = ""
			return p
		}
	}
}

// end returns what is held when no more text comes.
func (s *thinkSplitter) end() engine.Part {
	if s.state == inThought {
		return engine.Part{Reasoning: s.held}
	}
	return engine.Part{Text: s.held}
}

func trimSpaceLeft(s string) string { return strings.TrimLeft(s, " \t\r\n") }

// beginningOf returns how many bytes at the end of s are the beginning of tag.
func beginningOf(tag, s string) int {
	for n := min(len(tag)-1, len(s)); n > 0; n-- {
		if strings.HasSuffix(s, tag[:n]) {
			return n
		}
	}
	return 0
}

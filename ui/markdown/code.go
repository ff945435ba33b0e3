package markdown

import (
	"strings"
	"time"

	"confab/ui/markdown/lexers"
	"confab/ui/terminal"

	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/x/ansi"
)

// lexTime is how long colouring one block may take. Lexers are regular
// expressions that foreign text can drive into a corner.
const lexTime = 100 * time.Millisecond

// maxColoured is the longest line that is coloured, in bytes.
const maxColoured = 2000

// fence renders a top-level block of code, which needs no parser.
func (r *Renderer) fence(b Block) []string {
	info, text := fenced(b)
	if b.Joined {
		return r.codeLines(language(terminal.Line(info)), terminal.Clean(text), r.width)
	}
	return r.codeBlock(terminal.Line(info), terminal.Clean(text), r.width)
}

// codeBlock draws code under what its fence says, unless that is only the name
// of a language whose colours tell it.
func (r *Renderer) codeBlock(info, text string, width int) []string {
	lang := language(info)
	lines := r.codeLines(lang, text, width)
	if info == "" || info == lang && lexers.Get(lang) != nil {
		return lines
	}
	if len(info) > maxTarget {
		info = terminal.Clean(info[:maxTarget]) + "…"
	}
	said := terminal.Wrap(info, width)
	for i, line := range said {
		said[i] = r.draw([]span{{text: line, ink: r.inks.faint}})
	}
	return append(said, lines...)
}

// opening returns the line that opens a block of code, and where its text
// starts in the block. A piece of a longer one is all text.
func opening(b Block) (l line, start int) {
	if b.Joined && b.more != nil {
		return lineAt(b.more.head, 0), 0
	}
	for start < len(b.Source) {
		l = lineAt(b.Source, start)
		start = l.end
		if !l.blank() {
			break
		}
	}
	return l, start
}

// fenced returns what the fence says and the text of a block of code, or of a
// piece of one.
func fenced(b Block) (info, text string) {
	l, start := opening(b)
	run, info := l.fence()
	return info, unfence(b.Source[start:], run, l.indent)
}

// unfence cuts the text at the line that closes the fence, and takes the fence's
// own indentation off each line.
func unfence(source, run string, indent int) string {
	if indent == 0 && !strings.Contains(source, run) {
		return source
	}
	var b strings.Builder
	for i := 0; i < len(source); {
		l := lineAt(source, i)
		if l.closes(run) {
			break
		}
		text := source[l.start:l.end]
		for n := 0; n < indent && strings.HasPrefix(text, " "); n++ {
			text = text[1:]
		}
		b.WriteString(text)
		i = l.end
	}
	return b.String()
}

// language returns the first word of what follows a fence.
func language(info string) string {
	if i := strings.IndexAny(info, " \t,{"); i >= 0 {
		info = info[:i]
	}
	return info
}

// codeLines draws code, cleaned, with a margin of two cells. A line that is too
// long goes on under ↳, nothing of it is lost.
func (r *Renderer) codeLines(lang, text string, width int) []string {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return nil
	}
	margin, more := "  ", r.draw([]span{{text: "↳ ", ink: r.inks.faint}})
	if width-2 < minInner {
		margin, more = "", ""
	}
	room := width - len(margin)
	var lines []string
	for _, line := range r.coloured(lang, text) {
		if ansi.StringWidth(line) <= room {
			lines = append(lines, margin+line)
			continue
		}
		for i, part := range strings.Split(terminal.Allow(ansi.Hardwrap(line, room, true)), "\n") {
			if i == 0 {
				lines = append(lines, margin+part)
			} else {
				lines = append(lines, more+part)
			}
		}
	}
	return lines
}

// coloured returns the lines of code in colours, or in one when the language is
// unknown or takes too long.
func (r *Renderer) coloured(lang, text string) []string {
	tokens := tokenise(lang, text)
	lines := r.code.Lines(tokens)
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// tokenise cuts code into tokens. What is not reached in time is one token.
func tokenise(lang, text string) []chroma.Token {
	whole := []chroma.Token{{Type: chroma.Text, Value: text}}
	lexer := lexers.Get(lang)
	if lexer == nil || len(text) > 2*maxCode || longestLine(text) > maxColoured {
		return whole
	}
	end := time.Now().Add(lexTime)
	next, err := lexer.Tokenise(nil, text)
	if err != nil {
		return whole
	}
	var tokens []chroma.Token
	seen := 0
	for t := next(); t != chroma.EOF; t = next() {
		if seen+len(t.Value) > len(text)+1 || !strings.HasPrefix(text[min(seen, len(text)):]+"\n", t.Value) {
			return whole // a lexer that changes the text is not one to show it
		}
		tokens = append(tokens, t)
		seen += len(t.Value)
		if len(tokens)%64 == 0 && time.Now().After(end) {
			break
		}
	}
	if seen < len(text) {
		tokens = append(tokens, chroma.Token{Type: chroma.Text, Value: text[seen:]})
	}
	return tokens
}

func longestLine(s string) int {
	longest := 0
	for line := range strings.SplitSeq(s, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}

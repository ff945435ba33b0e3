package browse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/markdown"
	"confab/ui/part"
)

// answers draws the answers of a turn in that many lines, each in at least one.
func (p previewer) answers(t history.Turn, height int) (lines []string) {
	models, widest := t.Models(), 0
	styles := p.styles.ModelStyles(models)
	for _, model := range models {
		widest = max(widest, min(ansi.StringWidth(termtext.Line(model)), max(p.w/3, 14)))
	}
	n, slowest := len(t.Answers), 0
	for _, a := range t.Answers {
		if a.State.HasEnded() {
			slowest = max(slowest, len(format.Seconds(a.Elapsed)))
		}
	}
	heads, said, texts := make([]string, n), make([]string, n), make([][]string, n)
	rails, needed := make([]themes.Style, n), make([]int, n)
	column := 0 // of texts beside heads
	beside := func() int { return max(p.w-1-column, 1) }
	for i, a := range t.Answers {
		said[i], rails[i] = saidBy(a), p.styles.Muted
		if at := slices.Index(models, a.Model); at >= 0 {
			rails[i] = styles[at]
		}
		heads[i] = rails[i].On("  " + part.StateMark(a.State) + " " +
			termtext.Fit(termtext.CutName(termtext.Line(a.Model), widest, models), widest))
		if a.State.HasEnded() {
			heads[i] += p.styles.Muted.On(fmt.Sprintf("  %*s", slowest, format.Seconds(a.Elapsed)))
		}
		heads[i] += part.Judgement(p.styles, a)
		column = max(column, ansi.StringWidth(heads[i])+2)
	}
	for i := range heads {
		if needed[i] = 1; ansi.StringWidth(said[i]) > beside() {
			texts[i] = termtext.Wrap(said[i], max(p.w-4, 1))
			needed[i] += len(texts[i])
		}
	}
	free := height
	for _, n := range needed {
		free -= n
	}
	if free > 0 { // there is room for more than first paragraphs
		for i, a := range t.Answers {
			if a.State == history.Done && a.Text != "" {
				whole := strings.ToValidUTF8(a.Text[:min(len(a.Text), maxRowBytes)], "")
				texts[i] = termtext.Wrap(termtext.Clean(markdown.PlainText(whole)), max(p.w-4, 1))
				needed[i] = 1 + len(texts[i])
			}
		}
	}
	given, hasGaps := shareLines(height-n+1, needed), true
	if !hasRoomForGaps(given, needed) {
		given, hasGaps = shareLines(height, needed), false
	}
	for i, most := range given {
		style := p.styles.Text
		if hasGaps && i > 0 {
			lines = append(lines, "")
		}
		if t.Answers[i].State == history.Failed {
			style = p.styles.Danger
		}
		if most < 2 {
			lines = append(lines, termtext.Fit(heads[i], column)+style.On(cutAtWord(said[i], beside())))
			continue
		}
		lines = append(append(lines, heads[i]), p.beginning(texts[i], most-1, rails[i], style)...)
	}
	return lines
}

// shareLines divides lines among texts: each gets at least one, none more than it needs, and a further one goes to all
// that need it or to none.
func shareLines(lines int, needed []int) []int {
	given := make([]int, len(needed))
	for row := 0; ; row++ {
		wanting := 0
		for _, n := range needed {
			if n > row {
				wanting++
			}
		}
		if wanting == 0 || row > 0 && wanting > lines {
			return given
		}
		for i, n := range needed {
			given[i] = min(row+1, n)
		}
		lines -= wanting
	}
}

// hasRoomForGaps reports whether texts of given lines have room for blank lines between them: all are seen whole or
// with a few lines.
func hasRoomForGaps(given, needed []int) bool {
	const few = 5
	for i, n := range given {
		if n < min(needed[i], few) {
			return false
		}
	}
	return slices.Max(append(given, 0)) > 1
}

// saidBy describes an answer in one line: its first paragraph, its picture, or why there is none.
func saidBy(a history.Answer) string {
	text := gist(strings.ToValidUTF8(a.Text[:min(len(a.Text), maxRowBytes)], ""))
	switch {
	case a.Picture != nil:
		return fmt.Sprintf("picture %d×%d", a.Picture.Width, a.Picture.Height)
	case a.State == history.Done:
		return cmp.Or(text, a.WhyEmpty())
	case a.Failure != nil:
		return termtext.Line(a.State.Word() + ": " + a.Failure.Message)
	}
	return strings.TrimSuffix(a.State.Word()+": "+text, ": ")
}

// usualAnswerLines is the lines of an answer in the preview of a session with several turns.
const usualAnswerLines = 8

// beginning draws the first lines of an answer, without blank ones at the end, beside a rail in its model's color.
func (p previewer) beginning(wrapped []string, most int, rail, style themes.Style) (lines []string) {
	shown := wrapped[:min(len(wrapped), most)]
	for len(shown) > 1 && strings.TrimSpace(shown[len(shown)-1]) == "" {
		shown = shown[:len(shown)-1]
	}
	for i, line := range shown {
		if i == len(shown)-1 && len(wrapped) > most {
			line = cutAtWord(strings.TrimRight(line, " ")+" …", max(p.w-4, 1))
		}
		lines = append(lines, rail.On("  ┃ ")+style.On(line))
	}
	return lines
}

// cutAtWord cuts a text that is wider than w cells after a word, unless that takes half of it.
func cutAtWord(text string, w int) string {
	cut := ansi.Truncate(text, max(w-1, 1), "")
	if at := strings.LastIndexByte(cut, ' '); ansi.StringWidth(text) > w && at > len(cut)/2 {
		return cut[:at] + " …"
	}
	return ansi.Truncate(text, w, "…")
}

// gist returns the first paragraph of an answer after its heading, without Markdown; else its first item, or what it
// is. Tables and code say little in one line.
func gist(text string) string {
	heading, other := "", ""
	for _, b := range markdown.Split(text) {
		plain := strings.Join(strings.Fields(markdown.PlainText(b.Source)), " ")
		switch b.Kind {
		case markdown.Paragraph:
			return heading + termtext.Line(plain)
		case markdown.Heading:
			if heading == "" {
				heading = termtext.Line(strings.TrimRight(plain, " .:")) + ": "
			}
		case markdown.List, markdown.Quote:
			first, _, _ := strings.Cut(markdown.PlainText(b.Source), "\n")
			other = cmp.Or(other, termtext.Line(strings.TrimLeft(first, "•│┃▎ ")))
		case markdown.Fence:
			other = cmp.Or(other, "code")
		case markdown.Table:
			other = cmp.Or(other, "a table")
		}
	}
	return strings.TrimSuffix(heading+other, ": ")
}

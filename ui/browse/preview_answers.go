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

// answers draws the answers of a turn in that many lines: each in one, or all with their texts under their heads.
func (p previewer) answers(t history.Turn, height int) (lines []string) {
	heads, rails, column := p.heads(t)
	n, beside := len(t.Answers), max(p.w-1-column, 1)
	said, texts, needed := make([]string, n), make([][]string, n), make([]int, n)
	isWider := false
	for i, a := range t.Answers {
		said[i], needed[i] = saidBy(a), 1
		isWider = isWider || ansi.StringWidth(said[i]) > beside
	}
	if height >= 2*n && (isWider || height >= 3*n) {
		for i, a := range t.Answers {
			texts[i] = p.answerText(a, said[i], height)
			needed[i] = 1 + len(texts[i])
		}
	}
	given, hasGaps := shareLines(height-n+1, needed), true
	if !hasRoomForGaps(given, needed) {
		given, hasGaps = shareLines(height, needed), false
	}
	for i, most := range given {
		if hasGaps && i > 0 {
			lines = append(lines, "")
		}
		style := answerStyle(t.Answers[i], p.styles)
		if most < 2 {
			lines = append(lines, termtext.Fit(heads[i], column)+style.On(cutAtWord(said[i], beside)))
			continue
		}
		text := texts[i]
		if short := termtext.Wrap(said[i], max(p.w-4, 1)); len(text) > most-1 && most-1 < min(len(short)+1, fewLines) {
			text = paint(short, style)
		}
		lines = append(append(lines, heads[i]), p.beginning(text, most-1, rails[i])...)
	}
	return lines
}

// heads draws the lines above or beside answers, with the styles of their rails and the width of the widest head with
// the blanks behind it.
func (p previewer) heads(t history.Turn) (heads []string, rails []themes.Style, column int) {
	models, widest, slowest := t.Models(), 0, 0
	styles := p.styles.ModelStyles(models)
	for _, model := range models {
		widest = max(widest, min(ansi.StringWidth(termtext.Line(model)), max(p.w/3, 14)))
	}
	for _, a := range t.Answers {
		if a.State.HasEnded() {
			slowest = max(slowest, len(format.Seconds(a.Elapsed)))
		}
	}
	for _, a := range t.Answers {
		rail := p.styles.Muted
		if at := slices.Index(models, a.Model); at >= 0 {
			rail = styles[at]
		}
		head := rail.On("  " + part.StateMark(a.State) + " " +
			termtext.Fit(termtext.CutName(termtext.Line(a.Model), widest, models), widest))
		if a.State.HasEnded() {
			head += p.styles.Muted.On(fmt.Sprintf("  %*s", slowest, format.Seconds(a.Elapsed)))
		}
		head += part.Judgement(p.styles, a)
		heads, rails = append(heads, head), append(rails, rail)
		column = max(column, ansi.StringWidth(head)+2)
	}
	return heads, rails, column
}

const (
	fewLines        = 4       // of a text that is shown without its structure where it is cut
	maxPreviewBytes = 1 << 13 // of an answer
)

// answerText draws the beginning of an answer like the answer itself, or what is said of one without a text. It draws
// no more blocks than most lines need, and no heading at the start.
func (p previewer) answerText(a history.Answer, said string, most int) (lines []string) {
	if a.State != history.Done || a.Text == "" {
		return paint(termtext.Wrap(said, max(p.w-4, 1)), answerStyle(a, p.styles))
	}
	r := markdown.NewRenderer(p.styles, p.w-4)
	blocks := markdown.Split(strings.ToValidUTF8(a.Text[:min(len(a.Text), maxPreviewBytes)], ""))
	if len(blocks) > 1 && blocks[0].Kind == markdown.Heading {
		blocks = blocks[1:]
	}
	for _, b := range blocks {
		block := r.Block(b)
		if len(block) > 0 && len(lines) > 0 && !b.IsContinuation {
			lines = append(lines, "")
		}
		if lines = append(lines, block...); len(lines) > most {
			break
		}
	}
	return lines
}

func answerStyle(a history.Answer, s *themes.Styles) themes.Style {
	if a.State == history.Failed {
		return s.Danger
	}
	return s.Text
}

func paint(lines []string, style themes.Style) []string {
	for i, line := range lines {
		lines[i] = style.On(line)
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
func (p previewer) beginning(all []string, most int, rail themes.Style) (lines []string) {
	shown, w := all[:min(len(all), most)], max(p.w-4, 1)
	for len(shown) > 1 && strings.TrimSpace(ansi.Strip(shown[len(shown)-1])) == "" {
		shown = shown[:len(shown)-1]
	}
	for i, line := range shown {
		if i == len(shown)-1 && len(all) > most {
			text := strings.TrimRight(ansi.Strip(line), " ")
			kept := strings.TrimSuffix(cutAtWord(text+" …", w), "…")
			line = ansi.Truncate(line, termtext.Width(strings.TrimRight(kept, " ")), "") + p.styles.Text.On(" …")
		}
		lines = append(lines, rail.On("  ┃ ")+ansi.Truncate(line, w, "…"))
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

// gist returns the first paragraphs of an answer in one line, without Markdown and without headings; else its first
// item, its heading, or what it is. Tables and code say little in one line.
func gist(text string) string {
	const enough = 300 // bytes of paragraphs
	heading, other, said := "", "", ""
	for _, b := range markdown.Split(text) {
		if b.Kind != markdown.Paragraph && said != "" && !strings.HasSuffix(said, ":") {
			break
		}
		plain := termtext.Line(strings.Join(strings.Fields(markdown.PlainText(b.Source)), " "))
		switch b.Kind {
		case markdown.Paragraph:
			if said = strings.TrimPrefix(said+" "+plain, " "); len(said) > enough {
				return said
			}
		case markdown.Heading:
			heading = cmp.Or(heading, strings.TrimRight(plain, " .:"))
		case markdown.List, markdown.Quote:
			first, _, _ := strings.Cut(markdown.PlainText(b.Source), "\n")
			other = cmp.Or(other, termtext.Line(strings.TrimLeft(first, "•│┃▎ ")))
		case markdown.Fence:
			other = cmp.Or(other, "code")
		case markdown.Table:
			other = cmp.Or(other, "a table")
		}
		if said != "" && other != "" {
			break
		}
	}
	if said == "" && heading != "" && other != "" {
		return heading + ": " + other
	}
	return strings.TrimPrefix(cmp.Or(said, heading)+" "+other, " ")
}

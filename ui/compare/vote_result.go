package compare

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/markdown"
	"confab/ui/widget"
)

// leastVotes is how many votes have to be seen at once for a pane of their own.
const leastVotes = 8

// votedText is how many bytes of an answer are read for its first words.
const votedText = 2000

// result draws who is ahead, and the votes of this screen in lines that are scrolled in a box of h lines. Where there
// is room for both that box is below the one of the wins, and fills the view; else all is in one box.
func (b *blindVote) result() (above, scrolled []string, h int) {
	v := b.view
	wins := winsLines(v.wins.votes, v.env.Keys, v.w-4, v.styles)
	h = v.h - len(wins) - 3 // with the border and a blank line
	if h-2 >= min(b.seen, leastVotes) && !v.styles.ScreenReader {
		above = widget.BoxLines(widget.Box{W: v.w, H: v.h - h, Pad: 1, Title: "Result", Styles: v.styles},
			append([]string{""}, wins...))
		return above, b.voteLines(v.w-4, h-2), h
	}
	scrolled = slices.Concat(wins, []string{"", v.styles.Strong.On("Your votes")}, b.voteLines(v.w-4, 0))
	if len(scrolled) < v.h-2 {
		scrolled = slices.Insert(scrolled, 0, "")
	}
	return nil, scrolled, v.h
}

// resultLines draws the result of the vote, as far as it is scrolled.
func (b *blindVote) resultLines() []string {
	v, title := b.view, "Result"
	above, all, h := b.result()
	if above != nil {
		title = "Your votes"
	}
	shown := max(h-2, 0)
	b.top = max(min(b.top, len(all)-shown), 0)
	return append(above, widget.BoxLines(widget.Box{W: v.w, H: h, Pad: 1, Title: title, Focused: true,
		Bottom: widget.HintLine(v.styles, b.scrollHint()), Right: widget.ScrollPosition(b.top, shown, len(all)),
		Styles: v.styles}, all[b.top:])...)
}

// scrollHint returns the hint that shows the rest of the result, if not all of it is on the screen.
func (b *blindVote) scrollHint() []keys.Hint {
	_, all, h := b.result()
	switch shown := max(h-2, 0); {
	case len(all) > b.top+shown:
		return b.view.env.Keys.HintAs(keys.Voting, keys.Down, "more ↓")
	case len(all) > shown:
		return b.view.env.Keys.HintAs(keys.Voting, keys.Up, "more ↑")
	}
	return nil
}

// voteLines draws the votes of this screen in their order, the better answer first, in lines of at most w cells. In h
// lines they are drawn with the first words of the better answer, below each or, in fewer, beside it.
func (b *blindVote) voteLines(w, h int) (lines []string) {
	const minWords, maxWords = 40, 110 // cells
	s, seen := b.view.styles, b.pairs[:b.seen]
	below := (h+1)/max(len(seen), 1) - 2 // lines, beside a blank one
	width, between := b.voteWidths(w)
	var labels []string
	for _, p := range seen {
		labels = append(labels, p.answers[0].label, p.answers[1].label)
	}
	style := func(x blindAnswer) themes.Style {
		if b.asked.Axis == suite.AxisModel {
			return s.ModelStyle(x.Slug)
		}
		return s.Accent
	}
	named := func(x blindAnswer) string {
		return style(x).On(termtext.Fit(termtext.CutName(x.label, width, labels), width))
	}
	for i, p := range seen {
		first, second := p.answers[0], p.answers[1]
		if p.preference == history.VoteB {
			first, second = second, first
		}
		comparison := termtext.Fit(comparisons()[p.preference], between)
		line := named(first) + s.Muted.On(titleGap+comparison+titleGap) + named(second)
		if !p.isBlind() {
			line += s.Muted.On(titleGap + "not blind")
		}
		room := w - termtext.Width(line) - len(lineGap)
		if h > 0 && below < 1 && room >= minWords {
			line += s.Muted.On(lineGap + strings.Join(b.firstLines(p.words, min(room, maxWords), 1), ""))
		}
		lines = append(lines, ansi.Truncate(line, max(w, 1), "…"))
		if below < 1 {
			continue
		}
		for _, words := range b.firstLines(p.words, min(w-2, maxWords), below) {
			lines = append(lines, style(first).On("▎")+" "+s.Text.On(words))
		}
		if i < len(seen)-1 {
			lines = append(lines, "")
		}
	}
	return lines
}

func comparisons() map[history.Preference]string {
	return map[history.Preference]string{history.VoteA: "better than", history.VoteB: "better than",
		history.VoteEqual: "as good as", history.VoteBad: "as bad as", "": "not judged against"}
}

// voteWidths returns the cells of the widest name of an answer, and of what is said between two, in lines of w cells.
func (b *blindVote) voteWidths(w int) (name, between int) {
	for _, p := range b.pairs[:b.seen] {
		between = max(between, len(comparisons()[p.preference]))
		for _, x := range p.answers {
			name = max(name, ansi.StringWidth(x.label))
		}
	}
	return min(name, max((w-between-2*len(titleGap))/2, 1)), between
}

// firstLines wraps the start of a text to n lines of w cells.
func (b *blindVote) firstLines(text string, w, n int) []string {
	if text == "" {
		return nil
	}
	lines := termtext.Wrap(b.view.styles.Emoji.Clean(text), max(w-2, 1))
	if len(lines) > n {
		lines = append(lines[:n-1:n-1], lines[n-1]+" …")
	}
	return lines
}

// betterWords returns the first words of the better answer as they are drawn, "" where none is better.
func (p votePair) betterWords() string {
	var better blindAnswer
	switch p.preference {
	case history.VoteA:
		better = p.answers[0]
	case history.VoteB:
		better = p.answers[1]
	default:
		return ""
	}
	text := better.answer().Text
	if len(text) > votedText {
		text = strings.ToValidUTF8(text[:votedText], "")
	}
	lines := slices.DeleteFunc(strings.Split(markdown.PlainText(text), "\n"),
		func(line string) bool { return format.Words(line) == 0 })
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

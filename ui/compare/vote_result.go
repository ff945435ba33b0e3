package compare

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/keys"
	"confab/ui/widget"
)

// resultBox draws the result of the vote, as far as it is scrolled.
func (b *blindVote) resultBox() []string {
	v := b.view
	all, shown := b.resultLines(v.w-4), max(v.h-2, 0)
	if len(all) < shown {
		all = slices.Insert(all, 0, "")
	}
	b.top = max(min(b.top, len(all)-shown), 0)
	lines := make([]string, 0, shown)
	for _, line := range all[b.top:] {
		lines = append(lines, " "+line)
	}
	return widget.BoxLines(widget.Box{W: v.w, H: shown + 2, Title: "Result", Focused: true,
		Bottom: widget.HintLine(v.styles, b.scrollHint()),
		Right:  widget.ScrollPosition(b.top, shown, len(all)), Styles: v.styles}, lines)
}

// scrollHint returns the hint that shows the rest of the result, if not all of it is on the screen.
func (b *blindVote) scrollHint() []keys.Hint {
	v := b.view
	switch all, shown := len(b.resultLines(v.w-4)), max(v.h-2, 0); {
	case all > b.top+shown:
		return v.env.Keys.HintAs(keys.Voting, keys.Down, "more ↓")
	case all > shown:
		return v.env.Keys.HintAs(keys.Voting, keys.Up, "more ↑")
	}
	return nil
}

// resultLines draws the wins in lines of w cells, and the votes of this screen on their right where there is room for
// both, else below.
func (b *blindVote) resultLines(w int) []string {
	const gap = 6 // cells between wins and votes
	v, votes := b.view, b.voteLines(w)
	width := 0
	for _, line := range votes {
		width = max(width, termtext.Width(line))
	}
	least, most := winsWidths(v.wins.votes)
	left := min(w-gap-width, most)
	if left < least {
		wins := winsLines(v.wins.votes, v.env.Keys, w, v.styles)
		return append(append(wins, ""), votes...)
	}
	wins := winsLines(v.wins.votes, v.env.Keys, left, v.styles)
	lines := make([]string, max(len(wins), len(votes)))
	for i := range lines {
		if i < len(wins) {
			lines[i] = wins[i]
		}
		if i < len(votes) {
			lines[i] = termtext.Fit(lines[i], left+gap) + votes[i]
		}
	}
	return lines
}

// voteLines draws the votes of this screen in their order, the better answer first, in lines of at most w cells.
func (b *blindVote) voteLines(w int) []string {
	s, seen := b.view.styles, b.pairs[:b.seen]
	comparisons := map[history.Preference]string{history.VoteA: "better than", history.VoteB: "better than",
		history.VoteEqual: "as good as", history.VoteBad: "as bad as", "": "not judged against"}
	width, between := 0, 0
	var labels []string
	for _, p := range seen {
		between = max(between, len(comparisons[p.preference]))
		for _, x := range p.answers {
			labels = append(labels, x.label)
			width = max(width, ansi.StringWidth(x.label))
		}
	}
	width = min(width, max((w-between-2*len(titleGap))/2, 1))
	named := func(x blindAnswer) string {
		style := s.Accent
		if b.asked.Axis == suite.AxisModel {
			style = s.ModelStyle(x.Slug)
		}
		return style.On(termtext.Fit(termtext.CutName(x.label, width, labels), width))
	}
	lines := []string{s.Strong.On("Your votes")}
	for _, p := range seen {
		first, second := p.answers[0], p.answers[1]
		if p.preference == history.VoteB {
			first, second = second, first
		}
		comparison := termtext.Fit(comparisons[p.preference], between)
		line := named(first) + s.Muted.On(titleGap+comparison+titleGap) + strings.TrimRight(named(second), " ")
		if !p.isBlind() {
			line += s.Muted.On(titleGap + "not blind")
		}
		lines = append(lines, ansi.Truncate(line, max(w, 1), "…"))
	}
	return lines
}

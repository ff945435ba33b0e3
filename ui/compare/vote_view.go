package compare

import (
	"fmt"
	"image"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// modelFamily matches the word at the start of a model's name.
var modelFamily = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z]{4,}`)
})

// modelNames are the models of a vote on models; empty for other votes, where a model's name gives nothing away.
type modelNames []string

func modelNamesOf(a action.StartVote) (names modelNames) {
	for _, e := range a.Entrants {
		if a.Axis == suite.AxisModel && !slices.Contains(names, e.Slug) {
			names = append(names, e.Slug)
		}
	}
	return names
}

// areIn reports whether a text contains the name of a model, or its first word.
func (names modelNames) areIn(a history.Answer) bool {
	if len(names) == 0 {
		return false
	}
	var words []string
	for _, name := range slices.Concat(names, modelNames{a.ServedModel, a.EngineModel}) {
		for _, word := range []string{name, modelFamily().FindString(name)} {
			if word != "" {
				words = append(words, regexp.QuoteMeta(strings.ToValidUTF8(word, "\uFFFD")))
			}
		}
	}
	const notLetter = `[^\p{L}\p{M}\p{N}]`
	found := `(?i)(^|` + notLetter + `)(` + strings.Join(words, "|") + `)($|` + notLetter + `)`
	return regexp.MustCompile(found).MatchString(a.Text)
}

// promptText returns what both answers were asked with, without what is judged: the prompt, else the prompt with its
// variables, else their values.
func (b *blindVote) promptText() string {
	x, y := b.pairs[b.seen].answers[0].turn(), b.pairs[b.seen].answers[1].turn()
	switch {
	case x.Prompt == y.Prompt:
		return x.Prompt
	case x.Template == y.Template:
		return x.Template
	case maps.Equal(x.Vars, y.Vars):
		var values []string
		for _, name := range slices.Sorted(maps.Keys(x.Vars)) {
			values = append(values, name+" = "+x.Vars[name])
		}
		return strings.Join(values, "\n")
	}
	return ""
}

// promptLines wraps what both answers were asked with; cut reports whether lines are left out.
func (b *blindVote) promptLines() (lines []string, cut bool) {
	v := b.view
	if b.hasEnded {
		return nil, false
	}
	text := b.promptText()
	if text == "" {
		return nil, false
	}
	lines = termtext.Wrap(v.styles.Emoji.Clean(text), max(v.w-4, 1))
	most := max(v.h/6, 1)
	if b.showsPrompt {
		most = max(v.h/2, 1)
	}
	if len(lines) > most {
		lines, cut = append(lines[:most-1:most-1], ansi.Truncate(lines[most-1], max(v.w-6, 1), "")+" …"), true
	}
	return lines, cut
}

func (b *blindVote) cutsPrompt() bool {
	_, cut := b.promptLines()
	return cut || b.showsPrompt
}

// footLines draws a warning if an answer names a model, and the note on both.
func (b *blindVote) footLines() (lines []string) {
	if b.hasEnded {
		return nil
	}
	pair, warning := b.pairs[b.seen], ""
	switch first, second := pair.answers[0].namesModel, pair.answers[1].namesModel; {
	case first && second:
		warning = "Both answers name a model"
	case first:
		warning = "Answer A names a model"
	case second:
		warning = "Answer B names a model"
	}
	if warning != "" {
		lines = append(lines, b.view.styles.Warning.Render(" "+warning+": this vote is not blind."))
	}
	if pair.note != "" {
		lines = append(lines, b.view.styles.Info.Render(" note: "+termtext.Line(pair.note)))
	}
	return lines
}

// boxes shows the pair side by side, or one above the other on a narrow screen.
func (b *blindVote) boxes() (boxes []box) {
	v := b.view
	if b.hasEnded {
		return nil
	}
	body := v.body()
	middle := body.Dy() / 2
	rects := []image.Rectangle{image.Rect(0, 0, v.w, middle), image.Rect(0, middle, v.w, body.Dy())}
	if v.w >= 2*minBoxWidth && !v.styles.ScreenReader {
		rects = divide(image.Rect(0, 0, v.w, body.Dy()), 2)
	}
	for i, x := range b.pairs[b.seen].answers {
		vote := [...]keys.Command{"vote_a", "vote_b"}[i]
		shown := box{rect: rects[i], title: [...]string{"Answer A", "Answer B"}[i],
			hints: v.env.Keys.HintAs(keys.Voting, vote, "this is better")}
		shown.read(b.readers[i])
		b.readers[i].ReadBlind(x.turnID, x.id)
		boxes = append(boxes, shown)
	}
	return boxes
}

// margins implements [mode].
func (b *blindVote) margins() (above, below int) {
	lines, _ := b.promptLines()
	return 1 + len(lines), len(b.footLines())
}

// lines draws a head, what both answers were asked with, the pair, a warning and the note.
func (b *blindVote) lines() []string {
	v, axis := b.view, b.asked.Axis
	s, count := v.styles, fmt.Sprintf("%d of %s", b.seen, format.Count(len(b.pairs), "pair"))
	hidden, sides, against := "", "", ""
	if !b.hasEnded {
		against = string(axis) + " against " + string(axis)
		count = fmt.Sprintf("pair %d of %d", b.seen+1, len(b.pairs))
		hidden, sides = "names, times, lengths hidden", "A and B in random order"
	}
	head := widget.Pieces{piece("blind vote", s.Strong), piece(count, s.Text),
		piece(against, s.Text), piece(hidden, s.Muted), piece(sides, s.Muted)}
	lines := []string{" " + head.Fitting(lineGap, max(v.w-2, 1)).String()}
	if b.hasEnded {
		all, height := b.resultLines(), v.h-len(lines)
		shown := max(height-2, 0)
		b.top = max(min(b.top, len(all)-shown), 0)
		return append(lines, widget.BoxLines(widget.Box{W: v.w, H: height, Title: "Result", Focused: true,
			Right: widget.ScrollPosition(b.top, shown, len(all)), Styles: s}, all[b.top:])...)
	}
	prompt, _ := b.promptLines()
	for _, line := range prompt {
		lines = append(lines, " "+s.You.Render("▌ ")+s.Text.Render(line))
	}
	return slices.Concat(lines, v.bodyLines(), b.footLines())
}

// resultLines draws the wins, and below them the votes with what was judged.
func (b *blindVote) resultLines() []string {
	v, seen := b.view, b.pairs[:b.seen]
	s, out := v.styles, []string{""}
	for _, line := range winsLines(v.wins.votes, v.env.Keys, v.w-6, s) {
		out = append(out, "  "+line)
	}
	out = append(out, "")
	comparisons := map[history.Preference]string{history.VoteA: "better than", history.VoteB: "worse than",
		history.VoteEqual: "as good as", history.VoteBad: "as bad as", "": "not judged against"}
	between, width, times := 0, 0, 0
	var labels []string
	for _, p := range seen {
		between = max(between, len(comparisons[p.preference]))
		for _, x := range p.answers {
			labels = append(labels, x.label)
			width, times = max(width, ansi.StringWidth(x.label)), max(times, ansi.StringWidth(x.state))
		}
	}
	space := (v.w - 5 - between - 2*len(titleGap)) / 2
	if width+times+len(titleGap) > space { // names say more than times
		times = 0
	}
	width = min(width, max(space, 1))
	named := func(x blindAnswer) string {
		style := s.Accent
		if b.asked.Axis == suite.AxisModel {
			style = s.ModelStyle(x.Slug)
		}
		name := style.On(termtext.Fit(termtext.CutName(x.label, width, labels), width))
		if times > 0 {
			name += titleGap + s.Muted.On(fmt.Sprintf("%*s", times, x.state))
		}
		return name
	}
	for _, p := range seen {
		line := "  " + named(p.answers[0]) + s.Text.On(fmt.Sprintf("  %-*s  ", between, comparisons[p.preference])) +
			named(p.answers[1])
		if !p.isBlind() {
			line += s.Text.On("  not blind")
		}
		out = append(out, ansi.Truncate(line, max(v.w-3, 1), "…"))
	}
	return out
}

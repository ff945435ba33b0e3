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
		return x.ValuesText()
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

// leastStacked is the fewest lines of text in each of two boxes below each other.
const leastStacked = 10

// showsOne reports whether the answers are shown one at a time: there is room for both neither beside nor below each
// other.
func (b *blindVote) showsOne() bool {
	return !b.hasEnded && !b.hasColumns() && b.view.body().Dy()/2-2 < leastStacked
}

func (b *blindVote) hasColumns() bool {
	return b.view.w >= 2*minBoxWidth && !b.view.styles.ScreenReader
}

// boxes shows the pair side by side, one above the other, or one at a time.
func (b *blindVote) boxes() (boxes []box) {
	v := b.view
	if b.hasEnded {
		return nil
	}
	body := v.body()
	middle := body.Dy() / 2
	rects := []image.Rectangle{image.Rect(0, 0, v.w, middle), image.Rect(0, middle, v.w, body.Dy())}
	if b.hasColumns() {
		rects = divide(image.Rect(0, 0, v.w, body.Dy()), 2)
	}
	better := [...]keys.Command{"vote_a", "vote_b"}
	for i, x := range b.pairs[b.seen].answers {
		shown := box{rect: rects[i], isText: x.answer().Picture == nil,
			title: [...]string{"Answer A", "Answer B"}[i]}
		if b.showsOne() {
			shown.rect = image.Rect(0, 0, v.w, body.Dy())
			other := [...]string{"show answer B", "show answer A"}[i]
			if !b.sawBoth {
				other += ", not seen yet"
			}
			shown.switches = v.env.Keys.HintAs(keys.Voting, otherAnswer, other)
			shown.buttons = slices.Concat(v.env.Keys.HintAs(keys.Voting, better[0], "is better"),
				v.env.Keys.HintAs(keys.Voting, better[1], "is better"))
		} else {
			shown.buttons = v.env.Keys.HintAs(keys.Voting, better[i], "is better")
		}
		shown.read(b.readers[i])
		b.readers[i].ReadBlind(x.turnID, x.id)
		if !b.showsOne() || i == b.shown {
			boxes = append(boxes, shown)
		}
	}
	return boxes
}

// margins implements [mode].
func (b *blindVote) margins() (above, below int) {
	return len(b.headLines()), len(b.footLines())
}

// headLines draws what both answers were asked with, and on its right what is hidden.
func (b *blindVote) headLines() []string {
	v, s := b.view, b.view.styles
	if b.hasEnded {
		return nil
	}
	axis := string(b.asked.Axis)
	about := widget.Pieces{piece("names, times, lengths hidden", s.Muted), piece("A and B in random order", s.Muted),
		piece(axis+" against "+axis, s.Muted)}
	lines, _ := b.promptLines()
	if len(lines) == 0 {
		return []string{" " + about.Fitting(lineGap, max(v.w-2, 1)).String()}
	}
	for i := range lines {
		lines[i] = " " + s.You.Render("▌ ") + s.Text.Render(lines[i])
	}
	used := termtext.Width(lines[0]) + len(lineGap)
	for len(about) > 0 && used+about.Join(lineGap).Width() > v.w-1 {
		about = about[:len(about)-1]
	}
	right := about.Join(lineGap)
	gap := max(v.w-1-termtext.Width(lines[0])-right.Width(), 0)
	lines[0] += strings.Repeat(" ", gap) + right.String()
	return lines
}

// Heading returns the title and the right side of the header of the screen: those of a vote, else the name of the case.
func (v *View) Heading() (title, right string) {
	b, ok := v.mode.(*blindVote)
	switch {
	case !ok:
		return v.content.Name, ""
	case b.hasEnded:
		return "Blind vote", fmt.Sprintf("%d of %s", b.seen, format.Count(len(b.pairs), "pair"))
	}
	return "Blind vote", fmt.Sprintf("pair %d of %d", b.seen+1, len(b.pairs))
}

// lines draws what both answers were asked with, the pair, a warning and the note.
func (b *blindVote) lines() []string {
	if b.hasEnded {
		return b.resultLines()
	}
	return slices.Concat(b.headLines(), b.view.bodyLines(), b.footLines())
}

package compare

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/markdown"
	"confab/ui/part"
	"confab/ui/widget"
)

// difference is a [mode] that shows how two answers differ. A command computes and draws the difference.
type difference struct {
	part.Commands
	shown       *View
	a, b        comparedAnswer
	wantColumns bool // where hasChosen
	hasChosen   bool // the person chose one column or two
	ofSource    bool // compares Markdown sources, not the drawn texts
	isUnmarked  bool // shows both texts as they are
	requested   drawing
	drawn       drawing // of result and view
	result      diff.Result
	view        widget.DiffView
	hasColumns  bool            // of the view
	below       widget.DiffView // as in [differenceMsg]
	top         int
	hunk        int
	otherHunk   int // was hunk before marks were shown or hidden
}

// drawing is everything that the lines of a difference depend on.
type drawing struct {
	a, b     int64
	ofSource bool
	unmarked bool
	columns  bool
	w        int
	styles   *themes.Styles
}

type differenceMsg struct {
	drawn  drawing
	result diff.Result
	lines  widget.DiffView

	hasColumns bool
	below      widget.DiffView // the second text without marks, where it stands below the first
}

// isWhole reports whether both texts are drawn as they are.
func (d drawing) isWhole(r diff.Result) bool { return d.unmarked && !r.Equal() }

// A difference can have two columns from minTwoColumns cells on, and starts with two from usualTwoColumns on, or from
// wholeTwoColumns on without marks.
const (
	minTwoColumns   = 60
	wholeTwoColumns = 76
	usualTwoColumns = 120
)

// wantsColumns reports whether two columns are wanted, by the person or for the width.
func (d *difference) wantsColumns() bool {
	switch {
	case d.hasChosen:
		return d.wantColumns
	case d.shown.isPreview:
		return true
	case d.isUnmarked:
		return d.shown.w >= wholeTwoColumns
	}
	return d.shown.w >= usualTwoColumns
}

// draw returns a command that computes and draws the difference, nil if it is drawn already.
func (d *difference) draw() tea.Cmd {
	v := d.shown
	want := drawing{a: d.a.id, b: d.b.id, ofSource: d.ofSource, unmarked: d.isUnmarked,
		columns: d.wantsColumns() && v.w-2 >= minTwoColumns, w: v.w - 2, styles: v.styles}
	if want == d.requested {
		return nil
	}
	d.requested = want
	a, b := d.a.answer().Text, d.b.answer().Text
	return func() tea.Msg {
		msg := differenceMsg{drawn: want, result: want.compare(a, b)}
		widths := []int{want.w - 1} // a blank cell stands before the border
		if msg.hasColumns = want.columns && !msg.result.Equal(); msg.hasColumns {
			widths = []int{want.w / 2, want.w / 2}
		}
		w := widget.WholeWidth(widths[0])
		switch {
		case msg.result.Equal():
			msg.lines = widget.WholeTexts([][]string{want.wholeText(a, w)}, want.styles, widths...)
		case want.unmarked && want.columns:
			texts := [][]string{want.wholeText(a, w), want.wholeText(b, w)}
			msg.lines = widget.WholeTexts(texts, want.styles, widths...)
		case want.unmarked:
			msg.lines = widget.WholeTexts([][]string{want.wholeText(a, w)}, want.styles, widths...)
			msg.below = widget.WholeTexts([][]string{want.wholeText(b, w)}, want.styles, widths...)
		case want.columns:
			msg.lines = widget.DiffColumns(msg.result, want.styled(a, b), widths[0], widths[1], want.styles)
		default:
			msg.lines = widget.InlineDiff(msg.result, want.styled(a, b), widths[0], want.styles)
		}
		return part.Result{To: v, Msg: msg}
	}
}

// wholeText draws a text that is not marked, w cells wide.
func (d drawing) wholeText(text string, w int) []string {
	if d.ofSource {
		return termtext.Wrap(termtext.Clean(text), w)
	}
	return markdown.NewRenderer(d.styles, w).Lines(text)
}

// styled returns two texts as they are compared, in the styles in which they are drawn.
func (d drawing) styled(a, b string) [2]string {
	if d.ofSource {
		return [2]string{a, b}
	}
	return [2]string{markdown.StyledText(a, d.styles), markdown.StyledText(b, d.styles)}
}

// compare compares two texts. The similarity is that of the sources, as in the lists.
func (d drawing) compare(a, b string) (result diff.Result) {
	if d.ofSource {
		return diff.Words(a, b)
	}
	result = diff.Words(markdown.PlainText(a), markdown.PlainText(b))
	if result.Equal() && a != b { // only the markup differs
		return diff.Words(a, b)
	}
	result.Similarity = diff.Similarity(a, b)
	return result
}

// take shows a drawing if it is the one requested last.
func (d *difference) take(msg differenceMsg) {
	if d.requested != msg.drawn {
		return
	}
	if d.drawn.a != msg.drawn.a || d.drawn.b != msg.drawn.b {
		d.top, d.hunk, d.otherHunk = 0, 0, 0
	} else if d.drawn.unmarked != msg.drawn.unmarked { // whole texts have no hunks
		d.top, d.hunk, d.otherHunk = 0, d.otherHunk, d.hunk
	}
	d.drawn, d.result, d.view, d.below, d.hasColumns = msg.drawn, msg.result, msg.lines, msg.below, msg.hasColumns
	d.goToHunk(min(d.hunk, max(len(d.view.Hunks)-1, 0)))
}

// differing has the commands of a difference, with the keys of the comparison.
var differing = part.Table[*difference]{Scope: keys.Compare, Bindings: []part.Binding[*difference]{
	{Command: keys.FindNext, Refuses: (*difference).lacksPlaces, Short: "next change",
		Rank: part.RankIf(1, func(d *difference) bool { return len(d.view.Hunks) > 1 }),
		Do:   func(d *difference) action.Action { return d.goToHunk(d.hunk + 1) }},
	{Command: keys.FindPrevious, Refuses: (*difference).lacksPlaces,
		Do: func(d *difference) action.Action { return d.goToHunk(d.hunk - 1) }},
	{Command: keys.NextAnswer, Short: "next answer", Refuses: func(d *difference) string { return d.lacksText(1) },
		Rank: part.RankIf(2, func(d *difference) bool { return d.nextText(1) >= 0 }),
		Do:   func(d *difference) action.Action { return d.compareNext(1) }},
	{Command: keys.PreviousAnswer, Refuses: func(d *difference) string { return d.lacksText(-1) },
		Do: func(d *difference) action.Action { return d.compareNext(-1) }},
	{Command: keys.SwapSides, Short: "swap sides", Rank: part.Ranked[*difference](3),
		Do: func(d *difference) action.Action { d.a, d.b = d.b, d.a; return nil }},
	{Command: keys.DiffColumns, Short: "two columns", Refuses: (*difference).lacksWidth,
		Rank: part.RankIf(4, func(d *difference) bool { return d.lacksWidth() == "" }),
		Word: func(d *difference) string { return part.TextIf(d.wantsColumns(), "one column") },
		Do: func(d *difference) action.Action {
			d.wantColumns, d.hasChosen = !d.wantsColumns(), true
			return nil
		}},
	{Command: keys.Write, Short: "without marks", Refuses: (*difference).lacksMarks,
		Word: func(d *difference) string { return part.TextIf(d.isUnmarked, "mark changes") },
		Do:   func(d *difference) action.Action { d.isUnmarked = !d.isUnmarked; return nil }},
	{Command: keys.Unformatted, Short: "source", Rank: part.Ranked[*difference](6),
		Word: func(d *difference) string { return part.TextIf(d.ofSource, "as drawn") },
		Do:   func(d *difference) action.Action { d.ofSource = !d.ofSource; return nil }},
	{Command: keys.Pin, Short: "pin", Rank: part.Ranked[*difference](7),
		Do: (*difference).pin},
	{Command: keys.CopyAnswer, Short: "copy", Rank: part.Ranked[*difference](8),
		Do: (*difference).copy},
	{Command: keys.Difference, Do: (*difference).leave},
	{Command: keys.ZoomAnswer, Do: (*difference).leave},
	scrollDifference(keys.Down), scrollDifference(keys.Up), scrollDifference(keys.PageDown),
	scrollDifference(keys.PageUp), scrollDifference(keys.HalfDown), scrollDifference(keys.HalfUp),
	scrollDifference(keys.Top), scrollDifference(keys.Bottom),
	{Command: keys.Help, Action: action.ShowHelp{Scope: keys.Compare}},
}}

func scrollDifference(command keys.Command) part.Binding[*difference] {
	return part.Binding[*difference]{Command: command, Do: func(d *difference) action.Action {
		lines, _ := command.Lines(d.rows(), 0, 1<<30)
		d.scroll(lines)
		return nil
	}}
}

// Run implements [part.Commands]. It refuses commands that would act on the hidden answers.
func (d *difference) Run(command keys.Command) action.Action {
	isCommand := func(b part.Binding[*difference]) bool { return b.Command == command }
	if !slices.ContainsFunc(differing.Bindings, isCommand) {
		e, _ := d.shown.env.Keys.Entry(keys.Compare, command)
		leaves := d.shown.env.Keys.Phrase(keys.Everywhere, keys.Back, ": %s leaves it")
		return action.Unused{Why: e.Short + " is not for a difference" + leaves + "."}
	}
	return d.Commands.Run(command)
}

func (d *difference) lacksPlaces() string {
	return part.TextIf(len(d.view.Hunks) < 2, "No other difference.")
}

func (d *difference) lacksText(by int) string {
	return part.TextIf(d.nextText(by) < 0, "No other text to compare with.")
}

func (d *difference) isWhole() bool { return d.drawn.w > 0 && d.drawn.isWhole(d.result) }

func (d *difference) isWide() bool { return d.shown.w-2 >= minTwoColumns }

func (d *difference) lacksMarks() string {
	return part.TextIf(d.drawn.w > 0 && d.result.Equal(), "The texts are the same.")
}

func (d *difference) lacksWidth() string {
	return cmp.Or(d.lacksMarks(),
		part.TextIf(!d.isWide() && !d.wantsColumns(), "The screen is too narrow for two columns."))
}

func (d *difference) copy() action.Action {
	if d.drawn != d.requested || d.drawn.w == 0 {
		return notifyInfo("The texts are being compared; try again in a moment.")
	}
	return action.Copy{Text: widget.DiffText(d.result),
		What: "the difference between " + d.a.label() + " and " + d.b.label()}
}

// pin pins the answer on the right and moves it to the left.
func (d *difference) pin() action.Action {
	d.a, d.b = d.b, d.a
	d.shown.pin = d.a.cell
	return nil
}

func (d *difference) leave() action.Action {
	d.shown.mode = nil
	d.shown.relayout()
	return nil
}

// compareNext compares with another answer. The focus stays at the answer from which the difference was opened.
func (d *difference) compareNext(by int) action.Action {
	d.b = newComparedAnswer(d.shown.listed[d.nextText(by)])
	return nil
}

// nextText returns the index in listed of the next text after the one on the right.
func (d *difference) nextText(by int) int {
	return d.shown.textFrom(d.shown.indexOf(d.b.cell), by, d.a.cell)
}

// goToHunk scrolls to a hunk; the first one follows the last.
func (d *difference) goToHunk(n int) action.Action {
	hunks, h := d.view.Hunks, d.rows()
	if len(hunks) == 0 {
		d.hunk = 0
		return nil
	}
	d.hunk = (n%len(hunks) + len(hunks)) % len(hunks)
	if at := hunks[d.hunk]; at < d.top || at >= d.top+h {
		d.top = max(at-h/3, 0)
	}
	return nil
}

// scroll moves the window and makes a hunk in it the current one.
func (d *difference) scroll(n int) {
	h, length := d.scrolled()
	d.top = max(min(d.top+n, length-h), 0)
	if at := d.view.HunkAt(d.top + h - 1); at >= 0 && len(d.view.Hunks) > 0 {
		if line := d.view.Hunks[d.hunk]; line < d.top || line >= d.top+h {
			d.hunk = at
		}
	}
}

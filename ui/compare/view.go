package compare

import (
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/keys"
	"confab/ui/widget"
)

// Cursor implements [part.Pane].
func (v *View) Cursor() *tea.Cursor {
	if !v.capturesText() {
		return nil
	}
	return v.find.Cursor(1, v.bottom())
}

// View implements [part.Pane].
func (v *View) View() []string {
	if v.mode != nil {
		return widget.FillLines(v.mode.lines(), v.w, v.h)
	}
	lines := v.headLines()
	if lines = append(lines, v.bodyLines()...); !v.isPreview && !v.hidesStatus {
		lines = append(lines, v.statusLine())
	}
	return widget.FillLines(lines, v.w, v.h)
}

// bottom returns the line below the boxes.
func (v *View) bottom() int {
	bottom := v.layout.list.Max.Y
	for _, b := range v.boxes {
		bottom = max(bottom, b.rect.Max.Y)
	}
	return v.body().Min.Y + max(bottom, 1)
}

func (v *View) bodyLines() []string {
	rows := make([]strings.Builder, v.bottom()-v.body().Min.Y)
	if v.layout.hasStrip {
		rows[0].WriteString(termtext.Fit(v.stripLine(), v.w))
	}
	if !v.layout.list.Empty() {
		putBox(rows, v.layout.list, v.listLines())
	}
	for _, b := range v.boxes {
		putBox(rows, b.rect, v.boxLines(b))
	}
	lines := make([]string, len(rows))
	for i := range rows {
		lines[i] = rows[i].String()
	}
	return lines
}

// putBox appends the lines of a box to rows; boxes must come from left to right.
func putBox(rows []strings.Builder, r image.Rectangle, lines []string) {
	for i, l := range lines {
		if y := r.Min.Y + i; y < len(rows) {
			if rows[y].Len() == 0 {
				rows[y].WriteString(strings.Repeat(" ", r.Min.X))
			}
			rows[y].WriteString(l)
		}
	}
}

func (v *View) promptLines() []string {
	return termtext.Wrap(v.styles.Emoji.Clean(v.prompt()), max(v.w-4, 1))
}

// headLines draws the whole prompt, or one line.
func (v *View) headLines() []string {
	switch {
	case v.isPreview:
		return nil
	case v.showsPrompt:
		lines := v.promptLines()
		lines = lines[:min(len(lines), v.body().Min.Y)]
		for i := range lines {
			lines[i] = " " + v.styles.You.Render("▌ ") + v.styles.Text.Render(lines[i])
		}
		return lines
	}
	return []string{v.headPieces().String()}
}

// headPieces draws the prompt, the counts of answers by state and, if they fit and keys are the view's, the keys of its
// settings, with what each chooses next.
func (v *View) headPieces() widget.Pieces {
	s := v.styles
	var sync, mode widget.Piece
	setting := func(command keys.Command, text string) widget.Piece {
		return widget.Piece{Text: widget.HintLine(s, v.env.Keys.HintAs(keys.Compare, command, text)), Command: command}
	}
	switch {
	case v.zoom.shows != zoomNothing:
		mode = piece(fmt.Sprintf("answer %d of %d", v.focusIndex+1, len(v.listed)), s.Muted)
	case v.takesKeys():
		if v.lacksLayouts() == "" {
			mode = setting(keys.Layouts, v.layoutWord())
		}
		if len(v.layout.boxes) > 1 || !v.layout.pinned.Empty() {
			sync = setting(keys.SyncScroll, "scroll "+v.nextSync().String())
		}
	}
	exceptions := piece(v.exceptions(), s.Muted)
	rights := []widget.Pieces{{exceptions, sync, mode}, {exceptions, mode}, {exceptions}}
	minPrompt := min(termtext.Width(termtext.Line(v.prompt())), v.w*3/4)
	if v.zoom.shows != zoomNothing {
		minPrompt = min(minPrompt, v.w/2)
	}
	var right widget.Pieces
	width := 0
	for _, right = range rights {
		right = right.Join(lineGap)
		if width = v.w - right.Width() - 7; width >= minPrompt {
			break
		}
	}
	left := " " + s.You.Render("▌ ") +
		s.Text.Render(ansi.Truncate(termtext.Line(v.prompt()), max(width, 4), "…"))
	gap := strings.Repeat(" ", max(v.w-termtext.Width(left)-right.Width()-1, 1))
	return append(widget.Pieces{{Text: left}, {Text: gap}}, right...)
}

// exceptions counts the answers that did not come as asked, without those that others have replaced; the footer counts
// those that are still to come.
func (v *View) exceptions() string {
	counts := map[string]int{}
	for _, x := range v.cells {
		missing := x.missing()
		for _, s := range slices.Backward(x.samples) {
			switch a := s.answer(); {
			case a.State == history.Done && a.IsCached:
				counts["cached"]++
			case a.State.HasEnded() && a.State != history.Done && missing > 0:
				counts[a.State.Word()]++
				missing--
			}
		}
	}
	var texts []string
	if v.filter != showAll {
		texts = append(texts, "only "+v.filter.String())
	}
	for _, what := range []string{"failed", "stopped", "interrupted", "cached"} {
		if n := counts[what]; n > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", n, what))
		}
	}
	return strings.Join(texts, titleGap)
}

// statusLine describes the focused answer, then all answers.
func (v *View) statusLine() string {
	s, x := v.styles, v.current()
	var out widget.Pieces
	if v.find.IsTyping || v.find.Text != "" {
		out = append(out, v.findPieces()...)
	}
	switch {
	case v.find.IsTyping:
	case v.jump.isTyping:
		out = append(out, piece("go to answer "+v.jump.digits+"…", s.Text),
			piece(v.env.Keys.Key(keys.Form, keys.Accept), s.Key))
	case x == nil:
		shows := v.env.Keys.Phrase(keys.Compare, keys.ShowAnswers, ": %s shows other ones")
		out = append(out, piece("nothing to show"+shows, s.Faint))
	default:
		if len(v.boxes) > 1 || !v.layout.list.Empty() { // else the title of the box above names it
			out = append(out, piece(v.shortName(x.name, max(v.w/3, 1)), v.modelStyle(x, s.Text)))
		}
		out = append(out, v.focusedFacts(x)...)
		for _, text := range append([]string{v.identicalText()}, v.extremes()...) {
			out = append(out, piece(text, s.Faint))
		}
		hasCached := slices.ContainsFunc(v.listed, func(x *cell) bool { return v.markText(x) == cachedSign })
		if hasCached && !v.layout.list.Empty() {
			out = append(out, piece("c = cached", s.Faint))
		}
	}
	return " " + out.Fitting(lineGap, max(v.w-2, 1)).String()
}

// focusedFacts returns the facts of the focused answer that its title omits.
func (v *View) focusedFacts(x *cell) widget.Pieces {
	s, a := v.styles, x.answer()
	isAlone := a.Text == "" && v.layout.list.Empty() // its box shows the failure
	if a.State == history.Failed && a.Failure != nil && !isAlone {
		return widget.Pieces{piece(termtext.Line(a.Failure.Message), s.Danger)}
	}
	if !x.wasAsked() {
		return widget.Pieces{piece("not sent yet", s.Muted)}
	}
	var out widget.Pieces
	if failed := failedCheckText(x); failed != "" {
		out = append(out, piece(failed, s.Danger))
	}
	add := func(text string) { out = append(out, piece(termtext.Line(text), s.Muted)) }
	facts := x.turn().Facts(a, -1).Without(history.FactSample, history.FactState, history.FactTime, history.FactTokens,
		history.FactEnding, history.FactShape, history.FactFile, history.FactNonce, history.FactSource,
		history.FactJudgement)
	if v.zoom.shows == zoomAnswer {
		facts = facts.Without(history.FactNote)
	} else if a.Picture == nil {
		facts = facts.Without(history.FactServiceNote)
	}
	for _, f := range facts {
		add(f.Text)
	}
	add(x.sampleFacts(v.env.Now()))
	if skipped := summarizeChecks(x.checks()).Skipped; skipped > 0 {
		add(format.Count(skipped, "check") + " skipped")
	}
	if v.zoom.shows == zoomAnswer || v.w >= 120 {
		add(v.sizeText(x))
	}
	return out
}

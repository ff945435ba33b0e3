package compare

import (
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

func (v *View) boxLines(box box) []string {
	x, reader := box.cell, box.reader
	b := widget.Box{W: box.rect.Dx(), H: box.rect.Dy(), Styles: v.styles}
	if x == nil {
		b.Title, b.Right = v.styles.Strong.On(box.title), widget.HintLine(v.styles, box.switches)
		more := widget.HintLine(v.styles, v.moreHint(box))
		b.Bottom = joinTexts(titleGap, widget.Buttons(v.styles, box.buttons), more)
		return widget.BoxLines(b, indented(box.lines(), box.margin))
	}
	from, to, total := reader.Lines()
	b.Focused = v.takesKeys() && x == v.current()
	if v.previewsRow() { // which has no keys, but shows the focus of the table
		b.Focused = len(v.boxes) > 1 && x.answer().ID == v.pair.B.ID && !v.env.IsCovered()
	}
	b.Title = v.title(x, b.W-6, b.Focused).String()
	b.Bottom = widget.ScrollPosition(from-1, to-from+1, total)
	if x.answer().State.HasEnded() && from > 1 && reader.IsUnread() {
		b.Bottom += "  ▲ " + format.Count(from-1, "line") + " above"
	}
	if number := v.identicalTo(x); number > 0 && !x.isText() {
		b.Bottom = strings.TrimSpace(b.Bottom + fmt.Sprintf("  = same picture as %d", number))
	} else if number > 0 {
		b.Bottom += fmt.Sprintf("  same as %d", number)
	}
	if x.answer().State == history.Running && total > to {
		b.Bottom = joinTexts(titleGap, b.Bottom, format.Count(total-to, "line")+" below")
	}
	if v.hidesStatus && failedCheckText(x) != "" {
		b.Bottom = joinTexts(titleGap, v.styles.Faint.On(b.Bottom), v.styles.Danger.On(failedCheckText(x)))
	}
	b.Bottom = joinTexts(titleGap, v.styles.Faint.On(b.Bottom), widget.HintLine(v.styles, v.borderHints(box)))
	b.BottomRight = v.factsInBorder(x, b.W-6-termtext.Width(b.Bottom)-len(lineGap))
	lines := v.factsAround(x, reader.Pictures(), reader.View(), b.W-2)
	if v.previewsRow() {
		lines = v.withChecks(x, lines, total)
	}
	lines = indented(lines, box.margin)
	if total == 0 || service.RetryWait(x.answer(), v.env.Now()) > 0 {
		reason := v.stateStyle(x, v.styles.Muted).Render(v.emptyReason(x, b.Focused))
		lines = slices.Insert(lines, 0, strings.Repeat(" ", box.margin+1)+reason)
	}
	return widget.BoxLines(b, lines)
}

// factsInBorder returns the facts of a zoomed text that fit w cells of its lower border.
func (v *View) factsInBorder(x *cell, w int) string {
	if v.zoom.shows != zoomAnswer || !v.hidesStatus || failedCheckText(x) != "" {
		return ""
	}
	facts := v.focusedFacts(x)
	if len(facts) == 0 || x.answer().State != history.Failed && facts[:1].Width() > w {
		return ""
	}
	return facts.Fitting(lineGap, w).String()
}

// moreHint returns the hint that scrolls the answers of a pair, where there is more of this one.
func (v *View) moreHint(b box) []keys.Hint {
	if b.reader == nil {
		return nil
	}
	if _, to, total := b.reader.Lines(); to >= total {
		return nil
	}
	return v.env.Keys.HintAs(keys.Voting, keys.Down, "more ↓")
}

// borderHints returns the hints in the borders of a box.
func (v *View) borderHints(b box) (hints []keys.Hint) {
	switch x := b.cell; {
	case x == nil:
		return slices.Concat(b.buttons, b.switches, v.moreHint(b))
	case x != v.current() || !v.takesKeys():
		return nil
	case v.hidesStatus && failedCheckText(x) != "":
		return nil
	default:
		var own []keys.Command
		switch {
		case x.answer().State == history.Failed:
			own = []keys.Command{keys.Again, keys.ResumeFailed}
		case x.isDone() && x.isText():
			own = []keys.Command{keys.MarkWinner, keys.CopyAnswer, keys.Again}
		}
		if v.layout.hasStrip {
			own = append(own, keys.NextAnswer, keys.PreviousAnswer)
		}
		for _, command := range own {
			hints = append(hints, v.env.Keys.HintAs(keys.Compare, command, v.bestWord(command))...)
		}
		fitting, _ := overlay.SplitHints(hints, b.rect.Dx()-scrollWidth)
		return fitting[0]
	}
}

// scrollWidth is the cells of a lower border that hints leave to the scroll position.
const scrollWidth = 18

// emptyLines explain why a box has no cell.
func (v *View) emptyLines() []string {
	reason := "nothing to show"
	if !v.layout.pinned.Empty() && v.current() == v.pinned() {
		reason = "the pinned answer is focused" +
			v.env.Keys.Phrase(keys.Compare, keys.NextAnswer, ": %s shows the next one here")
	}
	return []string{" " + v.styles.Faint.Render(reason)}
}

// emptyReason explains why a cell has nothing to read.
func (v *View) emptyReason(x *cell, isFocused bool) string {
	asksAgain := ""
	if isFocused {
		asksAgain = v.env.Keys.Phrase(keys.Compare, keys.Again, ": %s asks again")
	}
	switch a := x.answer(); {
	case !x.wasAsked():
		return "not sent yet"
	case a.State == history.Cancelled:
		return "stopped" + asksAgain
	case a.State == history.Interrupted:
		return "confab quit before it answered" + asksAgain
	case service.RetryWait(a, v.env.Now()) > 0:
		return service.RetryText(a, v.env.Now())
	}
	return x.stateText(v.env.Now())
}

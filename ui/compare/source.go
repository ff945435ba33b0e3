package compare

import (
	"fmt"
	"image"
	"strings"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/widget"
)

const (
	minBesideWidth = 120 // cells of the view from which before and after are side by side
	minSecondRow   = 40  // lines of the boxes from which a second row fits under a row of pictures
	maxSmallBox    = 70  // cells of the widest box that leaves a second row its lines
)

// sourcePreview shows the source of the focused picture, and its facts, beside the boxes.
type sourcePreview struct {
	box, facts     image.Rectangle // in the body; empty where there is none
	reader         *conversation.Pane
	isBesideAnswer bool // only an edit and its source are shown
}

// arrangeSource divides the layout for the source of an edit: beside the edit, or in a second row under small boxes.
func (v *View) arrangeSource(in layoutInput) {
	p := &v.source
	p.box, p.facts = image.Rectangle{}, image.Rectangle{}
	x := v.current()
	if x == nil {
		return
	}
	source := x.turn().SourceOf(x.answer())
	switch boxes := v.layout.boxes; {
	case p.isBesideAnswer:
		both := divide(image.Rect(0, 0, in.w, in.h), 2)
		v.layout = viewLayout{layout: v.layout.layout, boxes: both[1:]}
		p.box = both[0]
	case v.isZoomed || !v.showsPictures() || v.layout.layout != Columns || len(boxes) < 3 || in.h < minSecondRow ||
		boxes[0].Dx() > maxSmallBox:
		return
	default:
		h := min(boxes[0].Dx()/2+2, in.h/2) // of a square picture with its line of facts
		for i := range boxes {
			boxes[i].Max.Y = boxes[i].Min.Y + h
		}
		p.facts = image.Rect(0, boxes[0].Max.Y, in.w, in.h)
		if source != nil {
			both := divide(p.facts, 2)
			p.box, p.facts = both[0], both[1]
		}
	}
	if p.box.Empty() {
		return
	}
	if p.reader == nil {
		p.reader = v.newReader()
	}
	p.reader.SetSize(p.box.Dx()-2, p.box.Dy()-2)
	p.reader.ReadOnly(x.turn(), x.answer().ID)
	p.reader.SetBefore(source != nil)
}

// toggleSource shows the source of an edit: beside the edit on a wide screen, else in its place.
func (v *View) toggleSource() action.Action {
	x := v.current()
	if why := conversation.NoBefore(x.turn(), x.answer()); why != "" && !v.source.isBesideAnswer {
		return action.Notify{Severity: action.Warn, Text: why}
	}
	if v.w >= minBesideWidth {
		on := !v.source.isBesideAnswer
		v.setZoom(false)
		v.source.isBesideAnswer = on
		return nil
	}
	on := !x.reader.ShowsSource()
	for _, r := range x.readers() {
		r.SetBefore(on)
	}
	return nil
}

func (v *View) putSource(rows []strings.Builder) {
	x := v.current()
	if x == nil {
		return
	}
	put := func(r image.Rectangle, title string, lines []string) {
		putBox(rows, r, widget.BoxLines(widget.Box{W: r.Dx(), H: r.Dy(), Styles: v.styles, Title: title}, lines))
	}
	if r := v.source.box; !r.Empty() {
		lines, title := v.source.reader.View(), "source"
		switch source := x.turn().SourceOf(x.answer()); {
		case source == nil:
			lines = []string{"", " " + v.styles.Muted.Render(conversation.NoBefore(x.turn(), x.answer()))}
		case source.URL != "":
			title += ": a URL"
		case source.Answer != 0:
			title += ": " + termtext.Line(source.Name())
		default:
			title += ": the file " + termtext.Line(source.Name())
		}
		if v.source.isBesideAnswer {
			title = "before  " + title
		}
		put(r, title, lines)
	}
	if r := v.source.facts; !r.Empty() {
		var lines []string
		for _, l := range v.factLines(x, r.Dx()-4) {
			lines = append(lines, " "+l)
		}
		put(r, fmt.Sprintf("%d %s", x.number, termtext.Line(x.name)), lines)
	}
}

// sourceLabel is put before the title of a cell whose source is shown.
func (v *View) sourceLabel(x *cell) string {
	switch {
	case v.source.isBesideAnswer && x == v.current():
		return "after  "
	case x.reader.ShowsSource():
		return "before  "
	}
	return ""
}

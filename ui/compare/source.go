package compare

import (
	"fmt"
	"image"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
)

const (
	minBesideWidth = 120 // cells of the view from which before and after are side by side
	minSecondRow   = 40  // lines of the boxes from which a second row fits under a row of pictures
	maxSmallBox    = 70  // cells of the widest box that leaves a second row its lines
)

// sourcePreview shows the source of the focused picture beside the boxes.
type sourcePreview struct {
	reader         *conversation.Pane // nil until it is needed
	isBesideAnswer bool               // only an edit and its source are shown
}

// placeSource divides the layout for the source of an edit: beside the edit, or in a second row under small boxes, with
// the facts of the picture.
func (v *View) placeSource(in layoutInput) {
	x := v.current()
	if x == nil {
		return
	}
	var facts image.Rectangle
	switch boxes := v.layout.boxes; {
	case v.source.isBesideAnswer:
		both := divide(image.Rect(0, 0, in.w, in.h), 2)
		v.layout = viewLayout{layout: v.layout.layout, boxes: both[1:]}
		v.boxes = append(v.boxes, v.sourceBox(both[0], x))
		return
	case v.isZoomed || !v.showsPictures() || v.layout.layout != Columns || len(boxes) < 3 || in.h < minSecondRow ||
		boxes[0].Dx() > maxSmallBox:
		return
	default:
		h := min(boxes[0].Dx()/2+2, in.h/2) // of a square picture with its line of facts
		for i := range boxes {
			boxes[i].Max.Y = boxes[i].Min.Y + h
		}
		facts = image.Rect(0, boxes[0].Max.Y, in.w, in.h)
	}
	if x.turn().SourceOf(x.answer()) != nil {
		both := divide(facts, 2)
		v.boxes, facts = append(v.boxes, v.sourceBox(both[0], x)), both[1]
	}
	v.boxes = append(v.boxes, box{rect: facts, title: fmt.Sprintf("%d %s", x.number, termtext.Line(x.name)),
		lines: func() []string { return indented(v.factLines(x, facts.Dx()-4)) }})
}

// sourceBox returns the box of what a picture was made from.
func (v *View) sourceBox(rect image.Rectangle, x *cell) box {
	b, title := box{rect: rect}, "source"
	source := x.turn().SourceOf(x.answer())
	switch {
	case source == nil:
		b.lines = func() []string {
			return []string{"", " " + v.styles.Muted.Render(conversation.NoBefore(x.turn(), x.answer()))}
		}
	case source.URL != "":
		title += ": a URL"
	case source.Answer != 0:
		title += ": " + termtext.Line(source.Name())
	default:
		title += ": the file " + termtext.Line(source.Name())
	}
	if b.title = title; v.source.isBesideAnswer {
		b.title = "before  " + title
	}
	if source != nil {
		if v.source.reader == nil {
			v.source.reader = v.newReader()
		}
		b.read(v.source.reader)
		b.reader.ReadOnly(x.turn(), x.answer().ID)
		b.reader.SetBefore(true)
	}
	return b
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

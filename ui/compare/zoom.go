package compare

import (
	"fmt"
	"image"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
)

const (
	minBesideWidth = 120 // width of the view from which before and after are side by side
	minSecondRow   = 40  // lines of the boxes from which a second row fits under a row of pictures
	maxTextBox     = 106 // width of the box of a zoomed text from which it stands in the middle, to be read well
	maxSmallBox    = 70  // width of the widest box above a second row
)

// zoom fills the view with one answer, or with an edit and its source.
type zoom struct {
	shows   zoomed
	readers map[string]*conversation.Pane // of zoomed answers, by cell; the readers of cells keep their positions
	source  *conversation.Pane            // nil until it is needed

	isOpened bool // the answer was opened so, and the key that goes back leaves it
}

type zoomed int

const (
	zoomNothing zoomed = iota
	zoomAnswer
	zoomEdit // with its source beside it
)

// toggleZoom starts a zoom, or returns to the layout.
func (v *View) toggleZoom(shows zoomed) action.Action {
	if shows == v.zoom.shows {
		shows = zoomNothing
	}
	v.zoom = zoom{shows: shows, readers: map[string]*conversation.Pane{}, source: v.zoom.source}
	v.relayout()
	return nil
}

// readerOf returns the reader that shows a cell: its own or that of the zoom.
func (v *View) readerOf(x *cell) *conversation.Pane {
	if r := v.zoom.readers[x.name]; r != nil {
		return r
	}
	return x.reader
}

// place places an answer, or an edit beside its source.
func (z zoom) place(w, h int) viewLayout {
	all := image.Rect(0, 0, w, h)
	if z.shows == zoomEdit {
		both := divide(all, 2)
		return viewLayout{layout: Columns, source: both[0], boxes: both[1:]}
	}
	return viewLayout{layout: Columns, boxes: []image.Rectangle{all}}
}

// placeSource adds the source of an edit beside it, or a second row under small boxes with the source and facts.
func (v *View) placeSource(in layoutInput) {
	x := v.current()
	if x == nil {
		return
	}
	var facts image.Rectangle
	switch boxes := v.layout.boxes; {
	case v.zoom.shows == zoomEdit:
		v.boxes = append(v.boxes, v.sourceBox(v.layout.source, x))
		return
	case v.zoom.shows == zoomAnswer || !v.showsPictures() || v.layout.layout != Columns || len(boxes) < 3 ||
		in.h < minSecondRow || boxes[0].Dx() > maxSmallBox:
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
		lines: func() []string { return indented(v.factLines(x, facts.Dx()-4), 1) }})
}

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
	if b.title = title; v.zoom.shows == zoomEdit {
		b.title = "before  " + title
	}
	if source != nil {
		if v.zoom.source == nil {
			v.zoom.source = v.session.NewReader()
		}
		b.read(v.zoom.source)
		b.reader.ReadOnly(x.turn().ID, x.answer().ID)
		b.reader.SetBefore(true)
	}
	return b
}

// toggleSource shows the source of an edit beside it on a wide screen, else in its place.
func (v *View) toggleSource() action.Action {
	x := v.current()
	if why := conversation.NoBefore(x.turn(), x.answer()); why != "" && v.zoom.shows != zoomEdit {
		return action.Notify{Severity: action.Warn, Text: why}
	}
	if v.w >= minBesideWidth {
		return v.toggleZoom(zoomEdit)
	}
	on := !v.readerOf(x).ShowsSource()
	v.readerOf(x).SetBefore(on)
	x.reader.SetBefore(on)
	v.relayout()
	return nil
}

// sourceLabel returns the start of the title of a cell with its source.
func (v *View) sourceLabel(x *cell) string {
	switch {
	case v.zoom.shows == zoomEdit && x == v.current():
		return "after  "
	case v.readerOf(x).ShowsSource():
		return "before  "
	}
	return ""
}

package compare

import (
	"fmt"
	"image"
	"slices"

	"confab/history"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/widget"
)

// Layout is how answers are arranged.
type Layout string

// The layouts. Strip is columns under a line that lists all answers.
const (
	Columns Layout = "columns"
	Grid    Layout = "grid"
	Strip   Layout = "strip"
	List    Layout = "list"
)

const (
	minBoxWidth  = 40  // cells of the narrowest box: 38 for text and its border
	fairBoxWidth = 60  // cells of the box beside a list that widens for long names
	minListWidth = 72  // cells of the view from which a list has a box beside it
	minPairWidth = 118 // cells of the view from which two pictures, or a preview's boxes, stand beside each other
	minGridBox   = 9   // lines of the lowest box of a grid: 7 for text and its border
	lowScreen    = 16  // lines of the view below which one with a strip has no line of facts
)

// layoutInput is what a layout depends on.
type layoutInput struct {
	w, h      int // cells of the boxes
	n         int // answers
	chosen    Layout
	hasPinned bool
	isLinear  bool    // one answer at a time, for a screen reader
	ratio     float64 // width of the pictures over their height in cells, 0 for texts
	wholeList int     // width of a list that cuts nothing
}

// viewLayout is a layout in cells; rectangles include borders.
type viewLayout struct {
	layout   Layout
	hasStrip bool              // a line above lists all answers
	list     image.Rectangle   // of the list layout
	source   image.Rectangle   // of an edit that fills the view
	pinned   image.Rectangle   // of the list layout, if it fits
	boxes    []image.Rectangle // in reading order
}

// columnsIn returns how many boxes fit beside each other.
func columnsIn(w int) int { return max(w/minBoxWidth, 1) }

// gridOf returns the columns of a grid of n boxes and the rows that hold all, and whether those are high enough in h
// lines.
func gridOf(w, h, n int) (columns, rows int, fits bool) {
	columns = max(min(columnsIn(w), n), 1)
	if n == 4 {
		columns = min(columns, 2) // two rows of two are wider than three and one
	}
	rows = (n + columns - 1) / columns
	return columns, rows, columns > 1 && rows*minGridBox <= h
}

// defaultLayout returns the layout for n answers if the user has not chosen one: columns, or a grid, where they show
// all answers; a list of many answers, or else a strip.
func defaultLayout(w, h, n int) Layout {
	_, _, fitsGrid := gridOf(w, h, n)
	switch {
	case n <= columnsIn(w):
		return Columns
	case n > 4:
		return List
	case fitsGrid:
		return Grid
	}
	return Strip
}

// possibleLayouts returns the useful layouts for n answers in w×h cells, the default one first.
func possibleLayouts(w, h, n int) []Layout {
	out := []Layout{defaultLayout(w, h, n)}
	add := func(l Layout, isUseful bool) {
		if isUseful && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	columns, rows, fitsGrid := gridOf(w, h, n)
	add(Columns, n <= columnsIn(w))
	// A grid of one row is columns; one that shows all answers is more useful than a strip.
	hasGrid := columns > 1 && rows > 1 && h > 2*minGridBox
	add(Grid, hasGrid && fitsGrid)
	add(Strip, n > columnsIn(w))
	add(Grid, hasGrid)
	add(List, n > 1 && w >= minListWidth)
	return out
}

// arrange lays out the view.
func arrange(in layoutInput) viewLayout {
	layout := in.chosen
	if layout == "" {
		layout = defaultLayout(in.w, in.h, in.n)
	}
	columns := columnsIn(in.w)
	switch {
	case in.isLinear && in.n > 1:
		return viewLayout{layout: Strip, hasStrip: true, boxes: []image.Rectangle{image.Rect(0, 1, in.w, in.h)}}
	case in.chosen == "" && in.ratio > 0 && in.n > 1 && (layout == Columns || layout == Grid):
		return arrangePictures(in)
	case layout == List && in.w >= minListWidth:
		return arrangeList(in)
	case layout == Grid && in.n > 2 && columns > 1:
		return arrangeGrid(in)
	}
	l, top := viewLayout{layout: Columns}, 0
	if columns = min(columns, in.n); in.n > columns {
		l.layout, l.hasStrip, top = Strip, true, 1
	}
	l.boxes = divide(image.Rect(0, top, in.w, in.h), columns)
	return l
}

// arrangePictures makes the number of columns with the largest pictures, or fewer if that makes hardly a difference.
func arrangePictures(in layoutInput) viewLayout {
	best, widest := 1, 0.0
	for columns := 1; columns <= in.n; columns++ {
		rows := (in.n + columns - 1) / columns
		width := min(float64(in.w/columns-2), float64(in.h/rows-2)*in.ratio)
		if width > 1.1*widest {
			best, widest = columns, width
		}
	}
	l, rows := viewLayout{layout: Columns}, (in.n+best-1)/best
	if rows > 1 {
		l.layout = Grid
	}
	l.boxes = divideRows(image.Rect(0, 0, in.w, in.h), rows, best, in.n)
	return l
}

// divideRows divides a rectangle into n boxes in rows of columns.
func divideRows(r image.Rectangle, rows, columns, n int) (out []image.Rectangle) {
	for i := range rows {
		row := image.Rect(r.Min.X, r.Min.Y+r.Dy()*i/rows, r.Max.X, r.Min.Y+r.Dy()*(i+1)/rows)
		out = append(out, divide(row, columns)[:min(columns, n-i*columns)]...)
	}
	return out
}

// divide divides a rectangle into boxes beside each other.
func divide(r image.Rectangle, n int) []image.Rectangle {
	var out []image.Rectangle
	for i := range n {
		out = append(out, image.Rect(r.Min.X+r.Dx()*i/n, r.Min.Y, r.Min.X+r.Dx()*(i+1)/n, r.Max.Y))
	}
	return out
}

// arrangeGrid makes rows of boxes, under a strip if not all answers have one.
func arrangeGrid(in layoutInput) viewLayout {
	columns, rows, fits := gridOf(in.w, in.h, in.n)
	l, top := viewLayout{layout: Grid}, 0
	if !fits {
		rows, l.hasStrip, top = max((in.h-1)/minGridBox, 1), true, 1
	}
	l.boxes = divideRows(image.Rect(0, top, in.w, in.h), rows, columns, in.n)
	return l
}

// arrangeList makes a list and one or two boxes beside it.
func arrangeList(in layoutInput) viewLayout {
	width := max(min(in.w*5/12, 54), 36)
	width = max(width, min(in.wholeList, in.w-fairBoxWidth))
	l := viewLayout{layout: List, list: image.Rect(0, 0, width, in.h)}
	rest := image.Rect(width, 0, in.w, in.h)
	if in.hasPinned && rest.Dx() >= 2*minBoxWidth {
		boxes := divide(rest, 2)
		l.pinned, rest = boxes[0], boxes[1]
	}
	l.boxes = []image.Rectangle{rest}
	return l
}

// placement is the layout with the contents of the boxes.
type placement struct {
	w, h        int
	layout      viewLayout
	boxes       []box
	windowStart int               // index in listed of the cell in the first box
	chosen      map[string]Layout // see layoutKey
	sync        syncMode
	showsPrompt bool   // shows the whole prompt
	hidesStatus bool   // no line of facts is below the boxes: a zoomed text has it in its border
	dragged     string // cell in which the mouse drags
}

// layoutKey returns the key of a chosen layout: the number of answers and the width.
func (v *View) layoutKey() string {
	size := "wide"
	switch {
	case v.w < 100:
		size = "narrow"
	case v.w < 160:
		size = "middle"
	}
	return fmt.Sprintf("%d %s", len(v.listed), size)
}

// body returns the rectangle of the boxes.
func (v *View) body() image.Rectangle {
	top, below := 1, 1
	switch {
	case v.isPreview:
		top, below = 0, 0
	case v.mode != nil:
		top, below = v.mode.margins()
	case v.showsPrompt:
		top = min(len(v.promptLines()), v.h/2)
	case v.hidesStatus:
		below = 0
	}
	return image.Rect(0, top, v.w, max(v.h-below, top+1))
}

// needsStatus reports whether the last line says something else than facts of the focused answer.
func (v *View) needsStatus() bool {
	return v.find.IsTyping || v.find.Text != "" || v.jump.isTyping || v.current() == nil
}

// relayout places the boxes and sizes the readers in them.
func (v *View) relayout() {
	v.boxes, v.layout, v.hidesStatus = nil, viewLayout{}, false
	switch {
	case v.w == 0 || v.h == 0:
		return
	case v.mode != nil:
		v.boxes = v.mode.boxes()
		v.fit()
		return
	case len(v.cells) == 0:
		v.boxes = []box{{rect: v.body(), lines: v.emptyLines}}
		return
	}
	body := v.body()
	in := layoutInput{w: body.Dx(), h: body.Dy(), n: max(len(v.listed), 1), chosen: v.chosen[v.layoutKey()],
		hasPinned: v.pinned() != nil, isLinear: v.styles.ScreenReader, ratio: v.pictureRatio(),
		wholeList: v.wholeList()}
	layout := defaultLayout(in.w, in.h, in.n)
	areSmall := layout == Strip || layout == Grid && in.w < minPairWidth
	if in.chosen == "" && v.showsPictures() && areSmall && in.w >= minListWidth {
		in.chosen = List // one large picture shows more than several small ones
	}
	if v.previewsRow() {
		v.layout = arrangePreview(in, v.pair.B.ID != 0)
	} else if v.zoom.shows != zoomNothing {
		v.hidesStatus = v.zoom.shows == zoomAnswer && !v.needsStatus() && v.current().isText()
		in.h = v.body().Dy()
		v.layout = v.zoom.place(in.w, in.h)
	} else {
		v.layout = arrange(in)
		if v.layout.hasStrip && v.h < lowScreen && !v.showsPrompt && !v.needsStatus() {
			v.hidesStatus = true
			in.h = v.body().Dy()
			v.layout = arrange(in)
		}
	}
	v.placeSource(in)
	v.moveWindow()
	v.placeCells()
	v.fit()
}

// moveWindow moves the window of boxes to the focused answer.
func (v *View) moveWindow() {
	if v.zoom.shows != zoomNothing || v.layout.layout == List {
		v.windowStart = v.focusIndex
		return
	}
	v.windowStart = widget.WindowStart(v.windowStart, v.focusIndex, len(v.layout.boxes), len(v.listed))
}

// box is a rectangle with a cell or other lines.
type box struct {
	slot   image.Rectangle    // in the body, with its border, before rows share their lines
	rect   image.Rectangle    // what it fills
	cell   *cell              // nil for none
	reader *conversation.Pane // nil where there is nothing to read
	title  string             // of a box without a cell
	lines  func() []string    // of a box without a cell
	isText bool               // it shows a text, which can leave lines to other rows
	margin int                // cells between the border and the text, left and right

	buttons  []keys.Hint // of the answer of a pair, in the lower border
	switches []keys.Hint // to the other answer, in the upper border
}

func (b box) show() {
	if b.cell != nil {
		b.reader.ReadOnly(b.cell.turn().ID, b.cell.answer().ID)
	}
}

func (b *box) read(r *conversation.Pane) {
	b.slot, b.reader, b.lines = b.rect, r, r.View
	b.resize()
}

// placeCells puts the pinned cell and those of the window into the boxes. The box beside the pinned answer is empty
// while that has the focus.
func (v *View) placeCells() {
	pinned := v.pinned()
	if v.layout.pinned.Empty() {
		pinned = nil
	} else {
		v.placeCell(v.layout.pinned, pinned)
	}
	for i, rect := range v.layout.boxes {
		if at := v.windowStart + i; at < len(v.listed) && v.listed[at] != pinned {
			v.placeCell(rect, v.listed[at])
			continue
		}
		v.boxes = append(v.boxes, box{rect: rect, lines: v.emptyLines})
	}
}

// placeCell adds the box of a cell. The reader of a zoomed answer starts at the scroll position of the cell.
func (v *View) placeCell(rect image.Rectangle, x *cell) {
	b := box{rect: rect, cell: x, isText: x.answer().Kind == history.KindText}
	if v.zoom.shows == zoomAnswer && b.isText {
		b.margin = max((rect.Dx()-maxTextBox)/2, 0)
	}
	if v.zoom.shows == zoomAnswer && v.zoom.readers[x.name] == nil {
		v.zoom.readers[x.name] = v.session.NewReader()
		b.read(v.zoom.readers[x.name])
		b.reader.ReadLike(x.reader)
	}
	b.read(v.readerOf(x))
	b.show()
	b.reader.SetFind(v.find.Text)
	v.boxes = append(v.boxes, b)
}

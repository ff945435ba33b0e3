package compare

import "image"

// Layout is how answers stand beside each other.
type Layout string

// The layouts. Strip is columns with a line above that lists all answers.
const (
	Columns Layout = "cols"
	Grid    Layout = "grid"
	Strip   Layout = "strip"
	List    Layout = "list"
)

const (
	least    = 40  // cells of the narrowest box: 38 for text and its border
	gridFrom = 118 // screen width from which two boxes a row are wide enough for a grid
	minGrid  = 9   // lines of the lowest box of a grid
)

// room is everything a plan depends on.
type room struct {
	w, h   int // cells of the whole view
	n      int // answers
	want   Layout
	pinned bool // an answer is pinned and not the focused one
}

// plan is where everything stands; rectangles include their borders.
type plan struct {
	layout Layout
	strip  bool              // a line above lists all answers
	list   image.Rectangle   // of the list layout
	pinned image.Rectangle   // of the list layout, where there is room
	cells  []image.Rectangle // boxes, in reading order
}

// columnsOf returns how many boxes fit beside each other.
func columnsOf(w int) int { return max(w/least, 1) }

// usual returns the layout that is taken unless a person wants another.
func usual(w, n int) Layout {
	switch fit := columnsOf(w); {
	case n <= fit:
		return Columns
	case n <= 4 && w >= gridFrom:
		return Grid
	case n <= 4:
		return Strip
	}
	return List
}

// possible returns the layouts that make sense for a number of answers in a
// width, the usual one first.
func possible(w, h, n int) []Layout {
	out := []Layout{usual(w, n)}
	add := func(l Layout, ok bool) {
		for _, have := range out {
			ok = ok && have != l
		}
		if ok {
			out = append(out, l)
		}
	}
	add(Columns, n <= columnsOf(w))
	// A grid of one row is columns; one that shows them all says more than a strip.
	rows := (n + columnsOf(w) - 1) / columnsOf(w)
	grid := (n > columnsOf(w) || n == 4) && n > 2 && columnsOf(w) > 1 && (h-1)/minGrid > 1
	add(Grid, grid && rows <= (h-1)/minGrid)
	add(Strip, n > columnsOf(w))
	add(Grid, grid)
	add(List, n > 1 && w >= 72)
	return out
}

// arrange lays out the view. It is pure.
func arrange(r room) plan {
	layout := r.want
	if layout == "" {
		layout = usual(r.w, r.n)
	}
	switch layout {
	case List:
		if r.w >= 72 {
			return planList(r)
		}
	case Grid:
		if columns := columnsOf(r.w); r.n > 2 && columns > 1 {
			return planGrid(r, columns)
		}
	}
	p := plan{layout: Columns}
	fit := min(columnsOf(r.w), r.n)
	top := 0
	if r.n > fit {
		p.layout, p.strip, top = Strip, true, 1
	}
	p.cells = across(image.Rect(0, top, r.w, r.h), fit)
	return p
}

// across divides a rectangle into boxes beside each other; the last ones take
// what cannot be divided.
func across(r image.Rectangle, n int) []image.Rectangle {
	var out []image.Rectangle
	for i := range n {
		out = append(out, image.Rect(r.Min.X+r.Dx()*i/n, r.Min.Y, r.Min.X+r.Dx()*(i+1)/n, r.Max.Y))
	}
	return out
}

// planGrid makes rows of boxes; what does not fit is reached by the strip.
func planGrid(r room, columns int) plan {
	columns = min(columns, r.n)
	if r.n == 4 {
		columns = 2 // two rows of two are wider than three and one
	}
	rows := (r.n + columns - 1) / columns
	p := plan{layout: Grid}
	top := 0
	if most := max((r.h-1)/minGrid, 1); rows > most {
		rows, p.strip, top = most, true, 1
	}
	h := r.h - top
	for i := range rows {
		in := min(columns, r.n-i*columns)
		row := image.Rect(0, top+h*i/rows, r.w, top+h*(i+1)/rows)
		p.cells = append(p.cells, across(row, columns)[:in]...)
	}
	return p
}

// planList makes a list and one or two boxes beside it.
func planList(r room) plan {
	p := plan{layout: List}
	listW := max(min(r.w*5/12, 50), 36)
	if r.w >= 180 {
		listW = 54
	}
	p.list = image.Rect(0, 0, listW, r.h)
	rest := image.Rect(listW, 0, r.w, r.h)
	if r.pinned && rest.Dx() >= 2*least {
		boxes := across(rest, 2)
		p.pinned, rest = boxes[0], boxes[1]
	}
	p.cells = []image.Rectangle{rest}
	return p
}

// Package flow is a long column of parts of which only a window is seen. A part's height is exact or an estimate; when
// an estimate is corrected, the reader's place stays. The package draws nothing: it knows keys, heights and a place.
package flow

import "slices"

// Key names a part. Parts that stand for the same text at different stages of its rendering share Turn, Answer and
// Role, so that a place inside one can be carried over to the others.
type Key struct {
	Turn   int64
	Answer int64
	Role   uint8
	Index  int
}

// isSameText tells whether both parts belong to one text.
func (k Key) isSameText(o Key) bool {
	return k.Turn == o.Turn && k.Answer == o.Answer && k.Role == o.Role
}

// Part is a run of lines.
type Part struct {
	Key        Key
	Height     int  // lines
	IsMeasured bool // the height is that of lines that were drawn: another one is a text that grew
}

// lineIn returns the line of a part that shows what a line of an older form of it showed: the same line where both were
// drawn, else the one at the same share.
func (p Part) lineIn(old Part, line int) int {
	if p.IsMeasured && old.IsMeasured {
		return min(line, max(p.Height-1, 0))
	}
	return rescale(line, old.Height, p.Height)
}

// Span is the visible range of a part: its lines From up to, not including, To.
type Span struct {
	Part     Part
	From, To int
}

// Flow is a column of parts and the window's place in it. The zero value is an empty column that follows its end.
type Flow struct {
	parts      []Part
	height     int  // lines of the window
	top        int  // lines above the window
	total      int  // lines of the column
	hasLeftEnd bool // the reader has left the end
	pin        Key  // while following, the window does not go below this part's last line; zero for none
}

// Height returns the height of the window in lines.
func (f *Flow) Height() int { return f.height }

// SetHeight sets the window's height in lines.
func (f *Flow) SetHeight(h int) {
	f.height = max(h, 0)
	f.fitWindow()
}

// IsFollowing tells whether the window stays at the end.
func (f *Flow) IsFollowing() bool { return !f.hasLeftEnd }

// FollowFrom makes the window stay at the end, as long as the given part stays in sight: a text that grows longer than
// the window is shown from its start.
func (f *Flow) FollowFrom(key Key) {
	f.pin, f.hasLeftEnd = key, false
	f.fitWindow()
}

// find returns a part, and the lines above it.
func find(parts []Part, key Key) (part Part, above int, ok bool) {
	for _, p := range parts {
		if p.Key == key {
			return p, above, true
		}
		above += p.Height
	}
	return Part{}, above, false
}

// findText returns the first of the parts that belong to a part's text, the lines above it, and the lines of all.
func findText(parts []Part, key Key) (first Part, above, height int) {
	for _, p := range parts {
		switch {
		case !p.Key.isSameText(key):
			if height == 0 {
				above += p.Height
			}
			continue
		case height == 0:
			first = p
		}
		height += p.Height
	}
	return first, above, height
}

// SetParts replaces the parts. The place stays at the same part, else at the same share of the text the part belonged
// to, else at the nearest part that is still there. It returns the parts before, whose memory the caller may use again.
func (f *Flow) SetParts(parts []Part) (before []Part) {
	if at, line := f.locate(f.top); f.hasLeftEnd && at < len(f.parts) {
		f.top = f.topIn(parts, at, line)
	}
	before, f.parts = f.parts, parts
	f.fitWindow()
	return before
}

// topIn returns the line of other parts that shows what a line of the part with an index shows.
func (f *Flow) topIn(parts []Part, at, line int) int {
	shown := f.parts[at]
	if p, above, ok := find(parts, shown.Key); ok {
		return above + p.lineIn(shown, line)
	}
	if first, above, height := findText(parts, shown.Key); height > 0 {
		_, oldAbove, oldHeight := findText(f.parts, shown.Key)
		line = f.top - oldAbove
		if first.Key.Index >= 0 && shown.Key.Index >= 0 { // the last ones became one as the text went on
			return above + min(line, height-1)
		}
		return above + rescale(line, oldHeight, height)
	}
	before := slices.Clone(f.parts[:at])
	slices.Reverse(before)
	for _, p := range slices.Concat(f.parts[at:], before) {
		if _, above, ok := find(parts, p.Key); ok {
			return above
		}
	}
	return 0
}

func rescale(line, from, to int) int {
	if from != to && from > 0 {
		line = line * to / from
	}
	return min(line, max(to-1, 0))
}

// fitWindow keeps the window inside the column, at its end while following.
func (f *Flow) fitWindow() {
	f.total = 0
	for _, p := range f.parts {
		f.total += p.Height
	}
	if !f.hasLeftEnd {
		f.top = f.end()
		if p, above, ok := find(f.parts, f.pin); ok {
			f.top = min(f.top, above+max(p.Height-1, 0))
		}
	}
	f.top = max(min(f.top, f.end()), 0)
}

// end returns the number of lines above the window when it shows the end.
func (f *Flow) end() int { return max(f.total-f.height, 0) }

// locate returns the part that holds a line of the column, and the line within it.
func (f *Flow) locate(line int) (at, within int) {
	for i, p := range f.parts {
		if line < p.Height {
			return i, line
		}
		line -= p.Height
	}
	return len(f.parts), 0
}

// IsAtEnd tells whether the last line is in the window.
func (f *Flow) IsAtEnd() bool { return f.top >= f.end() }

// IsAtTop tells whether the first line is in the window.
func (f *Flow) IsAtTop() bool { return f.top == 0 }

// ScrollBy moves the window by n lines, downwards when positive. Reaching the end makes it follow; moving up ends that.
func (f *Flow) ScrollBy(n int) {
	f.top = max(min(f.top+n, f.end()), 0)
	if n < 0 || f.pin != (Key{}) {
		f.hasLeftEnd, f.pin = true, Key{}
	}
	if f.IsAtEnd() {
		f.hasLeftEnd = false
	}
	f.fitWindow()
}

// ToTop shows the first line.
func (f *Flow) ToTop() {
	f.top, f.hasLeftEnd, f.pin = 0, true, Key{}
	f.fitWindow()
}

// ToEnd shows the last line and follows.
func (f *Flow) ToEnd() {
	f.hasLeftEnd, f.pin = false, Key{}
	f.fitWindow()
}

// ScrollToPart puts a line of the part, if it is there, at the top of the window and no longer follows the end.
func (f *Flow) ScrollToPart(key Key, line int) {
	if _, above, ok := find(f.parts, key); ok {
		f.top, f.hasLeftEnd, f.pin = above+line, true, Key{}
		f.fitWindow()
	}
}

// LineOf returns the number of a line of a part in the column; ok is false where the part is gone.
func (f *Flow) LineOf(key Key, line int) (n int, ok bool) {
	p, above, ok := find(f.parts, key)
	return above + min(line, max(p.Height-1, 0)), ok
}

// At returns the part that holds a line of the column, and the line within it; the zero key for none.
func (f *Flow) At(n int) (Key, int) {
	if at, line := f.locate(max(n, 0)); at < len(f.parts) {
		return f.parts[at].Key, line
	}
	return Key{}, 0
}

// Place returns the part at the top of the window and its first visible line.
func (f *Flow) Place() (Key, int) {
	if at, line := f.locate(f.top); at < len(f.parts) {
		return f.parts[at].Key, line
	}
	return Key{}, 0
}

// Visible returns what the window shows, from above downwards.
func (f *Flow) Visible() []Span { return f.Around(0) }

// Around returns what the window and the extra lines above and below it show.
func (f *Flow) Around(extra int) []Span {
	above := min(extra, f.top)
	return f.Between(f.top-above, f.top+f.height+extra)
}

// Between returns what the lines of the column from one up to another show.
func (f *Flow) Between(from, to int) []Span {
	at, line := f.locate(max(from, 0))
	var out []Span
	for h := to - max(from, 0); at < len(f.parts) && h > 0; at, line = at+1, 0 {
		p := f.parts[at]
		if take := min(p.Height-line, h); take > 0 {
			out = append(out, Span{Part: p, From: line, To: line + take})
			h -= take
		}
	}
	return out
}

// Lines returns the height of the whole column and of what is above the window.
func (f *Flow) Lines() (total, above int) { return f.total, f.top }

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
	at, line   int  // the part at the top of the window, and its first visible line
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

// PartHeight returns the lines of a part, 0 where it is not there.
func (f *Flow) PartHeight(key Key) int {
	at := slices.IndexFunc(f.parts, func(p Part) bool { return p.Key == key })
	if at < 0 {
		return 0
	}
	return f.parts[at].Height
}

// SetParts replaces the parts. The place stays at the same part, else at the same share of the text the part belonged
// to, else at the nearest part that is still there. It returns the parts before, whose memory the caller may use again.
func (f *Flow) SetParts(parts []Part) (before []Part) {
	before, f.parts = f.parts, parts
	if f.hasLeftEnd && f.at < len(before) {
		f.top = f.carriedTop(before)
	}
	f.fitWindow()
	return before
}

// carriedTop returns the top line in the parts of now that shows what the window showed of the old ones.
func (f *Flow) carriedTop(old []Part) int {
	key := old[f.at].Key
	above, textStart, textHeight, isInBlocks := 0, 0, 0, false
	for _, p := range f.parts {
		if p.Key == key {
			return above + p.lineIn(old[f.at], f.line)
		}
		if p.Key.isSameText(key) {
			if textHeight == 0 {
				textStart, isInBlocks = above, p.Key.Index >= 0 && key.Index >= 0
			}
			textHeight += p.Height
		}
		above += p.Height
	}
	if textHeight > 0 {
		oldLine, oldHeight := f.line, 0
		for i, p := range old {
			if !p.Key.isSameText(key) {
				continue
			}
			if i < f.at {
				oldLine += p.Height
			}
			oldHeight += p.Height
		}
		if isInBlocks { // the last ones became one as the text went on
			return textStart + min(oldLine, textHeight-1)
		}
		return textStart + rescale(oldLine, oldHeight, textHeight)
	}
	starts := make(map[Key]int, len(f.parts))
	above = 0
	for _, p := range f.parts {
		starts[p.Key] = above
		above += p.Height
	}
	before := slices.Clone(old[:f.at])
	slices.Reverse(before)
	for _, p := range append(slices.Clone(old[f.at:]), before...) {
		if start, ok := starts[p.Key]; ok {
			return start
		}
	}
	return 0
}

// rescale returns the line of a text of another height that is at the same share of it.
func rescale(line, from, to int) int {
	if from != to && from > 0 {
		line = line * to / from
	}
	return min(line, max(to-1, 0))
}

// fitWindow keeps the window inside the column, at its end while following, and finds the part at its top.
func (f *Flow) fitWindow() {
	f.total = 0
	lastOfPin := -1
	for _, p := range f.parts {
		if f.pin != (Key{}) && p.Key == f.pin {
			lastOfPin = f.total + max(p.Height-1, 0)
		}
		f.total += p.Height
	}
	if !f.hasLeftEnd {
		f.top = f.end()
		if lastOfPin >= 0 {
			f.top = min(f.top, lastOfPin)
		}
	}
	f.top = max(min(f.top, f.end()), 0)
	f.at, f.line = f.locate(f.top)
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

// ScrollToPart puts a line of the part at the top of the window and no longer follows the end. It tells whether the
// part is there.
func (f *Flow) ScrollToPart(key Key, line int) bool {
	top := line
	for _, p := range f.parts {
		if p.Key == key {
			f.top, f.hasLeftEnd, f.pin = top, true, Key{}
			f.fitWindow()
			return true
		}
		top += p.Height
	}
	return false
}

// Place returns the part at the top of the window and its first visible line.
func (f *Flow) Place() (Key, int) {
	if f.at >= len(f.parts) {
		return Key{}, 0
	}
	return f.parts[f.at].Key, f.line
}

// Visible returns what the window shows, from above downwards.
func (f *Flow) Visible() []Span { return f.spans(f.at, f.line, f.height) }

// Around returns what the window and the extra lines above and below it show.
func (f *Flow) Around(extra int) []Span {
	above := min(extra, f.top)
	at, line := f.locate(f.top - above)
	return f.spans(at, line, above+f.height+extra)
}

func (f *Flow) spans(at, line, h int) []Span {
	var out []Span
	for ; at < len(f.parts) && h > 0; at, line = at+1, 0 {
		p := f.parts[at]
		take := min(p.Height-line, h)
		if take <= 0 {
			continue
		}
		out = append(out, Span{Part: p, From: line, To: line + take})
		h -= take
	}
	return out
}

// Lines returns the height of the whole column and of what is above the window.
func (f *Flow) Lines() (total, above int) { return f.total, f.top }

// Package flow is a long column of parts of which only a window is seen. A
// part's height is exact or an estimate; when an estimate is corrected, the
// reader's place stays. It draws nothing: it knows keys, heights and a place.
package flow

// Key names a part. Parts that stand for the same text at different stages of
// its rendering share Turn, Answer and Role, so that a place inside one can be
// carried over to the others.
type Key struct {
	Turn    int64
	Answer  int64
	Role    uint8
	Version int
	Index   int
}

// same tells whether both parts belong to one text.
func (k Key) same(o Key) bool { return k.Turn == o.Turn && k.Answer == o.Answer && k.Role == o.Role }

// Part is a run of lines.
type Part struct {
	Key    Key
	Height int // lines
	Exact  bool
}

// Span is the visible range of a part: its lines From up to, not including, To.
type Span struct {
	Part     Part
	From, To int
}

// Flow is a column of parts and the window's place in it. The zero value is
// an empty column that follows its end.
type Flow struct {
	parts []Part
	h     int
	at    int // index of the part at the top of the window
	line  int // first visible line of that part
	loose bool
	pin   Key // while following, the window does not go below this part's last line; zero for none
}

// Height returns the height of the window in lines.
func (f *Flow) Height() int { return f.h }

// SetHeight sets the window's height in lines.
func (f *Flow) SetHeight(h int) { f.h = max(h, 0); f.settle() }

// SetFollow makes the window stay at the end, or lets it go.
func (f *Flow) SetFollow(follow bool) { f.loose = !follow; f.settle() }

// Following tells whether the window stays at the end.
func (f *Flow) Following() bool { return !f.loose }

// FollowFrom makes the window stay at the end, as long as the given part stays
// in sight: a text that grows longer than the window is shown from its start.
func (f *Flow) FollowFrom(key Key) { f.pin, f.loose = key, false; f.settle() }

// Parts returns the parts; the slice is not to be changed.
func (f *Flow) Parts() []Part { return f.parts }

// SetParts replaces the parts. The place is kept: at the same part, else at
// the same share of the text the part belonged to, else at the nearest part
// that is left.
func (f *Flow) SetParts(parts []Part) {
	old, at, line := f.parts, f.at, f.line
	f.parts = parts
	if len(old) == 0 || at >= len(old) || !f.loose {
		f.settle()
		return
	}
	f.at, f.line = carry(old, at, line, parts)
	f.settle()
}

// carry finds the place (at, line) of old in parts.
func carry(old []Part, at, line int, parts []Part) (int, int) {
	index := make(map[Key]int, len(parts))
	for i, p := range parts {
		index[p.Key] = i
	}
	if i, ok := index[old[at].Key]; ok {
		return i, rescale(line, old[at].Height, parts[i].Height)
	}
	key := old[at].Key
	before, total := 0, 0
	for i, p := range old {
		if p.Key.same(key) {
			if i < at {
				before += p.Height
			}
			total += p.Height
		}
	}
	now := 0
	for _, p := range parts {
		if p.Key.same(key) {
			now += p.Height
		}
	}
	if now > 0 {
		want := rescale(before+line, total, now)
		for i, p := range parts {
			if !p.Key.same(key) {
				continue
			}
			if want < p.Height {
				return i, want
			}
			want -= p.Height
		}
	}
	for i := at; i < len(old); i++ {
		if j, ok := index[old[i].Key]; ok {
			return j, 0
		}
	}
	for i := at - 1; i >= 0; i-- {
		if j, ok := index[old[i].Key]; ok {
			return j, 0
		}
	}
	return 0, 0
}

func rescale(line, from, to int) int {
	if from == to || from <= 0 {
		return min(line, max(to-1, 0))
	}
	return min(line*to/from, max(to-1, 0))
}

// SetExact says how high a part really is.
func (f *Flow) SetExact(key Key, h int) {
	for i := range f.parts {
		if f.parts[i].Key != key {
			continue
		}
		if i == f.at {
			f.line = rescale(f.line, f.parts[i].Height, h)
		}
		f.parts[i].Height, f.parts[i].Exact = h, true
	}
}

// Settle puts the window back inside the column after [Flow.SetExact].
func (f *Flow) Settle() { f.settle() }

// settle keeps the window inside the column, at its end while following.
func (f *Flow) settle() {
	if len(f.parts) == 0 {
		f.at, f.line = 0, 0
		return
	}
	endAt, endLine := f.end()
	if !f.loose && f.pin != (Key{}) {
		for i := range f.parts[:min(endAt+1, len(f.parts))] {
			if last := max(f.parts[i].Height-1, 0); f.parts[i].Key == f.pin && (i < endAt || last < endLine) {
				f.at, f.line = i, last
				return
			}
		}
	}
	if !f.loose || f.at > endAt || (f.at == endAt && f.line >= endLine) {
		f.at, f.line = endAt, endLine
	}
	f.at = min(f.at, len(f.parts)-1)
	f.line = max(min(f.line, f.parts[f.at].Height-1), 0)
}

// end returns the place of the top line when the window shows the end.
func (f *Flow) end() (at, line int) {
	left := f.h
	for i := len(f.parts) - 1; i >= 0; i-- {
		if f.parts[i].Height >= left {
			return i, f.parts[i].Height - left
		}
		left -= f.parts[i].Height
	}
	return 0, 0
}

// AtEnd tells whether the last line is in the window.
func (f *Flow) AtEnd() bool {
	at, line := f.end()
	return f.at > at || (f.at == at && f.line >= line)
}

// AtTop tells whether the first line is in the window.
func (f *Flow) AtTop() bool { return f.at == 0 && f.line == 0 }

// ScrollBy moves the window by n lines, downwards when positive. Reaching the
// end makes it follow; moving up lets go.
func (f *Flow) ScrollBy(n int) {
	if n < 0 || f.pin != (Key{}) {
		f.loose, f.pin = true, Key{}
	}
	for ; n < 0 && !f.AtTop(); n++ {
		step := min(-n, f.line)
		if step > 0 {
			f.line -= step
			n += step - 1
			continue
		}
		f.at--
		for f.at > 0 && f.parts[f.at].Height == 0 {
			f.at--
		}
		f.line = max(f.parts[f.at].Height-1, 0)
	}
	for ; n > 0 && f.at < len(f.parts); n-- {
		if f.AtEnd() {
			break
		}
		f.line++
		if f.line >= f.parts[f.at].Height && f.at < len(f.parts)-1 {
			f.at, f.line = f.at+1, 0
			for f.at < len(f.parts)-1 && f.parts[f.at].Height == 0 {
				f.at++
			}
		}
	}
	if f.loose && f.AtEnd() {
		f.loose = false
	}
	f.settle()
}

// ToTop shows the first line.
func (f *Flow) ToTop() { f.at, f.line, f.loose, f.pin = 0, 0, true, Key{}; f.settle() }

// ToEnd shows the last line and follows.
func (f *Flow) ToEnd() { f.loose, f.pin = false, Key{}; f.settle() }

// ToPart puts a line of the part at the top of the window, and lets go of the
// end. It tells whether the part is there.
func (f *Flow) ToPart(key Key, line int) bool {
	for i, p := range f.parts {
		if p.Key == key {
			f.at, f.line, f.loose, f.pin = i, line, true, Key{}
			f.settle()
			return true
		}
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
func (f *Flow) Visible() []Span { return f.spans(f.at, f.line, f.h) }

// Around returns the parts of the window and of extra lines above and below.
func (f *Flow) Around(extra int) []Span {
	at, line, h := f.at, f.line, f.h+extra
	for extra > 0 && (at > 0 || line > 0) {
		if line > 0 {
			step := min(line, extra)
			line, extra, h = line-step, extra-step, h+step
			continue
		}
		at--
		line = f.parts[at].Height
		if line == 0 {
			continue
		}
	}
	return f.spans(at, line, h)
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
func (f *Flow) Lines() (total, above int) {
	for i, p := range f.parts {
		if i < f.at {
			above += p.Height
		}
		total += p.Height
	}
	return total, above + f.line
}

package browse

import (
	"cmp"
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/widget"
)

// Widths of the columns of the start page, in cells.
const (
	startLabel = 11 // with the blank before it
	startKey   = 10
)

// The lines of a picture in the strip, and how many pictures are to be seen before they become larger.
const (
	leastPicture   = 4
	largestPicture = 9
	enoughPictures = 8
)

// startLayout says on which lines the parts of the start page are. A part that is not shown has no lines.
type startLayout struct {
	head        []string // sentences above everything
	sessions    int
	sessionRows int
	facts       []int // cells of the columns of facts of the sessions
	pictures    int
	strip       []stripItem
	examples    int
	service     int
	gap         int // blank lines between parts
}

// stripItem is a picture with its place in the pane.
type stripItem struct {
	picture int
	box     image.Rectangle
}

// stripHeight is how many lines the pictures take.
func (l startLayout) stripHeight() int {
	if len(l.strip) == 0 {
		return 0
	}
	return l.strip[len(l.strip)-1].box.Max.Y - l.strip[0].box.Min.Y
}

// usualSessions is the number of sessions that are listed before pictures get any lines.
const usualSessions = 4

// layOut divides the pane among its parts: sessions and examples come before the pictures, which get what is left.
func (p *StartPage) layOut() {
	l := startLayout{gap: 1}
	switch {
	case p.texts.Unfinished != "":
		l.head = termtext.Wrap(termtext.Line(p.texts.Unfinished), max(p.w-2, 1))
	case p.wasRead && len(p.sessions) == 0:
		l.head = []string{"Nothing sent yet. Write a prompt or run an example:"}
	}
	service := len(p.serviceLines())
	l.sessionRows = min(len(p.sessions), usualSessions)
	needed := func() int {
		n := len(l.head) + l.sessionRows + len(p.texts.Examples) + service + l.gap*3
		if len(l.head) > 0 {
			n += l.gap
		}
		return n
	}
	for needed() > p.h && l.sessionRows > 1 {
		l.sessionRows--
	}
	if needed() > p.h {
		l.gap = 0
	}
	l.strip = p.fitPictures(p.h - needed() - 1)
	if l.sessionRows == usualSessions {
		l.sessionRows += max(min(len(p.sessions)-usualSessions, p.h-needed()-l.stripHeight()-l.gap), 0)
	}
	for i, h := range p.sessions[:l.sessionRows] {
		for column, text := range p.sessionFacts(h) {
			if i == 0 {
				l.facts = append(l.facts, 0)
			}
			l.facts[column] = max(l.facts[column], termtext.Width(text))
		}
	}
	y := l.gap
	if len(l.head) > 0 {
		y += len(l.head) + l.gap
	}
	if l.sessions = y; l.sessionRows > 0 {
		y += l.sessionRows + l.gap
	}
	l.pictures = y
	for i := range l.strip {
		l.strip[i].box = l.strip[i].box.Add(image.Pt(startLabel, y))
	}
	if len(l.strip) > 0 {
		y += l.stripHeight() + l.gap
	}
	l.examples = y
	l.service = y + len(p.texts.Examples) + l.gap
	p.layout = l
}

// fitPictures places the pictures on at most so many lines, as large as they can be while enough of them are seen.
// Without room there are none.
func (p *StartPage) fitPictures(lines int) (strip []stripItem) {
	w := p.w - startLabel - startKey
	if lines < leastPicture || w < 24 || p.aspect <= 0 {
		return nil
	}
	lines = max(lines-max(len(p.sessions)-usualSessions, 0), leastPicture) // the other sessions come first
	for height := leastPicture; height <= min(lines, largestPicture); height++ {
		if larger := p.placePictures(w, lines, height); len(larger) >= min(len(strip), enoughPictures) {
			strip = larger
		}
	}
	return strip
}

// placePictures places pictures of one height next to each other, each as wide as its ratio makes it, in rows of w
// cells. Those that cannot be shown are left out.
func (p *StartPage) placePictures(w, lines, height int) (strip []stripItem) {
	var at image.Point
	for i, h := range p.pictures {
		picture := h.Answer.Picture
		if p.done[picture.Path].Problem != "" {
			continue
		}
		cols, size := w, image.Pt(cmp.Or(picture.Width, 16), cmp.Or(picture.Height, 9))
		for last := 0; cols != last; { // until the picture fills its box
			last = cols
			cols, _ = graphics.FitCells(size.X, size.Y, cols, height, p.aspect)
		}
		if at.X > 0 && at.X+cols > w {
			at = image.Pt(0, at.Y+height+1)
		}
		if at.Y+height > lines {
			break
		}
		strip = append(strip, stripItem{i, image.Rectangle{Max: image.Pt(cols, height)}.Add(at)})
		at.X += cols + 2
	}
	return strip
}

// variablesTip says how one prompt is sent with several values, shortTip on a narrow screen.
const (
	variablesTip = "{{topic}} in a prompt asks for its values; a | b | c sends it once for each."
	shortTip     = "{{topic}} in a prompt takes several values: a | b | c."
)

// serviceLines says who answers and, where there is room, how variables are written.
func (p *StartPage) serviceLines() []string {
	var lines []string
	if p.texts.Service != "" {
		lines = termtext.Wrap(termtext.Line(p.texts.Service), max(p.w-2, 1))
	}
	switch {
	case p.h < 10:
	case p.w > len(variablesTip)+1:
		lines = append(lines, variablesTip)
	case p.w > len(shortTip)+1:
		lines = append(lines, shortTip)
	}
	return lines
}

// lines draws the page.
func (p *StartPage) lines() []string {
	l, s := p.layout, p.styles
	out := make([]string, 0, p.h)
	to := func(y int) {
		for len(out) < y {
			out = append(out, strings.Repeat(" ", p.w))
		}
	}
	to(l.gap)
	for _, line := range l.head {
		style := s.Strong
		if p.texts.Unfinished != "" {
			style = s.Warning
		}
		out = append(out, termtext.Fit(" "+style.On(line), p.w))
	}
	to(l.sessions)
	for i := range l.sessionRows {
		out = append(out, p.sessionRow(i))
	}
	if len(l.strip) > 0 {
		to(l.pictures)
		out = append(out, p.pictureRows()...)
	}
	to(l.examples)
	for i, e := range p.texts.Examples {
		facts := ""
		if p.w >= 74 {
			facts = termtext.Fit(e.Models, 20)
		}
		out = append(out, p.row(label("Try", i), e.Title, facts, e.Key))
	}
	to(l.service)
	for _, line := range p.serviceLines() {
		out = append(out, termtext.Fit(" "+s.Muted.On(line), p.w))
	}
	return out
}

// label names the first row of a part.
func label(name string, row int) string {
	if row > 0 {
		return ""
	}
	return name
}

// row draws a row of the page: its label, a text that is cut where the facts need the room, and its key.
func (p *StartPage) row(label, text, facts, key string) string {
	s := p.styles
	room := max(p.w-startLabel-startKey-termtext.Width(facts), 1)
	return termtext.Fit(s.Muted.On(" "+termtext.Fit(label, startLabel-1))+
		s.Text.On(termtext.Fit(widget.OneLine(text), room-1)+" ")+s.Muted.On(facts)+
		s.Key.On(" "+termtext.Fit(key, startKey-1)), p.w)
}

// sessionRow draws a session.
func (p *StartPage) sessionRow(i int) string {
	h, k := p.sessions[i], p.env.Keys
	name, key := label("Recent", i-1), ""
	switch {
	case i == 0:
		name, key = "Continue", k.Key(keys.Prompt, keys.Send)
	case i == 1:
		key = k.Key(keys.Everywhere, keys.NextPane) + ", " + k.Key(keys.Start, keys.Down) + " " +
			k.Key(keys.Start, keys.Up)
	}
	isSelected := p.focused && i == p.at
	switch {
	case isSelected:
		key = k.Key(keys.Start, keys.Choose)
	case p.focused:
		key = ""
	}
	facts := ""
	for column, text := range p.sessionFacts(h) {
		if width := p.layout.facts[column]; width > 0 {
			facts += text + strings.Repeat(" ", width+3-termtext.Width(text))
		}
	}
	row := p.row(name, h.title(), facts, key)
	if isSelected {
		return p.styles.Selected.On(ansi.Strip(row))
	}
	return row
}

// sessionFacts are the columns of facts of a session, as many as there is room for.
func (p *StartPage) sessionFacts(h startSession) []string {
	muted := p.styles.Muted
	var facts []string
	if p.w >= 66 {
		facts = append(facts, muted.On(format.Count(h.Turns, "turn")))
	}
	if p.w >= 80 {
		facts = append(facts, widget.ModelDots(p.styles, h.Models))
	}
	if p.w >= 100 && h.Pictures > 0 {
		facts = append(facts, muted.On(format.Count(h.Pictures, "picture")))
	} else if p.w >= 100 {
		facts = append(facts, "")
	}
	return append(facts, muted.On(h.when))
}

// pictureRows draws the strip of the newest pictures.
func (p *StartPage) pictureRows() []string {
	l, s := p.layout, p.styles
	rows := make([]string, l.stripHeight())
	for y := range rows {
		rows[y] = s.Muted.On(" " + termtext.Fit(label("Pictures", y), startLabel-1))
	}
	for _, i := range l.strip {
		x, ok := p.drawn(p.pictures[i.picture].Answer.Picture.Path, i.box.Size())
		words := []string{}
		if !ok {
			x, words = Drawing{}, []string{"…"}
		}
		for y, line := range x.fill(i.box.Size(), image.Point{}, words, s.Faint) {
			rows[i.box.Min.Y-l.pictures+y] += line + "  "
		}
	}
	key := p.env.Keys.Key(keys.Everywhere, keys.Pictures)
	for y := range rows {
		gap := max(p.w-startKey-termtext.Width(rows[y]), 0)
		rows[y] = termtext.Fit(rows[y]+strings.Repeat(" ", gap)+s.Key.On(" "+label(key, y)), p.w)
	}
	return rows
}

package browse

import (
	"cmp"
	"image"

	"confab/internal/termtext"
	"confab/ui/graphics"
)

type startSection int

// The sections of the start page, from its top to its bottom.
const (
	wordmarkSection startSection = iota
	headSection                  // sentences at the top
	sessionsSection
	previewSection
	picturesSection
	examplesSection
	notesSection
	startSectionCount
)

// startLayout says on which lines the sections of the start page are. A hidden section has no lines.
type startLayout struct {
	from, rows [startSectionCount]int
	text       [startSectionCount][]string // of the sections that do not change until the next layout
	facts      []int                       // widths of the columns of facts of the sessions
	strip      []stripItem
	boxes      []image.Rectangle // of the examples
	free       int               // lines that no section has yet

	previewLines int // of the previews of sessions at most
}

// stripItem is a picture with its position in the pane.
type stripItem struct {
	picture int
	box     image.Rectangle
}

// Sizes of the start page, in cells.
const (
	startWidth    = 160 // of the whole page at most
	startLabel    = 11  // of the column of labels, with the blank before it
	startKey      = 10  // of the column of keys, with the blanks around it
	columnsFrom   = 130 // of a pane in which the preview of a session is beside the rest
	previewWidth  = 100 // of the preview of a session at most
	previewHeight = 20  // below the sessions
	shownWidth    = 12  // of what an example shows
	cardsWidth    = 72  // of a page on which examples are cards at least

	leastPicture   = 4
	largestPicture = 9
	enoughPictures = 8 // shown before pictures become larger
	usualSessions  = 4 // listed before other sections get lines
)

func (l *startLayout) has(section startSection, y int) bool {
	return y >= l.from[section] && y < l.from[section]+l.rows[section]
}

// give gives a section up to usable lines, or none if it needs more. A new section costs a blank line more.
func (l *startLayout) give(section startSection, needed, usable int) bool {
	gap := 1
	if l.rows[section] > 0 {
		gap = 0
	}
	n := min(usable, l.free-gap)
	if n <= 0 || n < needed {
		return false
	}
	l.rows[section] += n
	l.free -= n + gap
	return true
}

// giveText adds all lines to a section, or none.
func (l *startLayout) giveText(section startSection, lines []string) {
	if l.give(section, len(lines), len(lines)) {
		l.text[section] = append(l.text[section], lines...)
	}
}

// layOut divides the pane among the sections. The page stays blank for a moment until the history is read.
func (p *StartPage) layOut() {
	if p.w = min(p.paneW, startWidth); p.hasColumns() {
		p.w = min(p.paneW*3/5, previewWidth)
	}
	l := startLayout{free: p.h}
	if p.layout = l; p.reads == 0 && !p.isLate {
		return
	}
	n, examples := len(p.sessions), len(p.examples)
	l.give(sessionsSection, 1, min(n, 1))
	l.giveText(headSection, p.head())
	l.give(examplesSection, 1, examples)
	notes := p.notes()
	l.giveText(notesSection, notes[0])
	usual := usualSessions
	if p.newestIsPicture() && l.free > leastPicture+1 {
		usual = min(usual, l.free-leastPicture)
	}
	l.give(sessionsSection, 1, min(n, usual)-l.rows[sessionsSection])
	card := p.cardHeight() - examples // lines more than rows have
	if n == 0 && card > 0 {
		l.give(examplesSection, card, card)
	}
	if l.free >= 9 {
		l.giveText(wordmarkSection, p.wordmark())
	}
	if n > 0 {
		p.fillLayout(&l)
	}
	for _, note := range notes[1:] {
		if l.rows[previewSection] == 0 || l.free > 3 {
			l.giveText(notesSection, note)
		}
	}
	if n > 0 && card > 0 && l.free > card+8 {
		l.give(examplesSection, card, card)
	}
	if l.rows[examplesSection] > examples { // cards, with a sketch
		l.give(examplesSection, 4, 4+max(min((l.free-12)/4, 3), 0))
	}
	p.placeSections(&l)
	l.text[examplesSection] = p.exampleLines(l.rows[examplesSection])
	p.layout = l
}

// newestIsPicture reports whether the newest picture is of the session used last.
func (p *StartPage) newestIsPicture() bool {
	return len(p.pictures) > 0 && len(p.sessions) > 0 && p.pictures[0].Turn.Session == p.sessions[0].ID
}

// fillLayout gives the remaining lines to further sessions, pictures and the preview of a session.
func (p *StartPage) fillLayout(l *startLayout) {
	spare := l.free - 8
	if len(p.pictures) > 0 {
		spare -= leastPicture + 1
	}
	l.give(sessionsSection, 1, min(len(p.sessions)-l.rows[sessionsSection], spare))
	if l.strip = p.fitPictures(min(l.free-1, max(l.free*2/5, leastPicture))); len(l.strip) > 0 {
		height := l.strip[len(l.strip)-1].box.Max.Y
		l.give(picturesSection, height, height)
	}
	l.facts = make([]int, len(p.sessionFacts(p.sessions[0])))
	for _, s := range p.sessions[:l.rows[sessionsSection]] {
		for column, text := range p.sessionFacts(s) {
			l.facts[column] = max(l.facts[column], termtext.Width(text))
		}
	}
	switch {
	case p.previewWidth() < 25 || p.styles.ScreenReader:
	case p.hasColumns():
		l.previewLines = p.h - 4 // under the name of the session
	default:
		l.previewLines = max(min(previewHeight, l.free-1), 0)
		l.give(previewSection, 2, min(p.longestPreview(), l.previewLines))
	}
}

// longestPreview returns the lines of the longest preview, so that nothing below it moves with the cursor, or 0 for a
// selected session without one.
func (p *StartPage) longestPreview() (longest int) {
	switch {
	case p.previews.lines == nil:
		return previewHeight
	case len(p.selectedPreview()) == 0:
		return 0
	}
	for _, s := range p.sessions {
		longest = max(longest, len(p.previews.lines[s.ID]))
	}
	return longest
}

// placeSections puts the sections below each other, with two fifths of the free lines above them.
func (p *StartPage) placeSections(l *startLayout) {
	gap := 1
	if l.free > 12 {
		gap, l.free = 2, l.free-4
	}
	y := 1 + max(l.free, 0)*2/5
	for section, rows := range l.rows {
		switch l.from[section] = y; {
		case startSection(section) == sessionsSection && rows > 0: // the preview belongs to them
			y += rows + 1
		case rows > 0:
			y += rows + gap
		}
	}
	for i := range l.strip {
		l.strip[i].box = l.strip[i].box.Add(image.Pt(startLabel, l.from[picturesSection]))
	}
	box, step := image.Rect(0, 0, p.w, 1), image.Pt(0, 1)
	if l.rows[examplesSection] > len(p.examples) {
		box, step = image.Rect(1, 0, 1+p.cardWidth(), l.rows[examplesSection]), image.Pt(p.cardWidth()+1, 0)
	}
	for range p.examples[:min(l.rows[examplesSection], len(p.examples))] {
		l.boxes = append(l.boxes, box.Add(image.Pt(0, l.from[examplesSection])))
		box = box.Add(step)
	}
}

// hasColumns reports whether the preview of a session is beside the rest of the page.
func (p *StartPage) hasColumns() bool {
	return p.paneW >= columnsFrom && len(p.sessions) > 0 && !p.styles.ScreenReader
}

func (p *StartPage) previewWidth() int {
	if p.hasColumns() {
		return min(p.paneW-p.w-3, previewWidth)
	}
	return min(p.w-startLabel-1, previewWidth)
}

func (p *StartPage) cardWidth() int { return (p.w-1)/max(len(p.examples), 1) - 1 }

// cardHeight returns the height of the cards of the examples without sketches, 0 if the page is too narrow for them.
func (p *StartPage) cardHeight() (height int) {
	if p.w < cardsWidth || p.styles.ScreenReader {
		return 0
	}
	for _, e := range p.examples {
		height = max(height, len(termtext.Wrap(e.Title, p.cardWidth()-4))+4)
	}
	return height
}

// fitPictures places the pictures in a row, as large as possible while enough of them fit.
func (p *StartPage) fitPictures(lines int) (strip []stripItem) {
	w := p.w - startLabel - startKey
	if lines < leastPicture || w < 24 || p.aspect <= 0 {
		return nil
	}
	for height := leastPicture; height <= min(lines, largestPicture); height++ {
		if larger := p.placePictures(w, height); len(larger) >= min(len(strip), enoughPictures) {
			strip = larger
		}
	}
	return strip
}

// placePictures places pictures of one height in w cells. It leaves out those that cannot be shown.
func (p *StartPage) placePictures(w, height int) (strip []stripItem) {
	x := 0
	for i, h := range p.pictures {
		picture := h.Answer.Picture
		if p.done[graphics.FileOf(picture)].Problem != "" {
			continue
		}
		cols, size := w, image.Pt(cmp.Or(picture.Width, 16), cmp.Or(picture.Height, 9))
		for last := 0; cols != last; { // until the picture fills its box
			last = cols
			cols, _ = graphics.FitCells(size.X, size.Y, cols, height, p.aspect)
		}
		if x+cols > w {
			break
		}
		strip = append(strip, stripItem{i, image.Rect(x, 0, x+cols, height)})
		x += cols + 2
	}
	return strip
}

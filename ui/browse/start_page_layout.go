package browse

import (
	"image"

	"confab/internal/termtext"
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
	column     []stripItem       // pictures of the selected session, in the column of its preview
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
	startKey      = 13  // of the column of keys and what they do, with the blanks around it
	columnsFrom   = 130 // of a pane in which the preview of a session is beside the rest
	previewWidth  = 100 // of the preview of a session at most
	previewHeight = 20  // below the sessions
	exampleKey    = 10  // of the column of keys of the examples, without what they do
	shownWidth    = 12  // of what an example shows
	cardsWidth    = 72  // of a page on which examples are cards at least

	leastPicture   = 4
	largestPicture = 14
	enoughPictures = 8 // shown before pictures become larger
	usualSessions  = 4 // listed before other sections get lines
	pictureRows    = 3 // at most
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
	l := startLayout{free: p.h + 1} // no blank line is above the first section
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
	if p.w >= cardsWidth || n == 0 { // on a narrow page with sessions they would be as heavy as these
		for _, note := range notes[1:] {
			l.giveText(notesSection, note)
		}
	}
	if n > 0 && card > 0 && l.free > card+8 {
		l.give(examplesSection, card, card)
	}
	if l.rows[examplesSection] > examples { // cards, with a sketch
		l.give(examplesSection, 4, 4+max(min((l.free-12)/4, 3), 0))
	}
	if l.rows[picturesSection] > 0 {
		p.givePictures(&l, l.rows[picturesSection]+l.free)
	}
	p.placeSections(&l)
	l.column = p.columnPictures(l.strip)
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
	p.givePictures(l, min(l.free-1, max(l.free*2/5, leastPicture)))
	switch {
	case p.previewWidth() < 25 || p.styles.ScreenReader:
	case p.hasColumns():
		l.previewLines = p.h - 2 // under the name of the session
	default:
		const least = 3 // with fewer lines a preview says nothing of the answers
		if l.previewLines = min(previewHeight, l.free-1); l.previewLines < least {
			l.previewLines = 0
		}
		l.give(previewSection, 1, min(p.usualPreview(), l.previewLines))
	}
	if p.w < cardsWidth { // nothing else gets these lines
		l.give(sessionsSection, 1, len(p.sessions)-l.rows[sessionsSection])
	}
	l.facts = make([]int, len(p.sessionFacts(p.sessions[0])))
	for _, s := range p.sessions[:l.rows[sessionsSection]] {
		for column, text := range p.sessionFacts(s) {
			l.facts[column] = max(l.facts[column], termtext.Width(text))
		}
	}
}

// usualPreview returns the lines of previews: those of the first session. Nothing below them moves with the cursor.
func (p *StartPage) usualPreview() int {
	if n := len(p.previews.lines[p.sessions[0].ID]); n > 0 {
		return n
	}
	return previewHeight
}

// placeSections puts the sections below each other. Without sessions they are in the middle, else at the top.
func (p *StartPage) placeSections(l *startLayout) {
	const gap = 1
	y := 0
	switch {
	case len(p.sessions) == 0:
		y = max(l.free+1, 0) * 2 / 5
	case l.rows[wordmarkSection] > 1:
		y = min(max(l.free, 0), 1)
	}
	for section, rows := range l.rows {
		switch l.from[section] = y; {
		case rows > 0:
			y += rows + gap
		}
	}
	for i := range l.strip {
		l.strip[i].box = l.strip[i].box.Add(image.Pt(p.labelWidth(), l.from[picturesSection]))
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

// labelWidth returns the cells of the column of labels. On a narrow page one blank is behind the longest.
func (p *StartPage) labelWidth() int {
	if p.w < 60 {
		return startLabel - 1
	}
	return startLabel
}

// hasColumns reports whether the preview of a session is beside the rest of the page.
func (p *StartPage) hasColumns() bool {
	return p.paneW >= columnsFrom && len(p.sessions) > 0 && !p.styles.ScreenReader
}

func (p *StartPage) previewWidth() int {
	if p.hasColumns() {
		return min(p.paneW-p.w-3, previewWidth)
	}
	return min(p.w-p.labelWidth()-1, previewWidth)
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

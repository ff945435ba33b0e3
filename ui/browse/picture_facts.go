package browse

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
)

// longestShown is how much of a text, in bytes, is set as facts.
const longestShown = 4000

// offShape is how far the sides of a picture may be from what was asked before it
// counts as another shape: services round to whole blocks of pixels.
const offShape = 1.05

// shapeFacts says how large a picture is, and which ratio was asked; other tells
// that it has another one.
func shapeFacts(h history.PictureHit) (text string, other bool) {
	p := h.Answer.Picture
	text = fmt.Sprintf("%d×%d", p.Width, p.Height)
	var w, ht float64
	if n, _ := fmt.Sscanf(h.Turn.Aspect, "%g:%g", &w, &ht); n != 2 || w <= 0 || ht <= 0 || p.Width < 1 || p.Height < 1 {
		return text, false
	}
	asked, got := w/ht, float64(p.Width)/float64(p.Height)
	other = asked/got > offShape || got/asked > offShape
	text += fmt.Sprintf(", asked %s", h.Turn.Aspect)
	if other {
		text += " (" + fmt.Sprintf("%.2f, got %.2f!", asked, got) + ")"
	}
	return text, other
}

func nonceFact(a history.Answer) string {
	if a.SentNonce == "" {
		return "no nonce"
	}
	return "nonce " + termtext.Line(a.SentNonce)
}

// judgement says what a person thought of a picture, "" for nothing.
func judgement(a history.Answer) string {
	var out []string
	if a.Winner {
		out = append(out, "★ winner")
	}
	switch a.Rating {
	case history.Good:
		out = append(out, "good")
	case history.Bad:
		out = append(out, "bad")
	}
	return strings.Join(out, "  ")
}

// fact is a line of facts with its style.
type fact struct {
	style themes.Style
	text  string
}

// pictureFacts is everything that is known of a picture.
func pictureFacts(h history.PictureHit, look Look, s *themes.Styles) []fact {
	a, p := h.Answer, h.Answer.Picture
	text, muted, faint := s.Text, s.Muted, s.Faint
	out := []fact{{text, h.Turn.Prompt}, {muted, ""}, {s.Strong, a.Model}}
	add := func(style themes.Style, text string) {
		if text != "" {
			out = append(out, fact{style, text})
		}
	}
	add(muted, a.AnsweredBy())
	shape, other := shapeFacts(h)
	shapeStyle := text
	if other {
		shapeStyle = s.Warning
	}
	add(shapeStyle, shape)
	if a.ServiceNote != "" {
		add(faint, "service says: "+a.ServiceNote)
	}
	add(muted, strings.TrimPrefix(p.ContentType, "image/")+"  "+format.Size(p.Bytes))
	add(muted, nonceFact(a))
	when := look.When(h.Turn.Created)
	if a.Elapsed > 0 {
		when += fmt.Sprintf(", took %.1f s", a.Elapsed.Seconds())
	}
	add(muted, when)
	add(s.Success, judgement(a))
	add(text, a.Note)
	if source := h.Turn.SourceOf(a); source != nil {
		add(muted, "made from "+termtext.Line(source.Name()))
	}
	if h.SessionName != "" {
		add(muted, "session "+termtext.Line(h.SessionName))
	}
	out = append(out, fact{muted, ""})
	add(text, filepath.Base(p.Path))
	add(faint, p.Path)
	return out
}

// showFacts shows what is known of the picture under the cursor.
func (l *List) showFacts() {
	w, height := l.layout.previewInner()
	var lines []string
	if h, ok := l.At(l.at); ok {
		for _, f := range pictureFacts(h, l.grid.look, l.Styles) {
			text := f.text[:min(len(f.text), longestShown)]
			for _, line := range termtext.Wrap(termtext.Clean(text), max(w, 1)) {
				lines = append(lines, f.style.On(line))
			}
		}
	}
	l.preview.Set(lines, height)
}

// factsInLines are the most important facts about the picture under the cursor, for the few lines under the grid.
func (l *List) factsInLines() []string {
	h, ok := l.At(l.at)
	if !ok {
		return nil
	}
	w := max(l.layout.listW-4, 1)
	s, a := l.Styles, h.Answer
	shape, other := shapeFacts(h)
	shapeStyle := s.Muted
	if other {
		shapeStyle = s.Warning
	}
	made := ""
	if source := h.Turn.SourceOf(a); source != nil {
		made = "made from " + termtext.Line(source.Name())
	}
	lines := []string{
		s.Text.On(termtext.Line(h.Turn.Prompt)),
		s.Strong.On(termtext.Line(a.Model)) + "  " + shapeStyle.On(shape) + "  " +
			s.Muted.On(joinFacts(format.Size(a.Picture.Bytes), nonceFact(a), l.grid.look.When(h.Turn.Created),
				judgement(a))),
		s.Muted.On(joinFacts(filepath.Base(a.Picture.Path), termtext.Line(h.SessionName), made)),
	}
	for i, line := range lines {
		lines[i] = " " + ansi.Truncate(line, w, "…")
	}
	return lines
}

// joinFacts sets facts in one line, without the empty ones.
func joinFacts(facts ...string) string {
	var out []string
	for _, f := range facts {
		if f != "" {
			out = append(out, f)
		}
	}
	return strings.Join(out, "  ")
}

package browse

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
)

// maxFactBytes is how much of a text, in bytes, is set as facts.
const maxFactBytes = 4000

// shapeFact says how large a picture is, and which ratio was requested. It warns where the picture has another one.
func shapeFact(h history.PictureHit, s *themes.Styles, usual themes.Style) fact {
	p := h.Answer.Picture
	text := fmt.Sprintf("%d×%d", p.Width, p.Height)
	want, received, isOther := p.Shape(h.Turn.Aspect)
	if want > 0 && received > 0 {
		text += ", asked " + h.Turn.Aspect
	}
	if isOther {
		return fact{s.Warning, text + ", got " + format.Ratio(received) + "!"}
	}
	return fact{usual, text}
}

// pictureLine says what a picture is in one line.
func pictureLine(h history.PictureHit, look Look, s *themes.Styles) string {
	a, shape := h.Answer, shapeFact(h, s, s.Muted)
	return s.Strong.On(termtext.Line(a.Model)) + "  " + shape.style.On(shape.text) + "  " +
		s.Muted.On(joinFacts(format.Size(a.Picture.Bytes), nonceFact(a), look.When(h.Turn.Created), judgement(a)))
}

// nonceFact names the variant of a picture that was asked for by a nonce, "" for none.
func nonceFact(a history.Answer) string {
	if a.SentNonce == "" {
		return ""
	}
	return "variant " + termtext.Line(a.SentNonce)
}

// judgement says what a person thought of a picture, "" for nothing.
func judgement(a history.Answer) string {
	winner := ""
	if a.Winner {
		winner = "★ winner"
	}
	return joinFacts(winner, map[history.Rating]string{history.Good: "good", history.Bad: "bad"}[a.Rating])
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
	out = append(out, shapeFact(h, s, text))
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
			text := f.text[:min(len(f.text), maxFactBytes)]
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
	made := ""
	if source := h.Turn.SourceOf(a); source != nil {
		made = "made from " + termtext.Line(source.Name())
	}
	lines := []string{
		s.Text.On(termtext.Line(h.Turn.Prompt)),
		pictureLine(h, l.grid.look, s),
		s.Muted.On(joinFacts(filepath.Base(a.Picture.Path), termtext.Line(h.SessionName), made)),
	}
	for i, line := range lines {
		lines[i] = " " + ansi.Truncate(line, w, "…")
	}
	return lines
}

// joinFacts sets facts in one line, without the empty ones.
func joinFacts(facts ...string) string {
	return strings.Join(slices.DeleteFunc(facts, func(f string) bool { return f == "" }), "  ")
}

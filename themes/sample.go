package themes

import (
	"strings"

	"charm.land/lipgloss/v2"

	"confab/internal/termtext"
)

// Sample returns lines that show what the styles look like, w cells wide, on their background, the most telling ones
// first. It shows the same words in every theme.
func Sample(s *Styles, w int) []string {
	if w <= 0 {
		return nil
	}
	p := s.Palette
	base := NewStyle(withBackground(withForeground(lipgloss.NewStyle(), p.Text), p.Background))
	rail := s.ModelStyle("alpha3.1-8b")
	lines := []string{
		s.Gradient(p.Name) + "  " + s.Muted.On(p.About),
		s.Prompt.Behind(termtext.Fit(s.You.On("▌ you")+"  "+s.Muted.On("14:02   3 models"), w-2)),
		s.Prompt.Behind(termtext.Fit(s.You.On("▌")+" Explain a CRDT to a baker. Use one analogy.", w-2)),
		rail.On("▌ ● alpha3.1-8b") + "  " + s.Muted.On("1.24 s · 96 tokens · ") + s.Link.On("a link"),
		rail.On("▌ ") + s.Heading.On("A heading") + "  text, " + s.Strong.On("strong text") + ", " +
			s.Code.On(" code ") + " and " + s.Match.On("found") + " text",
		rail.On("▌ ") + s.Surface.Behind(termtext.Fit(codeSample(p), w-4)),
		rail.On("▌ ") + s.Removed.On(" taken out ") + " " + s.Added.On(" put in "),
		"",
		s.Selected.On(termtext.Fit(" the selected row   today", w-2)),
		modelSample(p) + s.Muted.On("models"),
		s.Success.On("✓ done") + "  " + s.Info.On("i note") + "  " + s.Warning.On("! slow") + "  " +
			s.Danger.On("✗ failed") + "  " + s.Faint.On("a hint") + "  " +
			s.Key.On("key") + " " + s.KeyText.On("command"),
	}
	for i, l := range lines {
		lines[i] = base.Behind(termtext.Fit(" "+l, w))
	}
	return lines
}

func modelSample(p Palette) string {
	var b strings.Builder
	for _, c := range p.Models {
		if c != "" {
			b.WriteString(NewStyle(withForeground(lipgloss.NewStyle(), c)).On("●") + " ")
		}
	}
	return b.String()
}

func codeSample(p Palette) string {
	var b strings.Builder
	for _, t := range []struct{ color, text string }{
		{p.Code.Keyword, " func "}, {p.Code.Name, "greet"}, {p.Code.Text, "("}, {p.Code.String, `"hello"`},
		{p.Code.Text, ", "}, {p.Code.Number, "42"}, {p.Code.Text, ") "}, {p.Code.Comment, "// a comment"},
	} {
		b.WriteString(NewStyle(withForeground(lipgloss.NewStyle(), t.color)).On(t.text))
	}
	return b.String()
}

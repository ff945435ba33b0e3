package themes

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Sample returns lines that show what the styles look like, at most w cells
// wide, for choosing a theme by eye. It shows the same words in every theme.
func Sample(s *Styles, w int) []string {
	if w <= 0 {
		return nil
	}
	state := func(st Style, mark, word string) string { return st.Render(mark + " " + word) }
	lines := []string{
		s.Strong.Render(s.Name) + "  " + s.Badge.Render(" "+brightness(s.Dark)+" "),
		s.Muted.Render(s.Palette.About),
		"",
		s.BorderFocused.Render("┏━ ") + s.TitleFocused.Render("Prompt") + s.BorderFocused.Render(" ━━┓") + " " +
			s.Border.Render("╭─ ") + s.Title.Render("Models") + s.Border.Render(" ──╮"),
		s.You.Render("▌ you") + s.Muted.Render("  14:02   3 models"),
		s.Text.Render("Ordinary text, ") + s.Strong.Render("strong text") + s.Text.Render(" and ") +
			s.Match.Render("found") +
			s.Text.Render(" text"),
		s.Muted.Render("Facts beside it  ") + s.Faint.Render("hints and placeholders"),
		s.Selected.Render("▌the row under the cursor   today "),
		s.Marked.Render("◆ ") + s.Text.Render("marked model  ") + s.Badge.Render(" beta ") + s.Muted.Render("  1.2 s"),
		modelSample(s),
		state(s.Success, "✓", "done") + "  " + state(s.Info, "i", "info") + "  " +
			state(s.Warning, "!", "slow") + "  " + state(s.Danger, "✗", "failed"),
		s.Heading.Render("A heading") + "  " + s.Link.Render("a link") + "  " + s.Code.Render(" code "),
		codeSample(s.Palette),
		s.Progress.Render("██████") + s.Rule.Render("░░░░") + "  " + s.Key.Render("key") + s.KeyText.Render(" command"),
	}
	for i, l := range lines {
		lines[i] = ansi.Truncate(l, w, "…")
	}
	return lines
}

func brightness(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

func modelSample(s *Styles) string {
	var b strings.Builder
	for _, c := range s.Palette.Models {
		if c != "" {
			b.WriteString(withForeground(lipgloss.NewStyle(), c).Render("●") + " ")
		}
	}
	return b.String() + s.Muted.Render("models")
}

func codeSample(p Palette) string {
	var b strings.Builder
	for _, t := range []struct{ color, text string }{
		{p.Code.Text, " "}, {p.Code.Keyword, "func "}, {p.Code.Name, "greet"}, {p.Code.Text, "("},
		{p.Code.String, `"hello"`}, {p.Code.Text, ", "}, {p.Code.Number, "42"}, {p.Code.Text, ") "}, {p.Code.Comment,
			"// comment "},
	} {
		b.WriteString(withBackground(withForeground(lipgloss.NewStyle(), t.color), p.Surface).Render(t.text))
	}
	return b.String()
}

// Swatch returns the colors of a palette on one line: texts, the bar of the selected row and accents on its
// background, the colors of models, and its layers. It is empty for a palette without colors.
func Swatch(p Palette) string {
	if p == (Palette{Name: p.Name, About: p.About, Dark: p.Dark, OwnText: p.OwnText}) {
		return ""
	}
	draw := func(text, fore, background string) string {
		return NewStyle(withBackground(withForeground(lipgloss.NewStyle(), fore), background)).On(text)
	}
	line := ""
	for _, c := range []string{p.Text, p.Muted, p.Faint} {
		line += draw(" Aa", c, p.Background)
	}
	line += draw(" ", "", p.Background) + New(p).Selected.On(" Aa ")
	for _, c := range []string{p.Focus, p.Person, p.Success, p.Warning, p.Danger, p.Info, p.Link} {
		line += draw(" ■", c, p.Background)
	}
	line += draw("  ", "", p.Background)
	for _, c := range p.Models {
		if c != "" {
			line += draw("●", c, p.Background)
		}
	}
	return line + draw("  ", "", p.Background) + draw(" code ", p.Text, p.Surface) + draw(" dialog ", p.Text, p.Overlay)
}

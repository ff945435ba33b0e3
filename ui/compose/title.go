package compose

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/editing"
	"confab/ui/keys"
	"confab/ui/widget"
)

// PromptTitle names the models that get the prompt and what they remember, in the border of a screen of a width in
// cells. With namesSystem it also names the system prompt, as far as there is room, for the right of the border: with
// the key that picks another one where the prompt has the focus.
func (c *Composer) PromptTitle(s *themes.Styles, hasFocus bool, width int, namesSystem bool) (title widget.Pieces,
	right string, hints []keys.Hint) {
	const corners, gap = 6, 3
	if !namesSystem {
		return c.promptTitle(s, hasFocus, width, width-corners), "", nil
	}
	for _, text := range []string{"system: " + c.systemName(24), "system: " + c.systemName(12), "system"} {
		if right = s.Muted.On(text); hasFocus {
			hints = c.Keys.HintAs(keys.Everywhere, keys.Personas, text)
			right = widget.HintLine(s, hints)
		}
		free := width - corners - termtext.Width(right) - gap
		if title = c.promptTitle(s, hasFocus, width, free); title.Width() <= free {
			return title, right, hints
		}
	}
	return c.promptTitle(s, hasFocus, width, width-corners), "", nil
}

// promptTitle is the title in as many cells as are free, as far as that is possible.
func (c *Composer) promptTitle(s *themes.Styles, hasFocus bool, width, free int) widget.Pieces {
	style := s.Title
	if hasFocus {
		style = s.TitleFocused
	}
	if owner := c.Session().Owner; owner != "" {
		text := "read only: " + termtext.Line(owner) + " shared this session"
		if width < 70 {
			text = "read only, of " + termtext.Line(owner)
		}
		return widget.Pieces{{Text: style.On("Prompt  " + text)}}
	}
	marked := c.Models.Marked()
	models := style.On("→ ") + widget.ModelDots(s, marked)
	switch {
	case len(marked) == 0:
		models = style.On(" no model marked")
	case !strings.Contains(models, "●"): // they are a number already
	case len(marked) > 5 && width < 70: // the system prompt is named in the same line
		models = style.On("→ " + format.Count(len(marked), "model"))
	case len(marked) > 1:
		models += style.On("  " + format.Count(len(marked), "model"))
	}
	name := "Prompt "
	if mode := c.area.Mode(); mode != editing.ModeNone {
		name += string(mode) + " "
	}
	title := widget.Pieces{{Text: style.On(name)}, c.tabs(s, style), {Text: models, Command: keys.ChooseModels}}
	if c.settings.Beside != 0 {
		title = append(title, widget.Piece{Text: style.On("   new branch")})
	}
	if n := len(c.waiting()); n > 0 {
		title = append(title, widget.Piece{Text: style.On("   " + format.Count(n, "prompt") + " queued")})
	}
	if memory := c.memoryText(free - title.Width() - 3); memory != "" {
		title = append(title, widget.Piece{Text: style.On("   ")},
			widget.Piece{Text: s.Muted.On(memory), Command: keys.ToggleContext})
	}
	return title
}

// systemName returns the persona or the start of the system prompt in at most that many cells.
func (c *Composer) systemName(cells int) string {
	if c.System.IsEmpty() {
		return "none"
	}
	return ansi.Truncate(termtext.Line(cmp.Or(c.persona(), c.System.Text())), cells, "…")
}

// SystemNote names the models that take no system prompt, else the persona.
func (c *Composer) SystemNote() string {
	var without []string
	for _, slug := range c.Models.Marked() {
		if info, ok := c.Models.Info(slug); ok && (info.Kind != "text" || !info.TakesSystem) {
			without = append(without, termtext.Line(slug))
		}
	}
	if len(without) > 0 && !c.System.IsEmpty() {
		return "not sent to " + strings.Join(without, ", ")
	}
	return termtext.Line(c.persona())
}

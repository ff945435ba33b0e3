package compose

import (
	"cmp"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

const optionGap = "   "

// options draws the settings for the marked kinds, with the commands that change them.
func (c *Composer) options() widget.Pieces {
	kinds := c.Models.Kinds()
	var pieces widget.Pieces
	add := func(text string, command keys.Command) {
		pieces = append(pieces, widget.Piece{Text: text, Command: command})
	}
	axes := c.axes(func(e *editor) string { return e.area.Text() }) // chips take time
	count := axes.Count(service.Prompt{Models: c.Models.Marked(), Samples: c.settings.Samples})
	if count.Prompts != 1 && len(c.Models.Marked()) > 0 {
		add(count.String(), keys.NextVariant)
	}
	for _, f := range c.attached() {
		add(ansi.Truncate(termtext.Line(describeFile(f)), 48, "…"), keys.PickFile)
	}
	source := ""
	if s := c.settings.Source; s != nil {
		source = ansi.Truncate(termtext.Line(s.Name()), 48, "…")
	}
	if kinds[history.KindImage] > 0 {
		nonce := "same picture each time"
		switch c.settings.Nonce.Mode {
		case history.NonceFixed:
			nonce = "nonce " + termtext.Line(c.settings.Nonce.Value)
		case history.NonceFresh:
			nonce = "new picture each time"
		}
		add("ratio "+cmp.Or(c.settings.Aspect, "model's default"), keys.PictureOptions)
		add(nonce, keys.PictureOptions)
	}
	params := service.ParamsText(axes.JoinParams(c.settings.Params))
	if params != "" && kinds[history.KindText] > 0 {
		add(termtext.Line(params), keys.Parameters)
	}
	if source != "" && c.hasVisionModel() && kinds[history.KindEdit] == 0 {
		add("with the picture "+source, keys.PickSource)
	}
	if kinds[history.KindEdit] > 0 {
		none := "none yet" + c.Keys.Phrase(keys.Prompt, keys.PickSource, ": %s picks one")
		add("source "+cmp.Or(source, none), keys.PickSource)
	}
	if c.settings.Samples > 1 {
		add(format.Count(c.settings.Samples, "sample")+" each", keys.PictureOptions)
	}
	return pieces.Join(optionGap)
}

// hintAt returns the key of a setting that is drawn under the text.
func (c *Composer) hintAt(x, y int) (keys.Hint, bool) {
	if y != c.h-1 {
		return keys.Hint{}, false
	}
	hints := c.Keys.Hints(keys.Prompt, c.options().CommandAt(x-1)) // the margin
	if len(hints) == 0 {
		return keys.Hint{}, false
	}
	return hints[0], true
}

// startPicture marks an image model, unless one is marked, and goes to the prompt.
func (c *Composer) startPicture() action.Action {
	focus := action.Focus{Pane: action.PanePrompt}
	if c.marks(history.KindImage) {
		return focus
	}
	return action.Sequence{action.Compose{Models: c.Models.Of(history.KindImage)[:1]}, focus}
}

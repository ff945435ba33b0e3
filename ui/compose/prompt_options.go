package compose

import (
	"cmp"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/keys"
	"confab/ui/widget"
)

const optionGap = "   "

// options says the settings that matter for the marked kinds, with the commands that change them.
func (p *Prompt) options() widget.Pieces {
	var pieces widget.Pieces
	add := func(text string, command keys.Command) {
		pieces = append(pieces, widget.Piece{Text: text, Command: command})
	}
	source := ""
	if s := p.settings.Source; s != nil {
		source = ansi.Truncate(termtext.Line(s.Name()), 48, "…")
	}
	if p.kinds[history.KindImage] > 0 {
		variant := "same picture again"
		switch p.settings.Nonce.Mode {
		case history.NonceFixed:
			variant = "picture variant " + termtext.Line(p.settings.Nonce.Value)
		case history.NonceFresh:
			variant = "new picture each time"
		}
		add("ratio "+cmp.Or(p.settings.Aspect, "as the model likes"), keys.PictureOptions)
		add(variant, keys.PictureOptions)
	}
	if params := service.ParamsText(p.settings.Params); params != "" && p.kinds[history.KindText] > 0 {
		add(termtext.Line(params), keys.Parameters)
	}
	if source != "" && p.HasVisionModel && p.kinds[history.KindEdit] == 0 {
		add("with the picture "+source, keys.PickSource)
	}
	if p.kinds[history.KindEdit] > 0 {
		none := "none yet" + p.keys.Phrase(keys.Prompt, keys.PickSource, ": %s picks one")
		add("source "+cmp.Or(source, none), keys.PickSource)
	}
	if p.settings.Samples > 1 {
		add(format.Count(p.settings.Samples, "sample")+" each", keys.PictureOptions)
	}
	return pieces.Join(optionGap)
}

// HintAt implements [part.HintShower]: the keys that change the settings which are drawn under the text.
func (p *Prompt) HintAt(x, y int) (keys.Hint, bool) {
	if y != p.h-1 {
		return keys.Hint{}, false
	}
	hints := p.keys.Hints(keys.Prompt, p.options().CommandAt(x-1)) // the margin
	return append(hints, keys.Hint{})[0], len(hints) > 0
}

package compose

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/keys"
)

const optionGap = "   "

// optionsLine says the settings that matter for the marked kinds.
func (p *Prompt) optionsLine() string {
	var parts []string
	if p.kinds[history.KindImage] > 0 {
		nonce := "same picture again (no nonce)"
		switch p.settings.Nonce.Mode {
		case history.NonceFixed:
			nonce = "same picture (nonce " + termtext.Line(p.settings.Nonce.Value) + ")"
		case history.NonceFresh:
			nonce = "new picture each time (fresh nonce)"
		}
		parts = append(parts, "ratio "+cmp.Or(p.settings.Aspect, "as the model likes"), nonce)
	}
	if params := service.ParamsText(p.settings.Params); params != "" && p.kinds[history.KindText] > 0 {
		parts = append(parts, termtext.Line(params))
	}
	if s := p.settings.Source; s != nil && p.Looks && p.kinds[history.KindEdit] == 0 {
		parts = append(parts, "with the picture "+ansi.Truncate(termtext.Line(s.Name()), 48, "…"))
	}
	if p.kinds[history.KindEdit] > 0 {
		source := "none yet" + p.keys.Phrase(keys.Prompt, keys.PickSource, ": %s picks one")
		if s := p.settings.Source; s != nil {
			source = ansi.Truncate(termtext.Line(s.Name()), 48, "…")
		}
		parts = append(parts, "source "+source)
	}
	if p.settings.Samples > 1 {
		parts = append(parts, fmt.Sprintf("%d samples each", p.settings.Samples))
	}
	return strings.Join(parts, optionGap)
}

// HintAt returns the key that changes the setting which is drawn at a place under the text.
func (p *Prompt) HintAt(x, y int) (keys.Hint, bool) {
	options := p.optionsLine()
	if options == "" || y != p.h-1 {
		return keys.Hint{}, false
	}
	x-- // the margin
	for piece := range strings.SplitSeq(options, optionGap) {
		if x >= 0 && x < ansi.StringWidth(piece) {
			hints := p.keys.Hints(keys.Prompt, optionCommand(piece))
			return append(hints, keys.Hint{})[0], len(hints) > 0
		}
		x -= ansi.StringWidth(piece) + len(optionGap)
	}
	return keys.Hint{}, false
}

// optionCommand returns the command that changes a setting.
func optionCommand(setting string) keys.Command {
	switch {
	case strings.HasPrefix(setting, "source "), strings.HasPrefix(setting, "with the picture "):
		return keys.PickSource
	case strings.HasPrefix(setting, "ratio "), strings.Contains(setting, "nonce"), strings.HasSuffix(setting, " each"):
		return keys.PictureOptions
	}
	return keys.Parameters
}

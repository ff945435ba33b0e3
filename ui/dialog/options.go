package dialog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"confab/history"
	"confab/service"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

const otherAspect = "other"

// nonceModes are the modes of the nonce in the order of the choices of the form, which calls it a variant.
var nonceModes = [...]history.NonceMode{history.NonceNone, history.NonceFixed, history.NonceFresh}

// PictureOptions is the form for aspect ratio, nonce and samples.
type PictureOptions struct {
	form
	aspect, ratio, nonce, value, samples *row
}

// NewPictureOptions returns the form with the settings of the prompt pane.
func NewPictureOptions(aspect string, nonce history.Nonce, samples int, m keys.Map, s *themes.Styles) *PictureOptions {
	p := &PictureOptions{
		aspect: &row{label: "Aspect ratio", choices: []string{"none", "1:1", "16:9", "9:16", "4:3", otherAspect},
			note: "for pictures; none: the model decides"},
		ratio: &row{label: "Other ratio", text: widget.NewField(m, "", "3:2"),
			note: "width:height in whole numbers, 1:20 to 20:1"},
		nonce: &row{label: "Nonce", choices: []string{"none", "a text", "new each time"}},
		value: &row{label: "Its text", text: widget.NewField(m, nonce.Value, "any text"),
			note: "write any text; another one asks for another picture"},
		samples: &row{label: "Samples", note: fmt.Sprintf("answers per model, 1 to %d", service.MaxSamples)},
	}
	for n := range service.MaxSamples {
		p.samples.choices = append(p.samples.choices, strconv.Itoa(n+1))
	}
	p.samples.at = max(min(samples, service.MaxSamples), 1) - 1
	if aspect != "" && !p.aspect.choose(aspect) {
		p.aspect.choose(otherAspect)
		p.ratio.text.SetValue(aspect)
	}
	p.nonce.at = max(slices.Index(nonceModes[:], nonce.Mode), 0)
	p.form = form{title: "Picture options", rows: []*row{p.aspect, p.ratio, p.nonce, p.value, p.samples},
		changed: p.sync, accept: p.result}
	p.init("picture options", m, s)
	return p
}

func (p *PictureOptions) sync() {
	p.ratio.hidden = p.aspect.choice() != otherAspect
	p.value.hidden = nonceModes[p.nonce.at] != history.NonceFixed
	p.nonce.note = [...]string{"the service may return a picture it made before",
		"the same text may return the same picture",
		"every turn makes a new picture"}[p.nonce.at]
}

func (p *PictureOptions) result() action.Action {
	aspect := p.aspect.choice()
	switch aspect {
	case "none":
		aspect = ""
	case otherAspect:
		var ok bool
		if aspect, ok = parseAspect(p.ratio.text.Value()); !ok {
			p.ratio.problem = "Must be two whole numbers, as in 3:2, from 1:20 to 20:1."
			return nil
		}
	}
	nonce := history.Nonce{Mode: nonceModes[p.nonce.at]}
	if nonce.Mode == history.NonceFixed {
		if nonce.Value = strings.TrimSpace(p.value.text.Value()); nonce.Value == "" {
			p.value.problem = "Must not be empty."
			return nil
		}
	}
	samples := p.samples.at + 1
	return action.Compose{Aspect: &aspect, Nonce: &nonce, Samples: &samples}
}

// parseAspect reads a ratio of two whole numbers, at most 20 to 1 either way.
func parseAspect(s string) (string, bool) {
	left, right, ok := strings.Cut(strings.TrimSpace(s), ":")
	w, err1 := strconv.ParseUint(strings.TrimSpace(left), 10, 16)
	h, err2 := strconv.ParseUint(strings.TrimSpace(right), 10, 16)
	if !ok || err1 != nil || err2 != nil || w == 0 || h == 0 || w > 20*h || h > 20*w {
		return "", false
	}
	return fmt.Sprintf("%d:%d", w, h), true
}

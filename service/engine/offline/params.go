package offline

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"confab/service/engine"
)

// textParams are the parameters of a text that have an effect.
type textParams struct {
	maxTokens int // 0 for no limit
	stop      []string
	seed      string
	ignored   []string // names of those without an effect
}

// readParams reads parameters by OpenAI's names.
func readParams(params engine.Params) (p textParams, err error) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		value, ok := params[name], true
		switch {
		case value == nil:
		case name == "max_tokens":
			var n float64
			n, ok = wholeNumber(value)
			ok = ok && n >= 1
			p.maxTokens = int(min(n, math.MaxInt32))
		case name == "seed":
			var n float64
			n, ok = wholeNumber(value)
			p.seed = strconv.FormatFloat(n, 'f', 0, 64)
		case name == "stop":
			p.stop, ok = texts(value)
		default:
			p.ignored = append(p.ignored, name)
		}
		if !ok {
			return textParams{}, &engine.Error{Status: 400, Code: "bad_request",
				Message: fmt.Sprintf("The parameter %s has a value that it cannot have.", name)}
		}
	}
	return p, nil
}

// wholeNumber returns a number without a fraction; false when v is none.
func wholeNumber(v any) (float64, bool) {
	if _, isText := v.(string); isText {
		return 0, false
	}
	n, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	return n, err == nil && n == math.Trunc(n)
}

// texts returns a text or a list of them; false when v is neither.
func texts(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case []string:
		return v, true
	case []any:
		var all []string
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				return nil, false
			}
			all = append(all, s)
		}
		return all, true
	}
	return nil, false
}

// cutAtStop returns what stands before the first of the texts to stop at.
func (p textParams) cutAtStop(text string) string {
	for _, stop := range p.stop {
		if stop != "" {
			text, _, _ = strings.Cut(text, stop)
		}
	}
	return text
}

// note says which parameters had no effect.
func (p textParams) note() string {
	if len(p.ignored) == 0 {
		return ""
	}
	return "The offline engine takes no notice of " + engine.CleanLine(strings.Join(p.ignored, ", ")) + "."
}

package offline

import (
	"encoding/json"
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
		number, isNumber := decode[float64](value)
		isWhole := isNumber && number == math.Trunc(number)
		switch {
		case value == nil:
		case name == "max_tokens":
			ok = isWhole && number >= 1
			p.maxTokens = int(min(number, math.MaxInt32))
		case name == "seed":
			ok = isWhole
			p.seed = strconv.FormatFloat(number, 'f', 0, 64)
		case name == "stop":
			if p.stop, ok = decode[[]string](value); !ok {
				p.stop = make([]string, 1)
				p.stop[0], ok = decode[string](value)
			}
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

// decode returns a value of JSON as another type; false when it is none.
func decode[T any](value any) (v T, ok bool) {
	b, err := json.Marshal(value)
	ok = err == nil && json.Unmarshal(b, &v) == nil
	return v, ok
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

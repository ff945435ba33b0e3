package suite

import (
	"encoding/json"
	"slices"
)

// Combinations returns every combination of the values of the named variables; the last one changes fastest. It
// returns nil for more than [MaxCells] combinations, and for a variable without values.
func Combinations(values map[string][]string, names []string) []map[string]string {
	count := 1
	for _, v := range values {
		if count *= len(v); count == 0 || count > MaxCells {
			return nil
		}
	}
	out := make([]map[string]string, count)
	for i := range out {
		row := make(map[string]string, len(names))
		at := i
		for _, name := range slices.Backward(names) {
			v := values[name]
			row[name] = v[at%len(v)]
			at /= len(v)
		}
		out[i] = row
	}
	return out
}

// VariablesKey returns a text that is equal for equal values of variables.
func VariablesKey(values map[string]string) string {
	b, _ := json.Marshal(values) // texts always marshal
	return string(b)
}

package suite

import (
	"encoding/json"
	"math"
	"slices"
)

// Count returns how many combinations the values make: the product of their numbers. A variable without any value makes
// none. It stops at the largest int rather than overflow.
func countCombinations(values map[string][]string) int {
	count := 1
	for _, v := range values {
		if len(v) == 0 {
			return 0
		}
		if count > math.MaxInt/len(v) {
			count = math.MaxInt
			continue
		}
		count *= len(v)
	}
	return count
}

// Matrix returns every combination of the values of the variables with these names, each named once; the last one
// changes fastest. It returns nil past [MaxMatrix] combinations: ask [Count] first.
func Combinations(values map[string][]string, names []string) []map[string]string {
	count := countCombinations(values)
	if count == 0 || count > maxCombinations {
		return nil
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

// Key returns the values of variables as one text, to compare them by.
func VariablesKey(values map[string]string) string {
	b, _ := json.Marshal(values) // texts always marshal
	return string(b)
}

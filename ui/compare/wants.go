package compare

import (
	"maps"
	"slices"
	"strings"
)

// Wants returns the layouts that were chosen, by number of answers and width,
// to be kept for later screens.
func (c *Compare) Wants() string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(c.wants)) {
		out = append(out, key+"="+string(c.wants[key]))
	}
	return strings.Join(out, ";")
}

// SetWants takes layouts that [Compare.Wants] returned; anything else in the
// text is passed over.
func (c *Compare) SetWants(text string) {
	for entry := range strings.SplitSeq(text, ";") {
		key, layout, ok := strings.Cut(entry, "=")
		if ok && slices.Contains([]Layout{Columns, Grid, Strip, List}, Layout(layout)) {
			c.wants[key] = Layout(layout)
		}
	}
}

package widget

import (
	"runtime"
	"strings"
	"testing"

	"charm.land/bubbles/v2/textarea"

	"confab/ui/keys"
)

// TestTextAreasAreSmall holds the memory of screens that are served: a text area of bubbles reserves 10,000 lines.
func TestTextAreasAreSmall(t *testing.T) {
	const count = 100
	areas := make([]textarea.Model, count)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range areas {
		areas[i] = NewArea(keys.Map{})
		SetAreaText(&areas[i], "two\nlines")
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int64(after.HeapAlloc-before.HeapAlloc) / count; each > 64<<10 {
		t.Errorf("a text area takes %d bytes", each)
	}
	runtime.KeepAlive(areas)
}

func TestSetAreaText(t *testing.T) {
	for _, height := range []int{1, 6} {
		area := NewArea(keys.Map{})
		area.SetHeight(height)
		for _, text := range []string{"", "one", "one\ntwo\nthree", strings.Repeat("line\n", 12_000), "one again", ""} {
			SetAreaText(&area, text)
			lines := strings.Split(text, "\n")
			want := lines[:min(len(lines), 10_000)]
			if area.Value() != strings.Join(want, "\n") || area.Line() != len(want)-1 {
				t.Errorf("height %d: the cursor is in line %d of %d", height, area.Line(), len(want))
			}
		}
	}
}

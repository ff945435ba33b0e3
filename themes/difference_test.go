package themes_test

import (
	"strings"
	"testing"

	"confab/themes"

	"github.com/lucasb-eyer/go-colorful"
)

// TestMarksOfADifference asks that the current change stands out from the others, what was removed from what was added,
// and each from the background, and that the text of the current change has a contrast of 7.
func TestMarksOfADifference(t *testing.T) {
	for _, p := range themes.Shipped() {
		if strings.HasPrefix(p.Name, "ansi16") {
			continue
		}
		s, base := themes.New(p), parseColor(t, p.Background)
		removed, added := background(t, s.Removed), background(t, s.Added)
		removedNow, addedNow := background(t, s.RemovedCurrent), background(t, s.AddedCurrent)
		for _, c := range []struct {
			name  string
			a, b  colorful.Color
			least float64
		}{
			{"current and other removed", removedNow, removed, 0.1}, {"current and other added", addedNow, added, 0.1},
			{"removed and added", removed, added, 0.055}, {"current ones", removedNow, addedNow, 0.14},
			{"removed and background", removed, base, 0.08}, {"added and background", added, base, 0.08},
		} {
			if d := labDistance(c.a, c.b); d < c.least {
				t.Errorf("%s: %s are %.3f apart, %s and %s", p.Name, c.name, d, c.a.Hex(), c.b.Hex())
			}
		}
		for _, style := range []themes.Style{s.RemovedCurrent, s.AddedCurrent} {
			if got := themes.Contrast(foreground(t, style), background(t, style)); got < 7 {
				t.Errorf("%s: text of the current change has %.2f", p.Name, got)
			}
		}
	}
}

// TestADifferenceIsSeenWithoutRedAndGreen asks that what was removed and what was added look different with the two
// common kinds of color blindness: in every theme, and clearly in those that are made for it.
func TestADifferenceIsSeenWithoutRedAndGreen(t *testing.T) {
	for _, p := range themes.Shipped() {
		if strings.HasPrefix(p.Name, "ansi16") {
			continue // has signs
		}
		least := 0.05
		if strings.HasPrefix(p.Name, "high-contrast") {
			least = 0.15
		}
		s := themes.New(p)
		for kind, seen := range colorBlindness() {
			for _, two := range [][2]themes.Style{{s.Removed, s.Added}, {s.RemovedCurrent, s.AddedCurrent}} {
				a, b := background(t, two[0]).Hex(), background(t, two[1]).Hex()
				if d := labDistance(asSeen(t, seen, a), asSeen(t, seen, b)); d < least {
					t.Errorf("%s, %s: %s and %s are only %.3f apart", p.Name, kind, a, b, d)
				}
			}
		}
	}
}

func background(t *testing.T, s themes.Style) colorful.Color {
	t.Helper()
	c, ok := colorful.MakeColor(s.Style.GetBackground())
	if !ok {
		t.Fatalf("%q has no background", s.Prefix)
	}
	return c
}

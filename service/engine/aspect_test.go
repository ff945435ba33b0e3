package engine_test

import (
	"errors"
	"math"
	"testing"

	"confab/service/engine"
)

func TestAspectRatios(t *testing.T) {
	for s, want := range map[string]float64{"1:1": 1, "16:9": 16.0 / 9, " 9:16 ": 9.0 / 16, "4:1": 4, "1:4": 0.25,
		"1.85:1": 1.85, "1024:768": 4.0 / 3} {
		w, h, err := engine.ParseAspect(s)
		if err != nil || math.Abs(w/h-want) > 1e-9 {
			t.Errorf("ParseAspect(%q) = %v, %v, %v, want a ratio of %v", s, w, h, err, want)
		}
		x, y := engine.AspectSize(w, h, 1<<20)
		if got := float64(x) / float64(y); math.Abs(got-want) > want*0.02 || x*y < 1_000_000 || x*y > 1_100_000 ||
			x%8 != 0 ||
			y%8 != 0 {
			t.Errorf("AspectSize of %q = %d, %d", s, x, y)
		}
	}
	for _, s := range []string{"", ":", "1", "1:", ":1", "0:1", "1:0", "-1:1", "a:b", "1:1:1", "5:1", "1:4.1", "1e3:1",
		"NaN:1", "Inf:1", "+1:1", "16x9", "100000:99999", "1..2:1", "\x00:1", "１:1", "16:9 please"} {
		_, _, err := engine.ParseAspect(s)
		var refused *engine.Error
		if !errors.As(err, &refused) || refused.Status != 400 || refused.Code != "bad_request" {
			t.Errorf("ParseAspect(%q) gives %v, want a refusal of status 400", s, err)
		}
	}
}

func FuzzParseAspect(f *testing.F) {
	for _, s := range []string{"16:9", "0:0", ".:.", "9999:9999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w, h, err := engine.ParseAspect(s)
		if err != nil {
			return
		}
		if x, y := engine.AspectSize(w, h, 1<<20); x < 8 || y < 8 || x*y > 1_200_000 {
			t.Errorf("%q gives %dx%d px", s, x, y)
		}
	})
}

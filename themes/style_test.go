package themes_test

import (
	"reflect"
	"testing"

	"confab/themes"
)

// What a style works out once must be what lipgloss would have drawn.
func TestStylesDrawAsLipglossDoes(t *testing.T) {
	for _, p := range themes.Shipped() {
		v := reflect.ValueOf(*themes.New(p))
		tried := 0
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			s, ok := v.Field(i).Interface().(themes.Style)
			if !ok {
				continue
			}
			tried++
			for _, text := range []string{"", " ", "word", "two words ", "日本 e\u0301", "two\nlines", "two\r\nlines",
				"a\ttab",
				"\x1b[1mbold\x1b[m"} {
				if got, want := s.Render(text), s.Style.Render(text); got != want {
					t.Errorf("%s, %s: %q is drawn as %q, by lipgloss as %q", p.Name, v.Type().Field(i).Name, text, got,
						want)
				}
			}
			if text := "\x1b[1mbold\x1b[m"; s.On(text) != text || s.On("") != "" ||
				s.On("word") != s.Style.Render("word") {
				t.Errorf("%s, %s: %q, %q, %q", p.Name, v.Type().Field(i).Name, s.On(text), s.On(""), s.On("word"))
			}
		}
		if tried < 20 {
			t.Fatalf("only %d styles were tried", tried)
		}
	}
}

func TestBehindGoesOnAfterResets(t *testing.T) {
	s := themes.New(themes.Palette{Overlay: "234"})
	if got, want := s.Overlay.Behind("a\x1b[1mb\x1b[mc"),
		"\x1b[48;5;234ma\x1b[1mb\x1b[m\x1b[48;5;234mc\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := themes.New(themes.Palette{}).Overlay.Behind("a\x1b[1mb\x1b[mc"); got != "a\x1b[1mb\x1b[mc" {
		t.Errorf("without a background: got %q", got)
	}
}

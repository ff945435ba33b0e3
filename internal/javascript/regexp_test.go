package javascript_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"confab/internal/javascript"
)

func TestMatchRegexp(t *testing.T) {
	for _, tt := range []struct {
		source, flags, text string
		want                bool
	}{
		{`^\d+$`, "", "42", true}, {`^\d+$`, "", "٤٢", false}, {"(?<=a)b", "", "ab", true}, {`(\w)\1`, "", "aa", true},
		{"^.$", "", "😀", false}, {"^.$", "u", "😀", true}, {"A", "i", "a", true}, {"[^]", "", "\n", true},
		{"^$", "", "", true},
	} {
		if got, err := javascript.MatchRegexp(t.Context(), tt.source, tt.flags, tt.text); got != tt.want || err != nil {
			t.Errorf("%s of %q: %v, %v", tt.source, tt.text, got, err)
		}
	}
	if _, err := javascript.MatchRegexp(t.Context(), "(", "", ""); err == nil || errors.Is(err, javascript.ErrLimit) {
		t.Errorf("an open bracket: %v", err)
	}
}

func TestRegexpsAreBounded(t *testing.T) {
	text := strings.Repeat("a", 60) + "!"
	if _, err := javascript.MatchRegexp(t.Context(), "^(a+)+$", "", text); !errors.Is(err, javascript.ErrLimit) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := javascript.MatchRegexp(ctx, "^(a+)+$", "", text); !errors.Is(err, javascript.ErrLimit) {
		t.Errorf("got %v when the context ended", err)
	}
}

func FuzzMatchRegexp(f *testing.F) {
	f.Add("^(a+)+$", "i", "aaaa!")
	f.Add(`(?<x>\w)\k<x>(?!b)[^]`, "u", "aac😀")
	f.Add("(?:a{0,1000}){0,1000}b", "", "aaaa")
	f.Fuzz(func(t *testing.T, source, flags, text string) {
		if len(source)+len(text) > 1<<12 {
			return
		}
		began := time.Now()
		_, err := javascript.MatchRegexp(t.Context(), source, flags, text)
		if d := time.Since(began); d > 5*time.Second {
			t.Fatalf("%s: %v", d, err)
		}
	})
}

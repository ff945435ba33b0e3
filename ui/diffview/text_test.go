package diffview_test

import (
	"testing"

	"confab/service"
	"confab/ui/diffview"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    service.Diff
		want string
	}{
		{"words", service.Compare("We are late, sorry.", "We are early, hooray."),
			"We are [-late-]{+early+}, [-sorry-]{+hooray+}."},
		{"lines", service.CompareLines("a\nb\nc\n", "a\nx\ny\nc\n"), "a\n[-b-]\n{+x\ny+}\nc\n"},
		{"a line end only", service.CompareLines("a\n", "a\n\n"), "a\n{+\n+}"},
		{"equal", service.Compare("same\n", "same\n"), "same\n"},
		{"wide", service.Compare("日本語です", "日本人です"), "日本[-語-]{+人+}です"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := diffview.Text(tt.d); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

package widget_test

import (
	"testing"

	"confab/service/diff"
	"confab/ui/widget"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    diff.Result
		want string
	}{
		{"words", diff.Words("We are late, sorry.", "We are early, hooray."),
			"We are [-late-]{+early+}, [-sorry-]{+hooray+}."},
		{"lines", diff.Words("a\nb\nc\n", "a\nx\ny\nc\n"), "a\n[-b-]{+x\ny+}\nc\n"},
		{"a line end only", diff.Words("a\n", "a\n\n"), "a\n{+\n+}"},
		{"equal", diff.Words("same\n", "same\n"), "same\n"},
		{"wide", diff.Words("日本語です", "日本人です"), "日本[-語-]{+人+}です"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := widget.DiffText(tt.d); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

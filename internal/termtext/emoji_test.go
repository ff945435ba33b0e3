package termtext_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

// TestEmoji cleans emoji of several characters for each kind of terminal.
func TestEmoji(t *testing.T) {
	const england = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
	for _, tt := range []struct{ in, single, variants, clusters string }{
		{"a ❤\ufe0f ⏸\ufe0f b", "a ❤ ⏸ b", "a ❤\ufe0f ⏸\ufe0f b", "a ❤\ufe0f ⏸\ufe0f b"},
		{"🖥\ufe0f🗂\ufe0f☀\ufe0f", "🖥🗂☀", "🖥\ufe0f🗂\ufe0f☀\ufe0f", "🖥\ufe0f🗂\ufe0f☀\ufe0f"},
		{"👍🏽", "👍", "👍", "👍🏽"},
		{"👩\u200d💻 🏳\ufe0f\u200d🌈", "👩💻 🏳🌈", "👩💻 🏳🌈", "👩\u200d💻 🏳\ufe0f\u200d🌈"},
		{"1\ufe0f\u20e3 x", "1 x", "1 x", "1\ufe0f\u20e3 x"},
		{england, "🏴", "🏴", england},
		// Only parts of emoji are kept.
		{"a\ufe0f─\ufe0f世\ufe0f1\ufe0f", "a─世1", "a─世1", "a─世1"},
		{"🏴\U000e0073\U000e0065\U000e0063", "🏴", "🏴", "🏴"},
		{"a\u200d👩 👩\u200d", "a👩 👩", "a👩 👩", "a👩 👩"},
		{"❤\ufe0f\u0301x", "❤\u0301x", "❤\u0301x", "❤\u0301x"},
		{"❤\ufe0f\x1b[31m\tx", "❤␛[31m  x", "❤\ufe0f␛[31m x", "❤\ufe0f␛[31m x"},
	} {
		for e, want := range map[termtext.Emoji]string{termtext.SingleEmoji: tt.single,
			termtext.EmojiVariants: tt.variants, termtext.EmojiClusters: tt.clusters} {
			got := e.Clean(tt.in)
			if got != want {
				t.Errorf("%q is %q for %d, want %q", tt.in, got, e, want)
			}
			if again := e.Clean(got); again != got {
				t.Errorf("%q becomes %q for %d", got, again, e)
			}
			if allowed := e.Allow(got); allowed != got {
				t.Errorf("of %q, %q is allowed for %d", got, allowed, e)
			}
		}
	}
}

// FuzzEmoji checks that invisible characters remain only in emoji, which are two cells wide.
func FuzzEmoji(f *testing.F) {
	f.Add("a ❤\ufe0f 👩\u200d💻 1\ufe0f\u20e3 👍🏽\u0301 \u200d\ufe0f 🇩🇪\ufe0f\x1b[m")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range []termtext.Emoji{termtext.EmojiVariants, termtext.EmojiClusters} {
			got := e.Clean(s)
			if again := e.Clean(got); again != got {
				t.Fatalf("not idempotent: %q, then %q", got, again)
			}
			if allowed := e.Allow(got); allowed != got {
				t.Fatalf("of %q, %q is allowed", got, allowed)
			}
			for rest := got; rest != ""; {
				cluster, cells := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
				if strings.ContainsAny(cluster, "\ufe0f\u200d") && cells != 2 {
					t.Fatalf("%q of %q is %d cells wide", cluster, got, cells)
				}
				rest = rest[len(cluster):]
			}
		}
	})
}

package ui_test

import (
	"strings"
	"testing"
	"time"

	"confab/internal/redact"
	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// TestNoKeyIsDrawn answers with a key that cleaning and markup put together. Only what is drawn is masked here: texts
// that were stored before the key was known have it.
func TestNoKeyIsDrawn(t *testing.T) {
	const key = "sk-Live-0123456789abcdef"
	run(t, func(t *testing.T) {
		s := open(t, 100, 40, func(o *ui.Options, _ *service.Options) { o.Mask = redact.NewMasker(key) })
		s.client.say = func(api.Request) (api.Response, time.Duration, error) {
			every := func(between string) string { return strings.Join(strings.Split(key, ""), between) }
			texts := []string{"plain " + key, "zero " + every("\u200b"),
				"nul " + every("\x00"),
				"marks sk-**Live**-0123*4567*89abcdef", "escaped sk\\-Live\\-0123456789abcdef",
				"code sk-`Live-01`23456789abcdef",
				"entities sk&shy;-&#76;ive-0123456789abcdef", "upper " + strings.ToUpper(key),
				"tags " + every("\U000e0041"),
				"```\n" + key + "\n```", "the end",
			}
			return api.Response{Text: strings.Join(texts, "\n\n")}, 0, nil
		}
		s.typed("What is the key? " + key)
		s.shows("What is the key? ••••••••••••••••••••••••")
		s.press("enter")
		s.shows("plain ••••••••••••••••••••••••", "marks ••••••••••••••••••••••••", "the end")
		if screen := strings.ToLower(s.text()); strings.Contains(screen, strings.ToLower(key)) {
			t.Errorf("the key is on\n%s", screen)
		}
	})
}

// TestNoKeyIsDrawnInRows breaks a key that markup splits at each of its hyphens.
func TestNoKeyIsDrawnInRows(t *testing.T) {
	const key = "sk-Live-abcd-0123456789abcdef"
	run(t, func(t *testing.T) {
		s := open(t, 100, 40, func(o *ui.Options, _ *service.Options) { o.Mask = redact.NewMasker(key) })
		s.client.say = func(api.Request) (api.Response, time.Duration, error) {
			text := ""
			for n := range 12 {
				text += strings.Repeat("x", 40+n) + " sk-**Live**-abcd-0123456789abcdef\n"
			}
			return api.Response{Text: text + "the end"}, 0, nil
		}
		s.typed("p")
		s.press("enter")
		s.shows("the end")
		if screen := s.text(); strings.Contains(screen, "sk-") || strings.Contains(screen, "0123456") {
			t.Errorf("a part of the key is on\n%s", screen)
		}
	})
}

// TestCopyingTellsOfHiddenCharacters copies an answer by key: exactly, and with a warning.
func TestCopyingTellsOfHiddenCharacters(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		text := "rm\u200b -rf \u202ex \x1b[8mhidden ❤️ 👩‍💻"
		s.client.say = func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: text}, 0, nil
		}
		s.typed("p")
		s.press("enter", "alt+2", "y")
		if got := strings.Join(s.desktop.copied, ""); got != text {
			t.Errorf("copied %q", got)
		}
		s.shows("It holds 3 invisible or control characters.")
	})
}

package ui_test

import (
	"strings"
	"testing"
	"time"

	"confab/service/api"
)

func TestLongLinesOfCodeMoveSideways(t *testing.T) {
	text := "```\n" + strings.Repeat("0123456789", 12) + "END\n```\n\nShort."
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		run(t, func(t *testing.T) {
			s := open(t, size[0], size[1], withAnswers(func(api.Request) (api.Response, time.Duration, error) {
				return api.Response{Text: text, Status: 200}, time.Second, nil
			}))
			s.typed("some code")
			s.press("enter")
			s.pass(3 * time.Second)
			s.press("alt+2")
			s.shows("( ) sideways   c copy", "›")
			s.lacks("END")
			s.press(")", ")", ")")
			s.shows("‹", "END")
			s.press(")", ")")
			s.shows("Already at the end of the code")
			s.press("(", "(", "(", "(")
			s.shows("  0123456789")
			s.lacks("END")
		})
	}
}

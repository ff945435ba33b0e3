package ui_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // clock times in the goldens
	os.Exit(m.Run())
}

// answerMixed answers as services do: at once, late, never well, in other scripts.
func answerMixed(r api.Request) (api.Response, time.Duration, error) {
	switch r.Model.Slug {
	case "oss-20b":
		return api.Response{Text: "late", Status: 200}, time.Minute, nil
	case "phi-2":
		return api.Response{}, time.Second, &api.Error{Code: api.CodeUnauthorized, Status: 401,
			Message: "The service refused the key; set CONFAB_API_KEY or see confab config show."}
	}
	return api.Response{Status: 200, Text: "## 共有のレシピ帳 " +
		"📖\n\n二人のパン屋がそれぞれ**同じ本**に書き込みます。夜になると、書き足された分だけが合わさり、どちらが先に書いたかは関係ありません。\n\n" +
		"| step | who | 何をする |\n|---|---|---|\n| 1 | A | 書く |\n| 2 | B | 書く 👩‍🍳 |\n\n1. first\n2. second\n\n> " +
		"merged in " +
		"the evening\n"}, 900 * time.Millisecond, nil
}

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run("empty "+name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				golden.RequireEqual(t, open(t, size[0], size[1]).text())
			})
		})
		t.Run("busy "+name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, size[0], size[1], withAnswers(answerMixed), func(o *ui.Options, _ *service.Options) {
					o.Start.Marked = []string{"alpha3.1-8b", "oss-20b", "phi-2"}
					o.Start.Given.System = "You are a patient teacher."
				})
				s.typed("Explain a CRDT to a baker.")
				s.press("enter")
				s.pass(3 * time.Second)
				s.typed("Explain it again, now to a child of six")
				s.pass(time.Second)
				golden.RequireEqual(t, s.text())
			})
		})
		t.Run("models "+name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, size[0], size[1])
				s.press("ctrl+l", "down", "space", "down", "down")
				golden.RequireEqual(t, s.text())
			})
		})
	}
}

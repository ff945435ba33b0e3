package cli_test

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/service/engine/enginetest"
)

// TestAnswersOfEnginesAreWhatTheySeem asks engines whose answers are no plain texts, as a person does.
func TestAnswersOfEnginesAreWhatTheySeem(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure(`
[engines.local]
url = "` + s.Base() + `"
[[routes]]
models = ["*"]
engine = "local"
model = "m"
`)
	event := func(delta, finish string) string {
		return `data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}` + "\n\n"
	}
	picture := enginetest.Source(t, 40, 30, false)
	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
	for _, c := range []struct {
		name, stream string
		status       int
		out          []string // of --json
	}{
		{"reasoning without an opening tag", event(`{"content":"Hm."}`, "null") +
			event(`{"content":"</think>Yes."}`, `"stop"`), 0, []string{`"text":"Yes."`}},
		{"an unknown end", event(`{"content":"Yes."}`, `"abort"`), 0, []string{`"text":"Yes."`, `"finish":"abort"`}},
		{"nobody's end", event(`{"content":"Yes."}`, "null") + "data: [DONE]\n\n", 1, []string{`"state":"failed"`,
			`"partial_text":"Yes."`, "broke off"}},
		{"an error", event(`{"content":"Yes."}`, "null") + "error: {\"code\":500,\"message\":\"boom\"}\n\ndata: [DONE]\n\n", 1,
			[]string{`"state":"failed"`, `"partial_text":"Yes."`, "boom"}},
		{"a picture", event(`{"content":"","images":[{"image_url":{"url":"`+url+`"}}]}`, `"stop"`), 0,
			[]string{`"kind":"image"`, `"width":40`, `"content_type":"image/png"`}},
		{"a tool", event(`{"content":null,"tool_calls":[{"function":{"name":"weather"}}]}`, `"tool_calls"`), 1,
			[]string{"the model asked for the tool weather, which confab does not have"}},
	} {
		s.Replay("m", []byte(c.stream), 0)
		r := w.Must(c.status, "ask", "-m", "delta", "--json", "p")
		clitest.WantTexts(t, r.Out, c.out...)
		if strings.Contains(r.Out, `"file"`) {
			file := clitest.Objects(t, r.Out)[0]["file"].(string)
			if b, err := os.ReadFile(file); err != nil || len(b) < len(picture) {
				t.Errorf("%s: %d bytes in %s, %v", c.name, len(b), file, err)
			}
		}
	}
	s.Replay("m", []byte(event(`{"content":"Yes."}`, `"SAFETY"`)), 0)
	clitest.WantTexts(t, w.Must(0, "ask", "-m", "delta", "p").Err, "the engine left something out (SAFETY)")
	s.Replay("m", []byte(event(`{"content":"<think>Hm.</think>Yes."}`, `"stop"`)), 0)
	if out := w.Must(0, "ask", "-m", "delta", "p").Out; out != "Yes.\n" {
		t.Errorf("printed %q", out)
	}
	s.Replay("m", []byte(event(`{"images":["`+url+`"]}`, `"stop"`)), 0)
	if r := w.Must(0, "ask", "-m", "delta", "p"); !strings.Contains(r.Out+r.Err, ".png") {
		t.Errorf("a picture: %q, %q", r.Out, r.Err)
	}
}

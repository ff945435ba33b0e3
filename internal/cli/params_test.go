package cli_test

import (
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/service/engine/openai/stub"
)

// paramsConfig routes models to a stub, two of them to names by which it refuses a parameter.
func paramsConfig(s *stub.Server) string {
	return `
[engines.local]
url = "` + s.Base() + `"
[engines.local.params]
top_p = 0.9
temperature = 0.1
[[routes]]
models = ["delta"]
engine = "local"
model = "openai-param"
[[routes]]
models = ["gamma-4.7"]
engine = "local"
model = "fastapi-param"
[[routes]]
models = ["oss-20b"]
engine = "local"
model = "qwen3:8b"
params = { temperature = 0.5, extra = { mirostat = 1, cache_prompt = true } }
`
}

func TestParametersOnTheCommandLine(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure(paramsConfig(s))
	w.Must(0, "ask", "-m", "oss-20b", "--param", "top_k=40", "--param", "min_p=0.05", "--param", "presence_penalty=-1",
		"--param", "frequency_penalty=1.5", "--param", "reasoning_effort=low", "--param", "response_format=json_object",
		"--param", `extra={"mirostat":2,"grammar":"root"}`, "hello")
	f := s.Last().Fields
	for name, want := range map[string]any{"temperature": 0.5, "top_p": 0.9, "top_k": 40.0, "min_p": 0.05,
		"presence_penalty": -1.0, "frequency_penalty": 1.5, "mirostat": 2.0, "grammar": "root",
		"reasoning_effort": "low", "cache_prompt": true, "model": "qwen3:8b"} {
		if f[name] != want {
			t.Errorf("%s was sent as %v, want %v", name, f[name], want)
		}
	}
	if format, ok := f["response_format"].(map[string]any); !ok || format["type"] != "json_object" ||
		f["extra"] != nil {
		t.Errorf("sent %v", f)
	}
	turn := w.Must(0, "history", "show", "s1").Out
	clitest.WantTexts(t, turn, `extra {"grammar":"root","mirostat":2}`, "top_k 40, min_p 0.05")
	clitest.WantTexts(t, w.Must(0, "history", "export", "s1", "--as", "json", "-o", "-").Out,
		`"min_p": 0.05`, `"grammar": "root"`)

	w.Configure(strings.Replace(paramsConfig(s), "top_p = 0.9", "topp = 0.9", 1))
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "oss-20b", "hello").Err, "engines.local", "did you mean top_p?")
	w.Configure(paramsConfig(s))
	before := len(s.Calls())
	for given, says := range map[string]string{
		"topk=4":                     `there is no parameter "topk"; did you mean top_k?`,
		"top_k=4.5":                  "the parameter top_k must be a whole number from 0 to 1000000",
		"presence_penalty=3":         "the parameter presence_penalty must be a number from -2 to 2",
		`extra={"messages":[]}`:      "the parameter extra must be a JSON object without model, messages, stream or keys",
		`extra={"model":"gpt","a":1`: "the parameter extra must be a JSON object",
	} {
		if r := w.Must(2, "ask", "-m", "oss-20b", "--param", given, "hello"); !strings.Contains(r.Err, says) {
			t.Errorf("%s: %q, want %q", given, r.Err, says)
		}
	}
	if len(s.Calls()) != before {
		t.Error("a request with a wrong parameter was sent")
	}
}

func TestAnEngineThatRefusesAParameter(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure(paramsConfig(s))
	for slug, says := range map[string]string{
		"delta":     "The engine local refuses the parameter top_k: Unsupported parameter",
		"gamma-4.7": "The engine local refuses the parameter min_p: body: min_p: Extra inputs are not permitted",
	} {
		r := w.Must(1, "ask", "-m", slug, "--param", "top_k=40", "--param", "min_p=0.1", "hello")
		clitest.WantTexts(t, r.Err, says, "(bad_request)")
	}
	r := w.Must(0, "ask", "-m", "phi-2", "--param", "top_k=40", "--param", "seed=1", "hello") // by the offline engine
	clitest.WantTexts(t, r.Err, "The offline engine takes no notice of top_k")
}

package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/service/engine/openai/stub"
)

// modelLines returns the first words of the lines of confab models that an engine answers.
func modelLines(w *clitest.World, engine string) string {
	w.T.Helper()
	var slugs []string
	for line := range strings.Lines(w.Must(0, "models").Out) {
		if strings.Contains(line, "\t"+engine) {
			slugs = append(slugs, strings.Split(line, "\t")[0])
		}
	}
	return strings.Join(slugs, " ")
}

// TestModelsOfAnEngineAreLive has nothing but the address of a server in the configuration while its models change.
func TestModelsOfAnEngineAreLive(t *testing.T) {
	s := clitest.StartStub(t)
	s.List("tiny:latest", "qwen/qwen3:8b", "nomic-embed-text")
	w := clitest.NewWorld(t)
	w.Configure("[engines.local]\nurl = '" + s.Base() + "'\n")
	if got := modelLines(w, "local"); got != "qwen/qwen3:8b tiny:latest" {
		t.Errorf("listed %q", got)
	}
	for name, want := range map[string]string{"tiny": "tiny:latest", "qwen3": "qwen/qwen3:8b",
		"qwen/qwen3": "qwen/qwen3:8b", "qwen/qwen3:8b": "qwen/qwen3:8b", "qw*": "qwen/qwen3:8b"} {
		if got := w.Must(0, "ask", "-m", name, "hi").Out; got != want+"|hi|\n" {
			t.Errorf("-m %s: %q", name, got)
		}
	}
	s.List("tiny:latest", "new:1b", "new:2b")
	if got := w.Must(0, "ask", "-m", "new:1b", "hi").Out; got != "new:1b|hi|\n" {
		t.Errorf("a new model: %q", got)
	}
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "new", "hi").Err, "may be new:1b, new:2b", "unknown_model")
	if got := modelLines(w, "local"); got != "new:1b new:2b tiny:latest" {
		t.Errorf("listed %q", got)
	}
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "qwen/qwen3:8b", "hi").Err, "no model is called", "unknown_model")
	s.Close()
	if got := modelLines(w, "local (down)"); got != "new:1b new:2b tiny:latest" {
		t.Errorf("of a server that is away %q is listed", got)
	}
}

// TestAModelThatWent is refused as such once its server has said so, without another list of the models.
func TestAModelThatWent(t *testing.T) {
	s := clitest.StartStub(t)
	s.List("ollama-missing", "tiny:latest")
	w := clitest.NewWorld(t)
	w.Configure("[engines.local]\nurl = '" + s.Base() + "'\n")
	w.Must(0, "models")
	s.List("tiny:latest")
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "ollama-missing", "hi").Err, "local has no model ollama-missing now",
		"choose another one", "unknown_model")
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "ollama-missing", "hi").Err, "no model is called", "unknown_model")
	if got := w.Must(0, "ask", "-m", "tiny", "hi").Out; got != "tiny:latest|hi|\n" {
		t.Errorf("the other model: %q", got)
	}
}

// TestTheDefaultModelIsOneThereIs asks without -m in each of the cases.
func TestTheDefaultModelIsOneThereIs(t *testing.T) {
	away, s := stub.Start(), clitest.StartStub(t)
	s.List("b", "a")
	engines := "[engines.away]\nurl = '" + away.Base() + "'\n[engines.local]\nurl = '" + s.Base() + "'\n"
	away.List("of-away")
	w := clitest.NewWorld(t)
	if got := w.Must(0, "ask", "hi").Out; !strings.Contains(got, "Simulated") {
		t.Errorf("without an engine: %q", got)
	}
	never := stub.Start()
	w.Configure("[engines.never]\nurl = '" + never.Base() + "'\n")
	never.Close()
	clitest.WantTexts(t, w.Must(1, "ask", "hi").Err, "never cannot be reached", "-m names a model")
	clitest.WantTexts(t, w.Must(0, "ask", "-m", "delta", "hi").Err, "simulated by the offline engine")
	w.Configure(engines)
	w.Must(0, "models") // both are known from here on
	away.Close()
	if got := w.Must(0, "ask", "hi").Out; got != "a|hi|\n" {
		t.Errorf("with an engine that runs: %q", got)
	}
	w.Configure("models.default = ['b']\n" + engines)
	if got := w.Must(0, "ask", "hi").Out; got != "b|hi|\n" {
		t.Errorf("with a default: %q", got)
	}
	w.Configure("models.favourites = ['b']\n" + engines)
	if got := w.Must(0, "ask", "hi").Out; got != "b|hi|\n" {
		t.Errorf("with a favourite: %q", got)
	}
	w.Configure("models.default = ['delta']\n" + engines)
	if r := w.Must(0, "ask", "hi"); !strings.Contains(r.Err, "simulated by the offline engine") {
		t.Errorf("a simulated one that is chosen: %q", r.Err)
	}
}

// TestSlugsWithSlashesAndColons are recorded, found, exported and configured as they are.
func TestSlugsWithSlashesAndColons(t *testing.T) {
	const slug = "qwen/qwen3:8b"
	s := clitest.StartStub(t)
	s.List(slug)
	w := clitest.NewWorld(t)
	w.Configure("[engines.local]\nurl = '" + s.Base() + "'\n[[prices]]\nmodels = ['qwen*']\ninput = 1\noutput = 1\n")
	w.Must(0, "ask", "-m", slug, "hi")
	if got := clitest.Objects(t, w.Must(0, "ask", "--json", "-m", slug, "hi").Out)[0]; got["model"] != slug ||
		got["cost"] == nil {
		t.Errorf("as JSON: %v", got)
	}
	clitest.WantTexts(t, w.Must(0, "history", "search", "model:"+slug).Out, "hi")
	for _, format := range []string{"json", "csv", "md", "html"} {
		out := filepath.Join(w.Home, "out."+format)
		w.Must(0, "history", "export", "s1", "-o", out)
		clitest.WantTexts(t, string(clitest.ReadFile(t, out)), slug)
	}
	suite := filepath.Join(w.Home, "s.yaml")
	clitest.WriteFile(t, suite, []byte("prompts: [hello]\nproviders: ['llm:"+slug+"']\n"), 0o600)
	clitest.WantTexts(t, w.Must(1, "run", suite, "--yes").Out, slug)
	clitest.WantTexts(t, w.Must(1, "run", suite, "--yes", "-m", "qwen3").Out, slug)
}

// TestWhatAServerTellsOfAModelIsUsed takes the prices of a server where the configuration has none, and what an answer
// cost where the server says it.
func TestWhatAServerTellsOfAModelIsUsed(t *testing.T) {
	s := clitest.StartStub(t)
	s.Serve("/v1/models", `{"data":[{"id":"a/sees","context_length":8192,
		"architecture":{"input_modalities":["text","image"]},
		"pricing":{"prompt":"0.000001","completion":"0.000002"}},{"id":"a/blind"}]}`)
	w := clitest.NewWorld(t)
	w.Configure("[engines.router]\nurl = '" + s.Base() + "'\n")
	m := clitest.Objects(t, w.Must(0, "models", "--json", "sees").Out)[0]
	if m["input_price"] != 1.0 || m["output_price"] != 2.0 || m["currency"] != "USD" ||
		m["context_tokens"] != 8192.0 || m["vision"] != true {
		t.Errorf("the model: %v", m)
	}
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "images, usage, context=8192 (1 text model)")
	if a := clitest.Objects(t, w.Must(0, "ask", "--json", "-m", "sees", "hi").Out)[0]; a["cost"] != 5e-6 {
		t.Errorf("by the prices: %v", a)
	}
	s.Replay("a/sees", []byte(`data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.25}}`+"\n\n"), 0)
	a := clitest.Objects(t, w.Must(0, "ask", "--json", "-m", "sees", "hi").Out)[0]
	if a["cost"] != 0.25 || a["currency"] != "USD" {
		t.Errorf("by the answer: %v", a)
	}
	picture := filepath.Join(w.Home, "p.png")
	clitest.WriteFile(t, picture, stub.Picture(8, 8, 1), 0o600)
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "blind", "--image", picture, "hi").Err, "no vision: ")
}

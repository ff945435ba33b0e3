package cli_test

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/service/engine/openai"
	"confab/service/engine/openai/stub"
)

func TestARoutedModelIsAnsweredByItsEngine(t *testing.T) {
	s := clitest.StartStub(t)
	s.IsGuarded = true
	gone := stub.Start()
	gone.Close()
	w := clitest.NewWorld(t, "UPSTREAM_KEY="+stub.Key)
	w.Configure(`
[engines.local]
url = "` + s.Base() + `"
key_env = "UPSTREAM_KEY"
[engines.paint]
kind = "openai-images"
url = "` + s.Base() + `"
key_env = "UPSTREAM_KEY"
[engines.gone]
url = "` + gone.Base() + `"
[[routes]]
models = ["oss-*"]
engine = "local"
model = "qwen3:8b"
params = { temperature = 0.5 }
[[routes]]
models = ["delta", "phi-2"]
engine = "gone"
[[routes]]
models = ["*"]
engine = "paint"
model = "gpt-image-1"
`)
	r := w.Must(0, "ask", "-m", "oss-20b", "--system", "s", "hello")
	if r.Out != "qwen3:8b|hello|s\n" || s.Last().Fields["temperature"] != 0.5 {
		t.Errorf("got %q after %v", r.Out, s.Last().Fields)
	}
	if r = w.Must(0, "ask", "-q", "-m", "gamma-4.7", "hello"); r.Err != "" {
		t.Errorf("told to be quiet it says %q", r.Err)
	}
	if r = w.Must(0, "ask", "-m", "gamma-4.7",
		"hello"); r.Err != "confab: gamma-4.7: simulated by the offline engine\n" {
		t.Errorf("a model without a route: %q", r.Err)
	}
	if r = w.Must(0, "ask", "-m", "oss-20b", "--json", "hello"); !strings.Contains(r.Out,
		`"engine":"local","engine_model":"qwen3:8b-2026-01-01"`) || strings.Contains(r.Out, "note") {
		t.Errorf("an engine: %s", r.Out)
	}
	if r = w.Must(1, "ask", "-m", "phi-2", "hello"); !strings.Contains(r.Err, "The engine gone cannot be reached") ||
		!strings.Contains(r.Err, "service") {
		t.Errorf("an engine that is away: %q", r.Err)
	}
	r = w.Must(0, "ask", "-m", "sim-image", "--aspect", "16:9", "-o", filepath.Join(w.Home, "boat.png"), "a boat")
	if f := s.Last().Fields; f["size"] != "1536x1024" || f["model"] != "gpt-image-1" {
		t.Errorf("a picture was asked as %v", f)
	}
	clitest.WantTexts(t, r.Err, "service says: Asked for 16:9, got 192x128")
	r = w.Must(0, "ask", "-m", "sim-image", "--aspect", "16:9", "--json", "a boat")
	clitest.WantTexts(t, r.Out, `"engine":"paint"`,
		`"service_note":"Asked for 16:9, got 192x128, the nearest it makes"`)
	var kept string
	for f, text := range clitest.Contents(t, filepath.Join(w.Home, ".local")) {
		if strings.HasSuffix(f, ".json") && strings.Contains(f, "boat") {
			kept += text
		}
	}
	clitest.WantTexts(t, kept, `"engine": "paint"`, `"service_note": "Asked for 16:9`)
	const problem = "The engine gone cannot be reached: nothing listens at its address."
	for slug, want := range map[string][]any{ // engine, its name of the model, up, why it is not up
		"oss-20b": {"local", "qwen3:8b", true, nil}, "phi-2": {"gone", nil, false, problem},
		"sim-image": {"paint", "gpt-image-1", true, nil}, "gamma-4.7": {"offline", nil, true, nil},
	} {
		m := clitest.Objects(t, w.Must(0, "models", "--json", slug).Out)[0]
		got := []any{m["engine"], m["engine_model"], m["up"], m["engine_problem"]}
		if m["slug"] != slug || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", slug, got, want)
		}
	}
	if out := w.Must(0, "models", "oss-20b", "delta").Out; !strings.Contains(out, "\tlocal\t") ||
		!strings.Contains(out, "\tgone (down)\t") {
		t.Errorf("models:\n%s", out)
	}
	all := ""
	for _, line := range strings.Split(strings.TrimSpace(w.Must(0, "history", "list").Out), "\n") {
		all += w.Must(0, "history", "show", strings.Split(line, "\t")[0]).Out
	}
	clitest.WantTexts(t, all, "s, by local as qwen3:8b-2026-01-01, 1 → 2 tokens", "s, simulated, ",
		"by paint as gpt-image-1, 192×128, asked 16:9, got 3:2!, ",
		"service says: Asked for 16:9, got 192x128, the nearest it makes <==")
	clitest.WantTexts(t, w.Must(0, "doctor").Out,
		"the embedded one, answered by local, gone, paint, offline (simulated)")
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "ok\tengine\tlocal is up at "+s.Base(),
		"warn\tengine\tgone is down at "+gone.Base()+": "+problem)
	for f, text := range clitest.Contents(t, w.Home) {
		if strings.Contains(text, stub.Key) {
			t.Errorf("the engine's key is in %s", f)
		}
	}
}

func TestUnroutedModelsMayBeRefused(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_SERVICE_UNROUTED=unknown_model")
	if r := w.Must(1, "ask", "-m", "delta", "hello"); !strings.Contains(r.Err, "unknown_model") {
		t.Errorf("got %q", r.Err)
	}
	if out := w.Must(0, "models", "delta").Out; !strings.Contains(out, "\tnobody\t") {
		t.Errorf("got %q", out)
	}
}

func TestTheUpstreamsKeyIsNeverTold(t *testing.T) {
	s := clitest.StartStub(t)
	s.IsGuarded = true
	const wrong = "sk-wrong-9876543210fedcba"
	w := clitest.NewWorld(t, "UPSTREAM_KEY="+wrong)
	w.Configure("[engines.a]\nurl='" + s.Base() +
		"'\nkey_env='UPSTREAM_KEY'\n[[routes]]\nmodels=['*']\nengine='a'\n")
	r := w.Must(1, "ask", "-m", "delta", "--json", "hello")
	if !strings.Contains(r.Out, `the operator of this service must check its key`) {
		t.Errorf("got %s", r.Out)
	}
	clitest.WantNoTexts(t, r.Out+r.Err, wrong)
	for f, text := range clitest.Contents(t, w.Home) {
		if strings.Contains(text, wrong) {
			t.Errorf("the key is in %s", f)
		}
	}
}

func TestServersAreFoundAndTakenIn(t *testing.T) {
	s := clitest.StartStub(t)
	s.Listed = []string{"llama3.2:3b", "Qwen/Qwen3-8B", "delta"}
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	w := clitest.NewWorld(t)
	w.Ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
	path := w.Configure("# mine\n[ui]\nfps = 30 # why\n")
	r := w.Must(0, "config", "engines")
	clitest.WantTexts(t, r.Out, "ollama\t"+s.Base()+"\tnew\tQwen/Qwen3-8B delta llama3.2:3b")
	clitest.WantTexts(t, r.Err, "--write")
	w.Must(0, "config", "engines", "--write")
	b, _ := os.ReadFile(path)
	clitest.WantTexts(t, string(b), "# mine\n[ui]\nfps = 30 # why\n", "[engines.ollama]", `slug = "delta@ollama"`)
	for slug, want := range map[string]string{"llama3.2:3b": "llama3.2:3b|hi|\n", "Qwen3-8B": "Qwen/Qwen3-8B|hi|\n",
		"delta@ollama": "delta|hi|\n"} {
		if got := w.Must(0, "ask", "-m", slug, "hi").Out; got != want {
			t.Errorf("%s answered %q", slug, got)
		}
	}
	if r := w.Must(0, "config", "engines", "--write", "--json"); !strings.Contains(r.Out, `"configured":true`) ||
		!strings.Contains(r.Err, "nothing is new") {
		t.Errorf("a second time: %s %s", r.Out, r.Err)
	}
	w.Ports = nil
	clitest.WantTexts(t, w.Must(0, "config", "engines").Err, "no server of models answers")
}

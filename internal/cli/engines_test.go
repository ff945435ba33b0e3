package cli

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/service/engine/openai"
	"confab/service/engine/openai/stub"
)

// configure writes the configuration file of a world.
func (w *world) configure(text string) string {
	w.t.Helper()
	path := filepath.Join(w.home, ".config", "confab", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func startStub(t *testing.T) *stub.Server {
	t.Helper()
	s := stub.Start()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func TestARoutedModelIsAnsweredByItsEngine(t *testing.T) {
	s := startStub(t)
	s.IsGuarded = true
	gone := stub.Start()
	gone.Close()
	w := newWorld(t, "UPSTREAM_KEY="+stub.Key)
	w.configure(`
[engines.local]
urls = ["` + s.Base() + `"]
key_env = "UPSTREAM_KEY"
[engines.paint]
kind = "openai-images"
urls = ["` + s.Base() + `"]
key_env = "UPSTREAM_KEY"
[engines.gone]
urls = ["` + gone.Base() + `"]
[[routes]]
models = ["oss-*"]
engine = "local"
model = "qwen3:8b"
params = { temperature = 0.5 }
[[routes]]
models = ["delta", "zeta"]
engine = "gone"
fallback = "offline"
[[routes]]
models = ["phi-2"]
engine = "gone"
[[routes]]
models = ["*"]
engine = "paint"
model = "gpt-image-1"
`)
	r := w.must(0, "ask", "-m", "oss-20b", "--system", "s", "hello")
	if r.out != "qwen3:8b|hello|s\n" || s.Last().Fields["temperature"] != 0.5 {
		t.Errorf("got %q after %v", r.out, s.Last().Fields)
	}
	const told = "The engine gone did not answer; offline did"
	if r = w.must(0, "ask", "-m", "delta", "hello"); !strings.Contains(r.out, "imulated") ||
		r.err != "confab: delta: simulated by the offline engine; service says: "+told+"\n" {
		t.Errorf("the fallback: %q, beside it %q", r.out, r.err)
	}
	if r = w.must(0, "ask", "-q", "-m", "delta", "hello"); r.err != "" {
		t.Errorf("told to be quiet it says %q", r.err)
	}
	if r = w.must(0, "ask", "-m", "delta", "--json", "hello"); !strings.Contains(r.out,
		`"engine":"offline","service_note":"`+told+`"`) {
		t.Errorf("the fallback: %s", r.out)
	}
	if r = w.must(0, "ask", "-m", "gamma-4.7",
		"hello"); r.err != "confab: gamma-4.7: simulated by the offline engine\n" {
		t.Errorf("a model without a route: %q", r.err)
	}
	if r = w.must(0, "ask", "-m", "oss-20b", "--json", "hello"); !strings.Contains(r.out,
		`"engine":"local","engine_model":"qwen3:8b-2026-01-01"`) || strings.Contains(r.out, "note") {
		t.Errorf("an engine: %s", r.out)
	}
	if r = w.must(1, "ask", "-m", "phi-2", "hello"); !strings.Contains(r.err, "The engine gone cannot be reached") ||
		!strings.Contains(r.err, "service") {
		t.Errorf("without a fallback: %q", r.err)
	}
	r = w.must(0, "ask", "-m", "sim-image", "--aspect", "16:9", "-o", filepath.Join(w.home, "boat.png"), "a boat")
	if f := s.Last().Fields; f["size"] != "1536x1024" || f["model"] != "gpt-image-1" {
		t.Errorf("a picture was asked as %v", f)
	}
	wantTexts(t, r.err, "service says: Asked for 16:9, got 192x128")
	r = w.must(0, "ask", "-m", "sim-image", "--aspect", "16:9", "--json", "a boat")
	wantTexts(t, r.out, `"engine":"paint"`, `"service_note":"Asked for 16:9, got 192x128, the nearest it makes"`)
	var kept string
	for f, text := range contents(t, filepath.Join(w.home, ".local")) {
		if strings.HasSuffix(f, ".png.json") || strings.HasSuffix(f, "-a-boat.json") {
			kept += text
		}
	}
	wantTexts(t, kept, `"engine": "paint"`, `"service_note": "Asked for 16:9`)
	const problem = "The engine gone cannot be reached."
	for slug, want := range map[string][]any{ // engine, its name of the model, up, fallback, why it is not up
		"oss-20b": {"local", "qwen3:8b", true, nil, nil}, "delta": {"gone", nil, false, "offline", problem},
		"phi-2": {"gone", nil, false, nil, problem}, "sim-image": {"paint", "gpt-image-1", true, nil, nil},
		"gamma-4.7": {"offline", nil, true, nil, nil},
	} {
		m := objects(t, w.must(0, "models", "--json", slug).out)[0]
		got := []any{m["engine"], m["engine_model"], m["up"], m["fallback"], m["engine_problem"]}
		if m["slug"] != slug || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", slug, got, want)
		}
	}
	if out := w.must(0, "models", "oss-20b", "delta").out; !strings.Contains(out, "\tlocal\t") ||
		!strings.Contains(out, "\tgone (down), then offline\t") {
		t.Errorf("models:\n%s", out)
	}
	all := ""
	for _, line := range strings.Split(strings.TrimSpace(w.must(0, "history", "list").out), "\n") {
		all += w.must(0, "history", "show", strings.Split(line, "\t")[0]).out
	}
	wantTexts(t, all, "s, by local as qwen3:8b-2026-01-01, 1 → 2 tokens", "s, simulated, ",
		"service says: "+told+" <==", "by paint as gpt-image-1, 192×128, asked 16:9, got 3:2!, ",
		"service says: Asked for 16:9, got 192x128, the nearest it makes <==")
	wantTexts(t, w.must(0, "doctor").out, "the embedded one, answered by local, gone, paint, offline (simulated)")
	wantTexts(t, w.must(0, "doctor", "--online").out, "ok\tengine\tlocal is up at "+s.Base(),
		"warn\tengine\tgone is down at "+gone.Base()+": The engine gone cannot be reached.")
	for f, text := range contents(t, w.home) {
		if strings.Contains(text, stub.Key) {
			t.Errorf("the engine's key is in %s", f)
		}
	}
}

func TestARunTellsOfItsEngines(t *testing.T) {
	s := startStub(t)
	gone := stub.Start()
	gone.Close()
	w := newWorld(t)
	w.configure(`
[engines.local]
urls = ["` + s.Base() + `"]
[engines.gone]
urls = ["` + gone.Base() + `"]
[[routes]]
models = ["zeta"]
engine = "local"
[[routes]]
models = ["delta"]
engine = "gone"
fallback = "offline"
`)
	path := w.suite("s.yaml", echoes)
	r := w.must(1, "run", path, "-o", filepath.Join(w.home, "out.jsonl"))
	wantTexts(t, r.err, "2 answers: the service says: The engine gone did not answer; offline did",
		"2 answers were simulated by the offline engine")
	lines := objects(t, read(t, filepath.Join(w.home, "out.jsonl")))
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		want := map[string][2]string{"zeta": {"local", ""},
			"delta": {"offline", "The engine gone did not answer; offline did"}}[l["model"].(string)]
		if note, _ := l["service_note"].(string); l["engine"] != want[0] || note != want[1] {
			t.Errorf("%v: %v %q", l["model"], l["engine"], note)
		}
	}
	wantNoTexts(t, newWorld(t).must(0, "ask", "-m", "zeta", "x").err, "simulated")
}

func TestUnroutedModelsMayBeRefused(t *testing.T) {
	w := newWorld(t, "CONFAB_SERVICE_UNROUTED=unknown_model")
	if r := w.must(1, "ask", "-m", "delta", "hello"); !strings.Contains(r.err, "unknown_model") {
		t.Errorf("got %q", r.err)
	}
	if out := w.must(0, "models", "delta").out; !strings.Contains(out, "\tnobody\t") {
		t.Errorf("got %q", out)
	}
}

func TestTheUpstreamsKeyIsNeverTold(t *testing.T) {
	s := startStub(t)
	s.IsGuarded = true
	const wrong = "sk-wrong-9876543210fedcba"
	w := newWorld(t, "UPSTREAM_KEY="+wrong)
	w.configure("[engines.a]\nurls=['" + s.Base() +
		"']\nkey_env='UPSTREAM_KEY'\n[[routes]]\nmodels=['*']\nengine='a'\n")
	r := w.must(1, "ask", "-m", "delta", "--json", "hello")
	if !strings.Contains(r.out, `the operator of this service must check its key`) {
		t.Errorf("got %s", r.out)
	}
	wantNoTexts(t, r.out+r.err, wrong)
	for f, text := range contents(t, w.home) {
		if strings.Contains(text, wrong) {
			t.Errorf("the key is in %s", f)
		}
	}
}

func TestServersAreFoundAndTakenIn(t *testing.T) {
	s := startStub(t)
	s.Listed = []string{"llama3.2:3b", "Qwen/Qwen3-8B", "delta"}
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
	path := w.configure("# mine\n[ui]\nfps = 30 # why\n")
	r := w.must(0, "config", "engines")
	wantTexts(t, r.out, "ollama\t"+s.Base()+"\tnew\tQwen/Qwen3-8B delta llama3.2:3b")
	wantTexts(t, r.err, "--write")
	w.must(0, "config", "engines", "--write")
	b, _ := os.ReadFile(path)
	wantTexts(t, string(b), "# mine\n[ui]\nfps = 30 # why\n", "[engines.ollama]", `slug = "delta@ollama"`)
	for slug, want := range map[string]string{"llama3.2:3b": "llama3.2:3b|hi|\n", "Qwen3-8B": "Qwen/Qwen3-8B|hi|\n",
		"delta@ollama": "delta|hi|\n"} {
		if got := w.must(0, "ask", "-m", slug, "hi").out; got != want {
			t.Errorf("%s answered %q", slug, got)
		}
	}
	if r := w.must(0, "config", "engines", "--write", "--json"); !strings.Contains(r.out, `"configured":true`) ||
		!strings.Contains(r.err, "nothing is new") {
		t.Errorf("a second time: %s %s", r.out, r.err)
	}
	w.ports = nil
	wantTexts(t, w.must(0, "config", "engines").err, "no server of models answers")
}

// The screen looks around on its own machine only, and only where that is of use.
func TestTheScreenLooksForServers(t *testing.T) {
	for _, tt := range []struct {
		name, setting string
		sees          string // after f9
		asked         int
	}{
		{"by itself", "", "1 model is in the configuration now", 2},
		{"told not to", "service.find_engines = false\n", "1 model is in the configuration now", 1},
		{"with another service", "service.base_url = \"http://127.0.0.1:9\"\n", "another service answers here", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := startStub(t)
			s.Listed = []string{"llama3.2:3b"}
			u, err := url.Parse(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorld(t, "CONFAB_API_KEY=k")
			w.ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
			w.configure(tt.setting)
			c := w.open()
			c.sees("Nothing sent yet")
			if tt.asked == 2 {
				c.sees("ollama runs on this machine")
			}
			c.types("\x1b[20~") // f9
			c.sees(tt.sees)
			if n := len(s.Calls()); n != tt.asked {
				t.Errorf("the server was asked %d times, want %d", n, tt.asked)
			}
			c.types("\x04")
			c.ends()
		})
	}
}

// Users of confab ssh see the operator's engines, and what else runs beside the
// server is neither told to them nor theirs to take.
func TestServedScreensHaveTheOperatorsEngines(t *testing.T) {
	local, beside := startStub(t), startStub(t)
	u, err := url.Parse(beside.URL)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "CONFAB_SSH_COMMANDS=ask")
	w.ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
	w.configure("[engines.local]\nurls=['" + local.Base() + "']\n[[routes]]\nmodels=['zeta']\nengine='local'\n")
	s := w.serve([]string{"ann", "bob"})
	for _, user := range []string{"ann", "bob"} {
		c := s.screen(user)
		c.sees("◆ local")
		c.sees("◇ offline (simulated)")
		c.types("\x1b[20~") // f9
		c.sees("Whoever runs this server chooses its engines.")
	}
	if got := s.ask("ann", "", "ask -m zeta --json hello"); !strings.Contains(got.out, `"engine":"local"`) {
		t.Errorf("asked: %s%s", got.out, got.err)
	}
	if n := len(beside.Calls()); n != 0 {
		t.Errorf("what runs beside the server was asked %d times", n)
	}
}

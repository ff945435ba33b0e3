package cli_test

import (
	"encoding/base64"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/internal/s3test"
	"confab/service/engine/enginetest"
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
		"the embedded one, answered by local, paint, gone, offline (simulated)")
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "ok\tengine\tlocal is up at "+s.Base(),
		"warn\tengine\tgone is down at "+gone.Base()+": "+problem)
	for f, text := range clitest.Contents(t, w.Home) {
		if strings.Contains(text, stub.Key) {
			t.Errorf("the engine's key is in %s", f)
		}
	}
}

func TestSimulatedModelsMayBeLeftOut(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_OFFLINE_MODELS=false")
	w.Configure("[[models.custom]]\nslug = \"own\"\n")
	if r := w.Must(2, "ask", "-m", "delta", "hello"); !strings.Contains(r.Err, "unknown_model") {
		t.Errorf("got %q", r.Err)
	}
	if out := w.Must(0, "models").Out; !strings.HasPrefix(out, "own\t") || !strings.Contains(out, "\tnobody\t") ||
		strings.Count(out, "\n") != 1 {
		t.Errorf("got %q", out)
	}
}

func TestServersAreFoundAndTakenIn(t *testing.T) {
	s := clitest.StartStub(t)
	s.List("llama3.2:3b", "Qwen/Qwen3-8B", "delta", "nomic-embed-text:latest")
	u, err := url.Parse(s.URL)
	must(t, err)
	w := clitest.NewWorld(t)
	w.Ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
	path := w.Configure("# mine\n[ui]\nfps = 30 # why\n")
	r := w.Must(0, "config", "engines")
	clitest.WantTexts(t, r.Out, "ollama\t"+s.Base()+"\tnew\tQwen/Qwen3-8B delta llama3.2:3b\tnomic-embed-text:latest")
	clitest.WantTexts(t, r.Err, "--write")
	w.Must(0, "config", "engines", "--write")
	b, _ := os.ReadFile(path)
	clitest.WantTexts(t, string(b), "# mine\n[ui]\nfps = 30 # why\n", "[engines.ollama]", s.Base())
	clitest.WantNoTexts(t, string(b), "llama3.2", "routes")
	for _, model := range [][2]string{ // the first is simulated where no engine has it
		{"delta", "delta"}, {"llama3.2:3b", "llama3.2:3b"}, {"llama3.2", "llama3.2:3b"},
		{"Qwen/Qwen3-8B", "Qwen/Qwen3-8B"}, {"Qwen3-8B", "Qwen/Qwen3-8B"},
	} {
		if got := w.Must(0, "ask", "-m", model[0], "hi").Out; got != model[1]+"|hi|\n" {
			t.Errorf("%s answered %q", model[0], got)
		}
	}
	if r := w.Must(0, "config", "engines", "--write", "--json"); !strings.Contains(r.Out, `"configured":true`) ||
		!strings.Contains(r.Err, "nothing is new") {
		t.Errorf("a second time: %s %s", r.Out, r.Err)
	}
	w.Ports = nil
	clitest.WantTexts(t, w.Must(0, "config", "engines").Err, "no server of models answers")
}

// TestOwnCertificates reaches a service and an engine whose certificate is of an own issuer.
func TestOwnCertificates(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"data":[]}`)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	w := clitest.NewWorld(t)
	ca := filepath.Join(w.Home, "ca.pem")
	clitest.WriteFile(t, ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600)
	engine := "[engines.local]\nurl = \"" + s.URL + "\"\n"
	const route = "[[routes]]\nmodels = [\"*\"]\nengine = \"local\"\n"
	w.Configure(engine + route)
	const unknown = "its certificate was issued by someone this machine does not know"
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "delta", "p").Err, "cannot be reached", unknown)
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "local is down", unknown)
	w.Configure(engine + "ca_file = \"" + ca + "\"\n" + route)
	clitest.WantTexts(t, w.Must(0, "ask", "-m", "delta", "p").Out, "Hello")
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "local is up")
	w.Configure(engine + "ca_file = \"" + filepath.Join(w.Home, "none.pem") + "\"\n" + route)
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "delta", "p").Err, "the ca_file cannot be read")

	service := "[service]\nbase_url = \"" + s.URL + "\"\n"
	w.Configure(service)
	clitest.WantTexts(t, w.Must(1, "doctor", "--online").Out, unknown)
	w.Configure(service + "ca_file = \"" + ca + "\"\n")
	clitest.WantTexts(t, w.Must(1, "doctor", "--online").Out, "answered in") // there is no key
}

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
	event := func(delta, finish string) []byte {
		return []byte(`data: {"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}` + "\n\n")
	}
	s.Replay("m", event(`{"content":"Yes."}`, `"SAFETY"`), 0)
	clitest.WantTexts(t, w.Must(0, "ask", "-m", "delta", "p").Err, "the engine left something out (SAFETY)")
	s.Replay("m", event(`{"content":"<think>Hm.</think>Yes."}`, `"stop"`), 0)
	if out := w.Must(0, "ask", "-m", "delta", "p").Out; out != "Yes.\n" {
		t.Errorf("printed %q", out)
	}
	picture := enginetest.Source(t, 40, 30, false)
	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
	s.Replay("m", event(`{"images":["`+url+`"]}`, `"stop"`), 0)
	answer := clitest.Objects(t, w.Must(0, "ask", "-m", "delta", "--json", "p").Out)[0]
	if file := clitest.ReadFile(t, answer["file"].(string)); answer["kind"] != "image" || len(file) < len(picture) {
		t.Errorf("a picture of %d bytes is in a file of %d bytes: %v", len(picture), len(file), answer)
	}
	if r := w.Must(0, "ask", "-m", "delta", "p"); !strings.Contains(r.Out+r.Err, ".png") {
		t.Errorf("a picture: %q, %q", r.Out, r.Err)
	}
}

func TestPicturesGoToABucket(t *testing.T) {
	server := s3test.Start(t)
	_, secret, _ := strings.Cut(s3test.Key, ":")
	url := "CONFAB_PICTURES_URL=" + server.URL("team")
	w := clitest.NewWorld(t, url, "CONFAB_PICTURES_KEY="+s3test.Key)
	path := clitest.Objects(t, w.Must(0, "ask", "-m", "sim-image", "--json", "a fox").Out)[0]["file"].(string)
	if got := server.Objects("team"); len(got) != 2 || got[filepath.Base(path)] == nil {
		t.Errorf("%d objects, none is %s", len(got), filepath.Base(path))
	}
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "ok\tbucket\ts3://bucket/team/ can be read and written")
	clitest.WantTexts(t, w.Must(0, "history", "sweep", "--yes").Err, "nothing to sweep")
	shown := w.Must(0, "config", "show")
	clitest.WantTexts(t, shown.Out, "s3://bucket/team")
	clitest.WantNoTexts(t, shown.Out+shown.Err, secret)

	w.Must(0, "history", "rm", "--yes", "a1")
	if got := server.Objects("team"); len(got) != 0 {
		t.Errorf("%d objects after the deletion", len(got))
	}

	server.Stop()
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "doctor").Out, "fail\tbucket\tthe bucket bucket cannot be reached")
	down := clitest.NewWorld(t, url, "CONFAB_PICTURES_KEY="+s3test.Key)
	asked := down.Must(0, "ask", "-q", "-m", "sim-image", "a hen")
	if asked.Err != "" {
		t.Errorf("asking without the server said %s", asked.Err)
	}
	server.Up()
	down.Must(0, "ask", "-q", "-m", "delta", "hello") // starts again
	if got := server.Objects("team"); len(got) != 2 {
		t.Errorf("%d objects after the server was up again", len(got))
	}
	for name, content := range clitest.Contents(t, down.Home) {
		if strings.Contains(content, secret) {
			t.Errorf("%s holds the secret", name)
		}
	}
}

func TestKeysOfABucket(t *testing.T) {
	server := s3test.Start(t)
	file := filepath.Join(t.TempDir(), "key")
	clitest.WriteFile(t, file, s3test.Key+"\n", 0o600)
	id, secret, _ := strings.Cut(s3test.Key, ":")
	t.Setenv("AWS_ACCESS_KEY_ID", id)
	for prefix, environ := range map[string][]string{
		"command": {"CONFAB_PICTURES_KEY_COMMAND=echo " + s3test.Key},
		"file":    {"CONFAB_PICTURES_KEY_FILE=" + file},
		"aws":     nil,
	} {
		if prefix == "aws" {
			t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
		}
		w := clitest.NewWorld(t, append(environ, "CONFAB_PICTURES_URL="+server.URL(prefix))...)
		w.Must(0, "ask", "-q", "-m", "sim-image", "a fox")
		if got := server.Objects(prefix); len(got) != 2 {
			t.Errorf("%s: %d objects", prefix, len(got))
		}
	}
	w := clitest.NewWorld(t, "CONFAB_PICTURES_URL="+server.URL("wrong"), "CONFAB_PICTURES_KEY=wrong:"+s3test.Key)
	w.Must(0, "ask", "-q", "-m", "sim-image", "a fox") // stays here
	swept := w.Run("history", "sweep", "--yes")
	if swept.Code == 0 || strings.Contains(swept.Err, s3test.Key) {
		t.Errorf("sweeping with a wrong key ended with %d and said %s", swept.Code, swept.Err)
	}
}

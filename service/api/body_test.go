package api_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"confab/service/api"
)

func TestBodiesAreTheContractsExamples(t *testing.T) {
	model := func(slug string) api.Model {
		m, ok := api.Default().Find(slug)
		if !ok {
			t.Fatalf("no model %s", slug)
		}
		return m
	}
	for _, tt := range []struct {
		example string
		request api.Request
	}{
		{"text-request.json",
			api.Request{Model: model("alpha3.1-8b"), Prompt: "What is a CRDT?", System: "Answer in one paragraph."}},
		{"paraphrase-request.json",
			api.Request{Model: model("paraphrase"), Prompt: "Rewrite: the cat sat on the mat.", System: "never sent"}},
		{"text-to-image-request.json",
			api.Request{Model: model("diffusion-xl"), Prompt: "a lighthouse at dusk, oil painting", Aspect: "16:9",
				Nonce: "b7f3c2"}},
		{"image-edit-request.json",
			api.Request{Model: model("imageedit"), Prompt: "make it a winter scene",
				ImageURL: "https://images.example/lighthouse.png"}},
	} {
		t.Run(tt.example, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "examples", tt.example))
			must(t, err)
			got, err := tt.request.Body("<API_KEY>")
			if err != nil || string(got)+"\n" != string(want) {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		})
	}
}

func TestEmptyOptionalFieldsAreAbsent(t *testing.T) {
	for _, tt := range []struct {
		request api.Request
		want    string
	}{
		{api.Request{Model: api.Model{Kind: api.Text, TakesSystem: true}, Prompt: "p"}, `{"apikey":"k","prompt":"p"}`},
		{api.Request{Model: api.Model{Kind: api.Text}, Prompt: "p", System: "s", Aspect: "1:1", Nonce: "n",
			ImageURL: "u"},
			`{"apikey":"k","prompt":"p"}`},
		{api.Request{Model: api.Model{Kind: api.Image}, Prompt: "p", System: "s"}, `{"apikey":"k","prompt":"p"}`},
		{api.Request{Model: api.Model{Kind: api.Image}, Prompt: "<b>&\u2028 ü", Nonce: "n"},
			`{"apikey":"k","prompt":"<b>&\u2028 ü","nonce":"n"}`},
		{api.Request{Model: api.Model{Kind: api.Edit}, Prompt: "p", ImageURL: "https://h/?a=1&b=2", Nonce: "n"},
			`{"apikey":"k","prompt":"p","imageUrl":"https://h/?a=1&b=2"}`},
	} {
		if got, err := tt.request.Body("k"); err != nil || string(got) != tt.want {
			t.Errorf("got %s, %v, want %s", got, err, tt.want)
		}
	}
	if _, err := (api.Request{}).Body("k"); api.CodeOf(err) != api.CodeUsage {
		t.Errorf("no kind: got %v", err)
	}
}

// TestCurlSendsTheSameBody runs the command line with a curl that shows what it
// was given.
func TestCurlSendsTheSameBody(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	c := newClient(t, "http://127.0.0.1:9/it's/", nil)
	r := textTo("delta")
	r.Prompt = "it's \"$HOME\" `id` $(id) \\n %s %d\nsecond line; rm -rf * & é " + testKey
	line := c.Curl(r)
	if strings.Contains(line, testKey) || !strings.Contains(line, "$CONFAB_API_KEY") {
		t.Errorf("got %s", line)
	}
	run := exec.Command(shell, "-c", `curl() { cat; for a in "$@"; do printf '\n%s' "$a"; done; }
`+line)
	run.Env = append(os.Environ(), "CONFAB_API_KEY=the-key")
	out, err := run.Output()
	if err != nil {
		t.Fatalf("run %s: %v", line, err)
	}
	body, arguments, _ := strings.Cut(string(out), "\n")
	var got struct{ APIKey, Prompt, SystemPrompt string }
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("body %s: %v", body, err)
	}
	if want := strings.ReplaceAll(r.Prompt, testKey, "••••"); got.APIKey != "the-key" || got.Prompt != want ||
		got.SystemPrompt != r.System {
		t.Errorf("got %+v, want %q", got, want)
	}
	if strings.Contains(arguments, "the-key") ||
		!strings.Contains(arguments, "\nhttp://127.0.0.1:9/it's/api/llm/delta") &&
			!strings.Contains(arguments, "it%27s/api/llm/delta") {
		t.Errorf("got arguments %s", arguments)
	}
	if picture := c.Curl(imageTo("sim-image")); !strings.Contains(picture, "--output") ||
		!strings.Contains(picture, "/api/generative/sim-image") {
		t.Errorf("got %s", picture)
	}
}

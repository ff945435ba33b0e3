package config_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"confab/internal/config"
)

func TestEnginesAndRoutes(t *testing.T) {
	home, _ := write(t, `
offline.models = false
[engines.local]
url = "http://127.0.0.1:11434/v1"
concurrency = 4
[engines.gpt]
kind = "openai-images"
url = "https://api.example.com/v1"
key_env = "OPENAI_API_KEY"
key_file = "~/k"
sizes = ["1024x1024"]
[engines.own]
kind = "command"
command = ["prog", "-m", "{model}"]
makes = ["text", "edit"]
stream = false
messages = true

[[routes]]
models = ["alpha*", "oss-20b"]
engine = "local"
model = "llama3.2:3b"
params = { temperature = 0.2, stop = ["a"], chat_template_kwargs = { enable_thinking = false } }
timeout = "30s"
vision = true
context_tokens = 32768
[[routes]]
models = ["*"]
engine = "gpt"
[routes.params]
quality = "low"
`)
	c := load(t, config.Sources{Home: home})
	if len(c.Engines) != 3 || len(c.Routes) != 2 || c.Offline.Models {
		t.Fatalf("got %d engines, %d routes", len(c.Engines), len(c.Routes))
	}
	if e := c.Engines[0]; e.Name != "local" || e.Kind != "openai" || e.Concurrency != 4 ||
		e.URL != "http://127.0.0.1:11434/v1" || e.Pixels != 1<<20 {
		t.Errorf("local: %+v", e)
	}
	if e := c.Engines[1]; e.KeyFile != home+"/k" || e.KeyEnv != "OPENAI_API_KEY" {
		t.Errorf("gpt: %+v", e)
	}
	if local, own := c.Engines[0], c.Engines[2]; !local.Stream || local.Messages || own.Stream || !own.Messages {
		t.Errorf("streams and messages: %+v, %+v", local, own)
	}
	r := c.Routes[0]
	want := map[string]any{"temperature": 0.2, "stop": []any{"a"},
		"chat_template_kwargs": map[string]any{"enable_thinking": false}}
	if !reflect.DeepEqual(r.Params, want) || r.Timeout.Duration != 30*time.Second ||
		r.Model != "llama3.2:3b" || !r.Vision || r.ContextTokens != 32768 {
		t.Errorf("the first route: %+v", r)
	}
	if r := c.Routes[1]; r.Timeout.Duration != 5*time.Minute || fmt.Sprint(r.Params) != "map[quality:low]" {
		t.Errorf("the second route: %+v", r)
	}
	shown := c.Show()
	again, _ := write(t, strings.ReplaceAll(shown, "prog …", "prog -m {model}"))
	d := load(t, config.Sources{Home: again})
	if fmt.Sprintf("%+v%+v", c.Engines, c.Routes) != fmt.Sprintf("%+v%+v", d.Engines, d.Routes) {
		t.Errorf("what is shown is not what was read:\n%s\n%+v\n%+v", shown, d.Engines, d.Routes)
	}
	if !strings.Contains(shown, "command = 'prog …'") {
		t.Error("the words of a command are shown")
	}
}

// TestRecordsKeepWhatTheySet sets what is off or zero where the default is not, also within inline tables.
func TestRecordsKeepWhatTheySet(t *testing.T) {
	home, _ := write(t, `
engines = { a = { url = "http://localhost/v1", stream = false, ca_file = "~/ca.pem" }, b = { url = "http://localhost" } }
routes = [{ models = ["*"], engine = "a", timeout = "1s" }, { models = ["*"], engine = "b" }]
`)
	c := load(t, config.Sources{Home: home})
	a, b := c.Engines[0], c.Engines[1]
	if a.Stream || a.CAFile != filepath.Join(home, "ca.pem") || !b.Stream || b.Kind != "openai" || b.Format != "auto" {
		t.Errorf("got %+v", c.Engines)
	}
	if c.Routes[0].Timeout.Duration != time.Second || c.Routes[1].Timeout.Duration != 5*time.Minute {
		t.Errorf("got %+v", c.Routes)
	}
	for text, want := range map[string]string{
		"[engines.a]\nurl='http://localhost'\npixels=0":            "line 3: engines.a.pixels must be a whole number",
		"[[routes]]\nmodels=['*']\nengine='offline'\ntimeout='0s'": "line 4: routes.timeout must be a time",
		"[Service]\nkeyring=true":                                  "line 1: Service must be written in small letters",
	} {
		home, _ := write(t, text)
		if _, err := config.Load(t.Context(), config.Sources{Home: home}); !strings.Contains(message(t, err), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestEnginesThatAreWrong(t *testing.T) {
	const e = "[engines.a]\nurl='http://localhost/v1'\n"
	for text, want := range map[string]string{
		"engines = 1":                                           "line 1: engines must be a table",
		"[engines]\na = 1":                                      "line 2: engines.a must be a table: [engines.a]",
		"[engines.A]":                                           "must be written in small letters",
		"[engines.offline]":                                     "always there",
		"[engines.a]":                                           "line 1: engines.a needs a url",
		"[engines.a]\nkind='x'":                                 "line 2: engines.a.kind must be one of",
		"service.unrouted='offline'":                            "service.unrouted was taken out; offline.models",
		"[engines.a]\nurls=['http://localhost/v1']":             "urls was taken out; an engine has one url",
		"[engines.a]\napi_key='sk-SECRET'":                      "key_env, key_command or key_file",
		"[engines.a]\nkey_env='sk-SECRET'":                      "not the key itself",
		"[engines.a]\nurl='http://10.0.0.1/v1'":                 "allow_plain_http",
		"[engines.a]\nurl='http://u:SECRET@localhost/v1'":       "must not hold a name or a password",
		"[engines.a]\nkind='command'":                           "needs a command",
		"[engines.a]\nurl='http://localhost/v1'\ncommand=['x']": "not of kind",
		"[engines.a]\nsizes=['big']":                            "1024x1024",
		"[[engines]]\na=1":                                      "line 1: engines must be a table: [engines]",
		e + "[routes]\nmodels=['a']": "stands in [routes]; write [[routes]], " +
			"with double brackets",
		e + "[[routes]]\nengine='a'":   "names no models",
		e + "[[routes]]\nmodels=['a']": "names no engine",
		e + "[[routes]]\nmodels=['a']\nengine='b'": "line 3: routes names the engine b, " +
			"which is not there",
		e + "[[routes]]\nmodels=['a']\nengine='a'\nfallback='b'":       "routes.fallback was taken out",
		e + "[[routes]]\nmodels=['[a']\nengine='a'":                    "slugs or globs",
		e + "[[routes]]\nmodels=['a']\nengine='a'\nparams=1":           "must be a table",
		e + "[[routes]]\nmodels=['a']\nengine='a'\nparams={a=[{b=1}]}": "lists of tables",
		e + "[[routes]]\nmodels=['a']\nengine='a'\nwhat=1":             "line 6: routes.what is not a setting.",
	} {
		home, _ := write(t, text)
		_, err := config.Load(t.Context(), config.Sources{Home: home})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestPrices(t *testing.T) {
	home, _ := write(t, `
[[prices]]
models = ["alpha*", "qwen3:8b"]
input = 0.25
output = 2
currency = "EUR"
[[prices]]
models = ["*"]
output = 1.5
`)
	c := load(t, config.Sources{Home: home})
	want := []config.Price{{[]string{"alpha*", "qwen3:8b"}, 0.25, 2, "EUR"}, {[]string{"*"}, 0, 1.5, "USD"}}
	if !reflect.DeepEqual(c.Prices, want) {
		t.Errorf("got %+v, want %+v", c.Prices, want)
	}
	shown := c.Show()
	for _, line := range []string{"input = 0.25", "output = 2", "currency = 'EUR'", "output = 1.5"} {
		if !strings.Contains(shown, line) {
			t.Errorf("%q is not shown in:\n%s", line, shown)
		}
	}
	if got := c.Changed(load(t, config.Sources{Home: t.TempDir()})); !reflect.DeepEqual(got, []string{"prices"}) {
		t.Errorf("changed: %v", got)
	}
	for _, tt := range [][2]string{
		{"[[prices]]\ninput = 1", "names no models"},
		{"[[prices]]\nmodels = [\"a\"]\ninput = -1", "a number from 0 to 1000000"},
		{"[[prices]]\nmodels = [\"a\"]\noutput = nan", "a number from 0"},
		{"[[prices]]\nmodels = [\"a\"]\noutput = \"1\"", "a number from 0"},
		{"[[prices]]\nmodels = [\"a\"]\ncurrency = \"$\"", "three capital letters"},
		{"[[prices]]\nmodels = [\"a\"]\ncost = 1", "prices.cost is not a setting"},
		{"[prices]\ninput = 1", "write [[prices]]"},
		{"[service]\nextensions = \"on\"", "auto, off"},
	} {
		home, _ := write(t, tt[0])
		if _, err := config.Load(t.Context(), config.Sources{Home: home}); err == nil ||
			!strings.Contains(err.Error(), tt[1]) {
			t.Errorf("%s: got %v, want %q", tt[0], err, tt[1])
		}
	}
}

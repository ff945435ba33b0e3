package config_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"confab/service/api"

	"confab/internal/config"
)

// write makes a configuration file in a home of its own and returns both.
func write(t *testing.T, text string) (home, path string) {
	t.Helper()
	home = t.TempDir()
	path = filepath.Join(home, ".config", "confab", "config.toml")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return home, path
}

func load(t *testing.T, o config.Sources) config.Config {
	t.Helper()
	c, err := config.Load(context.Background(), o)
	must(t, err)
	return c
}

// message returns the sentence of a configuration error.
func message(t *testing.T, err error) string {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an api.Error", err)
	}
	if e.Code != api.CodeConfig || strings.ContainsAny(e.Message, "\n\x1b") || !strings.HasSuffix(e.Message, ".") {
		t.Errorf("not one sentence of code config: %q (%s)", e.Message, e.Code)
	}
	return e.Message
}

func TestDefaults(t *testing.T) {
	home := t.TempDir()
	c := load(t, config.Sources{Home: home})
	if c.Service.BaseURL != "" || c.Service.Concurrency != 8 || c.Service.ConnectTimeout.Duration != 10*time.Second ||
		c.Service.MaxPictureBytes != 64<<20 || !c.History.Save || !c.UI.Mouse || c.UI.SendKey != "enter" ||
		c.Service.Keyring {
		t.Errorf("got %+v", c.Settings)
	}
	if from := c.Origin("service.concurrency"); from.Source != config.FromDefault {
		t.Errorf("origin: got %s", from)
	}
	if len(c.Warnings) > 0 || len(c.Models.Default) > 0 || c.Keys != nil {
		t.Errorf("got warnings %v, models %v, keys %v", c.Warnings, c.Models.Default, c.Keys)
	}
	if left, _ := os.ReadDir(home); len(left) > 0 {
		t.Errorf("loading created %v", left)
	}
}

func TestPrecedence(t *testing.T) {
	home, path := write(t, "[service]\nconcurrency = 2\n\n[ui]\nmotion = 'off'\nfps = 30\n")
	env := []string{"CONFAB_SERVICE_CONCURRENCY=3", "CONFAB_UI_FPS=60"}
	c := load(t, config.Sources{Home: home, Env: env, Flags: map[string]string{"service.concurrency": "4"}})
	for _, tt := range []struct{ name, got, want, origin string }{
		{"service.concurrency", fmt.Sprint(c.Service.Concurrency), "4", "flag"},
		{"ui.fps", fmt.Sprint(c.UI.FPS), "60", "environment CONFAB_UI_FPS"},
		{"ui.motion", c.UI.Motion, "off", "file " + path + " line 5"},
		{"ui.notify", c.UI.Notify, "auto", "default"},
	} {
		if got := c.Origin(tt.name).String(); tt.got != tt.want || got != tt.origin {
			t.Errorf("%s: got %s from %q, want %s from %q", tt.name, tt.got, got, tt.want, tt.origin)
		}
	}
}

// settings returns the names of all settings with their defaults, as the template has them.
func settings(t *testing.T) map[string]string {
	t.Helper()
	found, section := map[string]string{}, ""
	for line := range strings.Lines(config.Template()) {
		name, value, isSetting := strings.Cut(strings.TrimSpace(line), " = ")
		switch {
		case line == "# A model that the built-in catalogue does not have; as many as you like.\n":
			return found
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]\n")
		case isSetting && !strings.HasPrefix(name, "# "):
			found[section+"."+strings.TrimPrefix(name, "#")] = value
		}
	}
	t.Fatal("the template has no end")
	return nil
}

// other returns a value that is not the default.
func other(name, value string) string {
	special := map[string]string{"service.base_url": "'https://one.example/v1'", "service.extensions": "'off'",
		"offline.models": "false", "serve.addr": "'127.0.0.1:81'",
		"serve.trusted_proxies": "['10.0.0.0/8', '::1']", "serve.proxy_protocol_from": "['10.0.0.2']",
		"ssh.proxy_protocol_from": "['10.0.0.2']", "serve.log": "'json'", "ui.send_key": "'ctrl+j'",
		"ui.motion": "'off'", "ui.editing": "'vi'", "ui.background": "'terminal'",
		"ui.notify": "'bell'", "ui.pictures": "'sixel'", "ui.start": "'last'", "ui.side_by_side": "'off'",
		"pictures.url": "'s3://bucket/x?endpoint=https://s3.example'", "pictures.name": "'{slug}'",
		"history.url": "'postgres://me@one.example/db'", "log.level": "'debug'", "ssh.listen": "'[::1]:22'",
		"ssh.service": "'own'", "ssh.commands": "['ask']", "ssh.health_listen": "'127.0.0.1:83'"}
	n, err := strconv.Atoi(value)
	switch {
	case special[name] != "":
		return special[name]
	case err == nil:
		return strconv.Itoa(n + 1)
	case value == "true" || value == "false":
		return strconv.FormatBool(value == "false")
	case strings.HasSuffix(name, "_command"):
		return "'prog'"
	case value == "[]":
		return "['a', 'b']"
	case strings.HasSuffix(value, `B"`):
		return "'3MiB'"
	case regexp.MustCompile(`^"\d+[smh]"$`).MatchString(value):
		return "'42s'"
	}
	return "'/some/where'"
}

// TestEverySettingEverywhere sets each setting by flag, environment and file and sees it arrive.
func TestEverySettingEverywhere(t *testing.T) {
	all := settings(t)
	if len(all) < 75 {
		t.Fatalf("got %d settings", len(all))
	}
	for name, value := range all {
		t.Run(name, func(t *testing.T) {
			value := other(name, value)
			text := strings.Trim(value, "'")
			home, _ := write(t, name+" = "+value+"\n")
			section, key, _ := strings.Cut(name, ".")
			variable := "CONFAB_" + strings.ToUpper(section+"_"+key)
			for from, o := range map[string]config.Sources{
				"file line 1":             {Home: home},
				"environment " + variable: {Home: t.TempDir(), Env: []string{variable + "=" + text}},
				"flag":                    {Home: t.TempDir(), Flags: map[string]string{name: text}},
			} {
				shown := load(t, o).Show()
				_, rest, _ := strings.Cut(shown, "\n["+section+"]\n")
				line := regexp.MustCompile(`(?m)^` + key + ` = .*$`).FindString(rest)
				if got, where, _ := strings.Cut(line, " # "); strings.TrimSpace(got) != key+" = "+value ||
					where != from {
					t.Errorf("by %s: got %q", from, line)
				}
				if strings.Contains(shown, "# warning") {
					t.Errorf("by %s: warned:\n%s", from, shown)
				}
			}
		})
	}
}

func TestShortNamesWin(t *testing.T) {
	c := load(t, config.Sources{Home: "/h", Env: []string{"CONFAB_SERVICE_BASE_URL=https://long.example",
		"CONFAB_BASE_URL=https://short.example", "CONFAB_MODEL=a"}})
	if c.Service.BaseURL != "https://short.example" || c.Models.Default[0] != "a" {
		t.Errorf("got %s, %v", c.Service.BaseURL, c.Models.Default)
	}
}

func TestFileErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "[service]\n\ncolor = 1\n", "line 3: service.color is not a setting"},
		{"near miss", "[service]\nbase_urk = 'x'\n", "did you mean service.base_url?"},
		{"wrong section", "[service]\ntheme = 'x'\n", "did you mean ui.theme?"},
		{"unknown section", "[servce]\n", "line 1: servce is not a setting"},
		{"quoted name", "\"service.concurrency\" = 3\n", "line 1: \"service.concurrency\" is not a setting"},
		{"the key itself", "[service]\napi_key = 'SENTINEL-KEY'\n", "line 2: service.api_key is not kept in this file"},
		{"text for number", "[service]\nconcurrency = 'SENTINEL'\n", "line 2: service.concurrency must be a whole " +
			"number from 1 to 64"},
		{"number out of bounds", "service.concurrency = 65\n", "from 1 to 64"},
		{"float for number", "service.concurrency = 1.5\n", "whole number"},
		{"number for text", "ui.theme = 3\n", "ui.theme must be a text"},
		{"table for text", "[ui.theme]\na = 1\n", "line 1: ui.theme must be a text."},
		{"empty table for text", "[ui.theme]\n", "ui.theme must be a text"},
		{"list of tables for a section", "[[ui]]\ntheme = 'x'\n", "line 1: ui must be a table: [ui]."},
		{"empty list of tables for a section", "[[service]]\n", "line 1: service must be a table: [service]."},
		{"list of tables for keys", "[[keys]]\nsend = 'enter'\n", "keys must be a table: [keys]."},
		{"list of tables for one engine", "[[engines.local]]\nurl = ''\n",
			"line 1: engines.local must be a table: [engines.local]."},
		{"list of tables for a setting", "[[ui.theme]]\n", "ui.theme must be a text."},
		{"list of tables of no name", "[[servce]]\nbase_url = ''\n", "servce is not a setting."},
		{"table for routes without values", "[routes]\n", "line 1: routes stands in [routes]; write [[routes]], " +
			"with double brackets."},
		{"invisible characters in a name", "'a\u3164b\U000e0101' = 1\n",
			`line 1: "a\u3164b\U000e0101" is not a setting.`},
		{"long name", strings.Repeat("b", 400) + " = 1\n",
			"line 1: " + strings.Repeat("b", 80) + "… is not a setting."},
		{"text for section", "ui = 'x'\n", "ui must be a table: [ui]."},
		{"bare duration", "service.connect_timeout = 10\n", `must be a time with its unit, from 100ms to 5m`},
		{"long duration", "service.connect_timeout = '1h'\n", "to 5m"},
		{"not a duration", "service.connect_timeout = 'SENTINEL'\n", "must be a time with its unit"},
		{"negative size", "service.max_answer_bytes = -1\n", "must be bytes"},
		{"huge size", "service.max_answer_bytes = '99999999999GiB'\n", "must be bytes"},
		{"size that wraps around", "service.max_answer_bytes = '18014398509483008KiB'\n", "must be bytes"},
		{"switch as text", "ui.mouse = 'yes'\n", "ui.mouse must be true or false"},
		{"not a choice", "ui.notify = 'SENTINEL'\n", "must be one of auto, bell, off"},
		{"relative path", "pictures.folder = 'SENTINEL/x'\n", "must be an absolute path, or one that begins with ~/"},
		{"home of another", "pictures.folder = '~bob/x'\n", "must be an absolute path"},
		{"list of numbers", "models.default = [1]\n", "must be a list of texts"},
		{"blank in a slug", "models.default = ['a b']\n", "must be a name"},
		{"relative program", "service.api_key_command = ['./SENTINEL']\n", "absolute path"},
		{"address without scheme", "service.base_url = 'SENTINEL.example'\n", "must be an address"},
		{"address with password", "service.base_url = 'https://u:SENTINEL@h'\n", "must not hold a name or a password"},
		{"address with query", "service.base_url = 'https://h/?SENTINEL'\n", "must not hold ? or #"},
		{"address of another kind", "service.base_url = 'ftp://h'\n", "must be an address"},
		{"http elsewhere", "service.base_url = 'http://10.0.0.1'\n", "allow_plain_http"},
		{"a setting that was taken out", "service.public_url = 'https://h'\n",
			"line 1: service.public_url was taken out; use service.upload_command"},
		{"one of engines, as it were a table", "[engines]\nurls = ['https://h']\n",
			"line 2: engines.urls was taken out; an engine has one url"},
		{"a table in one", "[serve.quota.anna]\nday = 1\n", "serve.quota.anna was taken out; serve.rate and"},
		{"network of mapped addresses", "serve.trusted_proxies = ['::ffff:10.0.0.0/104']\n",
			"must be addresses or networks"},
		{"no bucket", "pictures.url = 'https://SENTINEL'\n", "must be an address that begins with s3://"},
		{"a key in the bucket", "pictures.url = 's3://id:SENTINEL@bucket'\n", "must not hold a key"},
		{"a part of the bucket", "pictures.url = 's3://bucket?secret=SENTINEL'\n", "must have no other parts"},
		{"a key in the endpoint", "pictures.url = 's3://bucket?endpoint=https://SENTINEL@host'\n",
			"must not hold a name or a password"},
		{"an endpoint by http", "pictures.url = 's3://bucket?endpoint=http://s3.example'\n",
			"would send pictures unprotected"},
		{"template with a folder", "pictures.name = '../{slug}'\n", "pictures.name must be made of"},
		{"template with another part", "pictures.name = '{prompt}'\n", "pictures.name must be made of"},
		{"key of a number", "[keys]\nsend = 1\n", "line 2: keys.send must be a key"},
		{"keys as text", "keys = 'x'\n", "keys must be a table"},
		{"model without slug", "[[models.custom]]\nabout = 'x'\n", "line 1: models.custom.slug must be a name"},
		{"empty model", "\n[[models.custom]]\n", "line 2: models.custom.slug must be a name"},
		{"two models", "[[models.custom]]\nslug='a'\n[[models.custom]]\nslug='a'\n",
			"line 3: models.custom names a a second time"},
		{"kind of model", "[[models.custom]]\nslug='a'\nkind='sound'\n", "line 3: models.custom.kind must be"},
		{"setting of model", "[[models.custom]]\nslug='a'\nkey='SENTINEL'\n",
			"line 3: models.custom.key is not kept in this file"},
		{"table for models", "[models.custom]\nslug='a'\n", "stands in [models.custom]; write [[models.custom]], " +
			"with double brackets."},
		{"no TOML", "[service\n", "line 1: "},
		{"twice", "ui.fps = 1\nui.fps = 2\n", "line 2: "},
		{"escape in a name", "\"\\u001b]0;x\" = 1\n", `line 1: "\x1b]0;x" is not a setting`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home, path := write(t, tt.text)
			_, err := config.Load(context.Background(), config.Sources{Home: home})
			got := message(t, err)
			if !strings.Contains(got, tt.want) || !strings.Contains(got, path) {
				t.Errorf("got %q, want %q with the file", got, tt.want)
			}
			if strings.Contains(got, "SENTINEL") {
				t.Errorf("the error repeats the value: %q", got)
			}
		})
	}
}

func TestEnvironmentAndFlagErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    config.Sources
		want string
	}{
		{"number", config.Sources{Env: []string{"CONFAB_UI_FPS=many"}},
			"CONFAB_UI_FPS in the environment must be a whole number from 0 to 120."},
		{"short name", config.Sources{Env: []string{"CONFAB_BASE_URL=x"}},
			"CONFAB_BASE_URL in the environment must be an address"},
		{"http elsewhere", config.Sources{Env: []string{"CONFAB_BASE_URL=http://h.example"}},
			"service.base_url (environment CONFAB_BASE_URL) names a service"},
		{"broken list", config.Sources{Env: []string{"CONFAB_MODEL=['a'"}},
			"CONFAB_MODEL in the environment must be a name"},
		{"flag", config.Sources{Flags: map[string]string{"ui.notify": "x"}},
			"The flag for ui.notify is wrong: it must be one of"},
		{"no such flag", config.Sources{Flags: map[string]string{"ui.x": "x"}}, "There is no setting ui.x."},
		{"taken out", config.Sources{Env: []string{"CONFAB_SERVICE_PUBLIC_LISTEN=:80"}},
			"CONFAB_SERVICE_PUBLIC_LISTEN in the environment was taken out; use service.upload_command"},
		{"named file missing", config.Sources{Path: "/nowhere/config.toml"}, "/nowhere/config.toml does not exist."},
		{"named by environment", config.Sources{Env: []string{"CONFAB_CONFIG=/nowhere/c.toml"}},
			"/nowhere/c.toml does not exist"},
		{"a folder", config.Sources{Path: "/"}, "The configuration file / is a folder, not a file."},
		{"a device", config.Sources{Path: "/dev/zero"},
			"The configuration file /dev/zero is a device, not a regular file."},
		{"keys", config.Sources{Env: []string{"CONFAB_KEYS_SEND=a b"}},
			"CONFAB_KEYS_SEND in the environment must be a key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Home = t.TempDir()
			_, err := config.Load(context.Background(), tt.o)
			if got := message(t, err); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if _, err := config.Load(context.Background(), config.Sources{}); !strings.Contains(message(t, err), "set HOME") {
		t.Errorf("without a home: got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := config.Load(ctx, config.Sources{Home: "/h"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestPlainHTTP(t *testing.T) {
	for url, fine := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://[::1]/x": true, "http://localhost": true, "http://LOCALHOST.:1": true,
		"http://127.9.9.9":          true,
		"http://[::ffff:127.0.0.1]": true, "https://far.example": true,
		"http://127.0.0.1.example": false, "http://0.0.0.0": false, "http://2130706433": false, "http://127.1": false,
		"http://localhost.example": false,
		"http://10.0.0.1":          false, "http://①②⑦.⓪.⓪.①": false,
	} {
		_, err := config.Load(context.Background(), config.Sources{Home: "/h", Env: []string{"CONFAB_BASE_URL=" + url}})
		if (err == nil) != fine {
			t.Errorf("%s: got %v, want fine=%t", url, err, fine)
		}
		if _, err := config.Load(context.Background(),
			config.Sources{Home: "/h",
				Env: []string{"CONFAB_BASE_URL=" + url, "CONFAB_SERVICE_ALLOW_PLAIN_HTTP=1"}}); err != nil {
			t.Errorf("%s allowed: %v", url, err)
		}
	}
}

func TestKeysAndModels(t *testing.T) {
	home, path := write(t, `
[keys]
send = "ctrl+j"
prompt.new_line = ["enter", "alt+enter"]
"list.down" = []
[[models.custom]]
slug = "one"
system_prompt = true
[[models.custom]]
slug = "two"
kind = "image"
slow = true
about = "draws"
`)
	c := load(t, config.Sources{Home: home, Env: []string{"CONFAB_KEYS_NEXT_PANE=f6, ctrl+w",
		"CONFAB_KEYS_SEND=enter"}})
	want := map[string][]string{"send": {"enter"}, "prompt.new_line": {"enter", "alt+enter"}, "list.down": {},
		"next_pane": {"f6", "ctrl+w"}}
	if fmt.Sprint(c.Keys) != fmt.Sprint(want) {
		t.Errorf("keys: got %v, want %v", c.Keys, want)
	}
	if got, want := c.Origin("keys.prompt.new_line"), (config.Origin{config.FromFile, path, 4}); got != want {
		t.Errorf("origin: got %v, want %v", got, want)
	}
	if got, want := c.Origin("keys.send").String(), "environment CONFAB_KEYS_SEND"; got != want {
		t.Errorf("origin: got %v, want %v", got, want)
	}
	models := []config.CustomModel{{Slug: "one", Kind: "text", SystemPrompt: true},
		{Slug: "two", Kind: "image", Slow: true, About: "draws"}}
	if !slices.Equal(c.Models.Custom, models) {
		t.Errorf("models: got %+v, want %+v", c.Models.Custom, models)
	}
}

func TestProvidersOfSuites(t *testing.T) {
	const text = "[suite.providers]\n\"openai:GPT-4o\" = \"oss-120b\"\necho = \"delta\"\n"
	home, _ := write(t, text)
	c := load(t, config.Sources{Home: home})
	if want := map[string]string{"openai:GPT-4o": "oss-120b", "echo": "delta"}; !maps.Equal(c.Providers, want) {
		t.Errorf("got %v, want %v", c.Providers, want)
	}
	if shown := c.Show(); !strings.Contains(shown, "[suite.providers]\necho = 'delta'") ||
		!strings.Contains(shown, `"openai:GPT-4o" = 'oss-120b'`) {
		t.Errorf("it is shown as\n%s", shown)
	}
	if names := c.Changed(config.Config{}); !slices.Contains(names, "suite.providers") {
		t.Errorf("what has changed is %q", names)
	}
	for wrong, want := range map[string]string{
		"[suite.providers]\necho = ' '\n": "line 2: suite.providers.echo must be the name of a model.",
		"[suite.providers]\necho = 1\n":   "line 2",
		"[suite.others]\necho = 'a'\n":    "others",
	} {
		home, _ := write(t, wrong)
		_, err := config.Load(t.Context(), config.Sources{Home: home})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q in it", wrong, err, want)
		}
	}
}

func TestUnknownEnvironmentWarns(t *testing.T) {
	c := load(t,
		config.Sources{Home: "/h",
			Env: []string{"CONFAB_APIKEY=SENTINEL", "CONFAB_WHATEVER=SENTINEL", "CONFAB_EMPTY=", "OTHER=1",
				"CONFAB_API_KEY=SENTINEL", "CONFAB_\x1b]0;x=1"}})
	want := []string{
		"CONFAB_␛]0;x in the environment is not a setting of confab.",
		"CONFAB_APIKEY in the environment is not a setting of confab; did you mean CONFAB_API_KEY?",
		"CONFAB_WHATEVER in the environment is not a setting of confab.",
	}
	if !slices.Equal(c.Warnings, want) {
		t.Errorf("got %q, want %q", c.Warnings, want)
	}
}

func TestEmptyFlagCounts(t *testing.T) {
	c := load(t,
		config.Sources{Home: "/h", Env: []string{"CONFAB_BASE_URL=https://h"},
			Flags: map[string]string{"service.base_url": ""}})
	if c.Service.BaseURL != "" || c.Origin("service.base_url").Source != config.FromFlag {
		t.Errorf("got %q from %s", c.Service.BaseURL, c.Origin("service.base_url"))
	}
}

// TestHostileFilesEnd reads files whose cost would grow with the square of their size. Each of them took seconds to
// minutes, or gigabytes, before there were bounds.
func TestHostileFilesEnd(t *testing.T) {
	var keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, "k%d=1\n", i)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"many keys", keys.String(), "line 2001: the file has more than 2000 keys"},
		{"many tables", strings.Repeat("[[routes]]\n", 6000), "the file has more than 2000 keys"},
		{"many lists", "[[routes]]\nparams.a = [" + strings.Repeat("[],", 6000) + "]\n", "more than 2000 keys"},
		{"a long path", strings.Repeat("a.", 10_000) + "a = 1\n", "line 1: the key has more than 32 parts"},
		{"a long header", "\n[" + strings.Repeat("a.", 10_000) + "a]\n", "line 2: the key has more than 32 parts"},
		{"deep lists", "keys.a = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nest too deeply"},
		{"deep tables", "keys = " + strings.Repeat("{a=", 1000) + "1" + strings.Repeat("}", 1000), "too deeply"},
		{"deep lists of tables", "keys.a = " + strings.Repeat("[{a=", 90) + "1" + strings.Repeat("}]", 90),
			"too deeply"},
		{"too large", strings.Repeat("#", 256<<10+1), "is larger than 256 KiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home, _ := write(t, tt.text)
			_, err := config.Load(t.Context(), config.Sources{Home: home})
			if got := message(t, err); !strings.Contains(got, tt.want) {
				t.Errorf("got %.200q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(config.Template()))
	for _, s := range []string{"", "[service]\nconcurrency=2", "[keys]\nsend=['a']", "[[models.custom]]\nslug='x'",
		"ui={theme='x'}", "models.custom=[{slug='a'},{}]", "service.max_answer_bytes='1KiB'", "=", "\"a\\u001b\"=1",
		"[engines.a]\nurl='http://localhost'\n[[routes]]\nmodels=['*']\nengine='a'\nparams={a={b=[1]}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "f")
		must(t, os.WriteFile(path, data, 0o600))
		c, err := config.Load(t.Context(), config.Sources{Home: "/h", Path: path})
		if err == nil {
			if s := c.Show(); strings.ContainsAny(s, "\x1b\u009b\r") {
				t.Fatalf("shown raw: %q", s)
			}
			return
		}
		message(t, err)
	})
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

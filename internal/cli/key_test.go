package cli

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/cli/logs"
	"confab/internal/cli/panicguard"
	"confab/internal/redact"
)

// sentinel is a key that looks different in every way of writing it.
const sentinel = `sk-sen&tinel/"key"+0123456789<abc>`

// encodedKeys are the ways in which a key may be echoed.
func encodedKeys() []string {
	return []string{
		sentinel, url.QueryEscape(sentinel), url.PathEscape(sentinel), html.EscapeString(sentinel),
		strings.ReplaceAll(sentinel, `"`, `\"`), base64.StdEncoding.EncodeToString([]byte(sentinel)),
	}
}

// newEchoService is a service that quotes the key in whatever it says.
func newEchoService(t *testing.T) *fakeService {
	return newRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		key := body["apikey"]
		if key != sentinel {
			t.Errorf("the key arrived as %q", key)
		}
		said := strings.Join(encodedKeys(), " ")
		w.Header().Set("X-Echo", base64.StdEncoding.EncodeToString([]byte(key)))
		if strings.Contains(r.URL.Path, "delta") {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, "<title>%s</title> not accepted: %s", html.EscapeString(key), said)
			return
		}
		text(w, "your key is "+said)
	})
}

func TestKeyIsFoundNowhere(t *testing.T) {
	s := newEchoService(t)
	for _, c := range []struct {
		name   string
		source func(w *world) (holds string) // the file that may hold it
	}{
		{"environment", func(w *world) string {
			w.environ = append(w.environ, "CONFAB_API_KEY="+sentinel)
			return ""
		}},
		{"file", func(w *world) string {
			path := filepath.Join(w.home, "key")
			if err := os.WriteFile(path, []byte(sentinel+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			w.environ = append(w.environ, "CONFAB_SERVICE_API_KEY_FILE="+path)
			return path
		}},
		{"command", func(w *world) string {
			path := filepath.Join(w.home, "tell")
			if err := os.WriteFile(path, []byte("#!/bin/sh\ncat <<'END'\n"+sentinel+"\nEND\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			w.environ = append(w.environ, "CONFAB_SERVICE_API_KEY_COMMAND="+path)
			return path
		}},
		{"keyring", func(w *world) string {
			w.environ = append(w.environ, "CONFAB_SERVICE_KEYRING=true")
			w.keyring = func(string, string) (string, error) { return sentinel, nil }
			return ""
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_LOG_LEVEL=debug")
			source := c.source(w)
			said := ""
			see := func(r result) { said += r.out + r.err }
			see(w.must(1, "ask", "-m", "zeta,delta", "is my key "+sentinel+" right?"))
			see(w.must(1, "ask", "-m", "zeta,delta", "--json", "hello "+sentinel))
			see(w.onTerminal(200, "", "ask", "-m", "zeta", "hello"))
			see(w.must(0, "history", "show", "s1"))
			see(w.must(0, "history", "show", "s2", "--json"))
			see(w.must(0, "history", "search", "key"))
			for _, as := range []string{"markdown", "text", "json", "jsonl"} {
				see(w.must(0, "history", "export", "s1", "--as", as))
			}
			see(w.must(0, "config", "show"))
			see(w.run("doctor"))
			if c.name == "environment" { // the others are not asked before the call is understood
				see(w.run("ask", "--"+sentinel, "x"))
			}
			wantTexts(t, said, "••••")
			for _, form := range encodedKeys() {
				wantNoTexts(t, said, form)
				for path, text := range contents(t, w.home) {
					if path != source && strings.Contains(text, form) {
						t.Errorf("%s holds %q", path, form)
					}
				}
			}
		})
	}
}

func TestKeyProblems(t *testing.T) {
	open := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(open, []byte(sentinel), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		environ []string
		want    string
	}{
		{"none", []string{"CONFAB_BASE_URL=https://service.invalid"}, "CONFAB_API_KEY"},
		{"readable by others",
			[]string{"CONFAB_BASE_URL=https://service.invalid", "CONFAB_SERVICE_API_KEY_FILE=" + open},
			"chmod 600"},
		{"unprotected", []string{"CONFAB_BASE_URL=http://service.invalid", "CONFAB_API_KEY=" + sentinel}, "https"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.environ...)
			r := w.must(2, "ask", "hello")
			wantTexts(t, r.err, c.want, "(config)")
			if found := files(t, w.home); len(found) > 0 {
				t.Errorf("files were made: %q", found)
			}
		})
	}
}

func TestCrashReportIsMasked(t *testing.T) {
	w := newWorld(t, "CONFAB_API_KEY="+sentinel)
	var out, said transcript
	a := app.New(w.env(&out, &said))
	if err := a.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := &panicguard.Fault{}
	for i := range 3 {
		func() {
			defer func() { c.Catch(recover()) }()
			panic(fmt.Sprintf("fault %d with %s", i, strings.Join(encodedKeys(), " ")))
		}()
	}
	if code := a.Report(c); code != console.ExitFailed {
		t.Errorf("exit code %d", code)
	}
	found := files(t, w.home)
	if len(found) != 1 || !strings.Contains(said.String(), found[0]) {
		t.Fatalf("files %q, said %q", found, said.String())
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, string(b), "fault 0", "••••", "TestCrashReportIsMasked", "confab test")
	for _, form := range encodedKeys() {
		wantNoTexts(t, string(b), form)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestCrashesAreNotPiledUp(t *testing.T) {
	w := newWorld(t)
	var out, said transcript
	a := app.New(w.env(&out, &said))
	if err := a.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range app.MaxCrashes + 3 {
		c := &panicguard.Fault{}
		c.Catch("fault")
		a.Report(c)
	}
	if n := len(files(t, w.home)); n != app.MaxCrashes {
		t.Errorf("%d crash files", n)
	}
}

func TestSystemHidesTheKeyFromChildren(t *testing.T) {
	t.Setenv("CONFAB_API_KEY", sentinel)
	t.Setenv("TEA_TRACE", "trace.log")
	e := console.System()
	if e.Get("CONFAB_API_KEY") != sentinel {
		t.Error("the program itself has lost the key")
	}
	for _, name := range []string{"CONFAB_API_KEY", "TEA_TRACE", "TEA_DEBUG"} {
		if v, ok := os.LookupEnv(name); ok {
			t.Errorf("%s is still %q in the environment", name, v)
		}
	}
	if v := e.Get("TEA_TRACE"); v != "" {
		t.Errorf("TEA_TRACE is passed on as %q", v)
	}
}

func TestLogIsMaskedAndMadeLate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	known := redact.NewSet()
	path := filepath.Join(dir, "confab.log")
	f := logs.NewFile(path, known.Masker())
	log := logs.New("info", f)
	log.Debug("Nothing")
	if _, err := os.Stat(dir); err == nil {
		t.Error("it was made before it was needed")
	}
	known.Add(sentinel) // as when the key is found out later
	log.Info("The key", "is", sentinel)
	logs.New("off", f).Error("Nothing")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, string(b), "The key", "••••")
	wantNoTexts(t, string(b), "Nothing", sentinel, "sentinel")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

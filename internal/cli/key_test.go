package cli_test

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

// encodedKeys are the ways in which a key may be echoed.
func encodedKeys() []string {
	return []string{
		clitest.Sentinel, url.QueryEscape(clitest.Sentinel), url.PathEscape(clitest.Sentinel),
		html.EscapeString(clitest.Sentinel),
		strings.ReplaceAll(clitest.Sentinel, `"`, `\"`), base64.StdEncoding.EncodeToString([]byte(clitest.Sentinel)),
	}
}

// newEchoService is a service that quotes the key in whatever it says.
func newEchoService(t *testing.T) *clitest.Remote {
	return clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		key := body["apikey"]
		if key != clitest.Sentinel {
			t.Errorf("the key arrived as %q", key)
		}
		said := strings.Join(encodedKeys(), " ")
		w.Header().Set("X-Echo", base64.StdEncoding.EncodeToString([]byte(key)))
		if strings.Contains(r.URL.Path, "delta") {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, "<title>%s</title> not accepted: %s", html.EscapeString(key), said)
			return
		}
		clitest.AnswerText(w, "your key is "+said)
	})
}

func TestKeyIsFoundNowhere(t *testing.T) {
	s := newEchoService(t)
	for _, c := range []struct {
		name   string
		source func(w *clitest.World)
	}{
		{"environment", func(w *clitest.World) {
			w.Environ = append(w.Environ, "CONFAB_API_KEY="+clitest.Sentinel)
		}},
		{"keyring", func(w *clitest.World) {
			w.Environ = append(w.Environ, "CONFAB_SERVICE_KEYRING=true")
			w.Keyring = func(string, string) (string, error) { return clitest.Sentinel, nil }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_LOG_LEVEL=debug")
			c.source(w)
			said := ""
			see := func(r clitest.Result) { said += r.Out + r.Err }
			see(w.Must(1, "ask", "-m", "zeta,delta", "is my key "+clitest.Sentinel+" right?"))
			see(w.Must(1, "ask", "-m", "zeta,delta", "--json", "hello "+clitest.Sentinel))
			see(w.OnTerminal(200, "", "ask", "-m", "zeta", "hello"))
			see(w.Must(0, "history", "show", "s1"))
			see(w.Must(0, "history", "show", "s2", "--json"))
			see(w.Must(0, "history", "search", "key"))
			for _, as := range []string{"markdown", "text", "json", "jsonl"} {
				see(w.Must(0, "history", "export", "s1", "--as", as))
			}
			see(w.Must(0, "config", "show"))
			see(w.Run("doctor"))
			if c.name == "environment" { // the others are not asked before the call is understood
				see(w.Run("ask", "--"+clitest.Sentinel, "x"))
			}
			clitest.WantTexts(t, said, "••••")
			for _, form := range encodedKeys() {
				clitest.WantNoTexts(t, said, form)
				for path, text := range clitest.Contents(t, w.Home) {
					if strings.Contains(text, form) {
						t.Errorf("%s holds %q", path, form)
					}
				}
			}
		})
	}
}

func TestKeyProblems(t *testing.T) {
	open := filepath.Join(t.TempDir(), "key")
	clitest.WriteFile(t, open, clitest.Sentinel, 0o644)
	for _, c := range []struct {
		name    string
		environ []string
		want    string
	}{
		{"none", []string{"CONFAB_BASE_URL=https://service.invalid"}, "CONFAB_API_KEY"},
		{"readable by others",
			[]string{"CONFAB_BASE_URL=https://service.invalid", "CONFAB_SERVICE_API_KEY_FILE=" + open},
			"chmod 600"},
		{"unprotected", []string{"CONFAB_BASE_URL=http://service.invalid", "CONFAB_API_KEY=" + clitest.Sentinel},
			"https"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.NewWorld(t, c.environ...)
			r := w.Must(2, "ask", "hello")
			clitest.WantTexts(t, r.Err, c.want, "(config)")
			if found := clitest.Files(t, w.Home); len(found) > 0 {
				t.Errorf("files were made: %q", found)
			}
		})
	}
}

// faultyOutput is an output that ends the program by a panic.
type faultyOutput struct{ cause string }

func (o faultyOutput) Write([]byte) (int, error) { panic(o.cause) }

func TestCrashReportIsMasked(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_API_KEY="+clitest.Sentinel)
	var said clitest.Transcript
	out := faultyOutput{"fault with " + strings.Join(encodedKeys(), " ")}
	if code := cli.Run(t.Context(), []string{"paths"}, w.Env(out, &said)); code != cli.ExitFailed {
		t.Errorf("exit code %d", code)
	}
	found := clitest.Files(t, w.Home)
	if len(found) != 1 || !strings.Contains(said.String(), found[0]) {
		t.Fatalf("files %q, said %q", found, said.String())
	}
	text := clitest.ReadFile(t, found[0])
	clitest.WantTexts(t, text, "fault with", "••••", "TestCrashReportIsMasked", "confab test")
	for _, form := range encodedKeys() {
		clitest.WantNoTexts(t, text, form)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestCrashesAreNotPiledUp(t *testing.T) {
	const kept = 5
	w := clitest.NewWorld(t)
	for range kept + 3 {
		cli.Run(t.Context(), []string{"paths"}, w.Env(faultyOutput{"fault"}, io.Discard))
	}
	if n := len(clitest.Files(t, w.Home)); n != kept {
		t.Errorf("%d crash files", n)
	}
}

func TestSystemHidesTheKeyFromChildren(t *testing.T) {
	t.Setenv("CONFAB_API_KEY", clitest.Sentinel)
	t.Setenv("TEA_TRACE", "trace.log")
	e := cli.System()
	if e.Get("CONFAB_API_KEY") != clitest.Sentinel {
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

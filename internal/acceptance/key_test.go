//go:build !windows

package acceptance

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/testserver"
)

// sentinel is a key that looks different in every form a text can have.
const sentinel = `sk-Sentinel<&>"'+/=é0123456789`

// keyEncodings returns the API key in every encoding in which it could be written somewhere.
func keyEncodings() []string {
	quoted, _ := json.Marshal(sentinel) // a text always marshals
	all := []string{sentinel, string(quoted[1 : len(quoted)-1]), html.EscapeString(sentinel), url.QueryEscape(sentinel),
		url.PathEscape(sentinel)}
	for _, before := range []string{"", "x", "xx"} { // base64 at each alignment, without its ends
		b := base64.StdEncoding.EncodeToString([]byte(before + sentinel))
		all = append(all, b[4:len(b)-4])
	}
	return all
}

// echoModels are models whose answers hold the key that they were sent, each in another way.
var echoModels = []string{"echo-key", "echo-key-html", "echo-key-plain", "echo-key-base64", "echo-key-url",
	"echo-request", "echo-key-text", "echo-key-model", "echo-key-header", "echo-key-reason", "echo-key-title",
	"echo-key-location", "echo-key-garbage"}

// awaitKeySent waits until the service was sent the key so many times.
func awaitKeySent(t *testing.T, service *testserver.Server, times int) {
	t.Helper()
	sent := 0
	if !service.Await(waitLimit, func() bool {
		sent = 0
		for _, request := range service.Seen() {
			if strings.Contains(request.Body, "Sentinel") {
				sent++
			}
		}
		return sent >= times
	}) {
		t.Fatalf("the key was sent %d times only: the test shows nothing", sent)
	}
}

func TestTheKeyIsNowhere(t *testing.T) {
	for source, place := range map[string]func(h *home) string{
		"environment": func(h *home) string { h.environ = append(h.environ, "CONFAB_API_KEY="+sentinel); return "" },
		"command": func(h *home) string {
			writeFile(h, "key-source", sentinel, 0o600)
			return fmt.Sprintf("[service]\napi_key_command = [\"cat\", %q]\n", filepath.Join(h.dir, "key-source"))
		},
		"file": func(h *home) string {
			writeFile(h, "key-source", sentinel+"\n", 0o600)
			return fmt.Sprintf("[service]\napi_key_file = %q\n", filepath.Join(h.dir, "key-source"))
		},
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			service := testserver.New(t)
			h := newHome(t, "CONFAB_BASE_URL="+service.URL, "CONFAB_LOG_LEVEL=debug", "TEA_DEBUG=1")
			h.environ = append(h.environ, "TEA_TRACE="+filepath.Join(h.dir, "trace"))
			config := place(h)
			for _, slug := range echoModels {
				config += fmt.Sprintf("[[models.custom]]\nslug = %q\n", slug)
			}
			// a picture that holds the key
			config += "[[models.custom]]\nslug = \"echo-request-text\"\nkind = \"image\"\n"
			h.configure(config)
			s := h.open(160, 200, "-m", strings.Join(echoModels, ",")+",echo-request-text")
			s.waitFor("Write a prompt")
			s.sendKeys("what is my key?\r")
			s.waitFor(fmt.Sprintf("%d answers", len(echoModels)+1))
			s.waitUntilGone(fmt.Sprintf("of %d answered", len(echoModels)+1))
			awaitKeySent(t, service, len(echoModels)+1)
			visitEveryView(s)
			s.sendKeys("\x1b4") // the prompt
			s.waitFor("┏━ Prompt")
			s.paste("my key is " + sentinel)
			s.waitFor("my key is")
			s.quit()
			for _, args := range [][]string{{"config", "show"}, {"doctor"}, {"history", "show", "t1", "--json"},
				{"history", "export", "s1", "-o", "-", "--as", "jsonl"}} {
				out, _ := h.command(args...).CombinedOutput() // doctor ends with 1 when something is wrong
				for _, form := range keyEncodings() {
					if strings.Contains(string(out), form) {
						t.Errorf("confab %s prints %q", strings.Join(args, " "), form)
					}
				}
			}
			// The person's own paste stands on the screen as it is: it is theirs. What was
			// shown before it must not hold the key.
			shown, _, _ := strings.Cut(s.output(), "my key is")
			for _, form := range keyEncodings() {
				if strings.Contains(shown, form) {
					t.Errorf("the terminal got %q", form)
				}
			}
			if pictures, err := filepath.Glob(filepath.Join(h.dir, ".local", "share", "confab", "pictures",
				"*.png")); err != nil || len(pictures) != 1 {
				t.Errorf("there are pictures %q, %v: want one", pictures, err)
			}
			for _, found := range h.filesContaining(keyEncodings(), "key-source") {
				t.Error(found)
			}
		})
	}
}

func writeFile(h *home, name, text string, mode os.FileMode) {
	h.t.Helper()
	must(h.t, os.WriteFile(filepath.Join(h.dir, name), []byte(text), mode))
}

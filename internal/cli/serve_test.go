package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/service/engine/openai/stub"
)

// serving starts confab serve and returns its address, what it prints, and how
// to end it.
func serving(w *clitest.World, args ...string) (base string, printed *clitest.Transcript, end func() int) {
	w.T.Helper()
	printed = &clitest.Transcript{}
	code := make(chan int, 1)
	var out bytes.Buffer
	go func() {
		code <- cli.Run(w.T.Context(), append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), w.Env(&out,
			printed))
	}()
	at := regexp.MustCompile(`on (https?://127\.0\.0\.1:\d+);`)
	clitest.Eventually(w.T, "the server to begin", func() bool {
		if m := at.FindStringSubmatch(printed.String()); m != nil {
			base = m[1]
		}
		return base != "" || len(code) > 0
	})
	if base == "" {
		w.T.Fatalf("it did not begin: %s", printed.String())
	}
	ended := false
	end = func() int {
		if ended {
			return 0
		}
		ended = true
		w.Signals <- syscall.SIGTERM
		return <-code
	}
	w.T.Cleanup(func() { end() })
	return base, printed, end
}

func askServer(t *testing.T, client *http.Client, base, key, model string) (int, string) {
	t.Helper()
	res, err := client.Post(base+"/api/llm/"+model, "application/json",
		strings.NewReader(fmt.Sprintf(`{"apikey":%q,"prompt":"a private prompt"}`, key)))
	must(t, err)
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(b)
}

func getFrom(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	must(t, err)
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(b)
}

func TestServeWithKeysAndEngines(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure("[engines.local]\nurl='" + s.Base() +
		"'\n[[routes]]\nmodels=['oss-20b']\nengine='local'\nmodel='qwen3:8b'\n[serve]\nlog='json'\n")
	key := strings.TrimSpace(w.Must(0, "serve", "keys", "add", "laptop", "--rate", "600", "--parallel", "3").Out)
	base, printed, end := serving(w)
	if code, got := askServer(t, http.DefaultClient, base, "wrong", "oss-20b"); code != 401 {
		t.Errorf("a wrong key: %d %s", code, got)
	}
	if code, got := askServer(t, http.DefaultClient, base, key, "oss-20b"); code != 200 ||
		!strings.Contains(got, "qwen3:8b|a private prompt|") {
		t.Errorf("got %d %s", code, got)
	}
	for path, want := range map[string]string{"/readyz": `"status":200`, "/healthz": `"status":200`,
		"/openapi.json": `"openapi"`} {
		if code, got := getFrom(t, base+path); code != 200 || !strings.Contains(got, want) {
			t.Errorf("%s: %d %s", path, code, got)
		}
	}
	if got := w.Must(0, "serve", "keys", "list").Out; !strings.Contains(got, "\tlaptop\t") ||
		!strings.Contains(got, "\t600\t3\n") {
		t.Errorf("listed %q", got)
	}
	w.Must(0, "serve", "keys", "revoke", "laptop")
	clitest.Eventually(t, "the key to be refused",
		func() bool { code, _ := askServer(t, http.DefaultClient, base, key, "oss-20b"); return code == 401 })
	w.Must(2, "serve", "keys", "revoke", "laptop")
	if code := end(); code != 0 && code != 130 {
		t.Errorf("it ended with %d", code)
	}
	clitest.WantNoTexts(t, printed.String(), "private prompt", key)
	for line := range strings.SplitSeq(printed.String(), "\n") {
		if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
			t.Errorf("a line of the log is no JSON: %s", line)
		}
	}
	clitest.WantTexts(t, printed.String(), `"key":"laptop"`, `"engine":"local"`)
}

// TestOthersDoNotReachThisMachine fetches from loopback for the owner only.
func TestOthersDoNotReachThisMachine(t *testing.T) {
	picture := stub.Picture(8, 8, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	web := &http.Server{Handler: http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = rw.Write(picture)
	})}
	go func() { _ = web.Serve(l) }()
	t.Cleanup(func() { _ = web.Close() })
	edit := func(base, key string) int {
		res, err := http.Post(base+"/api/generative/imageedit", "application/json",
			strings.NewReader(fmt.Sprintf(`{"apikey":%q,"prompt":"grey","imageUrl":"http://%s/"}`, key, l.Addr())))
		must(t, err)
		_ = res.Body.Close()
		return res.StatusCode
	}
	owner, _, endOwner := serving(clitest.NewWorld(t), "-q")
	if got := edit(owner, "k"); got != 200 {
		t.Errorf("the owner alone: %d", got)
	}
	endOwner()
	w := clitest.NewWorld(t)
	key := strings.TrimSpace(w.Must(0, "serve", "keys", "add", "other").Out)
	base, _, end := serving(w, "-q")
	if got := edit(base, key); got != 422 {
		t.Errorf("somebody with a key: %d", got)
	}
	end()
	w = clitest.NewWorld(t)
	w.Configure("[serve]\ntrusted_proxies=['127.0.0.1']\n")
	base, _, end = serving(w, "-q", "--key", clitest.Sentinel)
	if got := edit(base, clitest.Sentinel); got != 422 {
		t.Errorf("behind a proxy: %d", got)
	}
	end()
	w = clitest.NewWorld(t)
	keys := filepath.Join(t.TempDir(), "keys")
	must(t, os.WriteFile(keys, []byte(clitest.Sentinel+"\n"), 0o600))
	base, _, _ = serving(w, "-q", "--key-file", keys)
	if got := edit(base, clitest.Sentinel); got != 422 {
		t.Errorf("with a file of keys: %d", got)
	}
}

func TestServeRefusesToBegin(t *testing.T) {
	w := clitest.NewWorld(t)
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "0.0.0.0:0").Err, "confab serve keys add")
	for _, short := range []string{"", "   ", "fifteen-chars-k"} {
		clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0", "--key", short).Err, "shorter than 16")
	}
	keys := filepath.Join(t.TempDir(), "keys")
	for _, held := range []string{"", "# nobody\n \n\t\n"} {
		must(t, os.WriteFile(keys, []byte(held), 0o600))
		clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0", "--key-file", keys).Err, "holds no key")
	}
	w.Configure("[serve]\ntrusted_proxies=['127.0.0.1']\n")
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0").Err, "serve.trusted_proxies",
		"confab serve keys add")
	w.Must(0, "serve", "keys", "add", "laptop")
	w.Must(0, "serve", "keys", "revoke", "laptop") // the last one: it must not mean that any is taken
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0").Err, "serve.trusted_proxies",
		"confab serve keys add")
	w.Configure("[serve]\nproxy_protocol_from=['127.0.0.1']\n")
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0").Err, "serve.proxy_protocol_from",
		"confab serve keys add")
	w.Configure("[serve]\ntls_cert='/nowhere'\n")
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0").Err, "a reverse proxy in front does TLS")
	for _, gone := range []string{"cache='/nowhere'", "cache_size='1MiB'", "health_addr='127.0.0.1:0'"} {
		w.Configure("[serve]\n" + gone + "\n")
		clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0").Err, " was taken out; ")
	}
}

// TestAFailedPromptLeavesItReady sends prompts to an engine that is up and fails each of them.
func TestAFailedPromptLeavesItReady(t *testing.T) {
	failing := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the check
			_, _ = io.WriteString(rw, `{"object":"list","data":[]}`)
			return
		}
		http.Error(rw, `{"error":{"message":"out of memory"}}`, http.StatusServiceUnavailable)
	}))
	t.Cleanup(failing.Close)
	w := clitest.NewWorld(t)
	w.Configure("[engines.local]\nurl='" + failing.URL +
		"/v1'\n[[routes]]\nmodels=['oss-20b']\nengine='local'\n[serve]\nhealth_interval='1h'\n")
	base, _, _ := serving(w)
	for i := range 4 {
		if code, got := askServer(t, http.DefaultClient, base, "any", "oss-20b"); code < 500 {
			t.Errorf("prompt %d: %d %s", i, code, got)
		}
		if code, got := getFrom(t, base+"/readyz"); code != 200 {
			t.Errorf("ready after %d failed prompts: %d %s", i+1, code, got)
		}
	}
}

// TestReadyWhereSomethingAnswers stops the only engine of a route.
func TestReadyWhereSomethingAnswers(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure("[engines.local]\nurl='" + s.Base() + "'\n[[routes]]\nmodels=['oss-20b']\nengine='local'\n" +
		"[serve]\nhealth_interval='1s'\n")
	base, printed, _ := serving(w)
	ready := func(want int) {
		t.Helper()
		if code, got := getFrom(t, base+"/readyz"); code != want {
			t.Errorf("%d %s, want %d", code, got, want)
		}
	}
	ready(200)
	s.Close()
	clitest.Eventually(t, "the engine's end to be noticed",
		func() bool { return strings.Contains(printed.String(), "An engine is down") })
	ready(503)
}

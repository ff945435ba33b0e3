package openai

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"confab/service/engine/openai/stub"
)

func port(t *testing.T, url string) string {
	t.Helper()
	_, p, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/v1"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLoopback(t *testing.T) {
	a := stub.Start()
	defer a.Close()
	a.Listed = []string{"qwen3:8b", "llama3.2:3b"}
	guarded := stub.Start()
	defer guarded.Close()
	guarded.IsGuarded = true
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html>"))
	}))
	defer page.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed := stub.Start()
	closed.Close()
	began := time.Now()
	got := FindLocal(t.Context(), LocalPort{"gone", port(t, closed.URL)}, LocalPort{"page", port(t, page.URL)},
		LocalPort{"guarded", port(t, guarded.URL)},
		LocalPort{"ollama", port(t, a.URL)}, LocalPort{"silent", port(t, "http://"+silent.Addr().String())})
	if len(got) != 1 || got[0].Name != "ollama" || got[0].URL != a.Base() ||
		strings.Join(got[0].Models, " ") != "llama3.2:3b qwen3:8b" {
		t.Errorf("found %+v", got)
	}
	if took := time.Since(began); took > 3*localTimeout {
		t.Errorf("it took %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := FindLocal(ctx, LocalPort{"ollama", port(t, a.URL)}); len(got) != 0 {
		t.Errorf("after the end: %+v", got)
	}
}

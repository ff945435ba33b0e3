package server_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/chat"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/server"
)

func TestKeysAreMadeHashedAndRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "keys")
		keys := server.NewKeys(folder)
		h := handler(t, server.Options{Access: server.Access{Clients: server.NewKeys(folder)}})
		ask := func(key string) int {
			return post(h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key)).Code
		}
		if ask("anything") != 401 {
			t.Error("without keys anything is taken")
		}
		key, c, err := keys.Create(server.Client{Name: "blue team"})
		if err != nil || !strings.HasPrefix(key, "confab_") || len(key) < 50 {
			t.Fatalf("%q, %v", key, err)
		}
		time.Sleep(3 * time.Second)
		if got := ask(key); got != 200 {
			t.Errorf("a new key gets %d", got)
		}
		entries, _ := os.ReadDir(folder)
		if len(entries) != 1 {
			t.Fatalf("the folder holds %v", entries)
		}
		b, _ := os.ReadFile(filepath.Join(folder, entries[0].Name()))
		if info, _ := entries[0].Info(); bytes.Contains(b, []byte(key[7:])) || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v:\n%s", info.Mode(), b)
		}
		if all, err := keys.List(); err != nil || len(all) != 1 || all[0].Name != "blue team" || all[0].ID != c.ID {
			t.Errorf("listed %+v, %v", all, err)
		}
		if gone, err := keys.Revoke("nobody"); err != nil || len(gone) != 0 {
			t.Errorf("revoked %v, %v", gone, err)
		}
		if gone, err := keys.Revoke("blue team"); err != nil || len(gone) != 1 {
			t.Errorf("revoked %v, %v", gone, err)
		}
		time.Sleep(3 * time.Second)
		if got := ask(key); got != 401 {
			t.Errorf("a revoked key gets %d", got)
		}
		if _, _, err := keys.Create(server.Client{Name: " "}); err == nil {
			t.Error("a key without a name was made")
		}
	})
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	deadline, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !holds() {
		if deadline.Err() != nil {
			t.Fatal("waited in vain")
		}
	}
}

func TestWhoAsks(t *testing.T) {
	var log bytes.Buffer
	h := handler(t,
		server.Options{Log: slog.New(slog.NewTextHandler(&log, nil)),
			Access: server.Access{
				Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}}})
	for _, c := range []struct{ peer, forwarded, want string }{
		{"192.0.2.7:5", "1.2.3.4", "from=192.0.2.7:5"},
		{"10.0.0.1:5", "1.2.3.4", "from=1.2.3.4"},
		{"10.0.0.1:5", "9.9.9.9, 1.2.3.4, 10.0.0.2", "from=1.2.3.4"},
		{"10.0.0.1:5", "evil\" key=x, 10.0.0.3", "from=10.0.0.3"},
		{"[::1]:5", "2001:db8::1", "from=2001:db8::1"},
		{"10.0.0.1:5", "", "from=10.0.0.1"},
	} {
		log.Reset()
		post(h, "/api/llm/delta", body(map[string]any{"prompt": "a secret prompt"}), func(r *http.Request) {
			r.RemoteAddr = c.peer
			r.Header.Set("X-Forwarded-For", c.forwarded)
		})
		if line := log.String(); !strings.Contains(line, c.want+" ") && !strings.HasSuffix(line, c.want+"\n") ||
			strings.Contains(line, "secret") {
			t.Errorf("%+v: %s", c, line)
		}
	}
}

// Why a model stopped writing is said once: by a field where the client knows it, else by the note.
func TestWhyAnAnswerEndedIsSaidOnce(t *testing.T) {
	f := writer("one")
	for finish, note := range map[chat.FinishReason]string{
		chat.FinishStop:   "A note.",
		chat.FinishLength: "The answer was cut at the engine's limit of tokens. A note.",
		chat.FinishFilter: "The engine's filter left something out. A note.",
	} {
		text := f.text
		f := f
		f.text = func(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
			answer, err := text(ctx, r)
			answer.Finish = finish
			return answer, err
		}
		s, err := server.New(withKey(server.Options{Engine: f}))
		must(t, err)
		prompt := body(map[string]any{"prompt": "p"})
		if got := post(s.Handler(), "/api/llm/delta", prompt).Header().Get(api.HeaderNote); got != note {
			t.Errorf("%s: the note is %q, want %q", finish, got, note)
		}
		stream := post(s.Handler(), "/api/llm/delta", prompt, asStream).Body.String()
		if !strings.Contains(stream, `"finish":"`+string(finish)+`"`) || !strings.Contains(stream, `"note":"A note."`) {
			t.Errorf("%s: the stream is %s", finish, stream)
		}
	}
}

func TestReadinessEndsBeforeTheService(t *testing.T) {
	s, err := server.New(server.Options{Engine: echo(), Access: server.Access{Keys: []string{key}},
		Limits: limitsWith(func(l *server.Limits) { l.Drain = 300 * time.Millisecond })})
	must(t, err)
	base, end := serve(t, s)
	get := func() int {
		res, err := http.Get(base + "/readyz")
		if err != nil {
			return 0
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := get(); got != 200 {
		t.Errorf("at first %d", got)
	}
	done := make(chan error, 1)
	go func() { done <- end() }()
	eventually(t, func() bool { return get() == 503 })
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestTheHeadersNameTheEngine takes an answer with a note that a header cannot hold.
func TestTheHeadersNameTheEngine(t *testing.T) {
	f := echo()
	f.text = func(_ context.Context, q engine.TextRequest) (engine.Text, error) {
		return engine.Text{Text: "t", Facts: engine.Facts{Engine: "local", Model: "qwen3:8b", Note: "cut\nshort ü"}},
			nil
	}
	w := post(handler(t, server.Options{Engine: f}), "/api/llm/delta", body(map[string]any{"prompt": "p"}))
	if w.Header().Get(api.HeaderEngine) != "local" || w.Header().Get(api.HeaderModel) != "qwen3:8b" ||
		w.Header().Get(api.HeaderNote) != "cut?short ?" {
		t.Errorf("headers %v", w.Header())
	}
}

// TestRates asks with keys that have rates of their own, that of the server and none.
func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		keys := server.NewKeys(folder)
		slow, _, _ := keys.Create(server.Client{Name: "slow", Rate: 6})
		other, _, _ := keys.Create(server.Client{Name: "other"})
		free, _, _ := keys.Create(server.Client{Name: "free", Rate: -1})
		h := handler(t, server.Options{Access: server.Access{Clients: server.NewKeys(folder), Rate: 60}})
		ask := func(key string) *httptest.ResponseRecorder {
			return post(h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key))
		}
		for i, want := range []int{200, 429} {
			if got := ask(slow); got.Code != want || want == 429 && got.Header().Get("Retry-After") != "10" {
				t.Errorf("request %d of 6 a minute: %d, Retry-After %s", i, got.Code, got.Header().Get("Retry-After"))
			}
		}
		for range 4 {
			time.Sleep(10 * time.Second)
			if got := ask(slow); got.Code != 200 {
				t.Errorf("in its time: %d %s", got.Code, got.Body)
			}
		}
		codes := map[int]int{}
		for range 40 {
			codes[ask(other).Code]++
			codes[1000+ask(free).Code]++
		}
		if codes[200] != 10 || codes[429] != 30 || codes[1200] != 40 {
			t.Errorf("at once: %v, want 10 by the server's rate, all of the free one's", codes)
		}
		if got := post(h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":""}`, slow)); got.Code != 400 {
			t.Errorf("a bad request counts: %d", got.Code)
		}
	})
}

// TestParallelCallsOfAKey holds requests of keys while others of them come.
func TestParallelCallsOfAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		keys := server.NewKeys(folder)
		narrow, _, _ := keys.Create(server.Client{Name: "narrow", Parallel: 1})
		common, _, _ := keys.Create(server.Client{Name: "common"})
		wide, _, _ := keys.Create(server.Client{Name: "wide", Parallel: -1})
		f := echo()
		f.text = func(context.Context, engine.TextRequest) (engine.Text, error) {
			time.Sleep(time.Minute)
			return engine.Text{Text: "t"}, nil
		}
		h := handler(t, server.Options{Engine: f,
			Access: server.Access{Clients: server.NewKeys(folder), Parallel: 2}})
		ask := func(key string) *httptest.ResponseRecorder {
			return post(h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key))
		}
		for range 2 { // the places are given back
			for key, most := range map[string]int64{narrow: 1, common: 2, wide: 5} {
				var answered, refused atomic.Int64
				var all sync.WaitGroup
				for range 5 {
					all.Go(func() {
						switch got := ask(key); got.Code {
						case 200:
							answered.Add(1)
						case 429:
							refused.Add(1)
						default:
							t.Errorf("%d %s", got.Code, got.Body)
						}
					})
				}
				all.Wait()
				if answered.Load() != most || refused.Load() != 5-most {
					t.Errorf("%d answered and %d refused, want %d of 5", answered.Load(), refused.Load(), most)
				}
			}
		}
	})
}

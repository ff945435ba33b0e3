package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history/sqlite"
	"confab/internal/chat"
	"confab/service/accounts"
	"confab/service/engine"
	"confab/service/server"
)

// newCountingServer is a server with keys and a file for what was asked. The counter is to be stopped.
func newCountingServer(t *testing.T, folder string, quota int) (s *server.Server, stop func()) {
	t.Helper()
	db, err := sqlite.OpenFile(t.Context(), filepath.Join(folder, "usage.db"), accounts.Schema)
	if err != nil {
		t.Fatal(err)
	}
	counter := accounts.New(accounts.Options{Database: db})
	end := counter.Start(t.Context())
	s, err = server.New(server.Options{Engine: echo(), Clients: server.NewKeys(filepath.Join(folder, "keys")),
		Quotas: requestsADay(quota), Counter: counter})
	if err != nil {
		t.Fatal(err)
	}
	return s, func() {
		end()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// requestsADay allows each key so many requests a day.
func requestsADay(n int) func(server.Client) accounts.Limits {
	return func(server.Client) accounts.Limits {
		return accounts.Limits{Day: accounts.Amounts{Answers: int64(n)}}
	}
}

func TestAQuotaOutlivesARestart(t *testing.T) {
	folder := t.TempDir()
	key, _, err := server.NewKeys(filepath.Join(folder, "keys")).Create(server.Client{Name: "laptop"})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(base string) int {
		res, err := http.Post(base+"/api/llm/delta", "application/json",
			strings.NewReader(fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key)))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return res.StatusCode
	}
	var got []int
	for range 4 { // starts, with two requests each
		counting, stop := newCountingServer(t, folder, 5)
		base, end := serve(t, counting)
		got = append(got, ask(base), ask(base))
		if err := end(); err != nil {
			t.Fatal(err)
		}
		stop()
	}
	if want := "[200 200 200 200 200 429 429 429]"; fmt.Sprint(got) != want {
		t.Errorf("four starts with a quota of 5 gave %v, want %s", got, want)
	}
	path := filepath.Join(folder, "usage.db")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if b, _ := os.ReadFile(path); strings.Contains(string(b), key[7:]) || strings.Contains(string(b), "laptop") {
		t.Errorf("it tells more than needed: %q", b)
	}
}

// TestServersShareAQuota runs two with one folder, between which a client goes
// to and fro.
func TestServersShareAQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		key, _, err := server.NewKeys(filepath.Join(folder, "keys")).Create(server.Client{Name: "laptop"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var handlers []http.Handler
		ended := make(chan error, 2)
		for range 2 {
			s, stop := newCountingServer(t, folder, 100)
			defer stop()
			handlers = append(handlers, s.Handler())
			go func() { ended <- s.Serve(ctx, &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}) }()
		}
		fine := 0
		for i := range 300 {
			if post(handlers[i%2], "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key)).Code == 200 {
				fine++
			}
			time.Sleep(time.Second)
		}
		if fine < 100 || fine > 120 { // they hear of each other every ten seconds
			t.Errorf("two servers let %d of a quota of 100 pass", fine)
		}
		time.Sleep(24 * time.Hour)
		if got := post(handlers[0], "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key)).Code; got != 200 {
			t.Errorf("on the next day: %d", got)
		}
		stop()
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestQuotasOfKeys uses up each kind of quota with a key, while another has more left.
func TestQuotasOfKeys(t *testing.T) {
	for _, tt := range []struct {
		limits  accounts.Limits
		granted int
		used    string
	}{
		{accounts.Limits{Day: accounts.Amounts{Answers: 5}}, 5, "5 requests for today"},
		{accounts.Limits{Month: accounts.Amounts{Answers: 1}}, 1, "1 request for this month"},
		{accounts.Limits{Day: accounts.Amounts{Tokens: 13}}, 1, "13 tokens for today"},
		{accounts.Limits{Month: accounts.Amounts{Tokens: 42}}, 3, "42 tokens for this month"},
		{accounts.Limits{Month: accounts.Amounts{Tokens: 43}}, 4, "43 tokens for this month"},
		{accounts.Limits{Day: accounts.Amounts{Bytes: 1024}}, 4, "1.0 KiB for today"}, // the whole requests count
		{accounts.Limits{Month: accounts.Amounts{Bytes: 400}}, 2, "400 B for this month"},
		{accounts.Limits{Day: accounts.Amounts{Cost: 1.5}}, 3, "1.5 of money for today"},
		{accounts.Limits{Month: accounts.Amounts{Cost: 2}}, 4, "2 of money for this month"},
	} {
		folder := t.TempDir()
		small, _, err := server.NewKeys(folder).Create(server.Client{Name: "small"})
		if err != nil {
			t.Fatal(err)
		}
		large, _, err := server.NewKeys(folder).Create(server.Client{Name: "large", Quota: -1})
		if err != nil {
			t.Fatal(err)
		}
		f := echo()
		f.text = func(context.Context, engine.TextRequest) (engine.Text, error) {
			return engine.Text{Text: strings.Repeat("a", 100), Usage: chat.Usage{InputTokens: 3, OutputTokens: 11},
				Facts: engine.Facts{Model: "m:1"}}, nil
		}
		h := handler(t, server.Options{Engine: f, Clients: server.NewKeys(folder),
			Quotas: func(c server.Client) accounts.Limits {
				if c.Name == "large" {
					return accounts.Limits{Day: accounts.Amounts{Answers: 1, Tokens: 1000, Cost: 10}}
				}
				return tt.limits
			},
			Cost: func(slug, engineModel string, used chat.Usage) float64 {
				if slug != "delta" || engineModel != "m:1" {
					t.Errorf("the cost is asked of %s, %s", slug, engineModel)
				}
				return float64(used.OutputTokens) / 22
			}})
		ask := func(key string) *httptest.ResponseRecorder {
			return post(h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":%q}`, key, strings.Repeat("p", 100)))
		}
		granted := 0
		for granted < 20 && ask(small).Code == 200 {
			granted++
		}
		refused := ask(small)
		if granted != tt.granted || refused.Code != 429 || refused.Header().Get("Retry-After") == "" ||
			!strings.Contains(refused.Body.String(), "Your quota of "+tt.used) {
			t.Errorf("of %s %d were granted, want %d; then %d %s", tt.used, granted, tt.granted, refused.Code,
				refused.Body)
		}
		for range 2 {
			if got := ask(large); got.Code != 200 {
				t.Errorf("the key with more left: %d %s", got.Code, got.Body)
			}
		}
	}
}

// An engine may only say at the end how many tokens there were.
func TestAStreamThatIsLeftEarlyUsesTokens(t *testing.T) {
	folder := t.TempDir()
	key, _, err := server.NewKeys(folder).Create(server.Client{Name: "small"})
	if err != nil {
		t.Fatal(err)
	}
	f := writer()
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		r.Emit(engine.Part{Text: strings.Repeat("word ", 100)})
		return engine.Text{}, context.Canceled
	}
	h := handler(t, server.Options{Engine: f, Clients: server.NewKeys(folder),
		Quotas: func(server.Client) accounts.Limits { return accounts.Limits{Day: accounts.Amounts{Tokens: 100}} }})
	ask := func() int {
		return post(h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key), asStream).Code
	}
	if first, second := ask(), ask(); first != 200 || second != 429 {
		t.Errorf("of a quota that one stream takes: %d, then %d", first, second)
	}
}

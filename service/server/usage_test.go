package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history/sqlite"
	"confab/service/accounts"
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
		Quota: quota, Counter: counter})
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

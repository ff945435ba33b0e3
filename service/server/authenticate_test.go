package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/service/server"
)

// TestAServerWithoutKeysIsNotMade gives no keys, too short ones, and keys to a server that is for its owner only.
func TestAServerWithoutKeysIsNotMade(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	keys := server.NewKeys(t.TempDir())
	for name, access := range map[string]server.Access{
		"nothing":            {},
		"proxies":            {Proxies: proxies},
		"owner and proxies":  {IsOwnerOnly: true, Proxies: proxies},
		"owner and keys":     {IsOwnerOnly: true, Keys: []string{key}},
		"owner and clients":  {IsOwnerOnly: true, Clients: keys},
		"an empty key":       {Keys: []string{key, ""}},
		"a key of 15 bytes":  {Keys: []string{strings.Repeat("k", 15)}},
		"a clients' and bad": {Clients: keys, Keys: []string{"short"}},
	} {
		if _, err := server.New(server.Options{Engine: echo(), Access: access}); err == nil {
			t.Errorf("%s: a server was made", name)
		} else if strings.Contains(err.Error(), "kkk") {
			t.Errorf("%s: the error quotes the key: %v", name, err)
		}
	}
	for name, access := range map[string]server.Access{"owner": {IsOwnerOnly: true},
		"16 bytes": {Keys: []string{strings.Repeat("k", 16)}}, "clients": {Clients: keys, Proxies: proxies}} {
		if _, err := server.New(server.Options{Engine: echo(), Access: access}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTheOwnersServiceIsNotPassedOn comes through a proxy that nobody told the server of.
func TestTheOwnersServiceIsNotPassedOn(t *testing.T) {
	h := handler(t, server.Options{Access: server.Access{IsOwnerOnly: true}})
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"} {
		if w := post(h, "/api/llm/delta", body(map[string]any{"prompt": "p"}), func(r *http.Request) {
			r.Host = "localhost"
			r.Header.Set(header, "192.0.2.1")
		}); w.Code != 421 {
			t.Errorf("with %s: %d", header, w.Code)
		}
	}
}

// keyedClient sends requests with keys from addresses.
type keyedClient struct{ h http.Handler }

func (a keyedClient) from(address, key string) *httptest.ResponseRecorder {
	return post(a.h, "/api/llm/delta", fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key),
		func(r *http.Request) { r.RemoteAddr = address })
}

// TestWrongKeysBackOff guesses from one address: the right key is no answer any more, until the address has waited.
func TestWrongKeysBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := keyedClient{handler(t, server.Options{})}
		for i := range 10 {
			if got := ask.from("192.0.2.1:1", fmt.Sprint("guess-", i)); got.Code != 401 {
				t.Fatalf("guess %d: %d", i, got.Code)
			}
		}
		if got := ask.from("192.0.2.1:2", key); got.Code != 429 || got.Header().Get("Retry-After") != "10" {
			t.Errorf("the right key after ten guesses: %d, Retry-After %q", got.Code, got.Header().Get("Retry-After"))
		}
		for _, other := range []string{"192.0.2.2:1", "[2001:db8::1]:1"} {
			if got := ask.from(other, key); got.Code != 200 {
				t.Errorf("from %s: %d", other, got.Code)
			}
		}
		time.Sleep(10 * time.Second)
		if got := ask.from("192.0.2.1:3", key); got.Code != 200 {
			t.Errorf("after ten seconds: %d", got.Code)
		}
		for range 40 { // a program with a wrong key, not somebody who guesses
			ask.from("192.0.2.9:1", "a-key-that-was-revoked")
		}
		if got := ask.from("192.0.2.9:2", key); got.Code != 200 {
			t.Errorf("beside a program with one wrong key: %d", got.Code)
		}
	})
}

// TestGuessesTogetherAreNotFaster sends wrong keys at the same time, and from neighbouring addresses of one network.
func TestGuessesTogetherAreNotFaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := keyedClient{handler(t, server.Options{})}
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() { ask.from(fmt.Sprintf("[2001:db8::%x]:1", i), fmt.Sprint("guess-", i)) })
		}
		all.Wait()
		time.Sleep(9 * time.Second)
		if got := ask.from("[2001:db8::ffff]:1", key); got.Code != 429 {
			t.Errorf("after sixty guesses from the /64: %d", got.Code)
		}
		for i := range 9000 { // of which 4096 are remembered at most
			ask.from(fmt.Sprintf("10.0.%d.%d:1", i/256, i%256), "wrong")
		}
	})
}

// TestKeysThatCannotBeReadLetNobodyIn breaks the folder of keys while it is used.
func TestKeysThatCannotBeReadLetNobodyIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "keys")
		keys := server.NewKeys(folder)
		stays, _, err := keys.Create(server.Client{Name: "stays"})
		must(t, err)
		goes, _, err := keys.Create(server.Client{Name: "goes"})
		must(t, err)
		ask := keyedClient{handler(t, server.Options{Access: server.Access{Clients: server.NewKeys(folder)}})}
		if a, b := ask.from("192.0.2.1:1", stays).Code, ask.from("192.0.2.1:1", goes).Code; a != 200 || b != 200 {
			t.Fatalf("at first: %d and %d", a, b)
		}
		broken := filepath.Join(folder, "notes.json")
		must(t, os.WriteFile(broken, []byte("{"), 0o600))
		if gone, err := keys.Revoke("goes"); err != nil || len(gone) != 1 {
			t.Errorf("revoked %v beside a broken file: %v", gone, err)
		}
		time.Sleep(3 * time.Second)
		if a, b := ask.from("192.0.2.1:1", stays).Code, ask.from("192.0.2.1:1", goes).Code; a != 200 || b != 401 {
			t.Errorf("beside a broken file: %d and %d for the revoked key", a, b)
		}
		if all, err := keys.List(); err == nil || len(all) != 1 {
			t.Errorf("listed %v, %v", all, err)
		}
		must(t, os.RemoveAll(folder))
		if err := os.WriteFile(folder, nil, 0o600); err != nil { // where the folder was
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if got := ask.from("192.0.2.1:1", stays).Code; got != 200 {
			t.Errorf("at once after the folder broke: %d", got)
		}
		time.Sleep(61 * time.Second)
		if got := ask.from("192.0.2.1:1", stays).Code; got != 503 {
			t.Errorf("a minute after the folder broke: %d", got)
		}
	})
}

// TestPicturesAreKeptByKey asks for one picture with two keys: neither learns that the other has it.
func TestPicturesAreKeptByKey(t *testing.T) {
	const other = "another-key-of-16"
	h := handler(t, server.Options{Access: server.Access{Keys: []string{key, other}}})
	for i, c := range []struct{ key, want string }{{key, ""}, {key, "HIT"}, {other, ""}, {other, "HIT"}} {
		w := post(h, "/api/generative/sim-image", fmt.Sprintf(`{"apikey":%q,"prompt":"p","nonce":"n"}`, c.key))
		if got := w.Header().Get("X-Cache"); w.Code != 200 || got != c.want {
			t.Errorf("request %d: %d, X-Cache %q, want %q", i, w.Code, got, c.want)
		}
	}
}

// TestEachKeyHasItsOwnRate asks with two keys that have no limits of their own.
func TestEachKeyHasItsOwnRate(t *testing.T) {
	const other = "another-key-of-16"
	ask := keyedClient{handler(t, server.Options{Access: server.Access{Keys: []string{key, other}, Rate: 1}})}
	for i, want := range []int{200, 429} {
		for _, k := range []string{key, other} {
			if got := ask.from("192.0.2.1:1", k); got.Code != want {
				t.Errorf("request %d: %d, want %d", i, got.Code, want)
			}
		}
	}
}

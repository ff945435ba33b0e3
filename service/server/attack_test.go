package server_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"confab/service/engine"
	"confab/service/server"
)

// TestAPageOfTheWebCannotUseTheOwnersService comes as a browser does whose
// page had its name resolve to this machine.
func TestAPageOfTheWebCannotUseTheOwnersService(t *testing.T) {
	own := handler(t, server.Options{Access: server.Access{IsOwnerOnly: true}})
	others := handler(t, server.Options{})
	for host, mine := range map[string]bool{
		"localhost": true, "LocalHost:4141": true, "127.0.0.1:4141": true, "127.9.9.9": true, "[::1]:4141": true,
		"[::1]": true, "::1": true, "": true,
		"evil.example": false, "evil.example:4141": false, "localhost.evil.example": false,
		"127.0.0.1.evil.example:80": false, "10.0.0.1": false, "localhost@evil.example": false, "[::2]": false,
	} {
		ask := func(h http.Handler, path string) int {
			return post(h, path, body(map[string]any{"prompt": "p"}), func(r *http.Request) {
				r.Host = host
			}).Code
		}
		want := 421
		if mine {
			want = 200
		}
		if got := ask(own, "/api/llm/delta"); got != want {
			t.Errorf("as %q: %d, want %d", host, got, want)
		}
		if got := ask(others, "/api/llm/delta"); got != 200 {
			t.Errorf("with keys, as %q: %d", host, got)
		}
	}
}

// TestManyFieldsTakeNoMemory looks at what is held while an engine works on the
// costliest body that fits.
func TestManyFieldsTakeNoMemory(t *testing.T) {
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var working int64
	f := echo()
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		working = live()
		return engine.Text{Text: r.Prompt}, nil
	}
	h := handler(t, server.Options{Engine: f})
	var b strings.Builder
	b.WriteString(`{"apikey":"` + key + `","prompt":"p"`)
	for i := 0; b.Len() < 1<<20-20; i++ {
		fmt.Fprintf(&b, `,"%x":1`, i)
	}
	b.WriteString("}")
	before := live()
	if w := post(h, "/api/llm/delta", b.String()); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if grown := working - before; grown > 6<<20 {
		t.Errorf("a body of 1 MiB takes %d KiB", grown>>10)
	}
	large := strings.Repeat("long ", 20_000)
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"large and right",
			body(map[string]any{"prompt": large, "else": []any{1, map[string]any{"prompt": "other"}},
				"systemprompt": large}), 200},
		{"large, the last of two counts", `{"apikey":"` + key + `","prompt":1,"else":"` + large + `","prompt":"p"}`,
			200},
		{"large, another case of letters", `{"apikey":"` + key + `","Prompt":"p","else":"` + large + `"}`, 400},
		{"large, something after it", body(map[string]any{"prompt": large}) + "{}", 400},
		{"large, cut off", strings.TrimSuffix(body(map[string]any{"prompt": large}), "}"), 400},
		{"large, not an object", `["` + large + `"]`, 400},
		{"large, a null", `{"apikey":"` + key + `","prompt":null,"else":"` + large + `"}`, 400},
	} {
		if w := post(h, "/api/llm/oss-20b", c.body); w.Code != c.want {
			t.Errorf("%s: %d %.200s, want %d", c.name, w.Code, w.Body, c.want)
		}
	}
}

package servers_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

// TestGroupsOfServeKeys gives keys quotas by their names.
func TestGroupsOfServeKeys(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure(`[serve]
quota = 100
[serve.groups.small]
keys = ["lap*"]
answers_a_day = 3
tokens_a_month = 1
[serve.groups.poor]
keys = ["phone"]
cost_a_day = 0.000001
[[prices]]
models = ["*"]
input = 1000
`)
	laptop := strings.TrimSpace(w.Must(console.ExitDone, "serve", "keys", "add", "laptop").Out)
	phone := strings.TrimSpace(w.Must(console.ExitDone, "serve", "keys", "add", "phone").Out)
	own := strings.TrimSpace(w.Must(console.ExitDone, "serve", "keys", "add", "lapland", "--quota", "1").Out)
	tower := strings.TrimSpace(w.Must(console.ExitDone, "serve", "keys", "add", "tower").Out)
	base, _, end := serving(w, "-q")
	for key, want := range map[string]string{laptop: "1 token for this month", phone: "1e-06 of money for today",
		own: "1 token for this month", tower: ""} {
		if code, got := askServer(t, http.DefaultClient, base, key, "oss-20b"); code != 200 {
			t.Errorf("at first: %d %s", code, got)
		}
		code, got := askServer(t, http.DefaultClient, base, key, "oss-20b")
		if (code == 200) != (want == "") || want != "" && !strings.Contains(got, "Your quota of "+want) {
			t.Errorf("want %q: %d %s", want, code, got)
		}
	}
	end()
	clitest.WantTexts(t, w.Must(console.ExitDone, "serve", "keys", "usage", "--months").Out, "laptop\t", " of 1\t")
	clitest.WantTexts(t, w.Must(console.ExitDone, "serve", "keys", "usage", "laptop").Out, "\t1 of 3\t")
	clitest.WantTexts(t, w.Must(console.ExitUsage, "serve", "keys", "usage", "labtop").Err, `there is no key "labtop"`)
	clitest.WantTexts(t, w.Must(console.ExitDone, "serve", "keys", "usage", "lapland").Out, "\t1 of 1\t")
	w.Configure("[serve.groups.small]\nusers=['anna']\n")
	clitest.WantTexts(t, w.Must(console.ExitUsage, "serve").Err,
		"serve.groups.small.users is not a setting of a group", "keys")
}

// TestServeBehindABalancer asks with and without a header of the PROXY protocol.
func TestServeBehindABalancer(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure("[serve]\nproxy_protocol_from=['127.0.0.1']\nlog='json'\n")
	key := strings.TrimSpace(w.Must(console.ExitDone, "serve", "keys", "add", "laptop").Out)
	base, printed, end := serving(w)
	ask := func(header, request string) string {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		body := fmt.Sprintf(`{"apikey":%q,"prompt":"p"}`, key)
		fmt.Fprintf(c, "%s%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.99\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", header, request, len(body), body)
		b, _ := io.ReadAll(c) // a refused connection may be reset
		return string(b)
	}
	const header, question = "PROXY TCP4 203.0.113.7 10.0.0.2 5555 443\r\n", "POST /api/llm/oss-20b"
	if got := ask(header, question); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("got %q", got)
	}
	for _, wrong := range []string{"", "PROXY TCP4 203.0.113.8 10.0.0.2 5555\r\n", "PROXY \r\n" + header} {
		if got := ask(wrong, question); strings.Contains(got, "HTTP/1.1 200 ") {
			t.Errorf("with %q: %q", wrong, got)
		}
	}
	got := ask("PROXY TCP4 127.0.0.1 127.0.0.1 5555 443\r\n", "GET /metrics")
	if !strings.HasPrefix(got, "HTTP/1.1 404 ") {
		t.Errorf("the metrics are for everybody: %q", got)
	}
	end()
	clitest.WantTexts(t, printed.String(), `"from":"203.0.113.7:5555"`)
	clitest.WantNoTexts(t, printed.String(), "203.0.113.8", "192.0.2.99")
}

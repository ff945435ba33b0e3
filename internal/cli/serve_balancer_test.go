package cli_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

// TestServeBehindABalancer asks with and without a header of the PROXY protocol.
func TestServeBehindABalancer(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure("[serve]\nproxy_protocol_from=['127.0.0.1']\nlog='json'\n")
	key := strings.TrimSpace(w.Must(cli.ExitDone, "serve", "keys", "add", "laptop").Out)
	base, printed, end := serving(w)
	ask := func(header, request string) string {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		must(t, err)
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
	end()
	clitest.WantTexts(t, printed.String(), `"from":"203.0.113.7:5555"`)
	clitest.WantNoTexts(t, printed.String(), "203.0.113.8", "192.0.2.99")
}

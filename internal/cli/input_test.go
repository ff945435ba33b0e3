package cli

import (
	"net/http"
	"strings"
	"testing"

	"confab/internal/cli/console"
)

func TestInputThatIsNoPrompt(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"bytes that are no text", "\xff\xfe", "not UTF-8"},
		{"a zero byte", "a\x00b", "not UTF-8"},
		{"nothing", " \n", "standard input is empty"},
		{"too much", strings.Repeat("x", console.MaxText+1), "larger than 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.stdin = strings.NewReader(c.input)
			wantTexts(t, w.must(2, "ask", "-m", "zeta").err, c.want)
		})
	}
}

func TestTimeoutTellsMoreThanAFailure(t *testing.T) {
	s := newRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "zeta") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		<-r.Context().Done()
	})
	remoteWorld(t, s).must(124, "ask", "-m", "zeta,delta", "--timeout", "1s", "hello")
}

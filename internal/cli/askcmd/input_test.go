package askcmd_test

import (
	"net/http"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
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
			w := clitest.NewWorld(t)
			w.Stdin = strings.NewReader(c.input)
			clitest.WantTexts(t, w.Must(2, "ask", "-m", "zeta").Err, c.want)
		})
	}
}

func TestTimeoutTellsMoreThanAFailure(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "zeta") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		<-r.Context().Done()
	})
	clitest.RemoteWorld(t, s).Must(124, "ask", "-m", "zeta,delta", "--timeout", "1s", "hello")
}

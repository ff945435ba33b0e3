package cli_test

import (
	"net/http"
	"testing"

	"confab/internal/cli/clitest"
)

// TestSlowModelBeginsWithinHalfItsTime asks a service that never answers. The configuration promises that a slow
// model may take half of slow_request_timeout to begin an answer; the message names the time that was allowed.
func TestSlowModelBeginsWithinHalfItsTime(t *testing.T) {
	t.Parallel()
	s := clitest.NewRemote(t, func(_ http.ResponseWriter, r *http.Request,
		_ map[string]string) {
		<-r.Context().Done()
	})
	w := clitest.RemoteWorld(t, s)
	w.Configure("[service]\nfirst_byte_timeout = \"1s\"\nslow_request_timeout = \"2s\"\n" +
		"[[models.custom]]\nslug = \"turtle\"\nslow = true\n")
	clitest.WantTexts(t, w.Must(124, "ask", "-m", "turtle", "hello").Err, "did not answer within 1")
}

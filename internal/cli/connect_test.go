package cli

import (
	"net/http"
	"testing"
)

// TestSlowModelBeginsWithinHalfItsTime asks a service that never answers. The configuration promises that a slow
// model may take half of slow_request_timeout to begin an answer; the message names the time that was allowed.
func TestSlowModelBeginsWithinHalfItsTime(t *testing.T) {
	t.Parallel()
	s := newRemote(t, func(_ http.ResponseWriter, r *http.Request, _ map[string]string) { <-r.Context().Done() })
	w := remoteWorld(t, s)
	w.configure("[service]\nfirst_byte_timeout = \"1s\"\nslow_request_timeout = \"2s\"\n" +
		"[[models.custom]]\nslug = \"turtle\"\nslow = true\n")
	wantTexts(t, w.must(124, "ask", "-m", "turtle", "hello").err, "did not answer within 1")
}

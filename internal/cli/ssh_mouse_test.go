package cli_test

import (
	"net/http"
	"testing"

	"confab/internal/cli/clitest"
)

// The mouse of a terminal that came over SSH clicks on the header, on a hint of the footer and on a model.
func TestTheMouseOverSSH(t *testing.T) {
	r := clitest.NewRemote(t,
		func(w http.ResponseWriter, _ *http.Request, body map[string]string) {
			clitest.AnswerText(w, body["prompt"]+" ¶")
		})
	s := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+r.URL, "CONFAB_API_KEY=key-for-tests-0001"), []string{"anna"})
	a := s.screen("anna")
	a.sees("Write a prompt")
	a.sees("\x1b[?1002h") // the mouse is asked for
	press := "\x1b[<0;3;1M\x1b[<0;3;1m"
	a.types(press) // the program's name
	a.sees("Commands")
	a.types("\x11")
	a.end()
}

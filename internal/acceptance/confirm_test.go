//go:build !windows

package acceptance

import (
	"testing"

	"confab/internal/testserver"
)

// TestNoRequestBeforeTheYes counts the requests that reach a service over HTTP while the question about many calls is
// asked, after it was refused, and after the yes.
func TestNoRequestBeforeTheYes(t *testing.T) {
	t.Parallel()
	service := testserver.New(t)
	h := newRemoteHome(t, service.URL, []string{"ok"}, nil)
	s := h.open(120, 40, "-m", "ok")
	s.waitFor("Write a prompt")
	none := func(when string) {
		if n := len(service.Seen()); n != 0 {
			t.Fatalf("%s: %d requests reached the service", when, n)
		}
	}
	s.paste("say {{number}}")
	s.waitFor("say {{number}}")
	s.sendKeys("\r")
	s.waitFor("Values of the variables")
	s.paste("1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21")
	s.waitFor("21 values = 21 calls")
	s.sendKeys("\r")
	s.waitFor("This makes 21 calls. Send it?")
	none("while it is asked")
	s.sendKeys("\x1b")
	s.waitUntilGone("This makes 21 calls")
	s.waitFor("say {{number}}")
	none("after esc")
	s.sendKeys("\r")
	s.waitFor("Values of the variables", "21 values = 21 calls")
	s.sendKeys("\r")
	s.waitFor("This makes 21 calls. Send it?")
	none("while it is asked again")
	s.sendKeys("y")
	s.waitFor("21 of 21 answered")
	if n := len(service.Seen()); n != 21 {
		t.Fatalf("%d requests reached the service after the yes, want 21", n)
	}
}

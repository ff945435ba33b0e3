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
	h := remote(t, service.URL, []string{"ok"}, nil)
	s := h.open(120, 40, "-m", "ok")
	s.sees("Write a prompt")
	none := func(when string) {
		if n := len(service.Seen()); n != 0 {
			t.Fatalf("%s: %d requests reached the service", when, n)
		}
	}
	s.pastes("say {{number}}")
	s.sees("say {{number}}")
	s.types("\r")
	s.sees("Values of the variables")
	s.pastes("1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21")
	s.sees("these values make 21 prompts")
	s.types("\r")
	s.sees("This makes 21 calls. Send it?")
	none("while it is asked")
	s.types("\x1b")
	s.loses("This makes 21 calls")
	s.sees("say {{number}}")
	none("after esc")
	s.types("\r")
	s.sees("these values make 21 prompts")
	s.types("\r")
	s.sees("This makes 21 calls. Send it?")
	none("while it is asked again")
	s.types("y")
	s.sees("21 answers")
	s.loses("of 21 answered")
	if n := len(service.Seen()); n != 21 {
		t.Fatalf("%d requests reached the service after the yes, want 21", n)
	}
}

package servers

import (
	"strings"
	"testing"

	"confab/internal/desktop"
	"confab/service/api"
)

func TestTheDesktopOfAGuestTouchesNothingHere(t *testing.T) {
	d := servedDesktop{}
	if where, terminal, err := d.Copy(t.Context(), "x"); where != "sent to the terminal" || !terminal || err != nil {
		t.Errorf("%q, %v, %v", where, terminal, err)
	}
	if _, _, err := d.Copy(t.Context(),
		strings.Repeat("x", desktop.MaxTerminalText+1)); api.CodeOf(err) != api.CodeTooLarge {
		t.Error(err)
	}
	if hint, err := d.Open(t.Context(), "/x.png"); err != nil || !strings.Contains(hint, "nothing is opened") {
		t.Errorf("%q, %v", hint, err)
	}
	if run, err := d.Editor(t.Context(), "x"); run != nil || api.CodeOf(err) != api.CodeConfig {
		t.Error(err)
	}
}

package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/desktop"
	"confab/service/api"
)

func TestTheDesktopOfAGuestTouchesNothingHere(t *testing.T) {
	d := servedDesktop{filepath.Base}
	if where, terminal, err := d.Copy(t.Context(), "x"); where != "sent to the terminal" || !terminal || err != nil {
		t.Errorf("%q, %v, %v", where, terminal, err)
	}
	if _, _, err := d.Copy(t.Context(),
		strings.Repeat("x", desktop.MaxTerminalText+1)); api.CodeOf(err) != api.CodeTooLarge {
		t.Error(err)
	}
	if hint, err := d.Open(t.Context(), "/srv/x.png"); err != nil ||
		!strings.HasSuffix(hint, "nothing is opened on the server; it is x.png") {
		t.Errorf("%q, %v", hint, err)
	}
	if run, err := d.Editor(t.Context(), "x"); run != nil || api.CodeOf(err) != api.CodeConfig {
		t.Error(err)
	}
}

package cli

import (
	"testing"

	"confab/internal/cli/console"
)

// What is meant for people at a terminal is neither printed to a pipe nor with --quiet.
func TestOnlyPeopleAreTold(t *testing.T) {
	w := newWorld(t, "CONFAB_UI_THEME=no-such-theme")
	const warning = "there is no theme"
	wantTexts(t, w.must(console.ExitDone, "ask", "-m", "zeta", "hello").err, warning)
	wantNoTexts(t, w.must(console.ExitDone, "ask", "-q", "-m", "zeta", "hello").err, warning)
	wantNoTexts(t, w.must(console.ExitDone, "history", "list", "-n", "1").err, "1 session of 2")
	wantTexts(t, w.onTerminal(80, "", "history", "list", "-n", "1").out, "1 session of 2")
}

package cli_test

import (
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

// What is meant for people at a terminal is neither printed to a pipe nor with --quiet.
func TestOnlyPeopleAreTold(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_UI_THEME=no-such-theme")
	const warning = "there is no theme"
	clitest.WantTexts(t, w.Must(cli.ExitDone, "ask", "-m", "zeta", "hello").Err, warning)
	clitest.WantNoTexts(t, w.Must(cli.ExitDone, "ask", "-q", "-m", "zeta", "hello").Err, warning)
	clitest.WantNoTexts(t, w.Must(cli.ExitDone, "history", "list", "-n", "1").Err, "1 session of 2")
	clitest.WantTexts(t, w.OnTerminal(80, "", "history", "list", "-n", "1").Out, "1 session of 2")
}

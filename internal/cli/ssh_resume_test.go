package cli_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/internal/cli/clitest"
	"confab/service"
)

// TestTheNextScreenOpensTheSessionOfTheLast while that one has not ended, as where its host died.
func TestTheNextScreenOpensTheSessionOfTheLast(t *testing.T) {
	opensAgain := func(t *testing.T, one, other *runningSSH, kept history.Store) {
		const title = "\x1b]2;confab · a lighthouse\a" // texts are drawn in pieces, over others
		x := one.screen("anna")
		x.sees("Write a prompt")
		x.types("a lighthouse\r")
		clitest.Eventually(t, "the open session to be stored", func() bool {
			id, err := kept.Setting(t.Context(), service.OpenSessionSetting)
			return err == nil && id == "2"
		})
		if r := one.ask("anna", "", "ask -m alpha3.1-8b --session older 'and the moon'"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
		y := other.screen("anna")
		y.sees(title)
		y.types("\x11") // ctrl+q
		if err := y.end(); err != nil {
			t.Error(err)
		}
		z := other.screen("anna")
		z.types("¶") // which is shown after the session that it opens
		z.sees("¶")
		clitest.WantNoTexts(t, z.shown.String(), title)
		z.c.Close()
		x.c.Close()
	}
	t.Run("in files", func(t *testing.T) {
		s := serve(clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
		if r := s.ask("anna", "", "ask -m alpha3.1-8b --session older 'the tides'"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
		opensAgain(t, s, s, s.store("anna"))
	})
	t.Run("on another host", func(t *testing.T) {
		environ := append(clitest.InDatabase(t), "CONFAB_SSH_COMMANDS=ask")
		one := serve(clitest.NewWorld(t, environ...), []string{"anna"})
		if r := one.ask("anna", "", "ask -m alpha3.1-8b --session older 'the tides'"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
		server, err := postgres.Connect(t.Context(), postgres.Options{
			URL: strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL="), Password: "hunter2hunter2"})
		must(t, err)
		defer server.Close()
		kept, err := server.Store("anna", postgres.StoreOptions{})
		must(t, err)
		defer kept.Close()
		opensAgain(t, one, serve(clitest.NewWorld(t, environ...), []string{"anna"}), kept)
	})
}

// TestADatabaseThatNeverAnswersHoldsNothingUp logs in while the database says nothing, and ends the server.
func TestADatabaseThatNeverAnswersHoldsNothingUp(t *testing.T) {
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { silent.Close() })
	s := serve(clitest.NewWorld(t, "CONFAB_HISTORY_URL=postgres://confab@"+silent.Addr().String()+
		"/confab?sslmode=disable", "CONFAB_HISTORY_PASSWORD=hunter2hunter2", "CONFAB_UI_START=last"), []string{"anna"})
	x := s.screen("anna")
	x.sees("The history does not respond yet")
	x.c.Close()
	begun := time.Now()
	s.stop()
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("the server took %s to end", took)
	}
}

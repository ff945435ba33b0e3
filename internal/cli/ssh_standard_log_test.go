package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// TestStandardLoggersOfServers: what libraries log stands in the server's log, with keys masked, and reaches no user.
func TestStandardLoggersOfServers(t *testing.T) {
	const key = "sk-sentinel-0123456789"
	check := func(t *testing.T, log, shown string) {
		t.Helper()
		for _, want := range []string{"planted with", "planted too", "planted as well"} {
			if !strings.Contains(log, want) {
				t.Errorf("the log lacks %q: %s", want, log)
			}
		}
		if strings.Contains(log+shown, key) || strings.Contains(shown, "planted") {
			t.Errorf("the log is %s, and shown was %s", log, shown)
		}
	}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		clitest.LogAsLibraries(key)
		http.Error(w, "no", http.StatusInternalServerError)
	}))
	t.Cleanup(upstream.Close)
	t.Run("serve", func(t *testing.T) {
		w := clitest.NewWorld(t)
		_, printed, end := serving(w, "--key", key)
		clitest.LogAsLibraries(key)
		end()
		log, err := os.ReadFile(filepath.Join(w.Home, ".local", "state", "confab", "confab.log"))
		must(t, err)
		check(t, string(log), printed.String())
	})
	t.Run("ssh", func(t *testing.T) {
		served := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+upstream.URL, "CONFAB_API_KEY="+key,
			"CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
		r := served.ask("anna", "", "ask -m delta hello")
		check(t, served.said.String(), r.Out+r.Err)
	})
}

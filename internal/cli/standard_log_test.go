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

// TestStandardLoggersWriteIntoTheLog: nothing that libraries log comes between answers or onto a screen, and the key
// is masked in it.
func TestStandardLoggersWriteIntoTheLog(t *testing.T) {
	check := func(t *testing.T, w *clitest.World, shown string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(w.Home, ".local", "state", "confab", "confab.log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"planted with", "planted too", "planted as well"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the log lacks %q: %s", want, text)
			}
		}
		if strings.Contains(string(text), "sk-sentinel") || strings.Contains(shown, "planted") {
			t.Errorf("the log is %s, and shown was %s", text, shown)
		}
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		clitest.LogAsLibraries("sk-sentinel-0123456789")
		http.Error(w, "no", http.StatusInternalServerError)
	}))
	t.Cleanup(service.Close)
	world := func(t *testing.T) *clitest.World {
		return clitest.NewWorld(t, "CONFAB_API_KEY=sk-sentinel-0123456789", "CONFAB_BASE_URL="+service.URL)
	}
	t.Run("ask", func(t *testing.T) {
		w := world(t)
		r := w.Must(1, "ask", "-m", "delta", "hello")
		check(t, w, r.Out+r.Err)
	})
	t.Run("screen", func(t *testing.T) {
		w := world(t)
		s := open(w, "-m", "delta")
		s.sees("Nothing sent yet")
		s.types("hello\r")
		s.sees("500")
		s.types("\x11")
		s.ends()
		check(t, w, s.shown.String()+s.said.String())
	})
}

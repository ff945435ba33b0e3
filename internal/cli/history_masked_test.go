package cli_test

import (
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// TestHistoryPrintsNoKey prints texts that were stored before their key was known, in every form there is.
func TestHistoryPrintsNoKey(t *testing.T) {
	const key = "sk-Live-0123456789abcdef"
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "delta", "Repeat: "+key+" and sk-**Live**-0123456789abcdef and "+
		strings.Join(strings.Split(key, ""), "\u00ad"))
	w.Environ = append(w.Environ, "CONFAB_API_KEY="+key)
	for _, args := range [][]string{{"history", "list"}, {"history", "list", "--json"}, {"history", "show", "s1"},
		{"history", "show", "s1", "--json"}, {"history", "export", "s1"}, {"history", "search", "Repeat"},
		{"history", "show", "s1", "--color", "always"}, {"history", "search", "Repeat", "--json"}} {
		out := w.Must(0, args...).Out
		shown := strings.ToLower(strings.ReplaceAll(out, "\u00ad", ""))
		if strings.Contains(shown, strings.ToLower(key)) || !strings.Contains(out, "•") {
			t.Errorf("%v prints\n%s", args, out)
		}
	}
}

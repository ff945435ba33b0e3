package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/internal/cli/clitest"
)

func TestHistoryStats(t *testing.T) {
	s := clitest.NewStreaming(t, "delta", "zeta")
	w := clitest.StreamWorld(t, s)
	config := filepath.Join(w.Home, "config.toml")
	prices := "[[prices]]\nmodels = [\"delta\"]\ninput = 1\noutput = 10\n"
	if err := os.WriteFile(config, []byte(prices), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, _, code := w.Ask(t, "--config", config, "-m", "delta", "--session", "mine", "hello")
		s.Events["delta"] <- clitest.Delta("text.")
		s.Events["delta"] <- clitest.Done("text.", "stop")
		if c := code(); c != 0 {
			t.Fatalf("ended with %d", c)
		}
	}
	rows := func(args ...string) (all [][]string) {
		out := w.Must(0, append([]string{"history", "stats"}, args...)...).Out
		for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
			cells := strings.Split(line, "\t")
			all = append(all, append(cells[:6], cells[7:]...)) // without the time
		}
		return all
	}
	wants := func(what string, got [][]string, want ...string) {
		t.Helper()
		for i, row := range got {
			if i >= len(want) || len(got) != len(want) || strings.Join(row, " ") != want[i] {
				t.Errorf("%s: got %q, want %q", what, got, want)
				return
			}
		}
	}
	wants("by model", rows(), "delta 3 2 2408 712  $0.0095", "zeta 1 0    ")
	wants("of a session", rows("--session", "mine"), "delta 2 2 2408 712  $0.0095")
	wants("by session", rows("--by", "session"), "s1 hello 1 0    ", "s2 hello 1 0    ",
		"s3 mine 2 2 2408 712  $0.0095")
	wants("by day", rows("--by", "day"), time.Now().Format(time.DateOnly)+" 4 2 2408 712  $0.0095")
	got := clitest.Objects(t, w.Must(0, "history", "stats", "--json").Out)[0]
	if got["model"] != "delta" || got["output_tokens"] != 712.0 || got["counted"] != 2.0 {
		t.Errorf("got %v", got)
	}
	clitest.WantTexts(t, w.OnTerminal(100, "", "history", "stats").Out, "2,408", "all")
	clitest.WantTexts(t, w.Must(2, "history", "stats", "--by", "week").Err, "model, session or day")

	m := clitest.Objects(t, w.Must(0, "--config", config, "models", "delta", "--json").Out)[0]
	if m["output_price"] != 10.0 || m["currency"] != "USD" || m["typical_output_tokens"] != 356.0 {
		t.Errorf("got %v", m)
	}
	clitest.WantTexts(t, w.Must(0, "--config", config, "models", "delta").Out, "$1.00 / $10.00")
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "extensions\tstream, messages, params, usage (2 text models)")
	w.Environ = append(w.Environ, "CONFAB_SERVICE_EXTENSIONS=off")
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "extensions\tnone is used")
	if out := w.Must(0, "ask", "-m", "delta", "hello").Out; out != "whole\n" {
		t.Errorf("printed %q", out)
	}
}

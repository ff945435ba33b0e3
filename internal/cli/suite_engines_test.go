package cli_test

import (
	"path/filepath"
	"testing"

	"confab/internal/cli/clitest"
)

func TestARunTellsOfItsEngines(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure(`
[engines.local]
url = "` + s.Base() + `"
[[routes]]
models = ["zeta"]
engine = "local"
`)
	path := w.Suite("s.yaml", clitest.Echoes)
	r := w.Must(1, "run", path, "-o", filepath.Join(w.Home, "out.jsonl"))
	clitest.WantTexts(t, r.Err, "2 answers were simulated by the offline engine")
	lines := clitest.Objects(t, clitest.ReadFile(t, filepath.Join(w.Home, "out.jsonl")))
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		want := map[string]string{"zeta": "local", "delta": "offline"}[l["model"].(string)]
		if l["engine"] != want {
			t.Errorf("%v: %v", l["model"], l["engine"])
		}
	}
	clitest.WantNoTexts(t, clitest.NewWorld(t).Must(0, "ask", "-m", "zeta", "x").Err, "simulated")
}

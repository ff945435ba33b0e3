package suitecmd_test

import (
	"path/filepath"
	"testing"

	"confab/internal/cli/clitest"
	"confab/service/engine/openai/stub"
)

func TestARunTellsOfItsEngines(t *testing.T) {
	s := clitest.StartStub(t)
	gone := stub.Start()
	gone.Close()
	w := clitest.NewWorld(t)
	w.Configure(`
[engines.local]
urls = ["` + s.Base() + `"]
[engines.gone]
urls = ["` + gone.Base() + `"]
[[routes]]
models = ["zeta"]
engine = "local"
[[routes]]
models = ["delta"]
engine = "gone"
fallback = "offline"
`)
	path := w.Suite("s.yaml", clitest.Echoes)
	r := w.Must(1, "run", path, "-o", filepath.Join(w.Home, "out.jsonl"))
	clitest.WantTexts(t, r.Err, "2 answers: the service says: The engine gone did not answer; offline did",
		"2 answers were simulated by the offline engine")
	lines := clitest.Objects(t, clitest.ReadFile(t, filepath.Join(w.Home, "out.jsonl")))
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		want := map[string][2]string{"zeta": {"local", ""},
			"delta": {"offline", "The engine gone did not answer; offline did"}}[l["model"].(string)]
		if note, _ := l["service_note"].(string); l["engine"] != want[0] || note != want[1] {
			t.Errorf("%v: %v %q", l["model"], l["engine"], note)
		}
	}
	clitest.WantNoTexts(t, clitest.NewWorld(t).Must(0, "ask", "-m", "zeta", "x").Err, "simulated")
}

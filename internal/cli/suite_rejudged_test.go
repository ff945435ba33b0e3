package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// TestEarlierVerdictsAreKept continues a run after its suite's checks have changed, twice: what was judged before is
// said, and is in every file.
func TestEarlierVerdictsAreKept(t *testing.T) {
	t.Parallel()
	w := clitest.NewWorld(t)
	write := func(check string) string {
		return w.Suite("tone.yaml", "prompts: [one, two]\nproviders: [llm:zeta]\ndefaultTest: {assert: [{type: "+
			check+"}]}\n")
	}
	path := write("not-contains, value: zebra")
	w.Must(0, "run", path)
	if r := w.Must(0, "run", path, "--resume"); strings.Contains(r.Err, "differently") {
		t.Errorf("the same checks: stderr %q", r.Err)
	}
	write("contains, value: zebra")
	clitest.WantTexts(t, w.Must(1, "run", path, "--resume").Err,
		"2 answers judged differently than before; what was said before is kept\n")
	write("not-contains, value: giraffe")
	for _, ext := range []string{"jsonl", "csv", "md", "html"} {
		out := filepath.Join(w.Home, "out."+ext)
		r := w.Must(0, "run", path, "--resume", "-o", out)
		if strings.Contains(r.Err, "2 answers judged differently") != (ext == "jsonl") { // the first of them
			t.Errorf("%s: stderr %q", ext, r.Err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{
			"jsonl": {`"verdict":"passed"`, `"earlier_verdict":"passed, failed"`,
				`"earlier_checks":[[{"name":"not-contains \"zebra\"","verdict":"passed"`},
			"csv":  {",earlier verdict", `,"passed, failed"`},
			"md":   {"passed (judged before: passed, failed)"},
			"html": {"passed (judged before: passed, failed)"},
		}[ext]
		clitest.WantTexts(t, string(b), want...)
	}
}

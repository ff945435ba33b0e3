package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// TestAskSendsVariants sends two variants with two values and two temperatures after a turn of a session: all go with
// this turn, and what was printed says what each answer differs in.
func TestAskSendsVariants(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Echo)
	w := clitest.RemoteWorld(t, s)
	w.Must(0, "ask", "-m", "zeta", "first")
	file := filepath.Join(t.TempDir(), "wave.txt")
	clitest.WriteFile(t, file, "Wave at {{who}}, {{twice}}", 0o600)
	ask := []string{"ask", "-C", "Greet {{who}}", "--variant", "@" + file, "--var", "who=Ana | Ben", "--var",
		"twice=@@2", "--param", "temperature=0|1"}
	r := w.Must(0, ask...)
	var headings []string
	for line := range strings.Lines(r.Out) {
		if strings.HasPrefix(line, "==> ") {
			headings = append(headings, strings.TrimSpace(line))
		}
	}
	want := []string{"==> A Greet {{who}} · who=Ana · temperature 0 · zeta <==",
		"==> B Wave at {{who}}, {{twice}} · twice=@2, who=Ben · temperature 1 · zeta <=="}
	if len(headings) != 8 || headings[0] != want[0] || !slices.Contains(headings, want[1]) {
		t.Errorf("headings\n%s\nwant 8 with\n%s", strings.Join(headings, "\n"), strings.Join(want, "\n"))
	}
	if n := strings.Count(r.Out, "## Me\n\nfirst"); n != 8 {
		t.Errorf("%d of 8 go with the first turn:\n%s", n, r.Out)
	}
	objects := clitest.Objects(t, w.Must(0, append(ask, "--json", "--context=false")...).Out)
	prompts := map[any]int{}
	for _, o := range objects {
		point, _ := o["point"].(map[string]any)
		if prompts[o["prompt"]]++; len(point) != 3 || point["model"] != nil || o["vars"] == nil || o["params"] == nil {
			t.Errorf("an answer has %v", o)
		}
	}
	if len(objects) != 8 || prompts["Greet Ana"] != 2 || prompts["Wave at Ben, @2"] != 2 {
		t.Errorf("asked %v", prompts)
	}
	table := w.Must(0, "history", "export", "t2", "--table", "--as", "csv", "-o", "-").Out
	clitest.WantTexts(t, table, "Greet Ana", "Greet Ben", "Wave at Ana, @2", "Wave at Ben, @2")
	if n := strings.Count(table, ",done,"); n != 8 {
		t.Errorf("%d answers in the table, want 8:\n%s", n, table)
	}
	clitest.WantTexts(t, w.Must(2, "history", "export", "s1", "--table", "-o", "-").Err, "a table is that of a turn")
	folder := t.TempDir()
	w.Must(0, append(ask, "-o", folder)...)
	if files, err := os.ReadDir(folder); err != nil || len(files) != 8 {
		t.Errorf("%d files, %v", len(files), err)
	}
	literal := w.Must(0, "ask", "-m", "zeta", "{{a}}", "--variant", "{{b}} {{{{c}}}}").Out
	clitest.WantTexts(t, literal, "{{a}}\n", "{{b}} {{{{c}}}}\n")
	for text, args := range map[string][]string{
		"these variables have no value: {{b}}":         {"{{a}} {{b}}", "--var", "a=1"},
		"there is no {{b}} in the prompt":              {"{{a}}", "--var", "a=1", "--var", "b=1"},
		"--var takes NAME=VALUE":                       {"{{a}}", "--var", "a"},
		"the answers to 2 prompts go to a folder":      {"a", "--variant", "b", "-o", filepath.Join(folder, "x.md")},
		"this makes more than 1000 prompts at once":    {"a", "--param", "seed=" + strings.Repeat("1|", 1001)},
		"the parameter temperature must be a number":   {"a", "--param", "temperature=0|3"},
		"--rest-of repeats the earlier request, so it": {"--rest-of", "a1", "--variant", "b"},
	} {
		clitest.WantTexts(t, w.Must(2, append([]string{"ask"}, args...)...).Err, text)
	}
}

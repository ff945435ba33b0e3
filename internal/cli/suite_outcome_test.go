package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/cli/clitest"
)

// TestRunWithoutJudgementHasNotPassed: what nothing judged is never said to have passed, and fails unless that is
// allowed.
func TestRunWithoutJudgementHasNotPassed(t *testing.T) {
	const head = "prompts: [yes]\nproviders: [llm:zeta]\n"
	const judged = "tests:\n  - assert: [{type: contains, value: 'yes'}]\n"
	for _, tt := range []struct {
		name, suite   string
		flags         []string
		code, allowed int
		verdict       string
		said          []string
	}{
		{"all checked", head + judged, nil, 0, 0, "passed", []string{"1 passed, in session"}},
		{"a failed check", head + strings.Replace(judged, "'yes'", "'no'", 1), nil, 1, 1, "failed",
			[]string{"0 passed, 1 failed"}},
		{"no check at all", head, nil, 0, 0, "unchecked",
			[]string{"0 passed, 1 inconclusive (1 unchecked)", "nothing was checked: the suite has no checks"}},
		{"no check by an empty list", head + "tests:\n  - assert: []\n", nil, 0, 0, "unchecked",
			[]string{"nothing was checked"}},
		{"only skipped checks", head + "tests:\n  - assert: [{type: llm-rubric, value: polite}]\n", nil, 1, 0,
			"skipped",
			[]string{"0 passed, 1 inconclusive (1 skipped)", "nothing was checked: this run",
				`skipped 1 time: llm-rubric "polite" (confab does not judge llm-rubric)`}},
		{"a skipped check next to one that passed",
			head + strings.Replace(judged, "[", "[{type: equals, value: x, weight: 0}, ", 1), nil, 1, 0, "skipped",
			[]string{"0 passed, 1 inconclusive (1 skipped)", "1 answer has skipped checks: this run has not passed",
				`skipped 1 time: equals "x" (its weight is 0)`}},
		{"a provider with a transform", strings.Replace(head, "llm:zeta", "{id: llm:zeta, transform: x}", 1) + judged,
			nil, 1, 0, "skipped", []string{"its provider has a transform"}},
		{"a test without checks next to one with", head + judged + "  - {}\n", nil, 1, 0, "",
			[]string{"1 passed, 1 inconclusive (1 unchecked)", "1 answer was not checked: the suite has no"}},
		{"scenarios", head + judged + "scenarios: [{config: []}]\n", nil, 1, 0, "passed",
			[]string{"line 5 of", "scenarios are not run: this run has not passed"}},
		{"a test for a model that is not asked",
			strings.Replace(head, "llm:zeta", "llm:zeta, llm:delta", 1) + judged + "  - {providers: ['llm:delta']}\n",
			[]string{"-m", "zeta"}, 1, 0, "passed", []string{"1 test was not run: none of the prompts and models is " +
				"for them"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
			path := w.Suite("s.yaml", tt.suite)
			args := append([]string{"run", path}, tt.flags...)
			r := w.Must(tt.code, args...)
			clitest.WantTexts(t, r.Err, tt.said...)
			if tt.verdict != "" {
				clitest.WantTexts(t, r.Out, "\t"+tt.verdict+"\t")
				line := clitest.Objects(t, w.Must(tt.code, append(args, "--json")...).Out)[0]
				if line["verdict"] != tt.verdict && (line["verdict"] != "inconclusive" ||
					line["inconclusive"] != tt.verdict) {
					t.Errorf("as JSON the verdict is %v, want %s", line["verdict"], tt.verdict)
				}
			}
			w.Must(tt.allowed, append(args, "--allow-skipped", "-q")...)
			w.Must(tt.allowed, append(args, "--allow-skipped", "--resume")...)
		})
	}
}

// TestEveryOutputTellsTheVerdict of a run in which a check was skipped.
func TestEveryOutputTellsTheVerdict(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	path := w.Suite("s.yaml", `
prompts: [yes]
providers: [llm:zeta]
tests:
  - description: late parcel
    assert: [{type: contains, value: 'yes'}, {type: python, value: 'x'}]
`)
	for _, ext := range []string{".jsonl", ".csv", ".md", ".html"} {
		out := filepath.Join(w.Home, "out"+ext)
		w.Must(1, "run", path, "-o", out)
		clitest.WantTexts(t, clitest.ReadFile(t, out), "skipped", "late parcel")
	}
	clitest.WantTexts(t, w.Must(0, "run", "--list").Out, "1/1\t0\t0\t1\t")
	if got := clitest.Objects(t, w.Must(0, "run", "--list", "--json").Out)[0]; fmt.Sprint(got["passed"], got["failed"],
		got["inconclusive"]) != "0 0 1" {
		t.Errorf("listed as %v", got)
	}
	screen := ansi.Strip(w.OnTerminal(100, "", "run", path).Out)
	clitest.WantTexts(t, screen, "late parcel", "? 1/2")
	if strings.Contains(screen, "1 ✓") {
		t.Errorf("a skipped check reads as passed:\n%s", screen)
	}
}

// TestRunRefusesWhatNobodyKnows before anything is sent.
func TestRunRefusesWhatNobodyKnows(t *testing.T) {
	w := clitest.NewWorld(t)
	if err := os.WriteFile(filepath.Join(w.Home, "p.txt"), []byte("hi\n{{ a | upper }}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"prompts: [a]\nproviders: [llm:zeta]\ntests:\n  - assert: [{type: contians, value: a}]\n": `did you mean contains?`,
		"prompts: [a]\nproviders: [llm:zeta]\ntest: []\n":                                         `did you mean tests?`,
		"prompts: [file://p.txt]\nproviders: [llm:zeta]\n":                                        `line 2 of p.txt: confab does not do the template "{{ a | upper }}"`,
	} {
		clitest.WantTexts(t, w.Must(2, "run", w.Suite("bad.yaml", text)).Err, want)
	}
}

// A run says what it may cost, and what it cost; its parameters and messages are sent.
func TestRunCountsCosts(t *testing.T) {
	w := clitest.NewWorld(t)
	config, file := filepath.Join(w.Home, "config.toml"), filepath.Join(w.Home, "s.yaml")
	prices := "[[prices]]\nmodels = [\"delta\"]\ninput = 1000\noutput = 2000\n"
	const text = `prompts:
  - '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},{"role":"user","content":"{{q}}"}]'
providers: [{id: llm:delta, config: {temperature: 0.2}}, llm:zeta]
tests:
  - vars: {q: 'What is "sourdough"?'}
    assert: [{type: cost, threshold: 100}]
`
	for path, text := range map[string]string{config: prices, file: text} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := w.Must(0, "run", "--config", config, "--dry-run", file); r.Out != "2 calls, 8 at once\n" {
		t.Errorf("without a history the plan is %q", r.Out)
	}
	r := w.Must(1, "run", "--config", config, "--json", file)
	clitest.WantTexts(t, r.Err, " tokens, $", "1 passed, 1 inconclusive (1 skipped)")
	for _, o := range clitest.Objects(t, r.Out) {
		messages, _ := json.Marshal(o["sent_messages"]) // it was made from JSON
		if o["sent_prompt"] != `What is "sourdough"?` ||
			string(messages) != `[{"content":"hi","role":"user"},{"content":"hello","role":"assistant"}]` {
			t.Errorf("sent %v after %s", o["sent_prompt"], messages)
		}
		if isPriced := o["model"] == "delta"; isPriced != (o["cost"] != nil) || isPriced != (o["params"] != nil) {
			t.Errorf("got %v", o)
		}
	}
	plan := w.Must(0, "run", "--config", config, "--dry-run", file).Out
	clitest.WantTexts(t, plan, "2 calls, 8 at once, ~$", " for 1 of them")
	clitest.WantTexts(t, w.Must(0, "run", "--config", config, "--resume", "--dry-run", file).Out,
		"0 calls, 2 answers of run 1")
	changed := strings.Replace(text, "0.2", "0.3", 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.WantTexts(t, w.Must(0, "run", "--config", config, "--resume", "--dry-run", file).Out,
		"1 call, 1 answer of run 1")
	clitest.WantTexts(t, w.OnTerminal(120, "", "run", "--config", config, file).Out, "tokens and cost", " tokens, $")
}

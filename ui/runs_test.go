package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"confab/internal/chat"
	"confab/service"
	"confab/service/api"
	"confab/ui"
)

const refunds = `
description: Tone of a refund
prompts: [{id: reply, raw: 'Write a {{tone}} reply'}]
providers: [llm:alpha3.1-8b, llm:oss-20b]
defaultTest: {assert: [{type: icontains, value: alpha}]}
tests:
  - vars: {tone: [warm, cold]}
`

// suiteFolder makes a folder with one suite.
func suiteFolder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "refund.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runs opens the suite and runs it to its end.
func (s *screen) runs(dir string, calls ...string) {
	s.t.Helper()
	s.press("f4")
	s.typed(dir + "/")
	s.shows("refund.yaml", "Tone of a refund")
	s.press("enter")
	s.shows(append(calls, "Run refund.yaml", "calls")...)
	s.press("enter")
	s.shows("run 1")
}

func TestASuiteIsRunInTheScreen(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.runs(suiteFolder(t, refunds))
		s.shows("running")
		s.pass(5 * time.Second)
		s.shows("2 of 4 passed", "1 warm", "2 cold", `needs "alpha"`, "Run 1 of refund has ended")
		s.press("j", "l", "enter")
		s.shows("oss-20b", "answer 2 of", "icontains")
		s.lacks("1 alpha3.1-8b")
		s.press("esc")
		s.shows("2 of 4 passed")
		s.press("v")
		s.shows("Write a cold reply", "1 alpha3.1-8b", "2 oss-20b", "icontains")
		s.press("{")
		s.shows("Write a warm reply")
		s.press("{")
		s.shows("No further row")
		s.press("r") // a further sample of a cell
		s.pass(3 * time.Second)
		s.shows("n=2")
		s.press("esc")
		s.shows("2 of 4 passed")
		s.press("esc")
		s.shows("Recent", "Try")
	})
}

// TestPromptsOfRunsHaveAHeading lists what a person has typed first, though a run has asked later.
func TestPromptsOfRunsHaveAHeading(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.sends("a prompt that was typed")
		s.runs(suiteFolder(t, refunds))
		s.pass(5 * time.Second)
		s.press("esc", "ctrl+r")
		s.shows("Of runs")
		typed, heading := strings.Index(s.text(), "a prompt that was typed"), strings.Index(s.text(), "Of runs")
		template := strings.Index(s.text(), "Write a {{tone}} reply")
		if typed > heading || heading > template {
			t.Errorf("the heading is not between what was typed and what was run:\n%s", s.text())
		}
	})
}

// TestASuiteOfPromptfooIsRunInTheScreen runs a suite whose provider is called as a model here, and shows what to write
// for one that is not.
func TestASuiteOfPromptfooIsRunInTheScreen(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		suiteOf := func(provider string) string {
			return suiteFolder(t, "prompts: ['Hi {{ name | upper }}']\nproviders: ['"+provider+"']\n"+
				"tests: [{vars: {name: ana}}]\n")
		}
		s.press("f4")
		s.typed(suiteOf("anthropic:messages:claude") + "/")
		s.shows("refund.yaml", "1 prompt")
		s.press("enter")
		s.shows("Models for refund.yaml", "No model here answers for anthropic:messages:claude", "[suite.providers]",
			`"anthropic:messages:claude" = "alpha3.1-8b"`)
		s.press("esc")
		s.press("f4")
		s.typed(suiteOf("openai:chat:delta") + "/")
		s.shows("refund.yaml", "openai:chat:delta")
		s.press("enter")
		s.shows("Run refund.yaml")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("openai:chat:delta", "Hi ANA", "1 unchecked")
	})
}

func TestTheKeysOfATableAreSeenAtFirst(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24, func(o *ui.Options, _ *service.Options) {
			o.Start.NextSteps = "Answers are simulated. Two ways on are told here, at some length."
		})
		s.shows("Answers are simulated.")
		s.runs(suiteFolder(t, refunds))
		s.pass(25 * time.Second)
		s.lacks("Answers are simulated.")
		s.shows("enter open", "v side by side", "esc back")
		s.press("v")
		s.lacks("Answers are simulated.")
		s.shows("z zoom")
	})
}

// TestASuiteIsExplainedWhereThereIsNone: beside the folders is what one looks like.
func TestASuiteIsExplainedWhereThereIsNone(t *testing.T) {
	run(t, func(t *testing.T) {
		s, dir := open(t, 120, 40), t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "letters"), 0o700); err != nil {
			t.Fatal(err)
		}
		s.press("f4")
		s.typed(dir + "/")
		s.shows("letters/", "A suite: prompts, values of variables",
			"│     tone: [warm, brief]   # one call for each value")
	})
}

// TestModelsOfARunAreNamedAsElsewhere: patterns, and all of a kind.
func TestModelsOfARunAreNamedAsElsewhere(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		dir := suiteFolder(t, "prompts: [hello]\nproviders: [llm:oss-20b]\n")
		s.press("f4")
		s.typed(dir + "/")
		s.press("enter")
		s.typed("all-text, sim*")
		s.press("enter")
		s.pass(60 * time.Second)
		s.shows("0 of 16 passed", "15 unchecked", "1 error", "1 prompt × 16 models")
	})
}

func TestARunIsStoppedAndGoneOnWith(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { o.Limits.Concurrency = 1 })
		s.runs(suiteFolder(t, refunds))
		s.pass(1100 * time.Millisecond)
		s.press("S")
		s.pass(2 * time.Second)
		s.shows("stopped")
		s.press("R")
		s.pass(10 * time.Second)
		s.shows("2 of 4 passed")
	})
}

func TestTwoRunsAreComparedCellByCell(t *testing.T) {
	run(t, func(t *testing.T) {
		var better atomic.Bool
		s := open(t, 120, 40, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			resp, takes, err := answerAll(r)
			if better.Load() && r.Model.Slug == "oss-20b" {
				resp.Text = "alpha it is"
			}
			return resp, takes, err
		}))
		dir := suiteFolder(t, refunds)
		s.runs(dir)
		s.pass(5 * time.Second)
		s.press("esc")
		better.Store(true)
		s.press("f4")
		s.typed(dir + "/")
		s.press("enter")
		s.shows("Run refund.yaml")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("run 2", "4 of 4 passed")
		s.press("c")
		s.shows("Compare run 2 with", "run 1")
		s.press("down", "enter")
		s.shows("2 now pass", "= still passes", "≠ now passes", "2 of 4 texts differ")
		s.shows("run 1  oss-20b", "run 2  oss-20b", "same wording", "│ alpha it is")
		s.press("h")
		s.shows("Difference   same text", "run 1  alpha3.1-8b", "A short answer of alpha3.1-8b.")
		s.lacks("│ A short answer")
		s.press("l")
		s.resize(80, 19) // too low for an answer below the table
		s.lacks("run 1  oss-20b")
		s.resize(120, 40)
		s.shows("run 1  oss-20b")
		s.press("enter")
		s.shows("run 1", "run 2", "without marks")
		s.press("esc")
		s.shows("2 now pass")
		s.press("esc")
		s.shows("4 of 4 passed")
		s.press("esc")
		s.shows("Recent")
	})
}

// TestTheTableOfARunGrowsWithItsTotals, of which some come while it runs.
func TestTheTableOfARunGrowsWithItsTotals(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			takes := time.Second
			if strings.Contains(r.Prompt, " h ") {
				takes = time.Minute
			}
			return api.Response{Text: "alpha", Status: 200,
				Usage: chat.Usage{InputTokens: 1204, OutputTokens: 356}}, takes, nil
		}))
		s.runs(suiteFolder(t, strings.Replace(strings.Replace(refunds, "warm, cold", "a, b, c, d, e, f, g, h", 1),
			", llm:oss-20b", "", 1)), "8 calls")
		s.pass(20 * time.Second)
		s.shows("7/8 done", "tokens", "8 h")
		s.lacks("rows 1")
	})
}

// TestTheListOfRunsFollowsTheRun keeps the list open until the run has ended.
func TestTheListOfRunsFollowsTheRun(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { o.Limits.Concurrency = 1 })
		s.runs(suiteFolder(t, refunds))
		s.press("f3")
		s.shows("running", "0 of 4 done")
		s.pass(2100 * time.Millisecond)
		s.shows("running", "1 of 4 done")
		s.pass(20 * time.Second)
		s.shows("2 of 4 passed", "2 failed")
		s.lacks("running")
	})
}

// TestTheAnswersOfARowStandUnderAShortTable side by side where a screen has the room, only the focused one on narrower
// screens, and none on low ones.
func TestTheAnswersOfARowStandUnderAShortTable(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 160, 40)
		s.runs(suiteFolder(t, refunds))
		s.pass(5 * time.Second)
		s.shows("2 of 4 passed", "━ alpha3.1-8b  16 words", "─ oss-20b  ", "A short answer of alpha3.1-8b.",
			"A short answer of oss-20b.")
		s.press("l")
		s.shows("─ alpha3.1-8b  16 words", "━ oss-20b  ")
		s.press("j")
		s.shows("━ oss-20b  ")
		s.lacks("nothing to show")
		s.resize(80, 40)
		s.shows("─ oss-20b  ")
		s.lacks("─ alpha3.1-8b")
		s.resize(80, 16)
		s.lacks("─ oss-20b")
		s.resize(60, 20)
		s.shows("─ oss-20b  ")
	})
}

// TestASuiteIsChangedInAForm changes a prompt and the checks of a suite; with a check that nobody has the
// form opens again.
func TestASuiteIsChangedInAForm(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		dir := suiteFolder(t, "# the first\nprompts: ['Say {{x}}'] # short\n\nproviders: [llm:delta]\ntests:\n"+
			"  - vars: {x: yes}\n    assert:\n      - value: y\n        type: contains\n")
		s.press("f4")
		s.typed(dir + "/")
		s.press("alt+e")
		s.shows("prompt 1", "test 1: x", "test 1: checks", "enter change")
		s.press("enter")
		s.shows("Line 2 of refund.yaml", "Say {{x}}")
		s.typed(" loudly")
		s.press("enter")
		s.shows("Saved in refund.yaml", "Say {{x}} loudly")
		s.press("down", "down", "enter")
		s.shows("- value: y", "  type: contains")
		s.typed("z")
		s.press("enter")
		s.shows("containsz", "did you mean contains?")
		s.press("backspace")
		s.typed(" # all")
		s.press("enter")
		s.shows("Saved in refund.yaml")
		text, err := os.ReadFile(filepath.Join(dir, "refund.yaml"))
		want := "# the first\nprompts: ['Say {{x}} loudly'] # short\n\nproviders: [llm:delta]\ntests:\n" +
			"  - vars: {x: yes}\n    assert:\n      - value: y\n        type: contains # all\n"
		if err != nil || string(text) != want {
			t.Errorf("%v, the file is\n%s", err, text)
		}
		s.press("esc", "esc")
	})
}

// TestCellsAreAskedAgain asks one cell and then what failed again.
func TestCellsAreAskedAgain(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.runs(suiteFolder(t, refunds))
		s.pass(5 * time.Second)
		asked := len(s.client.requests())
		s.press("r")
		s.shows("What should run again?", "[ cell ]  row    failed    all    only checks")
		s.press("enter")
		s.pass(5 * time.Second)
		s.press("r", "right", "right", "enter")
		s.pass(5 * time.Second)
		s.shows("2 of 4 passed")
		if more := len(s.client.requests()) - asked; more != 3 {
			t.Errorf("%d cells were asked again, want 1 and the 2 that failed", more)
		}
	})
}

// TestTheFolderOfSuitesIsRemembered opens the next suite where the one before was opened.
func TestTheFolderOfSuitesIsRemembered(t *testing.T) {
	run(t, func(t *testing.T) {
		s, dir := open(t, 120, 40), suiteFolder(t, refunds)
		s.press("f4")
		s.typed(dir + "/")
		s.press("enter")
		s.shows("Run refund.yaml")
		s.press("esc", "f4")
		s.shows("Suites", "▌ refund.yaml")
	})
}

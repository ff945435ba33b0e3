package suite_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/service/suite"
)

// TestTotalsSayWhatTheyAre: the words before the totals are never cut.
func TestTotalsSayWhatTheyAre(t *testing.T) {
	for _, table := range []suite.TableText{suite.NewResults(suite.Table{}, nil).TableText,
		suite.NewComparison(nil).TableText} {
		for w := 9; w < 40; w++ {
			for _, total := range table.Totals {
				if got := total.Label(w); ansi.StringWidth(got) > w || strings.Contains(got, "…") {
					t.Errorf("in %d cells it says %q", w, got)
				}
			}
		}
	}
}

// turn returns a turn with an answer of each model.
func turn(id int64, prompt string, models ...string) history.Turn {
	t := history.Turn{ID: id, Prompt: prompt, Samples: 1}
	for i, model := range models {
		t.Answers = append(t.Answers, history.Answer{ID: id*100 + int64(i), Turn: id, Model: model,
			Kind: history.KindText, State: history.Done, Text: "answer to " + prompt, Elapsed: time.Second})
	}
	return t
}

// TestLabelsSayWhatDiffers checks every axis, and that what is alike has no label.
func TestLabelsSayWhatDiffers(t *testing.T) {
	with := func(change func(*history.Turn)) history.Turn {
		sent := turn(1, "Write a warm reply to Sam", "alpha")
		change(&sent)
		return sent
	}
	for name, tt := range map[string]struct {
		axis  suite.Axis
		turns []history.Turn
		want  []string
	}{
		"nothing": {"", []history.Turn{turn(1, "Hi", "alpha"), turn(2, "Hi", "alpha")}, nil},
		"texts": {suite.AxisPrompt, []history.Turn{turn(1, "Write a warm reply", "alpha"),
			turn(2, "Write a cold\nreply", "alpha"), turn(3, "Write a", "alpha")},
			[]string{"A …warm reply", "B …cold reply", "C Write a"}},
		"texts without a common beginning": {suite.AxisPrompt, []history.Turn{
			turn(1, "Write a greeting for {{who}} of a tea shop.", "alpha"),
			turn(2, "Write a greeting for {{who}} of a tea shop. At most 20 words.", "alpha"),
			turn(3, "Say hello to {{who}}.", "alpha")},
			[]string{"A …tea shop.", "B …At most 20 words.", "C Say hello to {{who}}."}},
		"texts with the same ends": {suite.AxisPrompt, []history.Turn{
			turn(1, "Write a greeting for guests of a tea shop. In French.", "alpha"),
			turn(2, "Write a greeting for guests of a tea shop. In Latin.", "alpha"),
			turn(3, "Say hello in French.", "alpha"), turn(4, "Say hello in a warm and lively French.", "alpha"),
			turn(5, "Make a joke for guests of a tea shop. In French.", "alpha"),
			turn(6, "Make a joke for guests of a tea shop. In Latin.", "alpha")},
			[]string{"A Write a greet…French.", "B Write a greet…Latin.", "C Say hello in French.",
				"D …a warm and lively French.", "E Make a joke f…French.", "F Make a joke f…Latin."}},
		"a very long word": {suite.AxisPrompt, []history.Turn{turn(1, strings.Repeat("語", 30)+"で", "alpha"),
			turn(2, strings.Repeat("語", 30)+"を", "alpha")}, []string{"A …で", "B …を"}},
		"names": {suite.AxisPrompt, []history.Turn{turn(1, "Say hello", "alpha"), turn(2, "Say hello", "alpha"),
			turn(3, "Say hello", "alpha")}, []string{"…formal", "…friendly", "short"}},
		"systems": {suite.AxisPrompt, []history.Turn{with(func(t *history.Turn) {}),
			with(func(t *history.Turn) { t.System = "You are a pirate." })},
			[]string{"A no system prompt", "B You are a pirate."}},
		"scripts without blanks": {suite.AxisPrompt, []history.Turn{turn(1, "日本語で", "alpha"),
			turn(2, "日本語を", "alpha")}, []string{"A 日本語で", "B 日本語を"}},
		"values": {suite.AxisValues, []history.Turn{
			with(func(t *history.Turn) { t.Vars = map[string]string{"to": "Sam", "by": "Ana"} }),
			with(func(t *history.Turn) { t.Vars = map[string]string{"to": "", "by": "Ana"} })},
			[]string{"to=Sam", `to=""`}},
		"long values": {suite.AxisValues, []history.Turn{
			with(func(t *history.Turn) { t.Vars = map[string]string{"to": "the guests of the tea shop at the sea"} }),
			with(func(t *history.Turn) { t.Vars = map[string]string{"to": "the guests of the tea shop at the lake"} }),
			with(func(t *history.Turn) { t.Vars = map[string]string{"to": "me"} })},
			[]string{"to=…sea", "to=…lake", "to=me"}},
		"files": {suite.AxisValues, []history.Turn{
			with(func(t *history.Turn) { t.Files = []history.File{{Name: "a.txt"}} }),
			with(func(t *history.Turn) { t.Files = []history.File{{Name: "b.txt"}} })},
			[]string{"file 1=a.txt", "file 1=b.txt"}},
		"parameters": {suite.AxisParams, []history.Turn{
			with(func(t *history.Turn) { t.Params = history.Params{"temperature": 0.7, "seed": 1} }),
			with(func(t *history.Turn) { t.Params = history.Params{"temperature": json.Number("1.2"), "seed": 1} }),
			with(func(t *history.Turn) { t.Params = history.Params{"seed": 1} })},
			[]string{"temperature 0.7", "temperature 1.2", "temperature not set"}},
		"models": {suite.AxisModel, []history.Turn{turn(1, "Hi", "alpha"), turn(1, "Hi", "beta")},
			[]string{"alpha", "beta"}},
	} {
		t.Run(name, func(t *testing.T) {
			var points []suite.Point
			for _, sent := range tt.turns {
				points = append(points, suite.PointOf(sent, sent.Answers[0].Model))
			}
			if name == "names" {
				for i, version := range []string{", formal", ", friendly"} {
					points[i].Name = "greeting for the tea shop" + version
				}
				points[2].Name = "short"
			}
			labels := suite.NewLabels(points)
			for i, p := range points {
				for _, axis := range suite.AllAxes() {
					got, want := labels.Label(axis, p.On(axis)), ""
					if axis == tt.axis {
						want = tt.want[i]
					}
					if got != want {
						t.Errorf("%s of turn %d is %q, want %q", axis, i+1, got, want)
					}
				}
				if got := p.Differing(points[0]); i > 0 && tt.axis != "" && !slices.Equal(got, []suite.Axis{tt.axis}) {
					t.Errorf("turn %d differs on %q", i+1, got)
				}
			}
		})
	}
}

// TestManyPromptsHaveLetters checks the labels after Z.
func TestManyPromptsHaveLetters(t *testing.T) {
	var points []suite.Point
	for i := range 60 {
		points = append(points, suite.PointOf(turn(1, fmt.Sprintf("Say %d", i), "alpha"), "alpha"))
	}
	labels := suite.NewLabels(points)
	for i, want := range map[int]string{25: "Z …25", 26: "AA …26", 52: "BA …52"} {
		if got := labels.Label(suite.AxisPrompt, points[i].On(suite.AxisPrompt)); got != want {
			t.Errorf("prompt %d is %q, want %q", i, got, want)
		}
	}
}

// TestTurnsAreATable checks rows, columns and samples of turns that were sent beside each other.
func TestTurnsAreATable(t *testing.T) {
	turns := []history.Turn{turn(1, "Say hello", "alpha", "beta"), turn(2, "Say goodbye", "beta", "gamma"),
		turn(3, "Say hello", "alpha")}
	again := turns[1].Answers[0]
	again.ID, again.State = 250, history.Running
	turns[1].Answers[0].State, turns[1].Answers[0].Failure = history.Failed, &history.Failure{Code: "timeout"}
	turns[1].Answers = append(turns[1].Answers, again)
	results := suite.NewResults(suite.TurnTable(turns), nil)
	if got := strings.Join(results.Columns, " "); got != "alpha beta gamma" {
		t.Errorf("columns %s", got)
	}
	if got := strings.Join(results.Rows, ", ") + "; " + results.Extent(); got != "A …hello, B …goodbye; "+
		"2 prompts × 3 models" {
		t.Errorf("rows %s", got)
	}
	for at, want := range map[[2]int]string{{0, 0}: "100 300", {0, 1}: "101", {1, 0}: "", {1, 1}: "250",
		{1, 2}: "201"} {
		var answers []string
		for _, c := range results.Cells(at[0], at[1]) {
			answers = append(answers, fmt.Sprint(c.Answer))
		}
		if got := strings.Join(answers, " "); got != want {
			t.Errorf("cell %v has the answers %s, want %s", at, got, want)
		}
	}
	if c := results.Cells(0, 0)[0]; c.Words != "answer to Say hello" || c.Elapsed != time.Second {
		t.Errorf("the cell is %+v", c)
	}
}

// TestPromptsAreNamed by what the suite calls them, else by how they begin.
func TestPromptsAreNamed(t *testing.T) {
	row := func(prompt, text string, vars map[string]string) suite.Row {
		return suite.Row{Point: suite.Point{Name: prompt, Prompt: text, Vars: vars}}
	}
	fox := map[string]string{"animal": "fox"}
	owl := map[string]string{"animal": "owl"}
	for _, tt := range []struct {
		rows []suite.Row
		want []string
	}{
		{[]suite.Row{row("1", "Say hello", nil)}, []string{"Say hello"}},
		{[]suite.Row{row("1", "Say hello", nil), row("2", "Say goodbye", nil)},
			[]string{"A …hello", "B …goodbye"}},
		{[]suite.Row{row("warm", "Say hello", nil), row("2", "", nil)}, []string{"warm", "B"}},
		{[]suite.Row{row("1", "Draw a {{animal}}", fox), row("1", "Draw a {{animal}}", owl)},
			[]string{"fox", "owl"}},
		{[]suite.Row{row("1", "Draw a {{animal}} under a tall tree", fox), row("2", "Write", owl)},
			[]string{"A Draw a {{animal}} under a t… · fox", "B Write · owl"}},
	} {
		table := suite.NewResults(suite.Table{Rows: tt.rows}, nil)
		for i, want := range tt.want {
			if got := table.Rows[i]; got != want {
				t.Errorf("%+v is %q, want %q", tt.rows[i], got, want)
			}
		}
	}
	table := suite.NewResults(suite.Table{Rows: []suite.Row{row("1", "Say hello", nil)}}, nil)
	if got, want := table.RowFacts(0, 0), "row 1  prompt: Say hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTheRateIsShownBeforeProblems checks the total of passed cells at several widths.
func TestTheRateIsShownBeforeProblems(t *testing.T) {
	var samples []history.Cell
	for i := range 5 {
		c := history.Cell{Number: i + 1, State: history.Done, IsJudged: true, Checks: checks("passed")}
		if i > 2 {
			c.Checks = checks("failed")
		}
		samples = append(samples, c)
	}
	results := suite.NewResults(suite.Table{Columns: []suite.Column{{Model: "alpha"}, {Model: "beta"}},
		Rows: []suite.Row{{Cells: [][]history.Cell{samples, samples}}}}, nil)
	totals := results.AxisTotals(nil)
	for w, want := range map[int]string{16: "3 of 5", 22: "3 of 5, 60 % (23–88 %)",
		totals.FullCell: "3 of 5, 60 % (23–88 %), 2 failed"} {
		if got, _ := results.Totals[0].Text(0, w); got != want {
			t.Errorf("in %d cells the total is %q, want %q", w, got, want)
		}
		if got := totals.CellAt(0, 0).Text(w, suite.CellState{}); got != want {
			t.Errorf("in %d cells the total by model is %q, want %q", w, got, want)
		}
	}
	const widest = len("3 of 5, 60 % (23-88 %), 2 failed")
	if rate, isKnown := totals.PassRate(0); totals.FullCell != widest || rate != 0.6 || !isKnown {
		t.Errorf("columns have %d cells, the widest figure has %d; the rate is %v", totals.FullCell, widest, rate)
	}
}

// TestARateHasOneFormAndOneColor checks the totals of a table and those by axis: where the rate of one model does not
// fit, none has it; red is no cell that passed, green is all of them.
func TestARateHasOneFormAndOneColor(t *testing.T) {
	var row []([]history.Cell)
	for _, passed := range []int{0, 2, 3} {
		var samples []history.Cell
		for i := range 3 {
			verdict := map[bool]string{true: "passed", false: "failed"}[i < passed]
			samples = append(samples, history.Cell{Number: 3*len(row) + i + 1, State: history.Done, IsJudged: true,
				Checks: checks(verdict)})
		}
		row = append(row, samples)
	}
	results := suite.NewResults(suite.Table{Columns: []suite.Column{{Model: "alpha"}, {Model: "beta"},
		{Model: "gamma"}}, Rows: []suite.Row{{Cells: row}}}, nil)
	totals := results.AxisTotals(nil)
	for i, want := range []struct {
		text string
		tone suite.Tone
	}{{"0 of 3", suite.ToneBad}, {"2 of 3", suite.TonePlain}, {"3 of 3", suite.ToneGood}} {
		text, tone := results.Totals[0].Text(i, len("2 of 3, 67 % (21-94 %)"))
		if text != want.text || tone != want.tone {
			t.Errorf("column %d: %q in tone %d, want %v", i, text, tone, want)
		}
		if tone := totals.CellAt(i, 0).Tone(); tone != want.tone {
			t.Errorf("by model, row %d: tone %d, want %v", i, tone, want)
		}
	}
}

// TestTheBestOfAnAxisIsMarked marks the model whose rate is above the intervals of the others, and none where two have
// it.
func TestTheBestOfAnAxisIsMarked(t *testing.T) {
	cell := func(number int, verdict string) []history.Cell {
		return slices.Repeat([]history.Cell{{Number: number, State: history.Done, IsJudged: true,
			Checks: checks(verdict)}}, 9)
	}
	for verdict, want := range map[string]string{"failed": "9 of 9 ★", "passed": "9 of 9"} {
		results := suite.NewResults(suite.Table{Columns: []suite.Column{{Model: "alpha"}, {Model: "beta"}},
			Rows: []suite.Row{{Cells: [][]history.Cell{cell(1, "passed"), cell(2, verdict)}}}}, nil)
		if got := results.AxisTotals(nil).CellAt(0, 0).Text(12, suite.CellState{}); got != want {
			t.Errorf("beside one that %s: %q, want %q", verdict, got, want)
		}
	}
}

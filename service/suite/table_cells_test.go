package suite

import (
	"maps"
	"slices"
	"testing"

	"confab/history"
)

func cell(number int, provider string, repeat int) history.Cell {
	return history.Cell{ID: int64(number), Number: number, Prompt: "p", Provider: provider, Model: provider,
		Repeat: repeat,
		Key:    provider + string(rune('0'+repeat)), State: history.Done}
}

func TestTableKeepsTheOldOneWhenACellChanges(t *testing.T) {
	before := NewTable(history.Run{}, []history.Cell{cell(1, "llm:a", 1), cell(2, "llm:a", 2), cell(3, "llm:b", 1)},
		map[string]string{"p": "the prompt"})
	if len(before.Rows) != 1 || len(before.Columns) != 2 || before.Columns[1].Name != "b" ||
		before.Rows[0].Text != "the prompt" {
		t.Fatalf("got %+v", before)
	}
	after := before.With(history.Cell{Number: 2, State: history.Failed})
	if after.Rows[0].Cells[0][1].State != history.Failed || before.Rows[0].Cells[0][1].State != history.Done {
		t.Errorf("before %+v, after %+v", before.Rows[0], after.Rows[0])
	}
}

func TestPairsCellsByWhatTheySendThenByWhatTheyAsk(t *testing.T) {
	first := []history.Cell{cell(1, "llm:a", 1), cell(2, "llm:a", 2), cell(3, "llm:b", 1)}
	second := []history.Cell{cell(1, "llm:b", 1), cell(2, "llm:a", 2), cell(3, "llm:c", 1)}
	second[1].Key = "the prompt was edited"
	got, _ := pairCells(first, second)
	if want := (map[int]int{0: 2, 1: 1}); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOnlyChecksWithAnotherVerdictChanged(t *testing.T) {
	a := []history.CheckResult{{Name: "x", Verdict: "passed"}, {Name: "y", Verdict: "passed"},
		{Name: "gone", Verdict: "failed"}}
	b := []history.CheckResult{{Name: "x", Verdict: "passed"}, {Name: "y", Verdict: "failed"},
		{Name: "new", Verdict: "skipped"}}
	got := compareChecks(a, b)
	want := []CheckChange{{"y", "passed", "failed"}, {"gone", "failed", ""}, {"new", "", "skipped"}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestARunIsTheSameAsItself, also where a check stands twice with other verdicts.
func TestARunIsTheSameAsItself(t *testing.T) {
	checks := []history.CheckResult{{Name: "same-as x", Verdict: "failed"}, {Name: "same-as x", Verdict: "passed"}}
	if got := compareChecks(checks, checks); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	other := []history.CheckResult{checks[0], {Name: "same-as x", Verdict: "skipped"}}
	if got := compareChecks(checks, other); !slices.Equal(got, []CheckChange{{"same-as x", "passed", "skipped"}}) {
		t.Errorf("got %v", got)
	}
}

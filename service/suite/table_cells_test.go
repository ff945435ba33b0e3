package suite_test

import (
	"testing"

	"confab/history"
	"confab/service/suite"
)

func cell(number int, provider string, repeat int) history.Cell {
	return history.Cell{ID: int64(number), Number: number, Prompt: "p", Provider: provider, Model: provider,
		Repeat: repeat,
		Key:    provider + string(rune('0'+repeat)), State: history.Done}
}

func TestTableKeepsTheOldOneWhenACellChanges(t *testing.T) {
	before := suite.NewTable(history.Run{},
		[]history.Cell{cell(1, "llm:a", 1), cell(2, "llm:a", 2), cell(3, "llm:b", 1)})
	if len(before.Rows) != 1 || len(before.Columns) != 2 || before.Columns[1].Name != "b" ||
		before.Rows[0].Name != "p" {
		t.Fatalf("got %+v", before)
	}
	after := before.With(history.Cell{Number: 2, State: history.Failed})
	if after.Rows[0].Cells[0][1].State != history.Failed || before.Rows[0].Cells[0][1].State != history.Done {
		t.Errorf("before %+v, after %+v", before.Rows[0], after.Rows[0])
	}
}

package service_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/service/suite"
)

const table = `
prompts: [{id: short, raw: 'Reply {{tone}}'}, {id: fox, raw: 'Draw a {{tone}} fox'}]
providers:
  - {id: 'llm:delta', label: "the\nsmall one"}
  - {id: 'image:sim-image', config: {aspect_ratio: '1:1'}, prompts: [fox]}
  - {id: 'image:sim-image', config: {aspect_ratio: '16:9'}, prompts: [fox]}
tests:
  - vars: {tone: [warm, cold]}
    assert: [{type: contains, value: warm}]
  - vars: {tone: "\nwarm "}
    providers: [image:sim-image]
evaluateOptions: {repeat: 2}
`

// drawn returns a table as text: a line per row with the states of its cells by column.
func drawn(t suite.Table) string {
	var out strings.Builder
	for _, c := range t.Columns {
		fmt.Fprintf(&out, "[%s %s] ", strings.Join(strings.Fields(c.Name), " "), c.Kind)
	}
	for _, r := range t.Rows {
		fmt.Fprintf(&out, "\n%d %s:", r.TestIndex, rowName(r))
		for _, cells := range r.Cells {
			var states []string
			for _, c := range cells {
				state := string(c.State)
				if state == "" {
					state = "-"
				}
				states = append(states, state)
			}
			fmt.Fprintf(&out, " (%s)", strings.Join(states, " "))
		}
	}
	return out.String()
}

// rowName returns the prompt of a row, its test and its values.
func rowName(r suite.Row) string {
	name := strings.Join(strings.Fields(r.Name), " ")
	if r.Test != "" {
		name = strings.Join(strings.Fields(r.Test), " ") + ": " + name
	}
	for _, variable := range slices.Sorted(maps.Keys(r.Vars)) {
		name += " " + variable + "=" + strings.Join(strings.Fields(r.Vars[variable]), " ")
	}
	return name
}

func TestRunTable(t *testing.T) {
	w := newWorld(t)
	o := w.suiteIn(t, "table.yaml", table)
	p, err := w.Runner().Plan(t.Context(), o)
	must(t, err)
	const planned = `[the small one text] [sim-image image] [sim-image image] 
0 short tone=warm: (- -) () ()
0 fox tone=warm: (- -) (- -) (- -)
0 short tone=cold: (- -) () ()
0 fox tone=cold: (- -) (- -) (- -)
1 fox tone=warm: () (- -) (- -)`
	before := p.Table()
	if got := drawn(before); got != planned || before.Run.ID != 0 || before.Run.Planned != 20 ||
		before.Run.Suite != "table" {
		t.Errorf("the plan is %+v\n%s\nwant\n%s", before.Run, got, planned)
	}
	r, events, err := startRun(t.Context(), w.Runner(), o)
	must(t, err)
	live := r.Plan.Table()
	if live.Run.ID != r.Record().ID || live.Run.ID == 0 {
		t.Errorf("the run is %+v", live.Run)
	}
	running := 0
	for e := range events {
		next := live.With(e.Cell)
		if drawn(next) == drawn(live) {
			t.Errorf("cell %+v changed nothing", e.Cell)
		}
		if e.Cell.State == history.Running {
			running++
		} else if e.Cell.Elapsed != time.Second {
			t.Errorf("a cell took %v", e.Cell.Elapsed)
		}
		live = next
	}
	if drawn(before) != planned || running != 20 {
		t.Errorf("the table of the plan became\n%s", drawn(before))
	}
	if got, want := drawn(live), strings.ReplaceAll(planned, "-", "done"); got != strings.ReplaceAll(want,
		"simdoneimage", "sim-image") {
		t.Errorf("at the end\n%s", got)
	}
	stored, err := w.Runner().Table(t.Context(), r.Record().ID)
	if err != nil || stored.Run.Done != 20 || stored.Run.Failed != 4 {
		t.Fatalf("stored %+v, %v", stored.Run, err)
	}
	if !reflect.DeepEqual(stored.Rows, live.Rows) || !reflect.DeepEqual(stored.Columns, live.Columns) {
		t.Errorf("stored\n%+v\nbut seen\n%+v", stored.Rows, live.Rows)
	}
	for _, table := range []suite.Table{before, stored} {
		if got := []string{table.Rows[0].Prompt, table.Rows[3].Prompt}; !slices.Equal(got,
			[]string{"Reply {{tone}}", "Draw a {{tone}} fox"}) {
			t.Errorf("the prompts are %q", got)
		}
	}
	turns, err := w.Runner().RowTurns(t.Context(), stored.Rows[1].Cells)
	if err != nil || len(turns) != 6 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	for i, turn := range turns {
		if want := []string{"", "1:1", "16:9"}[i/2]; turn.Prompt != "Draw a warm fox" || turn.Aspect != want ||
			len(turn.Answers) != 1 {
			t.Errorf("turn %d is %+v", i, turn)
		}
		if turn.Template != "Draw a {{tone}} fox" || turn.Vars["tone"] != "warm" || turn.SystemTemplate != "" {
			t.Errorf("turn %d was filled in from %q, %v", i, turn.Template, turn.Vars)
		}
	}
	must(t, errorOf(w.DeleteTurn(t.Context(), turns[0].ID)))
	if turns, err := w.Runner().RowTurns(t.Context(), stored.Rows[1].Cells); err != nil || len(turns) != 5 {
		t.Errorf("%d turns after one was deleted, %v", len(turns), err)
	}
	if _, err := w.Runner().Table(t.Context(), 99); api.CodeOf(err) != api.CodeUsage {
		t.Errorf("no run is %v", err)
	}
}

// A run continued after an edit of its suite shows the current cells, and earlier ones that have a separate position.
func TestRunTableOfAnEditedSuite(t *testing.T) {
	w := newWorld(t)
	const old = "prompts: [{id: a, raw: first}, {id: b, raw: second}]\nproviders: [llm:delta, llm:zeta]\n"
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		if r.Prompt == "second" && r.Model.Slug == "zeta" {
			return api.Response{}, api.Exchange{}, &api.Error{Code: api.CodeNetwork, Message: "There is no way."}
		}
		return answerTo(r), api.Exchange{}, nil
	}
	r, _ := w.run(t, t.Context(), w.suiteIn(t, "old.yaml", old))
	id := r.Record().ID
	o := w.suiteIn(t, "new.yaml", "prompts: [{id: b, raw: second}, {id: a, raw: changed}]\nproviders: [llm:zeta, "+
		"llm:delta]\n")
	o.IsResumed, o.Run = true, id
	p, err := w.Runner().Plan(t.Context(), o)
	must(t, err)
	const known = "[zeta text] [delta text] \n0 b: (failed) (done)\n0 a: (-) (-)"
	if got := p.Table(); drawn(got) != known || got.Rows[0].Cells[0][0].FailureCode != "network" || got.Run.ID != id {
		t.Errorf("got %+v\n%s\nwant\n%s", got, drawn(got), known)
	}
	w.client.do = nil
	w.run(t, t.Context(), o)
	got, err := w.Runner().Table(t.Context(), id)
	must(t, err)
	const want = "[zeta text] [delta text] \n0 b: (done) (done)\n0 a: (done) (done)\n0 a: (done) (done)"
	if drawn(got) != want {
		t.Errorf("got %+v\n%s\nwant\n%s", got, drawn(got), want)
	}
}

// Runs stored before rows and columns existed have tables too.
func TestRunTableOfAnOldRun(t *testing.T) {
	var cells []history.Cell
	number := 0
	for _, prompt := range []string{"a", "b"} {
		for _, provider := range []string{"image:x", "llm:y", "image:x"} {
			for repeat := 1; repeat <= 2; repeat++ {
				if number++; number != 5 { // one was not requested
					cells = append(cells,
						history.Cell{ID: int64(number), Number: number, Prompt: prompt, Provider: provider,
							Model:  provider[len(provider)-1:],
							Repeat: repeat, Turn: int64(number), State: history.Done})
				}
			}
		}
	}
	const want = "[x ] [y ] [x ] \n0 a: (done done) (done done) (- done)\n0 b: (done done) (done done) (done done)"
	got := suite.NewTable(history.Run{}, cells)
	if drawn(got) != want {
		t.Errorf("got\n%s\nwant\n%s", drawn(got), want)
	}
	made := suite.Table{Rows: got.Rows}
	if next := made.With(history.Cell{Number: 12,
		State: history.Failed}); next.Rows[1].Cells[2][1].State != history.Failed ||
		made.Rows[1].Cells[2][1].State != history.Done {
		t.Errorf("put into a table that was made elsewhere: %s", drawn(next))
	}
	if next := made.With(history.Cell{Number: 99, State: history.Failed}); drawn(next) != drawn(made) {
		t.Errorf("a cell of another table: %s", drawn(next))
	}
}

package runs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/termtexttest"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/runs"
)

// TestLive follows a run from its plan to its end: what is drawn as its cells
// come is what a view draws that is shown the end alone.
func TestLive(t *testing.T) {
	s := refunds(12, 3)
	s.repeat = 2
	random := rand.New(rand.NewPCG(1, 2))
	table := s.table(history.Run{ID: 12, Started: at(14, 4, 0)}, nil)
	v := opened(120, 38)
	v.SetLive(12, at(14, 4, 0))
	v.SetTable(table)
	for step, n := range random.Perm(12 * 3 * 2) {
		row, column, repeat := n/6, n/2%3, n%2
		for _, become := range []func(c *history.Cell){
			func(c *history.Cell) { state(c, history.Running) },
			func(c *history.Cell) { endMixed(c, row, column, repeat) },
		} {
			c := s.cell(row, column, repeat)
			become(&c)
			table = table.With(c)
			v.SetTable(table)
		}
		if step%9 != 0 {
			continue
		}
		whole := opened(120, 38)
		whole.SetLive(12, at(14, 4, 0))
		whole.SetTable(table)
		if got, want := text(t, v, 120, 38), text(t, whole, 120, 38); got != want {
			t.Fatalf("after %d cells: got\n%s\nwant\n%s", step+1, got, want)
		}
	}
	if got := text(t, v, 120, 38); !strings.Contains(got, "72/72 done") {
		t.Errorf("it is not done:\n%s", got)
	}
}

// TestKeepsPlace adds failures and rows while a person looks at the failures.
func TestKeepsPlace(t *testing.T) {
	s := refunds(40, 3)
	table := s.table(history.Run{ID: 12}, endMixed)
	v := opened(80, 22)
	v.SetTable(table)
	press(v, "t", "pgdown", "l")
	row := v.Row()
	for _, other := range []int{0, 2, 39} { // before it, and after
		c := s.cell(other, 0, 0)
		failed(&c, "service")
		table = table.With(c)
	}
	v.SetTable(table)
	if v.Row() != row || v.Column() != 1 {
		t.Errorf("the focus went to row %d, column %d from %d, 1", v.Row(), v.Column(), row)
	}
	more := refunds(50, 3).table(history.Run{ID: 12}, endMixed)
	v.SetTable(more)
	if v.Row() != row || v.Column() != 1 || !strings.Contains(text(t, v, 80, 22), "with a failure") {
		t.Errorf("with more rows the focus went to row %d, column %d", v.Row(), v.Column())
	}
	more.Run.ID = 13
	v.SetTable(more)
	if v.Row() != 0 || v.Column() != 0 {
		t.Errorf("another run begins at row %d, column %d", v.Row(), v.Column())
	}
	v.Focus(30, 2)
	if v.Row() != 30 || press(v, "enter") != (action.OpenRow{Row: 30, Column: 2, IsZoom: true}) ||
		!strings.Contains(text(t, v, 80, 22), "▌ 31 ") {
		t.Errorf("row %d is focused, want 30", v.Row())
	}
	v.Focus(99, 99)
	if v.Row() != 30 || v.Column() != 2 {
		t.Errorf("row %d, column %d are focused", v.Row(), v.Column())
	}
}

// TestSeconds counts from when the call of a cell was made, and not where that is not known.
func TestSeconds(t *testing.T) {
	s := refunds(2, 1)
	table := s.table(history.Run{ID: 12, Started: at(13, 0, 0)}, func(c *history.Cell, row, _, _ int) {
		if row == 0 {
			state(c, history.Running)
		}
	})
	now := at(13, 0, 0) // the clock of the machine was set back
	v := openedAt(80, 22, func() time.Time { return now })
	v.SetTable(table)
	c := s.cell(1, 0, 0)
	state(&c, history.Running)
	c.Started = at(14, 5, 0)
	v.SetTable(table.With(c))
	if got := text(t, v, 80, 22); strings.Contains(got, "running 0 s  ") {
		t.Errorf("it counts from a time that is over:\n%s", got)
	}
	now = at(14, 6, 1)
	for _, want := range []string{"▌running   ", " running 61 s", "running 66 m 01 s"} {
		if got := text(t, v, 80, 22); !strings.Contains(got, want) {
			t.Errorf("there is no %q:\n%s", want, got)
		}
	}
	press(v, "j")
	if got := text(t, v, 80, 22); !strings.Contains(got, "running for 61 s") {
		t.Errorf("the status line does not count:\n%s", got)
	}
}

// TestSizes draws everything in every small size: always exactly as large as
// the view, with the focused cell in it.
func TestSizes(t *testing.T) {
	a, b, changes := changed()
	run, two, empty := opened(80, 22), opened(80, 22), opened(80, 22)
	run.SetTable(refunds(100, 15).table(ended(12), endMixed))
	two.SetChanges(a, b, changes)
	for w := 1; w <= 130; w += 3 {
		for _, h := range []int{1, 2, 3, 5, 6, 7, 9, 10, 13, 14, 19, 20, 27, 28, 40} {
			for _, v := range []*runs.View{run, two, empty} {
				v.SetSize(w, h)
				press(v, "G", "h", "k", "]")
				got := text(t, v, w, h)
				if v != empty && w >= 20 && h >= 6 && strings.Count(got, "▌") < 2 { // of the row, the cell
					t.Fatalf("%dx%d: the focus is not seen:\n%s", w, h, got)
				}
				press(v, "g", "f", "[")
			}
		}
	}
}

// TestPayloads puts hostile texts in every place of a table.
func TestPayloads(t *testing.T) {
	for name, p := range termtexttest.Payloads() {
		s := refunds(3, 2)
		s.prompts = []string{p, "plain"}
		s.vars = func(row int) map[string]string { return map[string]string{p: p + fmt.Sprint(row)} }
		facts := ended(12)
		facts.Note = p
		table := s.table(facts, func(c *history.Cell, row, column, repeat int) {
			answered(c, time.Second, "failed")
			c.Checks[0].Name, c.Checks[0].Reason = p, p
			if row == 1 {
				failed(c, p)
			}
		})
		table.Run.Suite, table.Columns[0].Name = p, p
		v := runs.New(env(themes.New(themes.Default(true)), time.Now), nil)
		v.SetSize(200, 58)
		v.SetTable(table)
		cell := s.cell(0, 0, 0)
		cell.Provider, cell.FailureCode, cell.State = p, p, history.Failed
		change := suite.Change{A: &cell, B: &cell, HasAnswerChanged: true,
			Checks:  []suite.CheckChange{{Name: p, A: p, B: p}},
			AnswerA: history.Answer{Failure: &history.Failure{Code: p, Message: p}}}
		for range 2 {
			for range 3 {
				if why := termtexttest.Check(strings.Join(v.View(), "\n")); why != "" {
					t.Errorf("%s: %s", name, why)
				}
				press(v, "j")
			}
			v.SetChanges(table.Run, table.Run, []suite.Change{change})
		}
	}
}

// TestColors draws with colors: what is said is the same without.
func TestColors(t *testing.T) {
	for _, dark := range []bool{true, false} {
		plain, colored := opened(120, 38), opened(120, 38)
		colored.SetStyles(themes.New(themes.Default(dark)))
		for _, v := range []*runs.View{plain, colored} {
			liveRun(v)
			press(v, "j", "l")
		}
		lines := colored.View()
		if got, want := ansi.Strip(strings.Join(lines, "\n"))+"\n", text(t, plain, 120, 38); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if why := termtexttest.Check(strings.Join(lines, "\n")); why != "" {
			t.Error(why)
		}
	}
}

// large is a run of 1,000 prompts and 15 models.
func large() (suiteFixture, suite.Table) {
	s := refunds(1000, 15)
	return s, s.table(ended(12), endMixed)
}

func BenchmarkSetTable(b *testing.B) {
	_, table := large()
	b.ReportAllocs()
	for b.Loop() {
		v := opened(200, 58)
		v.SetTable(table)
	}
}

// BenchmarkSetTableAgain shows a table in which one cell is another.
func BenchmarkSetTableAgain(b *testing.B) {
	s, table := large()
	v := opened(200, 58)
	c := s.cell(500, 7, 0)
	answered(&c, time.Second, "passed")
	tables := []suite.Table{table, table.With(c)}
	v.SetTable(table)
	n := 1
	b.ReportAllocs()
	for b.Loop() {
		v.SetTable(tables[n%2])
		n++
	}
}

func BenchmarkView(b *testing.B) {
	_, table := large()
	v := runs.New(env(themes.New(themes.Default(true)), time.Now), nil)
	v.SetSize(200, 58)
	v.SetTable(table)
	b.ReportAllocs()
	for b.Loop() {
		v.View()
	}
}

// BenchmarkKey presses a key in a table of 15,000 cells and draws it.
func BenchmarkKey(b *testing.B) {
	_, table := large()
	v := runs.New(env(themes.New(themes.Default(true)), time.Now), nil)
	v.SetSize(200, 58)
	v.SetTable(table)
	names := []string{"j", "l", "pgdown", "k", "h", "pgup", "G", "g", "f"}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		press(v, names[n%len(names)])
		v.View()
		n++
	}
}

// BenchmarkTurns makes and shows the table of 1,000 turns with ten answers each.
func BenchmarkTurns(b *testing.B) {
	var sent []history.Turn
	for i := range 1000 {
		t := history.Turn{ID: int64(i + 1), Prompt: fmt.Sprintf("Write reply %d to Sam", i%50), Samples: 1,
			Vars: map[string]string{"mail": fmt.Sprint("mail ", i/50)}}
		for j, name := range names[:10] {
			t.Answers = append(t.Answers, history.Answer{ID: int64(i*10 + j + 1), Turn: t.ID, Model: name,
				Kind: history.KindText, State: history.Done, Elapsed: time.Second,
				Text: strings.Repeat("Dear Sam. ", 50)})
		}
		sent = append(sent, t)
	}
	v := opened(200, 58)
	b.ReportAllocs()
	for b.Loop() {
		v.SetTable(suite.TurnTable(sent))
		v.View()
	}
}

// TestAKeyCostsWhatIsShown counts allocations: a key in a table of many rows costs as many as in one of few.
func TestAKeyCostsWhatIsShown(t *testing.T) {
	var costs []float64
	for _, rows := range []int{100, 2000} {
		v := opened(200, 58)
		v.SetTable(refunds(rows, 5).table(ended(12), endMixed))
		costs = append(costs, testing.AllocsPerRun(20, func() {
			press(v, "j")
			v.View()
			press(v, "k")
			v.View()
		}))
	}
	if costs[1] > 1.2*costs[0] {
		t.Errorf("%.0f allocations with 100 rows, %.0f with 2,000", costs[0], costs[1])
	}
}

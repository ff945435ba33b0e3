package runs_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"confab/history"
	"confab/service/suite"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // clock times in the goldens
	os.Exit(m.Run())
}

func at(h, m, s int) time.Time { return time.Date(2026, 6, 2, h, m, s, 0, time.UTC) }

// names are models, as suites call them.
var names = []string{
	"alpha3.1-8b", "beta-large", "gamma", "delta-instruct-2026-03", "epsilon", "zeta", "eta", "theta",
	"iota", "kappa", "lambda", "mu", "nu", "xi", "omicron",
}

// suiteFixture is a suite to make runs of.
type suiteFixture struct {
	rows, columns, repeat int
	prompts               []string
	vars                  func(row int) map[string]string
}

func refunds(rows, columns int) suiteFixture {
	return suiteFixture{rows: rows, columns: columns, repeat: 1, prompts: []string{"refund-tone"},
		vars: func(i int) map[string]string {
			mails := []string{"My parcel is late",
				"The left shoe is\ntwo sizes smaller than the right one, and I want my money back", "日本語で書いてください",
				"Where is my \x1b[31minvoice?"}
			return map[string]string{"language": []string{"English", "German", "French"}[i%3],
				"mail":      mails[i%len(mails)],
				"signature": "Ana"}
		}}
}

// cell is the cell of a place before it is asked for.
func (s suiteFixture) cell(row, column, repeat int) history.Cell {
	n := (row*s.columns+column)*s.repeat + repeat + 1
	return history.Cell{
		Number: n, TestIndex: row / len(s.prompts), Repeat: repeat + 1, Key: fmt.Sprint("key",
			n), Provider: "llm:" + names[column%len(names)],
		Model: names[column%len(names)], Kind: history.KindText, Prompt: s.prompts[row%len(s.prompts)], Vars: s.vars(
			row,
		),
	}
}

// table is a run of the suite; become says what became of a cell.
func (s suiteFixture) table(facts history.Run,
	become func(c *history.Cell, row, column, repeat int)) suite.Table {
	facts.Suite, facts.Planned = "refunds", s.rows*s.columns*s.repeat
	t := suite.Table{Run: facts}
	for j := range s.columns {
		t.Columns = append(t.Columns,
			suite.Column{Name: names[j%len(names)], Provider: "llm:" + names[j%len(names)],
				Model: names[j%len(names)],
				Kind:  history.KindText})
	}
	for i := range s.rows {
		first := s.cell(i, 0, 0)
		row := suite.Row{Point: suite.Point{Name: first.Prompt, Vars: first.Vars}, TestIndex: first.TestIndex,
			Cells: make([][]history.Cell, s.columns)}
		for j := range s.columns {
			for k := range s.repeat {
				c := s.cell(i, j, k)
				if become != nil {
					become(&c, i, j, k)
				}
				row.Cells[j] = append(row.Cells[j], c)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// answered makes a cell one with an answer and a verdict of each check.
func answered(c *history.Cell, took time.Duration, verdicts ...string) {
	c.Turn, c.Answer, c.State, c.Elapsed, c.IsJudged = int64(c.Number), int64(1000+c.Number), history.Done, took, true
	for i, v := range verdicts {
		r := history.CheckResult{Name: []string{"icontains sorry", "max-words 120", "not-icontains refund policy"}[i%3],
			Verdict: v}
		if v == "failed" {
			r.Reason = "the answer does not contain “sorry”, in any case"
		}
		c.Checks = append(c.Checks, r)
	}
}

func failed(c *history.Cell, code string) {
	c.Turn, c.Answer, c.State, c.Elapsed, c.FailureCode = int64(c.Number), int64(1000+
		c.Number), history.Failed, 30*time.Second, code
}

func state(c *history.Cell, s history.State) {
	c.Turn, c.Answer, c.State = int64(c.Number), int64(1000+c.Number), s
}

// endMixed is what becomes of the cells of a run that ends with failures.
func endMixed(c *history.Cell, row, column, repeat int) {
	took := time.Duration(900+((row*7+column*13+repeat*5)%40)*100) * time.Millisecond
	switch n := row*5 + column*3 + repeat; {
	case n%17 == 11:
		failed(c, "timeout")
	case n%29 == 5:
		failed(c, "image_unreachable")
	case n%7 == 4:
		answered(c, took, "passed", "failed", "passed")
	case n%11 == 8:
		answered(c, took, "passed", "passed", "skipped")
		c.IsCached = true
	default:
		answered(c, took, "passed", "passed", "passed")
	}
}

func ended(id int64) history.Run {
	return history.Run{ID: id, Started: at(14, 2, 0), Ended: at(14, 4, 0), Note: "warmer prompt",
		Options: history.RunOptions{EffectiveConcurrency: 8}}
}

// variants are turns that were sent beside each other: three prompts with two temperatures, two of their six answers
// by two models still coming.
func variants() (turns []history.Turn) {
	for i, prompt := range []string{"Write a warm reply to Sam", "Write a cold reply to Sam", "Say sorry to Sam"} {
		for j, temperature := range []float64{0, 0.7} {
			t := history.Turn{ID: int64(1 + i*2 + j), Prompt: prompt, Samples: 1,
				Params: history.Params{"temperature": temperature}}
			for k, model := range names[:2] {
				a := history.Answer{ID: t.ID*10 + int64(k), Turn: t.ID, Model: model, Kind: history.KindText,
					State: history.Done, Elapsed: time.Duration(800+i*700+j*300+k*100) * time.Millisecond,
					Text: "Dear Sam,\nI am sorry that your parcel is late. It left the depot this morning."}
				switch {
				case i == 1 && j == 0 && k == 0:
					a.IsWinner = true
				case i == 1 && j == 1 && k == 1:
					a.State, a.Text, a.Failure = history.Failed, "", &history.Failure{Code: "timeout"}
				case i == 2 && j == 1:
					a.State, a.Started, a.Text = history.Running, at(14, 4, 57), "Sam, we are"
				}
				t.Answers = append(t.Answers, a)
			}
			turns = append(turns, t)
		}
	}
	return turns
}

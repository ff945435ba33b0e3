package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suiterun"
)

// changeJSON is a cell of two runs as scripts see it.
type changeJSON struct {
	Prompt     string                 `json:"prompt"`
	About      string                 `json:"description,omitempty"`
	Vars       map[string]string      `json:"vars,omitempty"`
	Provider   string                 `json:"provider"`
	Model      string                 `json:"model"`
	Repeat     int                    `json:"repeat"`
	A          *sideJSON              `json:"a,omitempty"`
	B          *sideJSON              `json:"b,omitempty"`
	Asked      bool                   `json:"asked_changed"`
	Changed    bool                   `json:"answer_changed"`
	Similarity *float64               `json:"similarity,omitempty"`
	Checks     []suiterun.CheckChange `json:"checks,omitempty"`
}

type sideJSON struct {
	Turn      int64         `json:"turn"`
	Answer    int64         `json:"answer"`
	State     history.State `json:"state"`
	ElapsedMS int64         `json:"elapsed_ms"`
}

// compareRuns prints what changed between two runs, cell by cell.
func (a *app) compareRuns(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	first, err := runNumber(args[0])
	second, err2 := runNumber(args[1])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	t := table{head: []string{"prompt", "model", "answer", "time", "checks"}}
	var all, same, texts, alone int
	checks := map[string]int{} // that changed, by their verdict in the second run
	err = svc.Runner().Compare(ctx, first, second, func(c suiterun.Change) error {
		all++
		if c.IsSame() {
			same++
		}
		if c.A == nil || c.B == nil {
			alone++
		} else if c.AnswerChanged {
			texts++
		}
		for _, check := range c.Checks {
			checks[check.B]++
		}
		if f.json {
			return a.printJSON(newChangeJSON(c))
		}
		if !c.IsSame() {
			t.add(changeRow(c)...)
		}
		return nil
	})
	if err != nil || f.json {
		return err
	}
	if err := a.printTable(t); err != nil {
		return err
	}
	if !f.quiet {
		a.info(fmt.Sprintf("%s: %d the same, %d answers changed, %d only in one run; "+
			"%d checks pass now, %d fail now, %d are skipped now",
			format.Count(all, "cell"), same, texts, alone, checks["passed"], checks["failed"],
			checks["skipped"]))
	}
	return nil
}

func changeRow(c suiterun.Change) []string {
	cell := cmp.Or(c.B, c.A)
	prompt := cell.Prompt
	if cell.Repeat > 1 {
		prompt += fmt.Sprintf(" ×%d", cell.Repeat)
	}
	answer := ""
	switch {
	case c.A == nil:
		answer = "only in the second"
	case c.B == nil:
		answer = "only in the first"
	case c.A.State != c.B.State:
		answer = fmt.Sprintf("%s → %s", c.A.State, c.B.State)
	case c.AnswerChanged && cell.Kind == history.KindText:
		answer = fmt.Sprintf("changed, %.2f alike", c.Similarity)
	case c.AnswerChanged:
		answer = "another picture"
	default:
		answer = "same"
	}
	if c.PromptChanged {
		answer += ", asked otherwise"
	}
	took := strings.Trim(seconds(freshTime(c.AnswerA))+" → "+seconds(freshTime(c.AnswerB)), " →")
	var checks []string
	for _, check := range c.Checks {
		checks = append(checks,
			fmt.Sprintf("%s: %s → %s", check.Name, cmp.Or(check.A, "none"), cmp.Or(check.B, "none")))
	}
	if cell.Description != "" {
		prompt = termtext.Line(cell.Description) + ", " + prompt
	}
	if len(cell.Vars) > 0 {
		values := valueTexts(cell.Vars, slices.Sorted(maps.Keys(cell.Vars)))
		prompt += " (" + strings.Join(values, ", ") + ")"
	}
	return []string{prompt, cell.Provider, answer, took, strings.Join(checks, "; ")}
}

// freshTime is the time of an answer that came fresh.
func freshTime(ans history.Answer) time.Duration {
	if ans.State != history.Done || ans.Cached {
		return 0
	}
	return ans.Elapsed
}

func newChangeJSON(c suiterun.Change) changeJSON {
	cell := cmp.Or(c.B, c.A)
	j := changeJSON{
		Prompt: cell.Prompt, About: cell.Description, Vars: cell.Vars, Provider: cell.Provider, Model: cell.Model,
		Repeat: cell.Repeat, Asked: c.PromptChanged, Changed: c.AnswerChanged, Checks: c.Checks,
	}
	side := func(cell *history.Cell, ans history.Answer) *sideJSON {
		if cell == nil {
			return nil
		}
		return &sideJSON{cell.Turn, cell.Answer, cell.State, ans.Elapsed.Milliseconds()}
	}
	j.A, j.B = side(c.A, c.AnswerA), side(c.B, c.AnswerB)
	if c.A != nil && c.B != nil && cell.Kind == history.KindText && c.A.State == history.Done &&
		c.B.State == history.Done {
		j.Similarity = &c.Similarity
	}
	return j
}

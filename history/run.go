package history

import (
	"errors"
	"strings"
	"time"

	"confab/internal/chat"
)

// ErrTaken means that another process has already added the cell to the run or asked for it again.
var ErrTaken = errors.New("the cell is taken")

// Cell is one call of a run: a turn with one model, and the results of its checks.
type Cell struct {
	ID        int64
	Run       int64
	Turn      int64
	Answer    int64 // the newest one of the cell
	Number    int   // position in the suite, from 1
	TestIndex int   // of the suite, from 0
	Repeat    int   // from 1
	// Row and Column are the position in the table of the run, from 1: the combination of test, values and prompt,
	// and the provider. They are 0 for cells that the suite no longer has, and in runs stored before these fields
	// existed.
	Row, Column int
	Key         string
	Provider    string // as the suite names the model
	Prompt      string // the id or label of the prompt
	Description string // of the test
	Vars        map[string]string
	IsJudged    bool // Checks holds the results of the checks, even where there are none
	Checks      []CheckResult
	// EarlierChecks are the results of the checks in earlier runs of the same answer, the oldest first. A continued
	// run adds them when it judges the answer again.
	EarlierChecks [][]CheckResult

	// Fields of the answer, which stores set when they read the cell.
	Model       string
	Kind        ModelKind
	State       State
	Elapsed     time.Duration // request written to body read
	IsCached    bool
	Usage       chat.Usage
	Cost        Cost
	FailureCode string // empty unless it failed
	Ending      Ending // of a done answer
	IsWinner    bool   // as the person marked it
	Words       string // the beginning of its text, see [Beginning]

	// Fields of the turn, likewise. The texts are the beginnings of those with variables in place of their values.
	Template, System string
	Params           Params // with the aspect ratio, see [Params.WithAspect]

	Started time.Time // while this process makes the call; zero otherwise
}

// SetAnswer sets the fields of the answer.
func (c *Cell) SetAnswer(a Answer) {
	c.Answer, c.Model, c.Kind, c.State, c.Started = a.ID, a.Model, a.Kind, a.State, time.Time{}
	c.Elapsed, c.IsCached, c.Usage, c.Cost = a.Elapsed, a.IsCached, a.Usage, a.Cost
	c.FailureCode, c.Ending, c.IsWinner, c.Words = "", a.Ending(), a.IsWinner, Beginning(a.Text)
	if a.Failure != nil {
		c.FailureCode = a.Failure.Code
	}
	if a.State == Running {
		c.Started = a.Started
	}
}

// Beginning returns the beginning of a text, enough for a line.
func Beginning(text string) string {
	const most = 240 // bytes
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// The verdicts of a check, as stored, shown and exported.
const (
	CheckPassed  = "passed"
	CheckFailed  = "failed"
	CheckSkipped = "skipped" // not judged
)

// CheckResult is the result of one check of an answer.
type CheckResult struct {
	Name    string `json:"name"`
	Metric  string `json:"metric,omitempty"` // the suite's own name of the check, for people; empty if it gives none
	Verdict string `json:"verdict"`          // such as [CheckPassed]; empty if the check does not decide
	Reason  string `json:"reason,omitempty"`
	// Advisory is the verdict of a check that does not decide: its weight is 0, or a later result counts it.
	Advisory string  `json:"advisory,omitempty"`
	Score    float64 `json:"score,omitempty"` // of a set, a threshold, a grader or an expression that returns a number
	Grade    *Grade  `json:"grade,omitempty"` // by the model that judged the check; nil for other checks
}

// Grade is what a grader, a model that judges answers, said of an answer, and what its call took.
type Grade struct {
	Model     string     `json:"model,omitempty"`
	Key       string     `json:"key,omitempty"` // of what was asked; equal ones are not asked again
	IsPass    bool       `json:"pass"`
	Score     float64    `json:"score"`
	Reason    string     `json:"reason,omitempty"`
	Problem   string     `json:"problem,omitempty"` // why there is no verdict; empty if there is one
	ElapsedMS int64      `json:"elapsed_ms"`
	Usage     chat.Usage `json:"usage,omitzero"`
	Cost      Cost       `json:"cost,omitzero"`
}

// VerdictText returns the verdict, "failed (does not decide)" for a check that does not decide.
func (c CheckResult) VerdictText() string {
	if c.Advisory != "" {
		return c.Advisory + " (does not decide)"
	}
	return c.Verdict
}

// CellStatus is the combined result of a cell's answer and checks.
type CellStatus string

// Only [CellPassed] means that an answer is as the suite requires.
const (
	CellPassed    CellStatus = "passed"    // it has checks, and all of them passed
	CellFailed    CellStatus = "failed"    // a check failed
	CellSkipped   CellStatus = "skipped"   // no check failed, but at least one was not judged
	CellUnchecked CellStatus = "unchecked" // answered, without checks or before any was judged
	CellError     CellStatus = "error"     // the answer failed
	CellMissing   CellStatus = "missing"   // no answer: not requested, running, cancelled or interrupted

	// No check failed, but the answer is not what was requested.
	CellCut      = CellStatus(EndsCut)
	CellFiltered = CellStatus(EndsFiltered)
	CellRefused  = CellStatus(EndsRefused)
	CellEmpty    = CellStatus(EndsEmpty)
)

// StatusOf returns the status of an answer with a state, an ending and checks. A refusal passes when all its checks
// do, because only checks for refusals pass on it.
func StatusOf(state State, ending Ending, checks []CheckResult) CellStatus {
	switch {
	case state == Failed:
		return CellError
	case state != Done:
		return CellMissing
	}
	status := CellUnchecked
	for _, c := range checks {
		switch {
		case c.Verdict == CheckFailed:
			return CellFailed
		case c.Verdict == CheckPassed && status == CellUnchecked:
			status = CellPassed
		case c.Verdict != CheckPassed && c.Advisory == "":
			status = CellSkipped
		}
	}
	if ending == EndsWhole || ending == EndsRefused && status == CellPassed {
		return status
	}
	return CellStatus(ending)
}

// Result returns the verdict and, where it is inconclusive, the status that says why.
func (s CellStatus) Result() (v Verdict, why CellStatus) {
	if v = s.Verdict(); v == VerdictInconclusive {
		why = s
	}
	return v, why
}

// IsIncomplete reports whether the answer came and is not what was requested.
func (s CellStatus) IsIncomplete() bool {
	return s == CellCut || s == CellFiltered || s == CellRefused || s == CellEmpty
}

// String returns the verdict for people, with the status where it is inconclusive: "inconclusive: cut". What nothing
// checked and what is missing have words of their own.
func (s CellStatus) String() string {
	if _, why := s.Result(); why == "" || s == CellUnchecked || s == CellMissing {
		return string(s)
	}
	return string(VerdictInconclusive) + ": " + string(s)
}

// Verdict is the summary of a status. Only [VerdictPassed] is success.
type Verdict string

const (
	VerdictPassed       Verdict = "passed"
	VerdictFailed       Verdict = "failed"
	VerdictInconclusive Verdict = "inconclusive" // neither; the status says why
)

// Verdict returns the summary of the status.
func (s CellStatus) Verdict() Verdict {
	switch s {
	case CellPassed:
		return VerdictPassed
	case CellFailed:
		return VerdictFailed
	}
	return VerdictInconclusive
}

// Status returns the status of the cell.
func (c Cell) Status() CellStatus { return StatusOf(c.State, c.Ending, c.Checks) }

// EarlierVerdicts returns the verdicts of the earlier checks, such as "passed" or "failed, passed".
func (c Cell) EarlierVerdicts() string { return VerdictsOf(c.Ending, c.EarlierChecks) }

// VerdictsOf returns the verdicts of earlier checks of an answer that is done.
func VerdictsOf(ending Ending, earlier [][]CheckResult) string {
	var verdicts []string
	for _, checks := range earlier {
		verdicts = append(verdicts, string(StatusOf(Done, ending, checks).Verdict()))
	}
	return strings.Join(verdicts, ", ")
}

// Run is one run of a suite. Its cells are turns of one session.
type Run struct {
	ID      int64      `json:"run"`
	Session int64      `json:"session"`
	Suite   string     `json:"suite"`  // the suite's name
	Path    string     `json:"path"`   // of the suite's file, absolute
	SHA256  string     `json:"sha256"` // of the suite's file
	Started time.Time  `json:"started"`
	Ended   time.Time  `json:"ended,omitzero"` // zero until all cells have been requested
	Planned int        `json:"planned"`        // number of cells of the suite
	Note    string     `json:"note,omitempty"`
	Options RunOptions `json:"-"`

	IsShared bool   `json:"shared,omitempty"` // all users can read the run, whether or not they can read its session
	Owner    string `json:"owner,omitempty"`  // the user who shares the run; empty for one's own

	// Counts of cells, which stores set when they read the run.
	Cells        int `json:"asked"`        // requested cells
	Done         int `json:"answered"`     // answered ones of these
	Passed       int `json:"passed"`       // ended cells by verdict
	Failed       int `json:"failed"`       // the same
	Inconclusive int `json:"inconclusive"` // the same
	Unchecked    int `json:"unchecked"`    // of the inconclusive ones, those that nothing checked
}

// RunOptions are options that the caller of a run set in place of its suite's, stored so that the run continues with
// the same ones. They are zero where the suite's apply, and in runs stored before these fields existed.
type RunOptions struct {
	Models      []string      `json:"models,omitempty"`
	Repeat      int           `json:"repeat,omitempty"`
	Concurrency int           `json:"concurrency,omitempty"`
	Timeout     time.Duration `json:"timeout,omitempty"`
	// EffectiveConcurrency is the number of parallel calls, whether the caller, the suite or a default set it.
	EffectiveConcurrency int `json:"at_once,omitempty"`
}

package history

import (
	"errors"
	"strings"
	"time"

	"confab/internal/chat"
)

// ErrTaken says that another process was quicker: it has put the cell into the run, or has asked for it again.
var ErrTaken = errors.New("the cell is taken")

// Cell is one call of a run: a turn with one model, and what the checks said.
type Cell struct {
	ID        int64
	Run       int64
	Turn      int64
	Answer    int64 // the newest one asked for
	Number    int   // place in the suite, from 1
	TestIndex int   // of the suite, from 0
	Repeat    int   // from 1
	// Row and Column are the place in the table of the run: which combination of test, values and prompt, and which
	// provider, from 1. They are 0 for what is not in the suite any more, and in runs of before they were kept.
	Row, Column int
	Key         string
	Provider    string // as the suite names the model
	Prompt      string // the id or label of the prompt
	Description string // of the test
	Vars        map[string]string
	IsJudged    bool // the checks were made: Checks are their results, even where there are none
	Checks      []CheckResult
	// EarlierChecks are what the checks said of the same answer before a run that went on judged it anew, the oldest
	// first.
	EarlierChecks [][]CheckResult

	// Of the answer. Only reading fills these in.
	Model       string
	Kind        ModelKind
	State       State
	Elapsed     time.Duration // request written to body read
	IsCached    bool
	Usage       chat.Usage
	Cost        Cost
	FailureCode string // empty unless it failed
	Ending      Ending // how it ended when it is done

	Started time.Time // while this process makes the call; zero otherwise
}

// CheckResult is what one check said of an answer.
type CheckResult struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"` // passed, failed or skipped
	Reason  string `json:"reason,omitempty"`
}

// CellStatus is what came of a cell: of its answer and its checks.
type CellStatus string

// The statuses of cells. Only [CellPassed] says that an answer is as the suite wants it.
const (
	CellPassed    CellStatus = "passed"    // it has checks, and all of them passed
	CellFailed    CellStatus = "failed"    // a check failed
	CellSkipped   CellStatus = "skipped"   // no check failed, but one at least was not judged
	CellUnchecked CellStatus = "unchecked" // it was answered, and has no check or none was judged yet
	CellError     CellStatus = "error"     // the answer failed
	CellMissing   CellStatus = "missing"   // there is no answer: not asked for, on its way, cancelled or interrupted
)

// StatusOf returns what came of an answer by its state and its checks.
func StatusOf(state State, checks []CheckResult) CellStatus {
	switch {
	case state == Failed:
		return CellError
	case state != Done:
		return CellMissing
	case len(checks) == 0:
		return CellUnchecked
	}
	status := CellPassed
	for _, c := range checks {
		switch c.Verdict {
		case "failed":
			return CellFailed
		case "passed":
		default:
			status = CellSkipped
		}
	}
	return status
}

// Verdict is what a status comes to. Only [VerdictPassed] is success.
type Verdict string

// The verdicts.
const (
	VerdictPassed       Verdict = "passed"
	VerdictFailed       Verdict = "failed"
	VerdictInconclusive Verdict = "inconclusive" // neither: the status says why
)

// Verdict returns what the status comes to.
func (s CellStatus) Verdict() Verdict {
	switch s {
	case CellPassed:
		return VerdictPassed
	case CellFailed:
		return VerdictFailed
	}
	return VerdictInconclusive
}

// Status returns what came of the cell.
func (c Cell) Status() CellStatus { return StatusOf(c.State, c.Checks) }

// VerdictsOf returns what earlier checks of an answer came to, such as "passed" or "failed, passed".
func VerdictsOf(earlier [][]CheckResult) string {
	var verdicts []string
	for _, checks := range earlier {
		verdicts = append(verdicts, string(StatusOf(Done, checks).Verdict()))
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
	Ended   time.Time  `json:"ended,omitzero"` // zero while some of its cells have not been asked for
	Planned int        `json:"planned"`        // how many cells the suite has
	Note    string     `json:"note,omitempty"`
	Options RunOptions `json:"-"`

	IsShared bool   `json:"shared,omitempty"` // all users can read it, whether or not they can read its session
	Owner    string `json:"owner,omitempty"`  // the user who shares it; empty for one's own run

	// What its cells are now. Only reading fills these in.
	Cells        int `json:"asked"`        // that were asked for
	Done         int `json:"answered"`     // of those, answered
	Passed       int `json:"passed"`       // by their verdicts, those that have ended
	Failed       int `json:"failed"`       // the same
	Inconclusive int `json:"inconclusive"` // the same
}

// RunOptions are what the caller of a run set instead of its suite, so that the run goes on as it began. They are zero
// where the suite was followed, and of runs from before they were stored.
type RunOptions struct {
	Models      []string      `json:"models,omitempty"`
	Repeat      int           `json:"repeat,omitempty"`
	Concurrency int           `json:"concurrency,omitempty"`
	Timeout     time.Duration `json:"timeout,omitempty"`
	// EffectiveConcurrency is how many calls were made at a time, whether the caller, the suite or a default said so.
	EffectiveConcurrency int `json:"at_once,omitempty"`
}

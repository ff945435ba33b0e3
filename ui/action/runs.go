package action

import (
	"confab/history"
	"confab/service/suiterun"
)

// The lists of runs and of the files that hold suites.
const (
	ListRuns   List = "runs"
	ListSuites List = "suites"
)

// What a person asks of suites and their runs.
type (
	// OpenSuite reads a suite's file and asks how to run it.
	OpenSuite struct{ Path string }
	// RunSuite runs a suite. Models, Repeat and Concurrency stand for the
	// suite's own where they are empty; with Resume set, run Run goes on.
	// What goes beyond Confirmed is asked about before anything is sent.
	RunSuite struct {
		Path        string
		Models      []string
		Repeat      int
		Concurrency int
		Resume      bool
		Run         int64
		Confirmed   RunCost
	}
	// RunCost is what a person agreed to: so many calls, and that these pictures leave the machine, a sentence each.
	RunCost struct {
		Calls   int
		Publish []string
	}
	// AskSuite asks how to run a suite.
	AskSuite struct {
		Path, Name, Description           string
		Prompts, Tests, Providers, Checks int
		Calls                             int      // that a new run would make
		Notes                             []string // what of the file is not applied, a sentence each
		Publish                           []string // what would leave the machine, a sentence each
		LastRun                           int64    // of the file; 0 for none
		LastHow                           history.RunHow
		Missing                           int // cells without an answer in it
		Repeat, Concurrency               int // the suite's own
	}
	// ShowTable shows the table of a run, or of two.
	ShowTable struct{}
	// ShowComparison shows the comparison.
	ShowComparison struct{}
	// ShowConversation shows the panes, with the conversation.
	ShowConversation struct{}
	// ShowRow compares the answers of a row of a run's table. Opens tells that the comparison is to be shown, with the
	// answer of a column focused; otherwise the row is compared already and has changed.
	ShowRow struct {
		Table       suiterun.Table
		Row, Column int
		Turns       []history.Turn
		Opens       bool
	}
	// NoteConnection takes from an answer whether the service can be reached.
	NoteConnection struct{ Answer history.Answer }
	// StopRun stops the run that goes on.
	StopRun struct{}
	// ResumeRun asks for what a run misses or what failed in it.
	ResumeRun struct{ Run int64 }
	// ShowRun opens the table of a run.
	ShowRun struct{ Run int64 }
	// OpenRow shows the answers of a row of the table side by side.
	OpenRow struct{ Row, Column int }
	// StepCase goes, from the comparison, to the next or previous row of the
	// table; in a conversation to the next or previous turn.
	StepCase struct{ By int }
	// CompareRuns shows two runs cell by cell; it asks for the second where that
	// is 0.
	CompareRuns struct{ A, B int64 }
	// ShowDifference shows how two answers differ. The names are said above.
	ShowDifference struct {
		A, B         history.Answer
		NameA, NameB string
	}
)

func (OpenSuite) action()        {}
func (RunSuite) action()         {}
func (AskSuite) action()         {}
func (ShowTable) action()        {}
func (ShowComparison) action()   {}
func (ShowConversation) action() {}
func (ShowRow) action()          {}
func (NoteConnection) action()   {}
func (StopRun) action()          {}
func (ResumeRun) action()        {}
func (ShowRun) action()          {}
func (OpenRow) action()          {}
func (StepCase) action()         {}
func (CompareRuns) action()      {}
func (ShowDifference) action()   {}

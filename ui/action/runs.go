package action

import (
	"confab/history"
	"confab/service/suite"
)

// What is asked of suites, their runs, and the engines that answer.
type (
	// OpenSuite reads a suite's file and asks how to run it.
	OpenSuite struct{ Path string }
	// EditSuite lists the prompts, values and checks of a suite's file, to change them.
	EditSuite struct{ Path string }
	// SetSuitePart writes another text of a part into a suite's file.
	SetSuitePart struct {
		Path string
		Part suite.Part
		Text string
	}
	// AskSuite asks how to run a suite.
	AskSuite struct {
		Path, Name, Description string
		Prompts                 int      // with the values of their variables: the rows of the run's table
		Models                  int      // the columns of the run's table
		Checks                  int      // of one answer at most
		Calls                   int      // that a new run would make
		Gradings                int      // calls of the grader besides, at most
		Notes                   []string // what of the file is not applied, a sentence each
		Publish                 []string // what would leave the machine, a sentence each
		LastRun                 int64    // of the file; 0 for none
		LastOptions             history.RunOptions
		Missing                 int // cells without an answer in it
		Repeat, Concurrency     int // the suite's own
	}
	// RunSuite runs a suite. Models, Repeat and Concurrency replace the suite's own unless they are empty. With Resume
	// the run Run is continued. What goes beyond Confirmed is asked about before anything is sent.
	RunSuite struct {
		Path        string
		Models      []string
		Repeat      int
		Concurrency int
		Resume      bool
		Asks        suite.Selection // with Resume
		Run         int64
		Confirmed   RunCost
	}
	// RunCost is what a person agreed to: so many calls, and that these pictures leave the machine, a sentence each.
	RunCost struct {
		Calls   int
		Publish []string
	}
	// StopRun stops the run under way.
	StopRun struct{}
	// ResumeRun continues a run.
	ResumeRun struct {
		Run  int64
		Asks suite.Selection
	}
	// AdoptRun writes what another user's run asked as a suite of one's own, and asks how to run it.
	AdoptRun struct{ Run int64 }
	// ShowRun opens the table of a run.
	ShowRun struct{ Run int64 }
	// RenumberRuns tells the ids that runs have in the history, to which they were moved.
	RenumberRuns struct{ IDs map[int64]int64 }
	// ShowRow compares the answers of a row of a table. Opens tells that the comparison is to be shown, with the
	// answer of a column focused; otherwise the row is compared already and has changed.
	ShowRow struct {
		Run           history.Run // the zero value in a table of turns
		Turn          int64       // the first of the turns in a table of turns
		Name          string
		Row, Column   int
		Columns       []string // names
		Cells         [][]history.Cell
		Turns         []history.Turn
		Opens, IsZoom bool // IsZoom: with the focused answer as large as the screen
	}
	// OpenRow shows the answers of a row of the table side by side, or one of them as large as the screen.
	OpenRow struct {
		Row, Column int
		IsZoom      bool
	}
	// CompareRuns shows two runs cell by cell; where B is 0 the person is asked for it.
	CompareRuns struct{ A, B int64 }
	// FindEngines shows the model servers on this machine, and asks whether to configure those that are new.
	FindEngines struct{}
	// TakeEngines adds the model servers found on this machine to the configuration.
	TakeEngines struct{}
	// AskEngines asks the engines whether they are up, and for their models.
	AskEngines struct{}
	// NoteConnection takes from an answer whether the service can be reached.
	NoteConnection struct{ Answer history.Answer }
)

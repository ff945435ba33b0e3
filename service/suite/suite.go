package suite

import (
	"time"
)

// The bounds of a suite. A suite past one of them is refused.
const (
	MaxBytes    = 1 << 20  // of the YAML, and of each file it names
	MaxAllBytes = 16 << 20 // of all files it names
	MaxFiles    = 1000     // that it names
	MaxCells    = 100_000
	maxText     = 64 << 20 // of the expanded prompts of all cells
	maxNodes    = 200_000  // of YAML, with aliases followed
	maxDepth    = 100
	maxVars     = 1000 // of a test
)

// Reserved is the variable that holds the system prompt.
const Reserved = "system"

// Suite is a file of prompts, models, variables and checks.
type Suite struct {
	Name        string // of the file; empty when it is none yet
	Description string
	Prompts     []Prompt
	Providers   []Provider
	Default     Test // what every test has: its variables, checks and texts around the prompt
	DefaultFile string
	Tests       []Test // none = one without variables
	Options     Options

	Notes []Note // what is written but not applied, in the order of the file

	source *source // what it was read from; nil when it was made here
	loaded loaded
}

// Note says that something in the file is not applied.
type Note struct {
	Line int
	Text string // one clause, in lower case, without a full stop
	// LeavesOut tells that promptfoo would ask or judge more because of it: a run of the suite never counts as passed.
	LeavesOut bool
}

// Prompt is a template. Raw is its text, or "file://" and a path.
type Prompt struct {
	ID    string
	Label string
	Raw   string
	Line  int // in the file; 0 when it was not read from one

	name string // by which results call it: no two prompts of a suite have the same
}

// Provider is a model as the suite names it.
type Provider struct {
	ID      string // llm:<slug>, image:<slug> or edit:<slug>; others load and cannot be run
	Label   string
	Config  []Setting // aspect_ratio, nonce and imageUrl are applied; values may hold {{variables}}
	Prompts []string  // ids or labels of the prompts it is asked; none = all
	Line    int

	notJudged string // why the checks of its answers are not judged
}

// Setting is one entry of a provider's configuration. Value is what a check's
// value may be; see [check.Spec].
type Setting struct {
	Name  string
	Value any
}

// Test is a case: values for the variables and checks of the answers. One with a File means the cases of that file and
// has nothing else.
type Test struct {
	File        string // "file://cases.csv"
	Description string
	Vars        []Var
	Assert      []Assert // promptfoo's
	Own         []Assert // x-checks
	Metadata    map[string]any
	Prefix      string // before the prompt, after a CSV's __prefix
	Suffix      string
	Providers   []string // ids or labels; none = all
	Prompts     []string
	NoDefaults  bool   // the default asserts are not applied
	NotJudged   string // why its asserts are not judged
	Line        int

	from string // the file of cases it was read from
}

// Var is a variable with its values; several make a matrix.
type Var struct {
	Name   string
	Values []string
	List   bool // written as a list, even of one
}

// Assert is a check as it is written. Value may be "file://" and a path.
type Assert struct {
	Type      string
	Value     any
	Threshold *float64
	NotJudged string // why it is not judged, see [check.Spec]
	Line      int
}

// Options are evaluateOptions; zero means not written.
type Options struct {
	Repeat      int
	Concurrency int           // maxConcurrency
	Delay       time.Duration // after each call, written in milliseconds
	Timeout     time.Duration // of one call, written in milliseconds
}

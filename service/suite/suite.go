package suite

import (
	"time"

	"go.yaml.in/yaml/v3"
)

// The bounds of a suite. A suite past one of them is refused.
const (
	MaxBytes       = 1 << 20  // of the YAML, and of each file it names
	MaxAllBytes    = 16 << 20 // of all files it names
	maxFiles       = 1000     // that it names
	MaxCells       = 100_000
	MaxRepeat      = 1000     // answers to each prompt
	MaxConcurrency = 64       // calls made side by side
	maxText        = 64 << 20 // of the expanded prompts of all cells
	maxNodes       = 200_000  // of YAML, with aliases followed
	maxDepth       = 100
	maxVars        = 1000 // of a test
)

// Reserved is the variable that holds the system prompt.
const Reserved = "system"

// Suite is a file of prompts, models, variables and checks. Prompts, cases and values of files are in their places.
type Suite struct {
	Name        string // of its file
	Description string
	Prompts     []Prompt
	Providers   []Provider
	Default     Test   // what every test has: its variables, checks and texts around the prompt
	Tests       []Test // one without variables where none is written
	Options     EvaluateOptions

	Unapplied []UnappliedSetting // what is written but not applied, in the order of the file

	document *yaml.Node // what it was read from, with its aliases resolved
}

// UnappliedSetting says that something in the file is not applied.
type UnappliedSetting struct {
	Line int
	Text string // one clause, in lower case, without a full stop
	// LeavesOut tells that promptfoo would ask or judge more because of it: a run of the suite never counts as passed.
	LeavesOut bool
}

// Prompt is a prompt whose placeholders the variables of a test fill in.
type Prompt struct {
	ID    string
	Label string
	Raw   string
	Line  int // in the suite

	Params []Param

	name    string     // by which results call it: no two prompts of a suite have the same
	written *yaml.Node // that it was read from
}

// Provider is a model as the suite names it.
type Provider struct {
	ID      string // llm:<slug>, image:<slug> or edit:<slug>; others load and cannot be run
	Label   string
	Config  []Setting // of pictures
	Params  []Param   // of texts
	Prompts []string  // ids or labels of the prompts it is asked; none = all
	Line    int

	notJudged string     // why the checks of its answers are not judged
	written   *yaml.Node // that it was read from
}

// Setting is one entry of a provider's configuration: aspect_ratio, nonce or imageUrl. Its value may hold variables.
type Setting struct{ Name, Value string }

// Test is a case: values for the variables and checks of the answers.
type Test struct {
	Description string
	Vars        []Var
	Prefix      string // before the prompt
	Suffix      string
	Params      []Param
	Providers   []string // ids or labels; none = all
	Prompts     []string

	line          int
	file          string // the file of cases it was read from; empty for the suite
	written       []checkSpec
	skipsDefaults bool    // the default checks are not applied
	notJudged     string  // why its checks are not judged
	checks        []Check // those of the defaults as well
}

// Var is a variable with its values; several make a matrix.
type Var struct {
	Name   string
	Values []string

	isList bool // written as a list, even of one
}

// EvaluateOptions are evaluateOptions; zero means not written.
type EvaluateOptions struct {
	Repeat      int
	Concurrency int           // maxConcurrency
	Delay       time.Duration // after each call, written in milliseconds
	Timeout     time.Duration // of one call, written in milliseconds
}

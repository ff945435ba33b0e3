// Package suite reads, runs and compares suites of prompts.
//
// A suite is prompts × variables × models × checks in promptfoo's YAML. [Load] reads one, [Calls] lists its calls and
// [FromTurns] creates one from turns. Files are read through an fs.FS, inside the suite's folder, and nothing is
// executed. docs/suites.md describes the format.
//
// A [Runner] makes the calls of a suite through a [Service], judges the answers and stores both. [Results] and
// [Comparison] describe finished and live runs for the screen and the command line, in words and signs without
// colors.
//
// {{name}} in a prompt stands for a value. A name is a letter or underscore followed by letters, digits, underscores
// and hyphens, 64 characters at most; blanks may surround it. Other text in double braces is not changed. {{{{
// becomes {{ and the next }}}} becomes }}; a }}}} without an opening one is not changed, because nested JSON ends so.
// Values are not expanded again.
package suite

import (
	"time"
)

// The bounds of a suite. Larger suites are refused.
const (
	MaxBytes       = 1 << 20  // of the YAML, and of each named file
	MaxAllBytes    = 16 << 20 // of all named files
	maxFiles       = 1000     // named files
	MaxCells       = 100_000
	MaxRepeat      = 1000     // answers per prompt and model
	MaxConcurrency = 64       // parallel calls
	maxText        = 64 << 20 // of the expanded prompts of all cells
	maxNodes       = 200_000  // of YAML, with aliases followed
	maxDepth       = 100
	maxVars        = 1000 // of a test
)

// Reserved is the variable with the system prompt.
const Reserved = "system"

// Suite is a file of prompts, models, variables and checks. Prompts, cases and values of files are inserted.
type Suite struct {
	Name        string // of its file
	Description string
	Prompts     []Prompt
	Providers   []Provider
	Default     Test   // common part of all tests: variables, checks and texts around the prompt
	Tests       []Test // a single one without variables if the suite has none
	Options     EvaluateOptions
	Models      map[string]string // slugs by the ids of providers, of the configuration

	Unapplied []UnappliedSetting // written but not applied, in the order of the file
}

// UnappliedSetting is a setting of the file that is not applied.
type UnappliedSetting struct {
	Line int
	Text string // one clause, in lower case, without a full stop
	// LeavesOut reports that promptfoo would ask or judge more because of the setting: a run of the suite never
	// counts as passed.
	LeavesOut bool
}

// Prompt is a prompt with placeholders for the variables of a test.
type Prompt struct {
	ID    string
	Label string
	Raw   string
	Line  int // in the suite

	Params []Param

	name string // unique name in results
}

// Provider is a model of a suite.
type Provider struct {
	ID      string // llm:<slug>, image:<slug> or edit:<slug>; others load but cannot run
	Label   string
	Config  []Setting // of pictures
	Params  []Param   // of texts
	Prompts []string  // ids or labels of its prompts; none means all
	Line    int

	notJudged string // why checks of its answers are not judged
}

// Setting is an entry of a provider's configuration: aspect_ratio, nonce or imageUrl. Its value may contain
// variables.
type Setting struct{ Name, Value string }

// Test is a case: values for the variables and checks of the answers.
type Test struct {
	Description string
	Vars        []Var
	Prefix      string // before the prompt
	Suffix      string
	Params      []Param
	Providers   []string // ids or labels; none means all
	Prompts     []string

	line          int
	file          string // the file of cases that it came from; empty for the suite
	written       []checkSpec
	threshold     *float64 // of the score of its checks; nil means that every check counts
	grader        string
	skipsDefaults bool    // the default checks are not applied
	notJudged     string  // why its checks are not judged
	checks        []Check // including those of the defaults
}

// Var is a variable with its values; several form a matrix.
type Var struct {
	Name   string
	Values []string

	isList bool // written as a list, even of one
}

// EvaluateOptions are evaluateOptions; zero means absent.
type EvaluateOptions struct {
	Repeat      int
	Concurrency int           // maxConcurrency
	Delay       time.Duration // after each call, written in milliseconds
	Timeout     time.Duration // of one call, written in milliseconds
}

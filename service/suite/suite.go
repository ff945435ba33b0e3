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
	"cmp"
	"slices"
	"strconv"
	"strings"
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

// systemVariable is the variable with the system prompt.
const systemVariable = "system"

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

// namePrompts sets a unique name for each prompt: its id, label, file name or number, with a number added to
// duplicates.
func namePrompts(prompts []Prompt) {
	count, next := map[string]int{}, map[string]int{}
	for i, p := range prompts {
		prompts[i].name = cmp.Or(p.ID, p.Label, strconv.Itoa(i+1))
		count[prompts[i].name]++
	}
	for i := range prompts {
		p := &prompts[i]
		for base := p.name; count[base] > 1; {
			next[base]++
			if p.name = base + "#" + strconv.Itoa(next[base]); count[p.name] == 0 {
				count[p.name] = 1
				break
			}
		}
	}
}

// names returns the names by which tests and providers can select a prompt.
func (p Prompt) names() []string { return []string{p.ID, p.Label, p.name} }

// orDefaults returns the names that a test lists, or else those of the defaults.
func orDefaults(own, defaults []string) []string {
	if len(own) > 0 {
		return own
	}
	return defaults
}

// isInList reports whether a list contains one of the names. An empty list contains all; an item may end in * to
// match a prefix.
func isInList(list []string, names ...string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(want string) bool {
		begin, isOpen := strings.CutSuffix(want, "*")
		return slices.ContainsFunc(names, func(name string) bool {
			return name != "" && (name == want || isOpen && strings.HasPrefix(name, begin))
		})
	})
}

// checkNames refuses unknown prompts and providers: a test with a misspelt name would make no calls and could not
// fail.
func (s Suite) checkNames() error {
	var prompts, providers []string
	peers := []string{"source"}
	for _, p := range s.Prompts {
		prompts = append(prompts, p.names()...)
	}
	for _, p := range s.Providers {
		providers = append(providers, p.ID, p.Label)
		peers = append(peers, p.ID, p.Label, ProviderName(p.ID))
	}
	for _, p := range s.Providers {
		if err := checkChoice("the provider "+quote(p.ID), "prompt", p.Prompts, prompts, p.Line); err != nil {
			return err
		}
	}
	for _, t := range append(slices.Clone(s.Tests), s.Default) {
		if err := inFile(t.file, cmp.Or(
			checkChoice("a test", "prompt", t.Prompts, prompts, t.line),
			checkChoice("a test", "provider", t.Providers, providers, t.line),
			checkPeers(t, peers),
		)); err != nil {
			return err
		}
	}
	return nil
}

// checkChoice refuses a name that matches no known one.
func checkChoice(what, kind string, wanted, known []string, line int) error {
	for _, name := range wanted {
		if !isInList([]string{name}, known...) {
			return unknownName(line, name, known, "%s is for the %s %s, which the suite does not have", what, kind,
				quote(name))
		}
	}
	return nil
}

// checkPeers refuses same-as with an unknown provider.
func checkPeers(t Test, known []string) error {
	for _, c := range t.written {
		name, ok := c.Value.(string)
		if ok && c.name() == "same-as" && !slices.Contains(known, name) &&
			!strings.Contains(name, "{{") {
			return unknownName(c.line, name, known, "%s names %s, which is no provider of the suite", c.Type,
				quote(name))
		}
	}
	return nil
}

// countUnused returns the number of tests of the suite without calls.
func countUnused(s Suite, calls []Call) int {
	withCalls := map[int]bool{}
	for _, c := range calls {
		withCalls[c.TestIndex] = true
	}
	return len(s.Tests) - len(withCalls)
}

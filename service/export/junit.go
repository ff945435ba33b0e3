package export

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/termtext"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the run as JUnit XML, with a suite for each prompt and a case for each answer. An inconclusive answer is
// an error: servers of continuous integration show skipped cases as success.
func JUnit(out io.Writer, run Run) error {
	all := junitSuites{Name: xmlText(run.title())}
	index := map[string]int{}
	times := []float64{}
	for _, c := range run.Cells {
		i, ok := index[c.Prompt]
		if !ok {
			i = len(all.Suites)
			index[c.Prompt] = i
			all.Suites, times = append(all.Suites, junitSuite{Name: xmlText(c.Prompt)}), append(times, 0)
		}
		s, seconds := &all.Suites[i], c.Answer.Elapsed.Seconds()
		times[i] += seconds
		test := junitCase{Name: xmlText(c.caseName()), ClassName: xmlText(c.modelName()),
			Time: fmt.Sprintf("%.3f", seconds), Output: xmlText(c.Answer.Text)}
		status := c.status()
		reasons := slices.DeleteFunc(append(c.problemLines(c.checkNames()), c.failure()),
			func(s string) bool { return s == "" })
		message := status.String()
		if verdict, why := status.Result(); why != "" {
			message = string(verdict) + ": " + string(why)
		}
		if len(reasons) > 0 { // servers list the message alone
			message = strings.TrimPrefix(message+": "+reasons[0], "failed: failed: ")
		}
		problem := &junitProblem{Message: xmlText(message), Type: string(status),
			Text: xmlText(strings.Join(reasons, "\n"))}
		switch status.Verdict() {
		case history.VerdictPassed:
		case history.VerdictFailed:
			test.Failure = problem
			s.Failures++
		default:
			test.Error = problem
			s.Errors++
		}
		s.Tests++
		s.Time, s.Cases = fmt.Sprintf("%.3f", times[i]), append(s.Cases, test)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// xmlText returns a text without escape sequences and control characters, which XML cannot hold.
func xmlText(s string) string { return strings.TrimSpace(termtext.Clean(validText(s))) }

// caseName names an answer within its prompt: its test, values and sample.
func (c Cell) caseName() string {
	words := []string{}
	if c.Description != "" {
		words = append(words, c.Description)
	}
	for _, name := range (Run{Cells: []Cell{c}}).variables() {
		words = append(words, name+"="+oneLine(c.Vars[name]))
	}
	words = append(words, c.modelName())
	if c.Answer.Sample > 1 {
		words = append(words, fmt.Sprintf("sample %d", c.Answer.Sample))
	}
	return strings.Join(words, ", ")
}

// problemLines returns a line for each check that did not pass, with its name, of all names, and its reason.
func (c Cell) problemLines(names []string) []string {
	var lines []string
	for i, line := range c.linesOfChecks(names) {
		if c.Checks[i].Verdict != history.CheckPassed {
			lines = append(lines, line)
		}
	}
	return lines
}

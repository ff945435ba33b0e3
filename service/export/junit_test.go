package export_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service/export"
)

// TestJUnitShowsNothingInconclusiveAsSuccess reads the file as a server would: only passed answers are neither a
// failure nor an error, and what XML cannot hold is left out.
func TestJUnitShowsNothingInconclusiveAsSuccess(t *testing.T) {
	cell := func(prompt string, state history.State, finish string, verdicts ...string) export.Cell {
		c := export.Cell{Prompt: prompt, Provider: "llm:alpha", Vars: map[string]string{"tone": "warm \x1b[31m<&"},
			Answer: history.Answer{Model: "alpha", Kind: history.KindText, State: state, Text: "a\x00<b>", Sample: 1,
				Elapsed: 1500 * time.Millisecond}}
		if finish != "" {
			c.Answer.Finish = "length"
		}
		for _, v := range verdicts {
			c.Checks = append(c.Checks, history.CheckResult{Name: "contains x", Verdict: v, Reason: "there is no x"})
		}
		return c
	}
	run := export.Run{ID: 7, Name: "tone", Cells: []export.Cell{
		cell("p", history.Done, "", "passed"), cell("p", history.Done, "", "failed"),
		cell("q", history.Done, "length", "passed"), cell("q", history.Done, "", "skipped"),
		cell("q", history.Done, ""), cell("q", history.Failed, ""), cell("q", history.Cancelled, "")}}
	var out strings.Builder
	if err := export.JUnit(&out, run); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
				Error *struct {
					Message string `xml:"message,attr"`
				} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	if len(got.Suites) != 2 || got.Suites[0].Failures != 1 || got.Suites[1].Errors != 5 || got.Suites[1].Tests != 5 {
		t.Fatalf("got %+v", got)
	}
	cases := append(got.Suites[0].Cases, got.Suites[1].Cases...)
	for i, want := range []string{"", "", "inconclusive: cut", "inconclusive: skipped", "inconclusive: unchecked",
		"inconclusive: error", "inconclusive: missing"} {
		c := cases[i]
		if (c.Error == nil) != (want == "") || c.Error != nil && !strings.HasPrefix(c.Error.Message, want) {
			t.Errorf("case %d is %+v, want the error %q", i+1, c, want)
		}
	}
	if f := cases[1].Failure; f == nil || f.Text != "failed: contains x (there is no x)" ||
		f.Message != "contains x (there is no x)" || cases[0].Failure != nil {
		t.Errorf("the failed case is %+v", cases[1])
	}
	out.Reset()
	if err := export.Markdown(&out, run, export.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| passed of judged | alpha |", "| p | 1 of 2, 50 % (9–91 %) |",
		"| q | 0 of 0, 1 unchecked, 3 inconclusive, 1 missing |",
		"| all prompts | 1 of 2, 50 % (9–91 %), 1 unchecked, 3 inconclusive, 1 missing |",
		"- **failed**: p, tone=warm", "- **inconclusive: cut**: q"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the Markdown lacks %q:\n%s", want, out.String())
		}
	}
}

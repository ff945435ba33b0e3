package suite

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"confab/internal/errtext"
	"confab/service/check"
	"confab/service/variable"
)

// csv reads cases: one a row, variables by the names in the first row,
// promptfoo's columns by theirs.
func (d *decoder) csv(text string) ([]Test, error) {
	in := csv.NewReader(strings.NewReader(text))
	rows, err := in.ReadAll()
	if err != nil {
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return nil, problem(bad.Line, "this is not CSV (%s)", bad.Err)
		}
		return nil, problem(0, "this is not CSV")
	}
	if len(rows) < 2 {
		return nil, problem(0, "there must be a row of names and a row of values at least")
	}
	head := rows[0]
	if len(head) > maxVars {
		return nil, problem(1, "there are more than %d columns", maxVars)
	}
	for i := range head {
		head[i] = strings.TrimSpace(head[i])
		if slices.Contains(head[:i], head[i]) {
			return nil, problem(1, "the column %s stands twice", quote(head[i]))
		}
		if err := d.column(head[i], head); err != nil {
			return nil, err
		}
	}
	// The reader gives the lines of fields only while it reads.
	in = csv.NewReader(strings.NewReader(text))
	var out []Test
	for n := 0; ; n++ {
		row, err := in.Read()
		if err != nil {
			return out, nil
		}
		if n == 0 {
			continue
		}
		line, _ := in.FieldPos(0)
		t, err := caseOf(head, row, line)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
}

// columns are promptfoo's that are applied, with what it may write at their ends.
func columns() []string {
	return []string{"__description", "__expected", "__metadata:", "__metric", "__prefix", "__providerOutput",
		"__suffix", "__threshold"}
}

// The names of columns that hold checks, and of those that hold their thresholds.
var (
	checkColumn     = regexp.MustCompile(`^__expected\d*$`)
	thresholdColumn = regexp.MustCompile(`^__config:(__expected\d*):threshold$`)
)

// column judges the name of a column: a variable's or one of promptfoo's. One that begins with __ and is neither is an
// error, because a misspelt __expected would leave out its checks.
func (d *decoder) column(name string, head []string) error {
	of := thresholdColumn.FindStringSubmatch(name)
	switch {
	case of != nil && of[1] != "__expected" &&
		!slices.ContainsFunc(head, func(h string) bool { return strings.TrimSpace(h) == of[1] }):
		return problem(1, "%s is for the column %s, which is not there", quote(name), quote(of[1]))
	case of != nil, checkColumn.MatchString(name), strings.HasPrefix(name, "__metadata:"):
	case name == "__threshold":
		d.note(1, "the column __threshold is not applied: every check counts")
	case name == "__providerOutput":
		d.note(1, "the column __providerOutput is not applied: the checks of its rows are skipped")
	case slices.Contains(columns(), name):
	case strings.HasPrefix(name, "__"):
		if near := errtext.Nearest(name, columns()); near != "" {
			return problem(1, "there is no column %s; did you mean %s?", quote(name), near)
		}
		return problem(1, "there is no column %s; only promptfoo's names begin with __", quote(name))
	case !variable.Valid(name):
		d.note(1, "the column "+quote(name)+" cannot be the name of a variable and is left out")
	}
	return nil
}

func caseOf(head, row []string, line int) (Test, error) {
	t := Test{Line: line}
	var columns []string // of t.Assert
	for i, column := range head {
		value, templates := row[i], ""
		switch {
		case column == "__description":
			t.Description = value
		case column == "__prefix":
			t.Prefix, templates = value, value
		case column == "__suffix":
			t.Suffix, templates = value, value
		case column == "__providerOutput":
			t.NotJudged = "the test has __providerOutput, which confab does not do"
		case strings.HasPrefix(column, "__metadata:"):
			if t.Metadata == nil {
				t.Metadata = map[string]any{}
			}
			t.Metadata[strings.TrimPrefix(column, "__metadata:")] = value
		case strings.HasPrefix(column, "__expected"):
			if strings.TrimSpace(value) != "" {
				a, err := expected(value)
				if err != nil {
					return t, problem(line, "%s", err)
				}
				if a.Line = line; !slices.Contains(check.Unsupported(), strings.TrimPrefix(a.Type, "not-")) {
					templates = value
				}
				t.Assert = append(t.Assert, a)
				columns = append(columns, column)
			}
		case strings.HasPrefix(column, "__"):
		case variable.Valid(column):
			if t.Vars = append(t.Vars, Var{Name: column, Values: []string{value}}); column == Reserved {
				templates = value
			}
		}
		if err := refuseTemplates(strings.ReplaceAll(templates, "\n", " "), line); err != nil {
			return t, err
		}
	}
	for i, column := range head {
		of := thresholdColumn.FindStringSubmatch(column)
		if of == nil || strings.TrimSpace(row[i]) == "" {
			continue
		}
		limit, err := strconv.ParseFloat(strings.TrimSpace(row[i]), 64)
		if err != nil || math.IsNaN(limit) || math.IsInf(limit, 0) || limit < 0 {
			return t, problem(line, "%s must be a number that is not negative", column)
		}
		for j := range t.Assert {
			if of[1] == columns[j] || of[1] == "__expected" {
				t.Assert[j].Threshold = &limit
			}
		}
	}
	return t, nil
}

// expectedForm is a check in an __expected column, such as "not-levenshtein(2): Hello".
var expectedForm = regexp.MustCompile(`^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$`)

// expected reads the assert of an __expected column: "contains: Hello", "levenshtein(2): Hello", or a text that must be
// equalled. A text that begins like a misspelt type is refused.
func expected(text string) (Assert, error) {
	for prefix, name := range map[string]string{"fn:": "javascript", "eval:": "javascript", "grade:": "llm-rubric"} {
		if value, ok := strings.CutPrefix(text, prefix); ok {
			return Assert{Type: name, Value: strings.TrimSpace(value)}, nil
		}
	}
	if runsCode(text) && strings.HasPrefix(text, fileScheme) {
		return Assert{Type: "javascript", Value: text}, nil
	}
	asserts, _ := check.Types()
	known := slices.Concat(asserts, check.Unsupported())
	m := expectedForm.FindStringSubmatch(text)
	if m == nil || !slices.Contains(known, m[2]) {
		if m != nil && (m[3] != "" || strings.Contains(text, ":")) {
			if near := errtext.Nearest(m[2], asserts); near != "" {
				return Assert{},
					fmt.Errorf("there is no check %s; write %s, or equals: before a text that begins so",
						quote(m[1]+m[2]), m[1]+near)
			}
		}
		return Assert{Type: "equals", Value: text}, nil
	}
	a := Assert{Type: m[1] + m[2]}
	if value := strings.TrimSpace(m[4]); value != "" {
		a.Value = value
	}
	if m[3] != "" {
		limit, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return a, fmt.Errorf("the number after %s is too large", a.Type)
		}
		a.Threshold = &limit
	}
	return a, nil
}

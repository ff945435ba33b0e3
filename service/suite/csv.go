package suite

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"confab/internal/termtext"
)

// csv reads a test from each row. The first row names variables and promptfoo's columns.
func (d *decoder) csv(text string) ([]Test, error) {
	in := csv.NewReader(strings.NewReader(text))
	var head []string
	var out []Test
	for {
		row, err := in.Read()
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			return nil, errorAt(bad.Line, "this is not CSV (%s)", bad.Err)
		case errors.Is(err, io.EOF) && len(out) == 0:
			return nil, errorAt(0, "there must be a row of names and a row of values at least")
		case err != nil:
			return out, nil
		case head == nil:
			if head, err = d.head(row); err != nil {
				return nil, err
			}
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

// head returns the names of the columns, or an error for an invalid one.
func (d *decoder) head(row []string) ([]string, error) {
	if len(row) > maxVars {
		return nil, errorAt(1, "there are more than %d columns", maxVars)
	}
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
		if slices.Contains(row[:i], row[i]) {
			return nil, errorAt(1, "the column %s stands twice", quote(row[i]))
		}
	}
	for _, name := range row {
		if err := d.column(name, row); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// The names of columns with checks, and of those with thresholds.
var (
	checkColumn = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^__expected\d*$`)
	})
	thresholdColumn = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^__config:(__expected\d*):threshold$`)
	})
)

// column checks the name of a column. An unknown name that begins with __ is an error, because a misspelt __expected
// would omit its checks.
func (d *decoder) column(name string, head []string) error {
	// promptfoo's columns that are applied, with possible suffixes.
	columns := []string{"__description", "__expected", "__metadata:", "__metric", "__prefix", "__providerOutput",
		"__suffix", "__threshold"}
	match := thresholdColumn().FindStringSubmatch(name)
	switch {
	case match != nil && match[1] != "__expected" && !slices.Contains(head, match[1]):
		return errorAt(1, "%s is for the column %s, which is not there", quote(name), quote(match[1]))
	case match != nil, checkColumn().MatchString(name), strings.HasPrefix(name, "__metadata:"):
	case name == "__threshold":
		d.note(1, "the column __threshold is not applied: every check counts")
	case name == "__providerOutput":
		d.note(1, "the column __providerOutput is not applied: the checks of its rows are skipped")
	case slices.Contains(columns, name):
	case strings.HasPrefix(name, "__"):
		if near := termtext.NearestName(name, columns); near != "" {
			return errorAt(1, "there is no column %s; did you mean %s?", quote(name), near)
		}
		return errorAt(1, "there is no column %s; only promptfoo's names begin with __", quote(name))
	case !isVariableName(name):
		d.note(1, "the column "+quote(name)+" cannot be the name of a variable and is left out")
	}
	return nil
}

func caseOf(head, row []string, line int) (Test, error) {
	t := Test{line: line}
	var columns []string // of t.written
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
			t.notJudged = "the test has __providerOutput, which confab does not do"
		case strings.HasPrefix(column, "__expected") && strings.TrimSpace(value) != "":
			spec, err := expected(value)
			if err != nil {
				return t, errorAt(line, "%s", err)
			}
			if !isForeignCheckType(spec.name()) {
				templates = value
			}
			spec.line = line
			t.written, columns = append(t.written, spec), append(columns, column)
		case !strings.HasPrefix(column, "__") && isVariableName(column):
			if t.Vars = append(t.Vars, Var{Name: column, Values: []string{value}}); column == systemVariable {
				templates = value
			}
		}
		if err := refuseTemplates(strings.ReplaceAll(templates, "\n", " "), line); err != nil {
			return t, err
		}
	}
	for i, column := range head {
		match := thresholdColumn().FindStringSubmatch(column)
		if match == nil || strings.TrimSpace(row[i]) == "" {
			continue
		}
		limit, err := strconv.ParseFloat(strings.TrimSpace(row[i]), 64)
		if err != nil || math.IsNaN(limit) || math.IsInf(limit, 0) || limit < 0 {
			return t, errorAt(line, "%s must be a number that is not negative", column)
		}
		for j := range t.written {
			if match[1] == columns[j] || match[1] == "__expected" {
				t.written[j].Threshold = &limit
			}
		}
	}
	return t, nil
}

// csvPrompts returns the columns prompt and label of a table, or its lines if it has none of that name.
func csvPrompts(text string) (prompts, labels []string, err error) {
	in := csv.NewReader(strings.NewReader(text))
	in.LazyQuotes, in.FieldsPerRecord = true, -1
	rows, err := in.ReadAll()
	if err != nil {
		return nil, nil, errorAt(0, "this is not CSV")
	}
	if len(rows) == 0 || !slices.Contains(rows[0], "prompt") {
		return strings.Split(text, "\n"), nil, nil
	}
	for _, row := range rows[1:] {
		row = append(row, make([]string, len(rows[0]))...) // a short row lacks its last cells
		prompts = append(prompts, row[slices.Index(rows[0], "prompt")])
		if label := slices.Index(rows[0], "label"); label >= 0 {
			labels = append(labels, row[label])
		}
	}
	return prompts, labels, nil
}

// expectedForm matches a check in an __expected column, such as "not-levenshtein(2): Hello".
var expectedForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$`)
})

// expected parses a check of an __expected column: "contains: Hello", "levenshtein(2): Hello", or a text to equal. It
// refuses a text that begins like a misspelt type.
func expected(text string) (checkSpec, error) {
	for prefix, name := range map[string]string{"fn:": "javascript", "eval:": "javascript", "grade:": "llm-rubric"} {
		if value, ok := strings.CutPrefix(text, prefix); ok {
			return checkSpec{Type: name, Value: strings.TrimSpace(value)}, nil
		}
	}
	if runsCode(text) && strings.HasPrefix(text, fileScheme) {
		return checkSpec{Type: "javascript", Value: text}, nil
	}
	equals := checkSpec{Type: "equals", Value: text}
	m := expectedForm().FindStringSubmatch(text)
	if m == nil {
		return equals, nil
	}
	not, name, threshold, value := m[1], m[2], m[3], strings.TrimSpace(m[4])
	if asserts, _ := CheckTypes(); !slices.Contains(asserts, name) && !isForeignCheckType(name) {
		near := termtext.NearestName(name, asserts)
		if near == "" || threshold == "" && !strings.Contains(text, ":") {
			return equals, nil
		}
		return equals, fmt.Errorf("there is no check %s; write %s, or equals: before a text that begins so",
			quote(not+name), not+near)
	}
	spec := checkSpec{Type: not + name}
	if value != "" {
		spec.Value = value
	}
	if threshold != "" {
		limit, err := strconv.ParseFloat(threshold, 64)
		if err != nil {
			return spec, fmt.Errorf("the number after %s is too large", spec.Type)
		}
		spec.Threshold = &limit
	}
	return spec, nil
}

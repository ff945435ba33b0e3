package suite

import (
	"encoding/csv"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"confab/service/check"
	"confab/service/variable"
)

// csv reads cases: one a row, variables by the names in the first row,
// promptfoo's columns by theirs.
func (r *reader) csv(text string) ([]Test, error) {
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
		switch {
		case known(head[i]) || variable.Valid(head[i]) && !strings.HasPrefix(head[i], "__"):
		case strings.HasPrefix(head[i], "__"):
			r.note(1, "the column "+quote(head[i])+" is not applied")
		default:
			r.note(1, "the column "+quote(head[i])+" cannot be the name of a variable and is left out")
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

// known tells whether a column is one of promptfoo's that are applied.
func known(column string) bool {
	return strings.HasPrefix(column, "__expected") || strings.HasPrefix(column, "__metadata:") ||
		strings.HasPrefix(column, "__config:__expected") && strings.HasSuffix(column, ":threshold") ||
		slices.Contains([]string{"__description", "__prefix", "__suffix", "__metric"}, column)
}

func caseOf(head, row []string, line int) (Test, error) {
	t := Test{Line: line}
	var columns []string // of t.Assert
	for i, column := range head {
		value := row[i]
		switch {
		case column == "__description":
			t.Description = value
		case column == "__prefix":
			t.Prefix = value
		case column == "__suffix":
			t.Suffix = value
		case strings.HasPrefix(column, "__metadata:"):
			if t.Metadata == nil {
				t.Metadata = map[string]any{}
			}
			t.Metadata[strings.TrimPrefix(column, "__metadata:")] = value
		case strings.HasPrefix(column, "__expected"):
			if strings.TrimSpace(value) != "" {
				a := expected(value)
				a.Line = line
				t.Assert = append(t.Assert, a)
				columns = append(columns, column)
			}
		case strings.HasPrefix(column, "__"):
		case variable.Valid(column):
			t.Vars = append(t.Vars, Var{Name: column, Values: []string{value}})
		}
	}
	for i, column := range head {
		of, ok := strings.CutPrefix(column, "__config:")
		of, isThreshold := strings.CutSuffix(of, ":threshold")
		if !ok || !isThreshold || strings.TrimSpace(row[i]) == "" {
			continue
		}
		limit, err := strconv.ParseFloat(strings.TrimSpace(row[i]), 64)
		if err != nil {
			return t, problem(line, "%s must be a number", column)
		}
		for j := range t.Assert {
			if of == columns[j] || of == "__expected" {
				t.Assert[j].Threshold = &limit
			}
		}
	}
	return t, nil
}

// others are promptfoo's types that are read in __expected columns and not
// judged.
func others() []string {
	return []string{
		"answer-relevance", "bleu", "classifier", "contains-html", "contains-sql", "contains-xml", "context-faithfulness",
		"context-recall", "context-relevance", "cost", "factuality", "finish-reason", "g-eval", "gleu", "guardrails", "is-html",
		"is-refusal", "is-sql", "is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml",
		"javascript", "llm-rubric", "meteor", "model-graded-closedqa", "model-graded-factuality", "moderation", "perplexity",
		"perplexity-score", "pi", "python", "rouge-n", "ruby", "similar", "webhook",
	}
}

func expectedForm() *regexp.Regexp {
	return regexp.MustCompile(`^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$`)
}

// expected reads the assert of an __expected column: "contains: Hello",
// "levenshtein(2): Hello", or a text that must be equalled.
func expected(text string) Assert {
	for prefix, name := range map[string]string{"fn:": "javascript", "eval:": "javascript", "grade:": "llm-rubric"} {
		if value, ok := strings.CutPrefix(text, prefix); ok {
			return Assert{Type: name, Value: strings.TrimSpace(value)}
		}
	}
	if runsCode(text) && strings.HasPrefix(text, fileScheme) {
		return Assert{Type: "javascript", Value: text}
	}
	asserts, _ := check.Types()
	m := expectedForm().FindStringSubmatch(text)
	if m == nil || !slices.Contains(asserts, m[2]) && !slices.Contains(others(), m[2]) {
		return Assert{Type: "equals", Value: text}
	}
	a := Assert{Type: m[1] + m[2]}
	if value := strings.TrimSpace(m[4]); value != "" {
		a.Value = value
	}
	if limit, err := strconv.ParseFloat(m[3], 64); err == nil {
		a.Threshold = &limit
	}
	return a
}

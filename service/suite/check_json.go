package suite

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// The bounds of looking for JSON in a text, in bytes: of one object, and of all that is read.
const (
	maxObject = 100_000
	maxSearch = 4 << 20
)

// isJSON checks that a whole text is JSON that matches the JSON Schema of the value, if any.
func isJSON(spec checkSpec) (judgeFunc, error) {
	schema, err := schemaOf(spec.Value)
	return func(ctx context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		v, err := decodeJSON(a.Text)
		switch {
		case err != nil:
			return checkOutcome{reason: "the text is not JSON"}
		case schema == nil:
			return checkOutcome{holds: true, reason: "the text is JSON"}
		}
		return schema.judge(ctx, v)
	}, err
}

// containsJSON finds an object in a text that matches the JSON Schema of the value, if any. As in promptfoo, an object
// may have comments, missing quotes and missing braces at its end.
func containsJSON(spec checkSpec) (judgeFunc, error) {
	schema, err := schemaOf(spec.Value)
	return func(ctx context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		found := checkOutcome{reason: "the text contains no JSON object"}
		isWhole := eachObject(ctx, a.Text, func(v any) bool {
			found = checkOutcome{holds: true, reason: "the text contains a JSON object"}
			if schema != nil {
				found = schema.judge(ctx, v)
			}
			return !found.holds && found.skip == ""
		})
		if !found.holds && !isWhole {
			return checkOutcome{skip: "the text has too many braces to look for JSON"}
		}
		return found
	}, err
}

// decodeJSON decodes JSON and keeps numbers as written.
func decodeJSON(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON")
	}
	return v, nil
}

// plainJSON converts numbers to float64; a number out of range becomes null.
func plainJSON(v any) any {
	var out any
	b, _ := json.Marshal(v) // decoded JSON marshals
	_ = json.Unmarshal(b, &out)
	return out
}

// eachObject calls do with the outermost objects of a text until it returns false. isWhole is false if it reached a
// bound.
func eachObject(ctx context.Context, text string, do func(any) bool) (isWhole bool) {
	budget := maxSearch
	for i := 0; i < len(text); i++ {
		if text[i] != '{' {
			continue
		}
		end, open := i, 0
		for ; end == i || end < min(i+maxObject, len(text)) && open > 0; end++ {
			switch text[end] {
			case '{':
				open++
			case '}':
				open--
			}
		}
		if budget -= end - i; budget < 0 || ctx.Err() != nil {
			return false
		}
		v, err := lenientObject(text[i:end] + strings.Repeat("}", open))
		switch {
		case err != nil:
			continue
		case !do(v):
			return true
		}
		i = end - 1
	}
	return true
}

// lenientObject decodes JSON, or YAML in braces with comments that begin with two slashes.
func lenientObject(text string) (any, error) {
	if v, err := decodeJSON(text); err == nil {
		return v, nil
	}
	var out strings.Builder
	isText := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"' && (i == 0 || text[i-1] != '\\'):
			isText = !isText
		case !isText && strings.HasPrefix(text[i:], "//") && text[i-1] != ':':
			out.WriteByte('#')
			i++
			continue
		}
		out.WriteByte(text[i])
	}
	root, err := parseYAML(out.String())
	if err != nil || root == nil {
		return nil, errors.New("no object")
	}
	return decodeValue(root, "an object")
}

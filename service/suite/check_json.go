package suite

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// maxSearch bounds the bytes that are read to find JSON in a text.
const maxSearch = 16 << 20

// isJSON checks that a whole text is JSON that matches the JSON Schema of the value, if any.
func isJSON(spec checkSpec) (judgeFunc, error) {
	schema, err := schemaOf(spec.Value)
	return textJudge(func(got string) checkOutcome {
		v, err := decodeJSON(got)
		switch {
		case err != nil:
			return checkOutcome{reason: "the text is not JSON"}
		case schema == nil:
			return checkOutcome{holds: true, reason: "the text is JSON"}
		}
		return schema.judge(v)
	}), err
}

// containsJSON finds a JSON object in a text that matches the JSON Schema of the value, if any. It requires strict
// JSON, while promptfoo accepts comments and missing braces.
func containsJSON(spec checkSpec) (judgeFunc, error) {
	schema, err := schemaOf(spec.Value)
	return func(ctx context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		found := checkOutcome{reason: "the text contains no JSON object"}
		isWhole := eachObject(ctx, a.Text, func(v any) bool {
			found = checkOutcome{holds: true, reason: "the text contains a JSON object"}
			if schema != nil {
				found = schema.judge(v)
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

// eachObject calls do with the outermost JSON objects of a text until it returns false. isWhole is false if it
// reached maxSearch.
func eachObject(ctx context.Context, text string, do func(any) bool) (isWhole bool) {
	for budget := maxSearch; budget >= 0 && ctx.Err() == nil; {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return true
		}
		text = text[start:]
		if next := strings.TrimLeft(text[1:min(len(text), 1<<10)], " \t\r\n"); next != "" && next[0] != '"' &&
			next[0] != '}' {
			text = text[1:] // no object begins here
			continue
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		err := d.Decode(&v)
		var syntax *json.SyntaxError
		switch {
		case err == nil && !do(v):
			return true
		case err == nil:
			budget -= int(d.InputOffset())
			text = text[d.InputOffset():]
		case errors.As(err, &syntax) && syntax.Offset > 0:
			budget -= int(syntax.Offset)
			text = text[1:]
		default:
			budget -= len(text)
			text = text[1:]
		}
	}
	return false
}

package suite

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// maxSearch bounds how many bytes are read while JSON is looked for in a text.
const maxSearch = 16 << 20

// jsonText judges is-json, the whole text, and contains-json, an object anywhere in it; both take a JSON Schema that
// the JSON must fit. JSON is taken strictly, while promptfoo forgives comments and missing braces in contains-json.
func jsonText(spec CheckSpec) (judgeFunc, error) {
	schema, err := schemaOf(spec.Value)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(spec.Type, "is-json") {
		return textJudge(func(got string) checkOutcome {
			v, err := decodeJSON(got)
			if err != nil {
				return checkOutcome{reason: "the text is not JSON"}
			}
			if schema == nil {
				return checkOutcome{holds: true, reason: "the text is JSON"}
			}
			return schema.judge(v)
		}), nil
	}
	return func(ctx context.Context, f AnswerInput, _ PeerFinder) checkOutcome {
		found := checkOutcome{reason: "the text contains no JSON object"}
		whole := objects(ctx, f.Text, func(v any) bool {
			if schema == nil {
				found = checkOutcome{holds: true, reason: "the text contains a JSON object"}
			} else {
				found = schema.judge(v)
			}
			return !found.holds && found.skip == ""
		})
		if !found.holds && !whole {
			return checkOutcome{skip: "the text has too many braces to look for JSON"}
		}
		return found
	}, nil
}

// decodeJSON returns what a text means as JSON, with numbers as written.
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

// objects hands the outermost JSON objects of a text to do, until it returns
// false. It returns false when it gave up before the end.
func objects(ctx context.Context, text string, do func(any) bool) (whole bool) {
	budget := maxSearch
	for {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return true
		}
		text = text[start:]
		if next := strings.TrimLeft(text[1:min(len(text), 1<<10)], " \t\r\n"); next != "" && next[0] != '"' &&
			next[0] != '}' {
			text = text[1:] // no object begins like this
			continue
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err == nil {
			if !do(v) {
				return true
			}
			read := int(d.InputOffset())
			budget -= read
			text = text[read:]
		} else {
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) && syntax.Offset > 0 {
				budget -= int(syntax.Offset)
			} else {
				budget -= len(text)
			}
			text = text[1:]
		}
		if budget < 0 || ctx.Err() != nil {
			return false
		}
	}
}

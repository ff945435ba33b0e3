package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"confab/internal/javascript"
)

// The bounds of one judgement: how often a part of the schema is applied to a part of the value, and how deeply parts
// are nested that apply to the same part of the value.
const (
	maxSchemaSteps = 50_000
	maxSchemaDepth = 1000
)

// schemaRun is one judgement.
type schemaRun struct {
	ctx            context.Context
	hasUnevaluated bool
	steps, depth   int
	stopped        string // why it cannot be judged
}

// mismatch says where a value does not fit and why.
type mismatch struct{ at, why string }

func (m *mismatch) Error() string {
	if m.at == "" {
		return m.why
	}
	return "at " + m.at + ": " + m.why
}

func misfit(format string, args ...any) error { return &mismatch{why: fmt.Sprintf(format, args...)} }

// evaluated holds the names of properties and the numbers of items that a schema has judged.
type evaluated map[any]bool

// judge reports whether a value fits.
func (s *schema) judge(ctx context.Context, v any) checkOutcome {
	run := &schemaRun{ctx: ctx, hasUnevaluated: s.hasUnevaluated}
	_, err := run.fits(s.root, v)
	switch {
	case run.stopped != "":
		return checkOutcome{skip: run.stopped}
	case err != nil:
		return checkOutcome{reason: "the JSON does not fit the schema (" + schemaMessage(err) + ")"}
	}
	return checkOutcome{holds: true, reason: "the JSON fits the schema"}
}

// stop ends the judgement. All that is still to be judged does not fit, and the verdict is not used.
func (r *schemaRun) stop(why string) error {
	if r.stopped == "" {
		r.stopped = why
	}
	return misfit("%s", r.stopped)
}

// step counts a step.
func (r *schemaRun) step() error {
	if r.steps++; r.steps > maxSchemaSteps || r.ctx.Err() != nil {
		return r.stop("the schema takes too long to judge")
	}
	if r.stopped != "" {
		return r.stop("")
	}
	return nil
}

// fits returns what of a value a schema has judged, or why the value does not fit.
func (r *schemaRun) fits(part, v any) (evaluated, error) {
	if err := r.step(); err != nil {
		return nil, err
	}
	if part == false {
		return nil, misfit("nothing is allowed here")
	}
	seen := evaluated{}
	object, _ := part.(map[string]any)
	for _, fits := range []func(map[string]any, any, evaluated) error{
		r.fitsValue, r.fitsNumber, r.fitsText, r.fitsArray, r.fitsObject, r.fitsBranches, r.fitsRest} {
		if err := fits(object, v, seen); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// fitsHere applies a schema to the same value.
func (r *schemaRun) fitsHere(part, v any, seen evaluated) error {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxSchemaDepth {
		return r.stop("the schema refers to itself in a circle")
	}
	more, err := r.fits(part, v)
	maps.Copy(seen, more)
	return err
}

// fitsWithin applies a schema to a property or an item.
func (r *schemaRun) fitsWithin(part, v, name any, seen evaluated) error {
	depth := r.depth
	r.depth = 0
	defer func() { r.depth = depth }()
	_, err := r.fits(part, v)
	if m, ok := err.(*mismatch); ok {
		m.at = pointer("", fmt.Sprint(name)) + m.at
	}
	if r.hasUnevaluated {
		seen[name] = true
	}
	return err
}

func (r *schemaRun) fitsValue(object map[string]any, v any, _ evaluated) error {
	if wanted, ok := object["type"]; ok {
		names, isList := wanted.([]any)
		if !isList {
			names = []any{wanted}
		}
		n, isNumber := exactNumber(v)
		isWhole := isNumber && n.IsInt()
		if !slices.Contains(names, any(jsonType(v))) && !(isWhole && slices.Contains(names, any("integer"))) {
			return misfit("got %s, want %s", jsonType(v), strings.Trim(fmt.Sprint(names), "[]"))
		}
	}
	if wanted, ok := object["const"]; ok && canonicalJSON(wanted) != canonicalJSON(v) {
		return misfit("this is not the value of const")
	}
	if values, ok := object["enum"].([]any); ok {
		written := canonicalJSON(v)
		if !slices.ContainsFunc(values, func(value any) bool { return canonicalJSON(value) == written }) {
			return misfit("this is not a value of enum")
		}
	}
	return nil
}

func (r *schemaRun) fitsNumber(object map[string]any, v any, _ evaluated) error {
	if jsonType(v) != "number" {
		return nil
	}
	n, isExact := exactNumber(v)
	for _, keyword := range []string{"maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "multipleOf"} {
		bound, hasBound := exactNumber(object[keyword])
		if !hasBound {
			continue
		}
		if !isExact {
			return r.stop("the JSON has a number that is too large to judge")
		}
		order, holds := n.Cmp(bound), false
		switch keyword {
		case "maximum":
			holds = order <= 0
		case "exclusiveMaximum":
			holds = order < 0
		case "minimum":
			holds = order >= 0
		case "exclusiveMinimum":
			holds = order > 0
		case "multipleOf":
			holds = new(big.Rat).Quo(n, bound).IsInt()
		}
		if !holds {
			return misfit("%s: got %v, want %v", keyword, v, object[keyword])
		}
	}
	if name, _ := object["format"].(string); !schemaFormats()[name].fitsNumber(n, isExact) {
		return misfit("%v is not of the format %s", v, name)
	}
	return nil
}

func (r *schemaRun) fitsText(object map[string]any, v any, _ evaluated) error {
	text, isText := v.(string)
	if !isText {
		return nil
	}
	if err := fitsCount(object, "Length", utf8.RuneCountInString(text)); err != nil {
		return err
	}
	if source, ok := object["pattern"].(string); ok {
		if holds, err := r.matches(source, text); err != nil || !holds {
			return cmp.Or(err, misfit("the text does not match %s", quoted(source)))
		}
	}
	if name, _ := object["format"].(string); !schemaFormats()[name].fitsText(text) {
		return misfit("%s is not of the format %s", quoted(text), name)
	}
	return nil
}

// matches reports whether an expression of the schema matches a part of a text.
func (r *schemaRun) matches(source, text string) (bool, error) {
	holds, err := javascript.MatchRegexp(r.ctx, source, "u", text)
	if err != nil {
		return false, r.stop("the schema takes too long to judge")
	}
	return holds, nil
}

func (r *schemaRun) fitsArray(object map[string]any, v any, seen evaluated) error {
	items, isArray := v.([]any)
	if !isArray {
		return nil
	}
	if err := fitsCount(object, "Items", len(items)); err != nil {
		return err
	}
	if object["uniqueItems"] == true {
		found := map[string]bool{}
		for _, item := range items {
			found[canonicalJSON(item)] = true
		}
		if len(found) < len(items) {
			return misfit("an item is there twice")
		}
	}
	first, _ := object["prefixItems"].([]any)
	rest, hasRest := object["items"]
	if list, isList := rest.([]any); isList { // as before draft 2020-12
		first = list
		rest, hasRest = object["additionalItems"]
	}
	for i, item := range items {
		switch {
		case i < len(first):
			if err := r.fitsWithin(first[i], item, i, seen); err != nil {
				return err
			}
		case hasRest:
			if err := r.fitsWithin(rest, item, i, seen); err != nil {
				return err
			}
		}
	}
	return r.fitsContains(object, items, seen)
}

func (r *schemaRun) fitsContains(object map[string]any, items []any, seen evaluated) error {
	part, ok := object["contains"]
	if !ok {
		return nil
	}
	found := 0
	for i, item := range items {
		within := evaluated{}
		if r.fitsWithin(part, item, i, within) == nil {
			found++
			maps.Copy(seen, within)
		}
	}
	if _, ok := object["minContains"]; !ok && found == 0 {
		return misfit("no item fits contains")
	}
	return fitsCount(object, "Contains", found)
}

// fitsCount checks a number against the keywords that begin with min and max.
func fitsCount(object map[string]any, of string, n int) error {
	count := new(big.Rat).SetInt64(int64(n))
	if bound, ok := exactNumber(object["min"+of]); ok && count.Cmp(bound) < 0 {
		return misfit("min%s: got %d, want %s", of, n, bound.RatString())
	}
	if bound, ok := exactNumber(object["max"+of]); ok && count.Cmp(bound) > 0 {
		return misfit("max%s: got %d, want %s", of, n, bound.RatString())
	}
	return nil
}

// jsonType returns the name that JSON Schema has for the type of a decoded value.
func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// exactNumber returns a decoded number without rounding. It is false for other values, and for numbers of more than
// a thousand digits.
func exactNumber(v any) (*big.Rat, bool) {
	if jsonType(v) != "number" {
		return nil, false
	}
	text := fmt.Sprint(v)
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > 1000 || len(strings.Trim(exponent, "+-")) > 3 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// canonicalJSON returns a text that is the same for values that JSON Schema calls equal.
func canonicalJSON(v any) string {
	switch v := v.(type) {
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i] = canonicalJSON(v[i])
		}
		return "[" + strings.Join(texts, ",") + "]"
	case map[string]any:
		var texts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			texts = append(texts, canonicalJSON(name)+":"+canonicalJSON(v[name]))
		}
		return "{" + strings.Join(texts, ",") + "}"
	}
	if n, ok := exactNumber(v); ok {
		return n.RatString()
	}
	text, _ := json.Marshal(v) // decoded JSON marshals
	return string(text)
}

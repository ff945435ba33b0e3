package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"confab/internal/errtext"
)

// schema is a JSON Schema made ready, of draft 7 or 2020-12. References go to
// a place inside it only ("#/$defs/…"); "format" is not judged by the library,
// so that JSON which fits everything else is skipped, not passed.
type schema struct {
	compiled  *jsonschema.Resolved
	hasFormat bool
}

// draft7 is the draft of a schema that does not name one, as in promptfoo.
const draft7 = "http://json-schema.org/draft-07/schema#"

// schemaOf compiles the schema of a check; nil when it has none.
func schemaOf(name string, value any) (*schema, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case string:
		if strings.TrimSpace(v) == "" {
			return nil, fmt.Errorf("%s has an empty value; leave the value out to take any JSON", name)
		}
		decoded, err := decode(v)
		if err != nil {
			return nil, fmt.Errorf("%s has a value that is not a JSON Schema", name)
		}
		value = decoded
	}
	switch value.(type) {
	case map[string]any, bool:
	default:
		return nil, fmt.Errorf("%s has a value that is not a JSON Schema", name)
	}
	s, err := compileSchema(value)
	if err != nil {
		return nil, fmt.Errorf("%s has a schema that does not compile (%s)", name, line(err))
	}
	return s, nil
}

func compileSchema(value any) (s *schema, err error) {
	walker := schemaWalker{root: value}
	if err := walker.walk(value, 0); err != nil {
		return nil, err
	}
	if err := walker.refuseCircles(value); err != nil {
		return nil, err
	}
	if object, ok := value.(map[string]any); ok && object["$schema"] == nil {
		object = maps.Clone(object)
		object["$schema"] = draft7
		value = object
	}
	b, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	// The library asserts what it takes for granted by panics.
	defer func() {
		if recover() != nil {
			s, err = nil, errors.New("it is not understood")
		}
	}()
	var raw jsonschema.Schema
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, err
	}
	compiled, err := raw.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return &schema{compiled: compiled, hasFormat: walker.hasFormat}, nil
}

// judge tells whether a value fits.
func (s *schema) judge(v any) (o outcome) {
	defer func() {
		if recover() != nil {
			o = outcome{skip: "the schema cannot be judged"}
		}
	}()
	switch err := s.compiled.Validate(plain(v)); {
	case err != nil:
		return outcome{reason: "the JSON does not fit the schema (" + line(err) + ")"}
	case s.hasFormat:
		return outcome{skip: "the JSON fits the schema, but its format is not judged"}
	}
	return outcome{holds: true, reason: "the JSON fits the schema"}
}

// plain returns a decoded value with numbers as the library takes them.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Float64(); err == nil {
			return n
		}
		return v.String()
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = plain(v[key])
		}
		return out
	}
	return v
}

// schemaWalker looks through a schema for what the library would not refuse.
type schemaWalker struct {
	root      any
	hasFormat bool
}

// maxSchemaDepth is how deep schemas may stand in each other.
const maxSchemaDepth = 50

func (s *schemaWalker) walk(value any, depth int) error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if depth > maxSchemaDepth {
		return errors.New("it is too deep")
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		v := object[key]
		switch key {
		case "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor":
			return fmt.Errorf("%s is not supported", key)
		case "$id", "id":
			if _, isText := v.(string); isText && depth > 0 {
				return errors.New("a name inside it is not supported")
			}
		case "$ref":
			if err := s.checkReference(v); err != nil {
				return err
			}
		case "format":
			s.hasFormat = true
		case "type":
			if err := checkTypes(v); err != nil {
				return err
			}
		default:
			if err := checkKeyword(key); err != nil {
				return err
			}
		}
	}
	for _, child := range children(object, true) {
		if err := s.walk(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkReference refuses a $ref that names no place inside the schema.
func (s *schemaWalker) checkReference(v any) error {
	if _, ok := s.find(v); ok {
		return nil
	}
	ref, ok := v.(string)
	switch {
	case !ok:
		return fmt.Errorf("the value of $ref is %s and must be a text", short(v))
	case strings.HasPrefix(ref, "#"):
		return fmt.Errorf("$ref names %s, and the schema has no such place", quoted(ref))
	}
	return fmt.Errorf("$ref names %s, and confab follows references inside the schema only, such as #/$defs/name",
		quoted(ref))
}

// checkKeyword refuses a keyword that JSON Schema does not have: a misspelt one would restrict nothing. Own keywords
// begin with x-.
func checkKeyword(key string) error {
	known := []string{
		"$schema", "$id", "id", "$ref", "$defs", "$comment", "$vocabulary", "definitions", "type", "enum", "const",
		"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
		"format", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties",
		"required", "dependentRequired", "dependentSchemas", "dependencies", "items", "prefixItems", "additionalItems",
		"contains", "properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "title", "description",
		"default", "deprecated", "readOnly", "writeOnly", "examples", "contentEncoding", "contentMediaType",
		"contentSchema",
	}
	if slices.Contains(known, key) || strings.HasPrefix(key, "x-") {
		return nil
	}
	if near := errtext.Nearest(key, known); near != "" {
		return fmt.Errorf("JSON Schema has no keyword %s; did you mean %s?", quoted(key), near)
	}
	return fmt.Errorf("JSON Schema has no keyword %s", quoted(key))
}

func checkTypes(v any) error {
	known := []string{"string", "number", "integer", "boolean", "object", "array", "null"}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, item := range list {
		if name, ok := item.(string); !ok || !slices.Contains(known, name) {
			return fmt.Errorf("there is no type %s", short(item))
		}
	}
	return nil
}

// children returns the schemas inside one; without below, only those that are
// applied to the same value and not to a part of it.
func children(object map[string]any, below bool) []any {
	single := []string{"not", "if", "then", "else"}
	lists := []string{"allOf", "anyOf", "oneOf"}
	named := []string{"dependentSchemas", "dependencies"}
	if below {
		single = append(single, "items", "additionalItems", "additionalProperties", "contains", "propertyNames",
			"unevaluatedItems", "unevaluatedProperties", "contentSchema")
		lists = append(lists, "prefixItems", "items")
		named = append(named, "properties", "patternProperties", "$defs", "definitions")
	}
	var out []any
	for _, key := range single {
		if v, ok := object[key].(map[string]any); ok {
			out = append(out, v)
		}
	}
	for _, key := range lists {
		if v, ok := object[key].([]any); ok {
			out = append(out, v...)
		}
	}
	for _, key := range named {
		if v, ok := object[key].(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(v)) {
				out = append(out, v[name])
			}
		}
	}
	return out
}

// find returns the schema a reference names: "#" or "#/a/b".
func (s *schemaWalker) find(ref any) (any, bool) {
	name, ok := ref.(string)
	if !ok {
		return nil, false
	}
	name, ok = strings.CutPrefix(name, "#")
	at := s.root
	if !ok || name == "" {
		return at, ok
	}
	for i, step := range strings.Split(name, "/") {
		if i == 0 {
			if step != "" {
				return nil, false
			}
			continue
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		object, isObject := at.(map[string]any)
		if !isObject {
			return nil, false
		}
		if at, ok = object[step]; !ok {
			return nil, false
		}
	}
	return at, true
}

// refuseCircles refuses references that lead back to themselves without going into
// the value: the library would follow them until the program ends.
func (s *schemaWalker) refuseCircles(root any) error {
	const open, sound = false, true
	state := map[string]bool{}
	var follow func(v any) error
	follow = func(v any) error {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		if ref, ok := object["$ref"].(string); ok {
			switch done, known := state[ref]; {
			case known && !done:
				return errors.New("it refers to itself in a circle")
			case !known:
				state[ref] = open
				target, _ := s.find(ref)
				if err := follow(target); err != nil {
					return err
				}
				state[ref] = sound
			}
		}
		for _, child := range children(object, false) {
			if err := follow(child); err != nil {
				return err
			}
		}
		return nil
	}
	var all func(v any) error
	all = func(v any) error {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		if err := follow(object); err != nil {
			return err
		}
		for _, child := range children(object, true) {
			if err := all(child); err != nil {
				return err
			}
		}
		return nil
	}
	return all(root)
}

// line returns a message about a schema in one line, cut.
func line(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

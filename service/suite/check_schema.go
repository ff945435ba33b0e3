package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"confab/internal/termtext"
)

// schema is a JSON Schema made ready, of draft 7 or 2020-12. References go to a place inside it only ("#/$defs/…");
// "format" is not judged by the library, so that JSON which fits everything else is skipped, not passed.
type schema struct {
	compiled  *jsonschema.Resolved
	hasFormat bool
}

// draft7 is the draft of a schema that does not name one, as in promptfoo.
const draft7 = "http://json-schema.org/draft-07/schema#"

// schemaOf compiles the schema of a check; nil when it has none.
func schemaOf(value any) (*schema, error) {
	if value == nil {
		return nil, nil
	}
	if written, ok := value.(string); ok {
		if strings.TrimSpace(written) == "" {
			return nil, errors.New("has an empty value; leave the value out to take any JSON")
		}
		value, _ = decodeJSON(written)
	}
	switch value.(type) {
	case map[string]any, bool:
	default:
		return nil, errors.New("has a value that is not a JSON Schema")
	}
	s, err := compileSchema(value)
	if err != nil {
		return nil, fmt.Errorf("has a schema that does not compile (%s)", schemaMessage(err))
	}
	return s, nil
}

func compileSchema(value any) (s *schema, err error) {
	walker := schemaWalker{root: value, isSound: map[string]bool{}}
	if err := walker.walk(value, 0); err != nil {
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
func (s *schema) judge(v any) (o checkOutcome) {
	defer func() {
		if recover() != nil {
			o = checkOutcome{skip: "the schema cannot be judged"}
		}
	}()
	switch err := s.compiled.Validate(plainJSON(v)); {
	case err != nil:
		return checkOutcome{reason: "the JSON does not fit the schema (" + schemaMessage(err) + ")"}
	case s.hasFormat:
		return checkOutcome{skip: "the JSON fits the schema, but its format is not judged"}
	}
	return checkOutcome{holds: true, reason: "the JSON fits the schema"}
}

// plainJSON returns a decoded value with numbers as the library takes them.
func plainJSON(v any) any {
	var out any
	b, _ := json.Marshal(v)     // what was decoded always marshals
	_ = json.Unmarshal(b, &out) // a number that no float holds becomes null
	return out
}

// schemaWalker looks through a schema for what the library would not refuse.
type schemaWalker struct {
	root      any
	hasFormat bool
	isSound   map[string]bool // references that were followed: false while their circle may still close
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
		if err := s.checkKeyword(key, object[key], depth); err != nil {
			return err
		}
	}
	if err := s.follow(object); err != nil {
		return err
	}
	for _, child := range append(sameSubschemas(object), partSubschemas(object)...) {
		if err := s.walk(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkKeyword refuses a keyword that JSON Schema does not have: a misspelt one would restrict nothing. Own keywords
// begin with x-.
func (s *schemaWalker) checkKeyword(key string, v any, depth int) error {
	switch key {
	case "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor":
		return fmt.Errorf("%s is not supported", key)
	case "$id", "id":
		if _, isText := v.(string); isText && depth > 0 {
			return errors.New("a name inside it is not supported")
		}
	case "$ref":
		return s.checkReference(v)
	case "format":
		s.hasFormat = true
	case "type":
		return checkTypes(v)
	}
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
	if near := termtext.NearestName(key, known); near != "" {
		return fmt.Errorf("JSON Schema has no keyword %s; did you mean %s?", quoted(key), near)
	}
	return fmt.Errorf("JSON Schema has no keyword %s", quoted(key))
}

// checkReference refuses a $ref that names no place inside the schema.
func (s *schemaWalker) checkReference(v any) error {
	ref, isText := v.(string)
	_, isFound := s.find(ref)
	switch {
	case !isText:
		return fmt.Errorf("the value of $ref is %s and must be a text", shortValue(v))
	case isFound:
		return nil
	case strings.HasPrefix(ref, "#"):
		return fmt.Errorf("$ref names %s, and the schema has no such place", quoted(ref))
	}
	return fmt.Errorf("$ref names %s, and confab follows references inside the schema only, such as #/$defs/name",
		quoted(ref))
}

func checkTypes(v any) error {
	known := []string{"string", "number", "integer", "boolean", "object", "array", "null"}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, item := range list {
		if name, ok := item.(string); !ok || !slices.Contains(known, name) {
			return fmt.Errorf("there is no type %s", shortValue(item))
		}
	}
	return nil
}

// sameSubschemas returns the schemas inside one that are applied to the same value.
func sameSubschemas(object map[string]any) []any {
	return subschemas(object, []string{"not", "if", "then", "else", "allOf", "anyOf", "oneOf"},
		[]string{"dependentSchemas", "dependencies"})
}

// partSubschemas returns the schemas inside one that are applied to a part of the value, or by reference.
func partSubschemas(object map[string]any) []any {
	return subschemas(object, []string{"items", "additionalItems", "additionalProperties", "contains", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties", "contentSchema", "prefixItems"},
		[]string{"properties", "patternProperties", "$defs", "definitions"})
}

// subschemas returns the schemas of some keywords: those that hold one or a list, and those that hold them by names.
func subschemas(object map[string]any, keywords, named []string) []any {
	var out []any
	for _, key := range keywords {
		if list, ok := object[key].([]any); ok {
			out = append(out, list...)
		} else {
			out = append(out, object[key])
		}
	}
	for _, key := range named {
		schemas, _ := object[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(schemas)) {
			out = append(out, schemas[name])
		}
	}
	return out
}

// find returns the schema a reference names: "#" or "#/a/b".
func (s *schemaWalker) find(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil, false
	}
	at := s.root
	for _, step := range strings.Split(path, "/")[1:] {
		object, _ := at.(map[string]any)
		if at, ok = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]; !ok {
			return nil, false
		}
	}
	return at, true
}

// follow refuses references that lead back to themselves without going into the value: the library would follow them
// until the program ends.
func (s *schemaWalker) follow(v any) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	if ref, ok := object["$ref"].(string); ok {
		switch isSound, isKnown := s.isSound[ref]; {
		case isKnown && !isSound:
			return errors.New("it refers to itself in a circle")
		case !isKnown:
			s.isSound[ref] = false
			target, _ := s.find(ref)
			if err := s.follow(target); err != nil {
				return err
			}
			s.isSound[ref] = true
		}
	}
	for _, child := range sameSubschemas(object) {
		if err := s.follow(child); err != nil {
			return err
		}
	}
	return nil
}

// schemaMessage returns a message about a schema in one line, cut.
func schemaMessage(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

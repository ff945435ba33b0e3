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

// schema is a compiled JSON Schema of draft 7 or 2020-12. Its references stay within it ("#/$defs/…"). The library
// does not judge "format", so JSON that matches everything else is skipped, not passed.
type schema struct {
	compiled  *jsonschema.Resolved
	hasFormat bool
}

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
	walker := schemaWalker{root: value, keywords: schemaKeywords(), isSound: map[string]bool{}}
	if err := walker.walk(value, 0); err != nil {
		return nil, err
	}
	if object, ok := value.(map[string]any); ok && object["$schema"] == nil {
		object = maps.Clone(object)
		object["$schema"] = "http://json-schema.org/draft-07/schema#" // as in promptfoo
		value = object
	}
	// The library panics on some invalid schemas.
	defer func() {
		if recover() != nil {
			s, err = nil, errors.New("it is not understood")
		}
	}()
	b, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var raw jsonschema.Schema
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, err
	}
	compiled, err := raw.Resolve(nil)
	return &schema{compiled: compiled, hasFormat: walker.hasFormat}, err
}

// judge reports whether a value fits.
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

// keywordKind is the kind of value of a JSON Schema keyword.
type keywordKind int

const (
	holdsValue   keywordKind = iota
	holdsSame                // schemas for the same value
	holdsParts               // schemas for parts of the value
	holdsNamed               // schemas for parts of the value, by names
	isRefused                // a keyword that confab does not support
	holdsSameMap             // schemas for the same value, by names
)

func schemaKeywords() map[string]keywordKind {
	all := map[string]keywordKind{}
	for kind, names := range map[keywordKind]string{
		holdsValue: "$schema $id id $ref $comment $vocabulary type enum const multipleOf maximum exclusiveMaximum " +
			"minimum exclusiveMinimum maxLength minLength pattern format maxItems minItems uniqueItems maxContains " +
			"minContains maxProperties minProperties required dependentRequired title description default " +
			"deprecated readOnly writeOnly examples contentEncoding contentMediaType",
		holdsSame:    "not if then else allOf anyOf oneOf",
		holdsSameMap: "dependentSchemas dependencies",
		holdsParts: "items additionalItems additionalProperties contains propertyNames unevaluatedItems " +
			"unevaluatedProperties contentSchema prefixItems",
		holdsNamed: "properties patternProperties $defs definitions",
		isRefused:  "$dynamicRef $recursiveRef $anchor $dynamicAnchor",
	} {
		for _, name := range strings.Fields(names) {
			all[name] = kind
		}
	}
	return all
}

// schemaWalker finds errors in a schema that the library accepts.
type schemaWalker struct {
	root      any
	keywords  map[string]keywordKind
	hasFormat bool
	isSound   map[string]bool // followed references; false while a cycle is possible
}

// maxSchemaDepth bounds the nesting of schemas.
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
	for _, child := range s.subschemas(object, holdsSame, holdsSameMap, holdsParts, holdsNamed) {
		if err := s.walk(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkKeyword refuses unknown keywords: a misspelt one would restrict nothing. Extensions begin with x-.
func (s *schemaWalker) checkKeyword(key string, v any, depth int) error {
	kind, isKnown := s.keywords[key]
	_, isText := v.(string)
	switch {
	case kind == isRefused:
		return fmt.Errorf("%s is not supported", key)
	case (key == "$id" || key == "id") && isText && depth > 0:
		return errors.New("a name inside it is not supported")
	case key == "$ref":
		return s.checkReference(v)
	case key == "type":
		return checkJSONTypes(v)
	case isKnown || strings.HasPrefix(key, "x-"):
		s.hasFormat = s.hasFormat || key == "format"
		return nil
	}
	if near := termtext.NearestName(key, slices.Sorted(maps.Keys(s.keywords))); near != "" {
		return fmt.Errorf("JSON Schema has no keyword %s; did you mean %s?", quoted(key), near)
	}
	return fmt.Errorf("JSON Schema has no keyword %s", quoted(key))
}

// checkReference refuses a $ref to a location that does not exist in the schema.
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

func checkJSONTypes(v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, item := range list {
		switch item {
		case "string", "number", "integer", "boolean", "object", "array", "null":
		default:
			return fmt.Errorf("there is no type %s", shortValue(item))
		}
	}
	return nil
}

// subschemas returns the schemas in the keywords of the given kinds.
func (s *schemaWalker) subschemas(object map[string]any, kinds ...keywordKind) (out []any) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		kind := s.keywords[key]
		if !slices.Contains(kinds, kind) {
			continue
		}
		named, _ := object[key].(map[string]any)
		list, isList := object[key].([]any)
		switch {
		case kind == holdsNamed || kind == holdsSameMap:
			for _, name := range slices.Sorted(maps.Keys(named)) {
				out = append(out, named[name])
			}
		case isList:
			out = append(out, list...)
		default:
			out = append(out, object[key])
		}
	}
	return out
}

// find returns the schema at a reference "#" or "#/a/b".
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

// follow refuses cycles of references that do not descend into the value, which the library would follow forever.
func (s *schemaWalker) follow(v any) error {
	object, _ := v.(map[string]any)
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
	for _, child := range s.subschemas(object, holdsSame, holdsSameMap) {
		if err := s.follow(child); err != nil {
			return err
		}
	}
	return nil
}

// schemaMessage returns the beginning of a schema error on one line.
func schemaMessage(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

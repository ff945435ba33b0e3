package suite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"confab/internal/javascript"
	"confab/internal/termtext"
)

// schema is a JSON Schema of draft 7, or of the draft that its $schema names. References stay within it, and keywords
// beside one count, as in promptfoo.
type schema struct{ value any }

// schemaOf returns the schema of a check; nil when it has none.
func schemaOf(value any) (*schema, error) {
	if value == nil {
		return nil, nil
	}
	if written, ok := value.(string); ok {
		if strings.TrimSpace(written) == "" {
			return nil, errors.New("has an empty value; leave the value out to take any JSON")
		}
		root, err := parseYAML(written)
		if err == nil && root != nil {
			value, err = decodeValue(root, "a schema")
		}
		if err != nil {
			return nil, fmt.Errorf("has a schema that is neither JSON nor YAML (%s)", schemaMessage(err))
		}
	}
	switch value.(type) {
	case map[string]any, bool:
	default:
		return nil, errors.New("has a value that is not a JSON Schema")
	}
	if object, ok := value.(map[string]any); ok && strings.Contains(fmt.Sprint(object["$schema"]), "/draft-07/") {
		object = maps.Clone(object)
		delete(object, "$schema")
		value = object
	}
	s := &schema{value: withNull(value)}
	if _, err := s.compile(&schemaRun{}); err != nil {
		return nil, fmt.Errorf("has a schema that does not compile (%s)", schemaMessage(err))
	}
	return s, nil
}

// withNull returns a schema with null added to the types of its nullable parts, as OpenAPI has it.
func withNull(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withNull(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name := range v {
			out[name] = withNull(v[name])
		}
		if name, ok := v["type"].(string); ok && v["nullable"] == true {
			delete(out, "nullable")
			out["type"] = []any{name, "null"}
		}
		return out
	}
	return value
}

// compile compiles the schema for one judgement.
func (s *schema) compile(run *schemaRun) (*jsonschema.Schema, error) {
	const location = "schema:check"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2019) // draft 7 ignores what stands beside a reference
	c.AssertFormat()
	c.AssertVocabs()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // loads nothing
	c.UseRegexpEngine(run.pattern)
	for _, f := range formats() {
		c.RegisterFormat(f)
	}
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: "vocabulary:strict", Compile: run.vocabulary})
	if err := c.AddResource(location, s.value); err != nil {
		return nil, err
	}
	return c.Compile(location)
}

// judge reports whether a value fits.
func (s *schema) judge(ctx context.Context, v any) (o checkOutcome) {
	run := &schemaRun{ctx: ctx}
	compiled, err := s.compile(run)
	if err != nil { // schemaOf compiled it before
		return checkOutcome{skip: "the schema cannot be judged"}
	}
	defer func() {
		if recover() != nil {
			o = checkOutcome{skip: "the schema takes too long to judge"}
		}
	}()
	switch err := compiled.Validate(v); {
	case err == nil:
		return checkOutcome{holds: true, reason: "the JSON fits the schema"}
	case strings.Contains(err.Error(), "cycle"):
		return checkOutcome{skip: "the schema refers to itself in a circle"}
	default:
		return checkOutcome{reason: "the JSON does not fit the schema (" + schemaMessage(err) + ")"}
	}
}

// schemaRun bounds one judgement.
type schemaRun struct {
	ctx   context.Context // nil while compiling
	steps int
}

// maxSchemaSteps bounds how often parts of a schema are applied to parts of a value.
const maxSchemaSteps = 50_000

// Validate counts a step. It panics beyond the bound, because the library has no other way to stop.
func (r *schemaRun) Validate(*jsonschema.ValidatorContext, any) {
	if r.steps++; r.steps > maxSchemaSteps || r.ctx.Err() != nil {
		panic(javascript.ErrLimit)
	}
}

// vocabulary refuses keywords and formats that JSON Schema does not have, as promptfoo does: a misspelt one would
// restrict nothing. Extensions begin with x-.
func (r *schemaRun) vocabulary(_ *jsonschema.CompilerContext, object map[string]any) (jsonschema.SchemaExt, error) {
	known := strings.Fields(`$schema $id $ref $comment $defs $anchor $dynamicRef $dynamicAnchor $recursiveRef
		$recursiveAnchor $vocabulary id type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum
		maxLength minLength pattern format maxItems minItems uniqueItems maxContains minContains maxProperties
		minProperties required dependentRequired title description default deprecated readOnly writeOnly examples
		contentEncoding contentMediaType contentSchema not if then else allOf anyOf oneOf dependencies
		items additionalItems additionalProperties contains propertyNames unevaluatedItems unevaluatedProperties
		prefixItems properties patternProperties definitions`)
	for key := range object {
		if !slices.Contains(known, key) && !strings.HasPrefix(key, "x-") {
			if near := termtext.NearestName(key, known); near != "" {
				return nil, fmt.Errorf("JSON Schema has no keyword %s; did you mean %s?", quoted(key), near)
			}
			return nil, fmt.Errorf("JSON Schema has no keyword %s", quoted(key))
		}
	}
	dependencies, _ := object["dependencies"].(map[string]any)
	for _, dependency := range dependencies {
		if _, isList := dependency.([]any); !isList { // the library would not count its steps
			return nil, errors.New("schemas in dependencies are not supported; write if and then")
		}
	}
	name, _ := object["format"].(string)
	isNamed := func(f *jsonschema.Format) bool { return f.Name == name }
	if name != "" && !slices.ContainsFunc(formats(), isNamed) && !slices.Contains(libraryFormats(), name) {
		return nil, fmt.Errorf("there is no format %s", quoted(name))
	}
	return r, nil
}

// pattern makes an expression of the schema one of JavaScript.
func (r *schemaRun) pattern(source string) (jsonschema.Regexp, error) {
	_, err := javascript.MatchRegexp(context.Background(), source, "u", "")
	return schemaPattern{r, source}, err
}

type schemaPattern struct {
	run    *schemaRun
	source string
}

func (p schemaPattern) String() string { return p.source }

// MatchString panics beyond its bounds, because the library takes no error.
func (p schemaPattern) MatchString(text string) bool {
	matched, err := javascript.MatchRegexp(p.run.ctx, p.source, "u", text)
	if err != nil {
		panic(err)
	}
	return matched
}

// schemaMessage returns the beginning of a schema error on one line.
func schemaMessage(err error) string {
	text := err.Error()
	if _, cause, ok := strings.Cut(text, "\n"); ok { // the first line names the schema
		text = cause
	}
	s := strings.TrimPrefix(strings.Join(strings.Fields(text), " "), "- ")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

package suite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"confab/internal/javascript"
	"confab/internal/termtext"
)

// schema is a JSON Schema with the keywords of drafts 7, 2019-09 and 2020-12 together. References stay within it, and
// keywords beside one count, as in promptfoo. In its objects a [schemaTarget] stands in place of the text of a
// reference.
type schema struct {
	root           any
	hasUnevaluated bool // the properties and items that were judged have to be tracked
}

// schemaTarget is the part of a schema that a reference names.
type schemaTarget struct{ schema any }

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
	s := &schema{root: withNull(value)}
	c := schemaCompiler{schema: s, at: map[string]any{}, places: map[string]string{"": ""}}
	if err := c.compile(); err != nil {
		return nil, fmt.Errorf("has a schema that does not compile (%s)", schemaMessage(err))
	}
	return s, nil
}

// withNull returns a copy of a schema with null added to the types of its nullable parts, as OpenAPI has it.
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

// schemaKeywords maps the keywords of JSON Schema to what their values are.
var schemaKeywords = sync.OnceValue(func() map[string]string {
	kinds := map[string]string{}
	for line := range strings.Lines(`string: $schema $id id $ref $comment $anchor $dynamicRef $dynamicAnchor $recursiveRef
		string: title description pattern format contentEncoding contentMediaType
		boolean: $recursiveAnchor uniqueItems deprecated readOnly writeOnly
		number: maximum exclusiveMaximum minimum exclusiveMinimum multipleOf
		count: maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties
		array: enum examples
		names: required
		type: type
		schema: not if then else additionalItems additionalProperties contains propertyNames unevaluatedItems
		schema: unevaluatedProperties contentSchema
		schemas: allOf anyOf oneOf prefixItems
		schema or schemas: items
		named schemas: $defs definitions properties patternProperties dependentSchemas
		named schemas or names: dependencies
		named names: dependentRequired
		any: $vocabulary const default`) {
		kind, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, word := range strings.Fields(words) {
			kinds[word] = kind
		}
	}
	return kinds
})

// schemaCompiler checks a schema and resolves its references.
type schemaCompiler struct {
	schema *schema
	at     map[string]any    // the parts that are schemas, by JSON pointer
	places map[string]string // the pointers of the parts that have an address or an anchor
	refs   []schemaRef
}

type schemaRef struct {
	object  map[string]any
	keyword string
	base    *url.URL
}

func (c *schemaCompiler) compile() error {
	if err := c.add(c.schema.root, "", &url.URL{}); err != nil {
		return err
	}
	for _, ref := range c.refs {
		text := ref.object[ref.keyword].(string)
		u, err := ref.base.Parse(text)
		if err != nil {
			return fmt.Errorf("%s is no address", quoted(text))
		}
		fragment := u.Fragment
		u.Fragment, u.RawFragment = "", ""
		place, isKnown := c.places[u.String()]
		if fragment != "" && !strings.HasPrefix(fragment, "/") {
			place, isKnown = c.places[u.String()+"#"+fragment]
			fragment = ""
		}
		target, isSchema := c.at[place+fragment]
		if !isKnown || !isSchema {
			return fmt.Errorf("there is no schema %s in it", quoted(text))
		}
		ref.object[ref.keyword] = schemaTarget{target}
	}
	return nil
}

// add checks a part of the schema, at a JSON pointer within the address base.
func (c *schemaCompiler) add(part any, at string, base *url.URL) error {
	c.at[at] = part
	object, isObject := part.(map[string]any)
	if _, isBool := part.(bool); !isObject && !isBool {
		return fmt.Errorf("got %s, want schema", jsonType(part))
	}
	base, err := c.name(object, at, base)
	if err != nil {
		return err
	}
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		if strings.HasPrefix(keyword, "x-") {
			continue
		}
		kind, isKnown := schemaKeywords()[keyword]
		if !isKnown { // a misspelt one would restrict nothing
			if near := termtext.NearestName(keyword, slices.Sorted(maps.Keys(schemaKeywords()))); near != "" {
				return fmt.Errorf("JSON Schema has no keyword %s; did you mean %s?", quoted(keyword), near)
			}
			return fmt.Errorf("JSON Schema has no keyword %s", quoted(keyword))
		}
		if err := c.addKeyword(kind, object[keyword], pointer(at, keyword), base); err != nil {
			return fmt.Errorf("%s: %w", keyword, err)
		}
		switch keyword {
		case "$ref", "$dynamicRef", "$recursiveRef": // dynamic references lead where static ones do
			c.refs = append(c.refs, schemaRef{object, keyword, base})
		case "unevaluatedItems", "unevaluatedProperties":
			c.schema.hasUnevaluated = true
		}
	}
	return c.checkTexts(object)
}

// name records the address and the anchors of a part, and returns the address that its references are relative to.
func (c *schemaCompiler) name(object map[string]any, at string, base *url.URL) (*url.URL, error) {
	if id, _ := object["$id"].(string); id != "" {
		u, err := base.Parse(id)
		if err != nil {
			return nil, fmt.Errorf("%s is no address", quoted(id))
		}
		c.places[strings.TrimSuffix(u.String(), "#")] = at
		base = u
		base.Fragment, base.RawFragment = "", ""
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if anchor, _ := object[keyword].(string); anchor != "" {
			c.places[base.String()+"#"+anchor] = at
		}
	}
	return base, nil
}

// addKeyword checks the value of a keyword, and the schemas in it.
func (c *schemaCompiler) addKeyword(kind string, value any, at string, base *url.URL) error {
	list, isList := value.([]any)
	object, isObject := value.(map[string]any)
	found := jsonType(value)
	switch kind {
	case "any":
		return nil
	case "schema", "schema or schemas", "schemas":
		if !isList || kind == "schema" {
			if kind == "schemas" {
				break
			}
			return c.add(value, at, base)
		}
		for i, part := range list {
			if err := c.add(part, pointer(at, fmt.Sprint(i)), base); err != nil {
				return err
			}
		}
		if len(list) > 0 || kind == "schema or schemas" {
			return nil
		}
		found = "an empty array"
	case "named schemas", "named schemas or names", "named names":
		if !isObject {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			of := "schema"
			if _, isList := object[name].([]any); isList && kind != "named schemas" || kind == "named names" {
				of = "names"
			}
			if err := c.addKeyword(of, object[name], pointer(at, name), base); err != nil {
				return fmt.Errorf("%s: %w", quoted(name), err)
			}
		}
		return nil
	case "names":
		isText := func(v any) bool { _, ok := v.(string); return ok }
		if isList && !slices.ContainsFunc(list, func(v any) bool { return !isText(v) }) {
			return nil
		}
	case "type":
		names := strings.Fields("array boolean integer null number object string")
		if !isList {
			list = []any{value}
		}
		for _, v := range list {
			if name, _ := v.(string); !slices.Contains(names, name) {
				return fmt.Errorf("there is no type %s", quoted(fmt.Sprint(v)))
			}
		}
		return nil
	case "count":
		if n, ok := exactNumber(value); ok && n.IsInt() && n.Sign() >= 0 {
			return nil
		}
	case "number":
		if n, ok := exactNumber(value); ok && (n.Sign() > 0 || !strings.HasSuffix(at, "/multipleOf")) {
			return nil
		}
	case found:
		return nil
	}
	return fmt.Errorf("got %s, want %s", found, kind)
}

// checkTexts checks what the texts of a part say: its draft, its format and its regular expressions.
func (c *schemaCompiler) checkTexts(object map[string]any) error {
	if draft, _ := object["$schema"].(string); draft != "" && !strings.Contains(draft, "json-schema.org/draft") {
		return fmt.Errorf("there is no draft %s of JSON Schema", quoted(draft))
	}
	if name, _ := object["format"].(string); name != "" && schemaFormats()[name] == nil {
		return fmt.Errorf("there is no format %s", quoted(name))
	}
	expressions, _ := object["patternProperties"].(map[string]any)
	sources := slices.Sorted(maps.Keys(expressions))
	if source, ok := object["pattern"].(string); ok {
		sources = append(sources, source)
	}
	for _, source := range sources {
		if _, err := javascript.MatchRegexp(context.Background(), source, "u", ""); err != nil {
			return fmt.Errorf("%s: %w", quoted(source), err)
		}
	}
	return nil
}

// pointer returns the JSON pointer of what has a name below another one.
func pointer(at, name string) string {
	return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// schemaMessage returns the beginning of a schema error on one line.
func schemaMessage(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/chat"
)

// Param is a parameter of text models in a suite. Texts in its value are templates.
type Param struct {
	Name  string
	Value any // decoded JSON, with numbers as [json.Number]
}

// paramFields returns the fields of a configuration for parameters of text models.
func (d *decoder) paramFields(to *[]Param) map[string]field {
	fields := map[string]field{}
	for _, name := range chat.ParamNames() {
		fields[name] = func(e entry) error {
			value, err := decodeValue(e.value, e.name)
			if err == nil {
				err = refuseTemplatesIn(e.value)
			}
			if err != nil {
				return err
			}
			p := Param{name, value}
			if !hasVariables(p.Value) { // otherwise checked after expansion
				if _, err := p.expand(nil); err != nil {
					return errorAt(e.value.Line, "%s", err)
				}
			}
			*to = append(*to, p)
			return nil
		}
	}
	return fields
}

// paramsOf returns parameters with variables expanded. The last one of a name counts.
func paramsOf(params []Param, vars map[string]string) (out history.Params, err error) {
	for i, p := range params {
		if slices.ContainsFunc(params[i+1:], func(later Param) bool { return later.Name == p.Name }) {
			continue
		}
		expanded, err := p.expand(vars)
		if err != nil {
			return out, err
		}
		out = out.With(expanded)
	}
	return out, nil
}

// isNumber reports whether the parameter is a number, which a text with variables may expand to.
func (p Param) isNumber() bool {
	known, err := chat.FindParam(p.Name)
	return err == nil && (known.Kind == chat.NumberParam || known.Kind == chat.WholeParam)
}

// expand returns the parameter with variables expanded.
func (p Param) expand(vars map[string]string) (out history.Params, err error) {
	value, err := p.valueWith(vars)
	if err != nil {
		return out, fmt.Errorf("%s: %w", p.Name, err)
	}
	known, err := chat.FindParam(p.Name)
	if err != nil {
		return out, err
	}
	checked, err := known.Check(value)
	if err != nil {
		return out, fmt.Errorf("%s is %s, and must be %s", p.Name, shown(value), known.Takes)
	}
	return history.Params{p.Name: checked}, nil
}

// valueWith returns the value with variables expanded. It converts the result to a number or a list of stops if the
// parameter is one, and the value of a variable that stands alone in an object to its JSON type.
func (p Param) valueWith(vars map[string]string) (any, error) {
	text, isText := p.Value.(string)
	switch {
	case isText && p.isNumber() && !hasVariables(p.Value): // of env
		return typed(text), nil
	case !hasVariables(p.Value):
	case isText && p.Name == "response_format" && isJSONTemplate(text):
		return expandJSON(text, vars)
	case isText:
		expanded, err := expandTemplate(text, vars)
		list, isList := typed(expanded).([]any)
		switch {
		case err != nil:
			return nil, err
		case p.isNumber():
			return typed(expanded), nil
		case isList && p.Name == "stop":
			return list, nil
		}
		return expanded, nil
	}
	_, isObject := p.Value.(map[string]any)
	return mapTexts(p.Value, func(text string) (any, error) {
		expanded, err := expandTemplate(text, vars)
		names := Variables(text)
		if isObject && len(names) == 1 && expanded == vars[names[0]] && err == nil {
			return typed(expanded), nil
		}
		return expanded, err
	})
}

// shown formats a value for messages.
func shown(value any) string {
	if text, ok := value.(string); ok {
		return quote(text)
	}
	b, _ := json.Marshal(value) // decoded YAML or JSON marshals
	return quote(string(b))
}

// isJSONTemplate reports whether a template is a JSON object.
func isJSONTemplate(template string) bool {
	template = strings.TrimSpace(template)
	return strings.HasPrefix(template, "{") && !strings.HasPrefix(template, "{{")
}

// escapedForJSON returns values escaped for JSON strings.
func escapedForJSON(vars map[string]string) map[string]string {
	escaped := maps.Clone(vars)
	for name, value := range vars {
		b, _ := json.Marshal(value) // texts always marshal
		escaped[name] = string(b[1 : len(b)-1])
	}
	return escaped
}

// typed returns the value that a text has as JSON, or the text itself.
func typed(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber() // a seed may have more digits than a float holds
	var value any
	if !json.Valid([]byte(text)) || d.Decode(&value) != nil {
		return text
	}
	return value
}

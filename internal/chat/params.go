package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"confab/internal/termtext"
)

// A Param is a parameter of text models. Forms, flags, configurations, suites, services and their documentation take
// the parameters there are from [Params].
type Param struct {
	Name   string // that of OpenAI's chat completions or, where these have none, of most servers
	Takes  string // follows "must be"
	Effect string
	Kind   ParamKind

	least, most float64
	choices     []string
}

// ParamKind is the form of a parameter's value.
type ParamKind int

// The kinds of values.
const (
	NumberParam ParamKind = iota
	WholeParam
	ChoiceParam
	TextsParam  // a list of texts, or one text
	FormatParam // a choice, or a JSON object as such or as its text
	ObjectParam // a JSON object
)

// ExtraParam is the parameter that holds further fields of the request to the engine.
const ExtraParam = "extra"

const maxStops = 4

// Params returns the parameters in display order.
func Params() []Param {
	const byCount = "a number from -2 to 2"
	return []Param{
		{Name: "temperature", Takes: "a number from 0 to 2", Effect: "how freely words are chosen", most: 2},
		{Name: "top_p", Takes: "a number from 0 to 1", Effect: "the share of likely words used", most: 1},
		{Name: "top_k", Takes: "a whole number from 0 to 1000000", Effect: "how many of the likeliest words are used",
			Kind: WholeParam, most: 1e6},
		{Name: "min_p", Takes: "a number from 0 to 1", Effect: "how likely a word must be, beside the likeliest",
			most: 1},
		{Name: "presence_penalty", Takes: byCount, Effect: "against words that were used", least: -2, most: 2},
		{Name: "frequency_penalty", Takes: byCount, Effect: "against words that were used often", least: -2, most: 2},
		{Name: "max_tokens", Takes: "a whole number from 1 to 1000000", Effect: "where the answer is cut",
			Kind: WholeParam, least: 1, most: 1e6},
		{Name: "seed", Takes: "a whole number", Effect: "the same one may give the same answer", Kind: WholeParam,
			least: math.MinInt64, most: math.MaxInt64},
		{Name: "stop", Takes: "at most four texts", Effect: "each ends the answer", Kind: TextsParam},
		{Name: "response_format", Takes: "text, json_object or a JSON schema", Effect: "the form of the answer",
			Kind: FormatParam, choices: []string{"text", "json_object"}},
		{Name: "reasoning_effort", Takes: "none, minimal, low, medium, high or xhigh", Effect: "how long it reasons",
			Kind: ChoiceParam, choices: []string{"none", "minimal", "low", "medium", "high", "xhigh"}},
		{Name: ExtraParam, Takes: "a JSON object without model, messages, stream or keys", Effect: "what engines know",
			Kind: ObjectParam},
	}
}

// ParamNames returns the names of the parameters in display order.
func ParamNames() []string {
	var names []string
	for _, p := range Params() {
		names = append(names, p.Name)
	}
	return names
}

// FindParam returns the parameter of a name. The error of a name that there is none of says which is meant.
func FindParam(name string) (Param, error) {
	all := Params()
	if i := slices.IndexFunc(all, func(p Param) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	if near := termtext.NearestName(name, ParamNames()); near != "" {
		return Param{}, fmt.Errorf("there is no parameter %s; did you mean %s?", termtext.Quote(name), near)
	}
	return Param{}, fmt.Errorf("there is no parameter %s; there are %s", termtext.Quote(name),
		strings.Join(ParamNames(), ", "))
}

// CheckParams returns the values of parameters as [Param.Check] does, without those that are null.
func CheckParams(values map[string]any) (map[string]any, error) {
	var checked map[string]any
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] == nil {
			continue
		}
		p, err := FindParam(name)
		if err != nil {
			return nil, err
		}
		value, err := p.Check(values[name])
		if err != nil {
			return nil, err
		}
		if checked == nil {
			checked = map[string]any{}
		}
		checked[name] = value
	}
	return checked, nil
}

// MergeParams returns parameters overridden by others, of [ExtraParam] field by field.
func MergeParams(base, over map[string]any) map[string]any {
	if len(base) == 0 {
		return over
	}
	merged := maps.Clone(base)
	maps.Copy(merged, over)
	less, isLess := base[ExtraParam].(map[string]any)
	more, isMore := over[ExtraParam].(map[string]any)
	if isLess && isMore {
		extra := maps.Clone(less)
		maps.Copy(extra, more)
		merged[ExtraParam] = extra
	}
	return merged
}

// Check returns the value as decoded JSON: a [json.Number], a string, a list of strings for stops, or an object. The
// error names the parameter and what it takes.
func (p Param) Check(value any) (any, error) {
	b, err := json.Marshal(value)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber() // a seed may have more digits than a float holds
		err = d.Decode(&value)
	}
	ok := false
	switch v := value.(type) {
	case json.Number:
		value, ok = p.number(v)
	case string:
		ok = slices.Contains(p.choices, v) || p.Kind == FormatParam && isObject(v)
		if p.Kind == TextsParam {
			value, ok = []any{v}, true
		}
	case []any:
		isNoText := func(one any) bool { _, isText := one.(string); return !isText }
		ok = p.Kind == TextsParam && len(v) > 0 && len(v) <= maxStops && !slices.ContainsFunc(v, isNoText)
	case map[string]any:
		if p.Kind == FormatParam {
			return string(b), nil
		}
		ok = p.Kind == ObjectParam
		for name := range v {
			ok = ok && !isSetElsewhere(name)
		}
	}
	if err != nil || !ok {
		return nil, fmt.Errorf("the parameter %s must be %s", p.Name, p.Takes)
	}
	return value, nil
}

// number returns a number within the parameter's range; of whole ones all digits are kept.
func (p Param) number(n json.Number) (json.Number, bool) {
	if p.Kind != NumberParam && p.Kind != WholeParam {
		return "", false
	}
	f, err := n.Float64()
	if err != nil || f < p.least || f > p.most {
		return "", false
	}
	if _, err := n.Int64(); p.Kind == NumberParam || err == nil {
		return n, true
	}
	return json.Number(strconv.FormatFloat(f, 'f', 0, 64)), f == math.Trunc(f) && math.Abs(f) < math.MaxInt64
}

func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}

// isSetElsewhere reports whether a field of a request to an engine is none for [ExtraParam]: confab sets it, it holds
// a key, or it is a parameter.
func isSetElsewhere(field string) bool {
	return slices.Contains([]string{"model", "messages", "prompt", "stream", "stream_options", "n", "key", "apikey",
		"api_key", "authorization"}, strings.ToLower(field)) || slices.Contains(ParamNames(), field)
}

// Parse returns the value that a person typed: several texts are separated by commas, in which \n is a new line. An
// empty text returns nil. The error names the parameter and what it takes.
func (p Param) Parse(text string) (any, error) {
	text = strings.TrimSpace(text)
	var value any = text
	switch {
	case text == "":
		return nil, nil
	case p.Kind == NumberParam || p.Kind == WholeParam:
		if value = json.Number(text); !json.Valid([]byte(text)) {
			value = nil
		}
	case p.Kind == ObjectParam:
		if value = json.RawMessage(text); !isObject(text) {
			value = nil
		}
	case p.Kind == TextsParam:
		var texts []string
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.ReplaceAll(strings.TrimSpace(word), `\n`, "\n"); word != "" {
				texts = append(texts, word)
			}
		}
		if value = texts; texts == nil {
			return nil, nil
		}
	}
	return p.Check(value)
}

// ValueSeparator separates several values of a parameter or a variable that are typed as one text.
const ValueSeparator = "|"

// ParseValues returns the values that a person typed for the parameter of a name, as [Param.Parse] reads each. Numbers
// and choices may be several, separated by bars. An empty text has no values.
func ParseValues(name, text string) (values []any, err error) {
	p, err := FindParam(name)
	if err != nil {
		return nil, err
	}
	typed := []string{text}
	if isList := p.Kind <= ChoiceParam || p.Kind == FormatParam && !isObject(text); isList {
		typed = strings.Split(text, ValueSeparator)
	}
	for _, one := range typed {
		value, err := p.Parse(one)
		if err != nil {
			return nil, err
		}
		if value != nil {
			values = append(values, value)
		}
	}
	return values, nil
}

// Format returns a checked value in the form that [Param.Parse] reads; "" for nil.
func (p Param) Format(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case []any:
		texts := make([]string, len(v))
		for i, one := range v {
			texts[i] = strings.ReplaceAll(fmt.Sprint(one), "\n", `\n`)
		}
		return strings.Join(texts, ", ")
	case map[string]any:
		b, _ := json.Marshal(v) // decoded JSON marshals
		return string(b)
	}
	return fmt.Sprint(value)
}

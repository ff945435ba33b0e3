package service

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"confab/history"
	"confab/service/problem"
)

// ParamNames returns the names of the parameters of a turn in display order.
func ParamNames() []string {
	return []string{"temperature", "top_p", "max_tokens", "seed", "stop", "response_format", "reasoning_effort"}
}

// SetParam sets a parameter from typed text; an empty text removes it. Several stops are separated by commas; \n is a
// new line. The error names the allowed values.
func SetParam(p *history.Params, name, text string) error {
	text = strings.TrimSpace(text)
	var err error
	switch name {
	case "temperature":
		p.Temperature, err = number(text, strconv.ParseFloat)
	case "top_p":
		p.TopP, err = number(text, strconv.ParseFloat)
	case "max_tokens":
		p.MaxTokens, err = 0, nil
		if text != "" {
			p.MaxTokens, err = strconv.Atoi(text)
		}
	case "seed":
		p.Seed, err = number(text, func(s string, bits int) (int64, error) { return strconv.ParseInt(s, 10, bits) })
	case "stop":
		p.Stop = nil
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.ReplaceAll(strings.TrimSpace(word), `\n`, "\n"); word != "" {
				p.Stop = append(p.Stop, word)
			}
		}
	case "response_format":
		p.ResponseFormat = text
	case "reasoning_effort":
		p.ReasoningEffort = text
	default:
		return problem.Usage("there is no parameter %q; there are %s", name, strings.Join(ParamNames(), ", "))
	}
	if err != nil {
		return problem.Usage("%s must be a number, and is %q", name, text)
	}
	return checkParams(*p)
}

// number parses a typed number; it returns nil for an empty text.
func number[T any](text string, parse func(string, int) (T, error)) (*T, error) {
	if text == "" {
		return nil, nil
	}
	v, err := parse(text, 64)
	return &v, err
}

// ParamText returns the value of a parameter in the form that [SetParam] reads, empty if unset.
func ParamText(p history.Params, name string) string {
	switch v := p.Values()[name].(type) {
	case nil:
		return ""
	case json.Number:
		return v.String()
	case []any:
		return strings.ReplaceAll(strings.Join(p.Stop, ", "), "\n", `\n`)
	case string:
		return v
	}
	return ""
}

// ParamsText returns all set parameters on one line, such as "temperature 0.2, seed 7"; empty for none.
func ParamsText(p history.Params) string {
	var parts []string
	for _, name := range ParamNames() {
		if text := ParamText(p, name); text != "" {
			parts = append(parts, name+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// checkParams returns an error for parameters out of range.
func checkParams(p history.Params) error {
	within := func(v *float64, most float64) bool { return v == nil || *v >= 0 && *v <= most && !math.IsNaN(*v) }
	switch {
	case !within(p.Temperature, 2):
		return problem.Usage("temperature must be from 0 to 2")
	case !within(p.TopP, 1):
		return problem.Usage("top_p must be from 0 to 1")
	case p.MaxTokens < 0 || p.MaxTokens > 1e6:
		return problem.Usage("max_tokens must be from 1 to 1000000")
	case len(p.Stop) > 4:
		return problem.Usage("stop takes at most 4 texts")
	case !slices.Contains([]string{"", "none", "minimal", "low", "medium", "high"}, p.ReasoningEffort):
		return problem.Usage("reasoning_effort must be none, minimal, low, medium or high")
	case !slices.Contains([]string{"", "text", "json_object"}, p.ResponseFormat) &&
		!(strings.HasPrefix(p.ResponseFormat, "{") && json.Valid([]byte(p.ResponseFormat))):
		return problem.Usage("response_format must be text, json_object or a JSON schema")
	}
	return nil
}

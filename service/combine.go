package service

import (
	"maps"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/service/problem"
	"confab/service/suite"
)

// maxPrompts is the maximum number of prompts that [Combine] makes of one.
const maxPrompts = 1000

// Variant is one of several texts that are sent as the same prompt, to be compared.
type Variant struct {
	Text   string `json:"text,omitempty"`
	System string `json:"system,omitempty"`
}

// IsBlank reports whether there is no text to send.
func (v Variant) IsBlank() bool { return strings.TrimSpace(v.Text) == "" }

// Axes are what a prompt is sent with several times, once for each combination.
type Axes struct {
	Variants  []Variant           // replace the text and the system prompt; those that are blank are left out
	Values    map[string][]string // of variables by name
	Params    map[string][]any    // values of parameters by name
	IsLiteral bool                // double braces are text, not variables
}

// Combine returns a prompt for every combination on its axes: its variants one after the other, of each all values, of
// these all parameters. It replaces the variables of texts and system prompts, and {{{{ and }}}} by literal braces, and
// records the template if there are variables. A variable without a value is an error (usage) that names it.
func Combine(p Prompt, axes Axes) ([]Prompt, error) {
	variants := axes.variantsOf(p)
	names := axes.variables(variants)
	hasValue := func(name string) bool { return len(axes.Values[name]) > 0 }
	if missing := slices.DeleteFunc(names, hasValue); len(missing) > 0 {
		return nil, problem.Usage("these variables have no value: {{%s}}", strings.Join(missing, "}}, {{"))
	}
	params := paramSets(p.Params, axes.Params)
	var out []Prompt
	for _, v := range variants {
		filled, err := axes.fill(p, v)
		if err != nil {
			return nil, err
		}
		if len(filled)*len(params) == 0 || len(out)+len(filled)*len(params) > maxPrompts {
			return nil, problem.Usage("this makes more than %s at once; a suite can have more",
				format.Count(maxPrompts, "prompt"))
		}
		for _, one := range filled {
			for _, one.Params = range params {
				out = append(out, one)
			}
		}
	}
	return out, nil
}

// variantsOf returns the variants that a prompt is sent as.
func (x Axes) variantsOf(p Prompt) []Variant {
	if variants := slices.DeleteFunc(slices.Clone(x.Variants), Variant.IsBlank); len(variants) > 0 {
		return variants
	}
	return []Variant{{p.Text, p.System}}
}

// Variables returns the names of the variables of the variants.
func (x Axes) Variables() []string { return x.variables(x.Variants) }

// ParseValues returns the values of a variable that a person typed, separated by bars.
func ParseValues(text string) (values []string) {
	for value := range strings.SplitSeq(text, chat.ValueSeparator) {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// variables returns the names of the variables of variants.
func (x Axes) variables(variants []Variant) []string {
	if x.IsLiteral {
		return nil
	}
	var texts []string
	for _, v := range variants {
		texts = append(texts, v.Text, v.System)
	}
	return suite.Variables(texts...)
}

// fill returns the prompts of a variant with every combination of the values of its variables; none for too many.
func (x Axes) fill(p Prompt, v Variant) ([]Prompt, error) {
	p.Text, p.System = v.Text, v.System
	if x.IsLiteral {
		return []Prompt{p}, nil
	}
	names, combinations := x.variables([]Variant{v}), []map[string]string{nil}
	if len(names) > 0 {
		used := map[string][]string{}
		for _, name := range names {
			used[name] = x.Values[name]
		}
		combinations = suite.Combinations(used, names)
		p.Template, p.SystemTemplate = v.Text, v.System
	}
	var out []Prompt
	for _, p.Vars = range combinations {
		var err error
		if p.Text, err = suite.Expand(v.Text, p.Vars); err != nil {
			return nil, err
		}
		if p.System, err = suite.Expand(v.System, p.Vars); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// paramSets returns parameters with every combination of the values of others, the last of which changes fastest; nil
// for more than [maxPrompts].
func paramSets(set history.Params, values map[string][]any) []history.Params {
	sets := []history.Params{set}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(sets)*len(values[name]) > maxPrompts {
			return nil
		}
		var next []history.Params
		for _, base := range sets {
			for _, value := range values[name] {
				next = append(next, base.With(history.Params{name: value}))
			}
		}
		sets = next
	}
	return sets
}

// CallCount is how much is sent on [Axes].
type CallCount struct {
	Prompts, Calls int    // 0 while a variable has no value
	Factors        string // that make several calls, such as "3 prompts × 4 values × 2 models"
}

// maxUnconfirmed is how many calls are made without a question.
const maxUnconfirmed = 20

// IsMany reports whether a person is asked before so many calls are made.
func (c CallCount) IsMany() bool { return c.Calls > maxUnconfirmed }

// String returns the factors and what they make, such as "3 prompts × 2 models = 6 calls".
func (c CallCount) String() string {
	calls := format.Count(c.Calls, "call")
	switch {
	case c.Calls == 0:
		return c.Factors
	case c.Factors == "":
		return calls
	}
	return c.Factors + " = " + calls
}

// Explained returns the number of calls first, such as "6 calls: 3 prompts × 2 models".
func (c CallCount) Explained() string {
	text := format.Count(c.Calls, "call")
	if strings.Contains(c.Factors, "×") {
		text += ": " + c.Factors
	}
	return text
}

// Count counts what [Combine] makes of a prompt.
func (x Axes) Count(p Prompt) CallCount {
	variants, settings, prompts, missing := x.variantsOf(p), 1, 0, []string(nil)
	for _, values := range x.Params {
		settings *= len(values)
	}
	isEven, first := true, 0 // all variants have as many values
	for i, v := range variants {
		values := 1
		for _, name := range x.variables([]Variant{v}) {
			unknown := "values of {{" + name + "}}"
			if values *= len(x.Values[name]); len(x.Values[name]) == 0 && !slices.Contains(missing, unknown) {
				missing = append(missing, unknown)
			}
		}
		if i == 0 {
			first = values
		}
		isEven = isEven && values == first
		prompts += values * settings
	}
	var factors []string
	add := func(n int, noun string) {
		if n > 1 {
			factors = append(factors, format.Count(n, noun))
		}
	}
	switch {
	case len(missing) > 0 || isEven:
		add(len(variants), "prompt")
		if factors = append(factors, missing...); len(missing) == 0 {
			add(first, "value")
		}
		add(settings, "parameter set")
	default: // the variants have different variables
		add(prompts, "prompt")
	}
	add(len(p.Models), "model")
	add(p.Samples, "sample")
	c := CallCount{Factors: strings.Join(factors, " × ")}
	if len(missing) == 0 {
		c.Prompts, c.Calls = prompts, prompts*len(p.Models)*max(p.Samples, 1)
	}
	return c
}

// JoinParams returns parameters with the values of others as text, separated by bars, as a person types them.
func (x Axes) JoinParams(params history.Params) history.Params {
	for _, p := range chat.Params() {
		var texts []string
		for _, value := range x.Params[p.Name] {
			texts = append(texts, p.Format(value))
		}
		if len(texts) > 0 {
			params = params.With(history.Params{p.Name: strings.Join(texts, " "+chat.ValueSeparator+" ")})
		}
	}
	return params
}

// SetParam sets a parameter from typed text: to one value in params, or to several, separated by bars, on an axis. An
// empty text removes it. The error is of code usage.
func (x *Axes) SetParam(params *history.Params, name, text string) error {
	values, err := chat.ParseValues(name, text)
	if err != nil {
		return problem.Usage("%s", err)
	}
	set, axes := maps.Clone(*params), maps.Clone(x.Params)
	delete(set, name)
	delete(axes, name)
	switch {
	case len(values) == 1:
		set = set.With(history.Params{name: values[0]})
	case len(values) > 1 && axes == nil:
		axes = map[string][]any{name: values}
	case len(values) > 1:
		axes[name] = values
	}
	*params, x.Params = set, axes
	return nil
}

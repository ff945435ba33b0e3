package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/exec"
)

// filters returns promptfoo's filters that confab does, and those that rewriteTag adds: print and each.
func (r *renderer) filters() map[string]exec.FilterFunction {
	filters := map[string]exec.FilterFunction{"print": r.print, "each": r.each}
	for _, name := range filterNames() {
		filters[name] = bounded(name, slices.Contains(strings.Fields(textFilters), name))
	}
	for _, name := range []string{"dump", "json", "tojson"} {
		filters[name] = dump
	}
	return filters
}

// The filters of promptfoo that confab does: those of texts, which get numbers as texts, and others.
const (
	textFilters  = "upper lower trim capitalize title replace length string"
	otherFilters = "dump json tojson default d safe join first last reverse sort list abs int float round"
)

func filterNames() []string { return strings.Fields(textFilters + " " + otherFilters) }

func unknownFilter(name string) error {
	return fmt.Errorf("there is no filter %s; there are %s", quote(name), strings.Join(filterNames(), ", "))
}

// bounded returns a filter of gonja with a bound on its result. One of texts gets numbers as texts.
func bounded(name string, ofTexts bool) exec.FilterFunction {
	return func(e *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
		filter, _ := builtins.Filters.Get(name)
		if in.IsNil() || in.IsError() {
			if name == "default" || name == "d" {
				return filter(e, in, params)
			}
			return in // print says that there is no value
		}
		if ofTexts && !in.IsList() && !in.IsDict() {
			in = exec.AsValue(printed(in))
		}
		size := 1
		for _, p := range params.Args {
			size = max(size, len(p.String()))
		}
		if len(in.String())*size > 32*maxRendered { // no filter makes more than that
			return exec.ValueError(errTooLarge)
		}
		return filter(e, in, params)
	}
}

// print is the filter of every expression. It writes values as nunjucks does, lists and mappings as JSON.
func (r *renderer) print(_ *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
	if r.isMissing(in, params) {
		return exec.AsValue("")
	}
	text := printed(in)
	if r.written += len(text); r.written > maxRendered {
		return exec.ValueError(errTooLarge)
	}
	return exec.AsValue(text)
}

// each is the filter of every list of a loop. It counts the iterations.
func (r *renderer) each(_ *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
	if r.isMissing(in, params) {
		return exec.AsValue([]any{})
	}
	if r.loops += in.Len(); r.loops > maxLoops || r.loops*r.length > 8*maxRendered { // gonja collects what a loop makes
		return exec.ValueError(errTooLarge)
	}
	return in
}

// isMissing reports whether an expression has no value, and notes it.
func (r *renderer) isMissing(in *exec.Value, params *exec.VarArgs) bool {
	label := r.labels[params.First().Integer()]
	isMissing := in.IsNil() || in.IsError()
	if isMissing && !slices.Contains(r.missing, label) {
		r.missing = append(r.missing, label)
	}
	return isMissing
}

// dump writes a value as JSON, indented by the number of blanks of its argument.
func dump(_ *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
	if in.IsNil() || in.IsError() {
		return in
	}
	text, err := jsonText(in.ToGoSimpleType(false), min(params.First().Integer(), 10))
	if len(text) > maxRendered {
		err = errTooLarge
	}
	if err != nil {
		return exec.ValueError(err)
	}
	return exec.AsValue(text)
}

// jsonText writes JSON as JavaScript does.
func jsonText(value any, indent int) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", strings.Repeat(" ", indent))
	err := e.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// printed returns a value as it stands in a text.
func printed(v *exec.Value) string {
	switch {
	case v.IsBool():
		return strconv.FormatBool(v.Bool())
	case v.IsFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case v.IsList(), v.IsDict():
		text, _ := jsonText(v.ToGoSimpleType(false), 0)
		return text
	}
	return v.String()
}

// templateValue returns the value of a variable in a template: what reads as a list, mapping, number, true or false in
// JSON is one, and a text otherwise. A number whose digits would change is a text.
func templateValue(text string) any {
	var convert func(v any) any
	convert = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			if n, err := strconv.Atoi(v.String()); err == nil && strconv.Itoa(n) == v.String() {
				return n
			}
			if f, err := v.Float64(); err == nil && strconv.FormatFloat(f, 'f', -1, 64) == v.String() {
				return f
			}
			return v.String()
		case []any:
			for i := range v {
				v[i] = convert(v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = convert(v[name])
			}
		}
		return v
	}
	value := typed(text)
	if _, isText := value.(string); isText || value == nil {
		return text
	}
	return convert(value)
}

package suite

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
)

// The bounds of a text with templates of promptfoo.
const (
	maxTag      = 1000    // bytes of an expression or a tag
	maxJoins    = 20      // + and ~ in one
	maxTagDepth = 20      // of if and for
	maxLoops    = 100_000 // iterations of all loops
	maxRendered = 8 << 20 // bytes that all expressions write, and each filter
)

// renderer renders a text with promptfoo's templates by gonja. Where gonja follows Python and promptfoo's nunjucks
// JavaScript, tags are rewritten and filters replaced.
type renderer struct {
	values  map[string]any
	labels  []string // expressions as written, by the argument of print and each
	depth   int      // of open if and for
	length  int      // of the text
	loops   int      // iterations so far
	written int      // bytes of expressions so far
	missing []string // expressions without a value
}

// expandTemplate replaces the variables of a suite's text and renders its expressions and tags.
func expandTemplate(text string, vars map[string]string) (string, error) {
	if len(foreignTemplates(text)) == 0 {
		return Expand(text, vars)
	}
	r := renderer{values: make(map[string]any, len(vars))}
	for name, value := range vars {
		r.values[name] = templateValue(value)
	}
	return r.render(text)
}

// checkTemplate returns an error for the first template that cannot be rendered, with its line from 0.
func checkTemplate(text string) (line int, err error) {
	found := foreignTemplates(text)
	if len(found) == 0 {
		return 0, nil
	}
	if _, err = new(renderer).compile(text); err == nil {
		return 0, nil
	}
	i := slices.IndexFunc(found, func(t foreignTemplate) bool { return strings.Contains(err.Error(), quote(t.Text)) })
	return found[max(i, 0)].Line, err
}

func (r *renderer) render(text string) (out string, err error) {
	r.length = len(text)
	t, err := r.compile(text)
	if err != nil {
		return "", err
	}
	defer func() {
		if p := recover(); p != nil { // on some faults of expressions, such as a division by 0
			err = fmt.Errorf("the template cannot be rendered (%v)", p)
		}
	}()
	out, err = t.ExecuteToString(exec.NewContext(r.values))
	switch {
	case err != nil:
		return "", fmt.Errorf("the template cannot be rendered (%w)", rootCause(err))
	case len(r.missing) > 0:
		return "", &MissingVariablesError{Names: r.missing}
	}
	return out, nil
}

var errTooLarge = errors.New("it makes too much text")

func rootCause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// templateMarks matches what is rewritten or refused within tags, choice and loopTag the parts of an expression with if
// and of for.
var (
	templateMarks = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|===|!==|\.length\b|[*+~{]|\w+\(|\|\s*\w+`)
	})
	choice = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^(.+?)\s+if\s+(.+?)\s+else\s+(.+)$`)
	})
	loopTag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^for\s+(.+?)\s+in\s+(.+)$`)
	})
)

// compile parses a text in gonja's form.
func (r *renderer) compile(text string) (t *exec.Template, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the template cannot be read (%v)", p)
		}
	}()
	var source strings.Builder
	walkTemplate(text, func(s string) {
		if s == "{{" || s == "}}" { // of doubled braces
			s = `{{"` + s[:1] + `"}}`
			source.WriteString(s + s)
			return
		}
		source.WriteString(templateTag().ReplaceAllStringFunc(s, func(tag string) string {
			rewritten, bad := r.rewriteTag(tag)
			if bad != nil && err == nil {
				err = fmt.Errorf("confab does not do the template %s: %w", quote(tag), bad)
			}
			return rewritten
		}))
	}, func(name string) {
		source.WriteString("{{" + r.labelled("print", r.alias(name), name) + "}}")
	})
	if err == nil && r.depth > 0 {
		err = errors.New("the template has an if or for without its end; write {{{{ and }}}} for braces to be sent")
	}
	if err != nil {
		return nil, err
	}
	settings := config.New()
	settings.KeepTrailingNewline = true
	t, err = exec.NewTemplate("/t", settings, loaders.MustNewMemoryLoader(map[string]string{"/t": source.String()}),
		&exec.Environment{Context: exec.EmptyContext(), Filters: exec.NewFilterSet(r.filters()), Tests: builtins.Tests,
			ControlStructures: builtins.ControlStructures})
	if err != nil {
		return nil, fmt.Errorf("the template cannot be read (%w); write {{{{ and }}}} for braces to be sent",
			rootCause(err))
	}
	return t, nil
}

// alias returns a name that gonja does not take for a subtraction.
func (r *renderer) alias(name string) string {
	alias := strings.ReplaceAll(name, "-", "__")
	if value, ok := r.values[name]; ok && alias != name {
		r.values[alias] = value
	}
	return alias
}

// labelled returns an expression with a filter that knows how the expression was written.
func (r *renderer) labelled(filter, expression, label string) string {
	r.labels = append(r.labels, OneLine(label))
	return "(" + expression + ")|" + filter + "(" + strconv.Itoa(len(r.labels)-1) + ")"
}

// rewriteTag returns an expression or a tag in gonja's form.
func (r *renderer) rewriteTag(tag string) (string, error) {
	if tag[1] == '#' {
		return "", nil
	}
	head, body, tail := tag[:2], tag[2:len(tag)-2], tag[len(tag)-2:]
	if rest, ok := strings.CutPrefix(body, "-"); ok {
		head, body = head+"-", rest
	}
	if rest, ok := strings.CutSuffix(body, "-"); ok {
		body, tail = rest, "-"+tail
	}
	written := strings.TrimSpace(body)
	if len(written) > maxTag {
		return "", fmt.Errorf("it is longer than %d bytes", maxTag)
	}
	joins, foreign := 0, error(nil)
	operators := []string{"and", "or", "not", "in", "if", "elif", "elseif", "else"} // words before a parenthesis
	body = templateMarks().ReplaceAllStringFunc(written, func(mark string) string {
		switch {
		case mark == "===", mark == "!==":
			return mark[:1] + "="
		case mark == ".length":
			return "|length"
		case mark == "*", mark == "{":
			foreign = fmt.Errorf("%s is not for expressions", mark)
		case mark == "+", mark == "~":
			joins++
		case mark[0] == '|':
			if name := strings.TrimSpace(mark[1:]); !slices.Contains(filterNames(), name) {
				foreign = unknownFilter(name)
			}
		case strings.HasSuffix(mark, "(") && !slices.Contains(operators, mark[:len(mark)-1]):
			foreign = fmt.Errorf("%s) is a call, and confab runs no code", mark)
		}
		return mark
	})
	if joins > maxJoins {
		foreign = cmp.Or(foreign, fmt.Errorf("it joins more than %d texts", maxJoins))
	}
	if foreign != nil {
		return "", foreign
	}
	if m := choice().FindStringSubmatch(body); m != nil && tag[1] == '{' { // gonja takes none in parentheses
		return "{%" + head[2:] + " if " + m[2] + " %}{{" + r.labelled("print", m[1], m[1]) + "}}{% else %}{{" +
			r.labelled("print", m[3], m[3]) + "}}{% endif " + tail[:len(tail)-2] + "%}", nil
	}
	if tag[1] == '{' {
		return head + " " + r.labelled("print", body, written) + " " + tail, nil
	}
	body, err := r.rewriteStatement(body)
	return head + " " + body + " " + tail, err
}

// rewriteStatement returns the text of a tag in gonja's form.
func (r *renderer) rewriteStatement(body string) (string, error) {
	word, rest, _ := strings.Cut(body, " ")
	switch word {
	case "if", "for":
		if r.depth++; r.depth > maxTagDepth {
			return "", fmt.Errorf("if and for are nested deeper than %d", maxTagDepth)
		}
		if m := loopTag().FindStringSubmatch(body); m != nil {
			return "for " + m[1] + " in " + r.labelled("each", m[2], m[2]), nil
		}
	case "endif", "endfor":
		r.depth--
	case "elseif":
		return "elif " + rest, nil
	case "elif", "else":
	default:
		return "", errors.New("it does if, elif, else and for")
	}
	return body, nil
}

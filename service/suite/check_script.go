package suite

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"

	"confab/internal/javascript"
)

// javaScript evaluates an expression, or the body of a function, of output and context. What it returns is true, false,
// a number (at least the threshold, or above 0) or an object with pass, score and reason.
func javaScript(spec checkSpec) (judgeFunc, error) {
	code, err := needText(spec)
	return func(ctx context.Context, a AnswerInput, _ PeerFinder) checkOutcome {
		vars := map[string]any{}
		for name, value := range spec.values {
			vars[name] = value
		}
		r, err := a.Scripts.Run(ctx, javascript.Script{Body: functionBody(code), Output: a.Text,
			Context: map[string]any{"vars": vars, "prompt": a.Prompt, "test": map[string]any{"vars": vars}}})
		switch {
		case errors.Is(err, javascript.ErrLimit):
			return checkOutcome{skip: "the expression was stopped: " + err.Error()}
		case err != nil:
			return checkOutcome{skip: "the expression cannot be evaluated: " + err.Error()}
		case r.Unsupported != "":
			return checkOutcome{skip: "the expression needs " + quoted(r.Unsupported) + ", which confab does not have"}
		case r.Failure != "":
			return checkOutcome{isBroken: true, reason: "the expression failed: " + quoted(r.Failure)}
		}
		o := checkOutcome{score: r.Score, reason: r.Reason}
		switch {
		case r.Passed != nil:
			o.holds = *r.Passed
		case spec.Threshold != nil:
			o.holds = *r.Score >= *spec.Threshold
		default:
			o.holds = *r.Score > 0
		}
		if o.reason == "" && r.Passed != nil {
			o.reason = "the expression is " + map[bool]string{true: "true", false: "false"}[o.holds]
		} else if o.reason == "" {
			o.reason = "the expression is " + formatNumber(*r.Score)
		}
		return o
	}, err
}

// lastStatement matches one line of declarations and the expression after the last semicolon outside of quotes.
var lastStatement = sync.OnceValue(func() *regexp.Regexp {
	const quotes = `'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60`
	return regexp.MustCompile(`^((?:const|let|var)\s(?:[^'"\x60]|` + quotes + `)*;)((?:[^;'"\x60]|` + quotes + `)*)$`)
})

// functionBody returns code with the return that one line of it lacks.
func functionBody(code string) string {
	code = strings.TrimRightFunc(code, isBlank)
	if strings.Contains(code, "\n") {
		return code
	}
	code = strings.TrimFunc(strings.TrimRight(code, "; \t"), isBlank)
	if m := lastStatement().FindStringSubmatch(code); m != nil {
		return m[1] + " return " + strings.TrimSpace(m[2])
	}
	if isDeclaration := regexp.MustCompile(`^(const|let|var)\s`).MatchString(code); isDeclaration {
		return code
	}
	return "return " + code
}

package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
)

// maxLabelValue is the most terminal cells of a value in the label of a check.
const maxLabelValue = 32

// CheckLabel returns the name of a check for people: its metric, where the suite gives one, or else what it requires,
// such as `needs "days"`, `at most 110 words` or `forbids "policy"`. It is made from the stored name, [Check.String],
// so that old runs have labels too. A sign before it says whether the check passed or failed.
func CheckLabel(r history.CheckResult) string {
	if r.Metric != "" {
		return OneLine(r.Metric)
	}
	kind, rest, _ := strings.Cut(OneLine(r.Name), " ")
	kind, isNegated := strings.CutPrefix(kind, "not-")
	value, limit := cutThreshold(rest)
	phrases, isKnown := checkPhrases()[kind]
	switch text := valueLabel(kind, value); {
	case kind == "word-count" && value != "":
		return wordsLabel(value, isNegated)
	case kind == "latency", kind == "first-token":
		if phrases.plain != "" && (limit != "" || value != "") {
			text = millisecondsLabel(cmp.Or(limit, strings.Trim(value, `"`)))
		}
		return phrases.label(text, "", isNegated)
	case kind == "cost", kind == thresholdType, kind == setType:
		return phrases.label(cmp.Or(limit, strings.Trim(value, `"`)), "", isNegated)
	case isKnown:
		return phrases.label(text, limit, isNegated)
	}
	return ansi.Truncate(OneLine(r.Name), maxLabelValue, "…") // promptfoo's, which confab does not judge
}

// checkPhrase is what the checks of a type require, with %s for the value.
type checkPhrase struct {
	plain, negated string
	bare           string // without a value; the first word of plain if empty
}

// label returns what a check with a value and a threshold requires.
func (p checkPhrase) label(value, limit string, isNegated bool) string {
	text := p.plain
	if isNegated && p.negated != "" {
		text = p.negated
	}
	switch {
	case strings.Contains(text, "%s") && value == "":
		text = strings.TrimSpace(strings.ReplaceAll(text, "%s", ""))
		if p.bare != "" {
			text = negated(p.bare, isNegated)
		}
	case strings.Contains(text, "%s"):
		text = fmt.Sprintf(text, value)
	}
	if isNegated && p.negated == "" {
		text = negated(text, true)
	}
	if limit != "" {
		text += " (" + limit + ")"
	}
	return text
}

func negated(text string, isNegated bool) string {
	if isNegated {
		return "not " + text
	}
	return text
}

// checkPhrases returns the phrases of the judged types, by name.
func checkPhrases() map[string]checkPhrase {
	needs := checkPhrase{"needs %s", "forbids %s", ""}
	return map[string]checkPhrase{
		"equals": {"must equal %s", "must not equal %s", ""}, "contains": needs, "icontains": needs,
		"contains-any": needs, "icontains-any": needs, "contains-all": needs, "icontains-all": needs,
		"starts-with": {"must start with %s", "must not start with %s", ""}, "regex": needs,
		"is-json": {"must be JSON", "must not be JSON", ""}, "contains-json": {"needs JSON", "forbids JSON", ""},
		"is-xml": {"must be XML", "must not be XML", ""}, "contains-xml": {"needs XML", "forbids XML", ""},
		"is-html": {"must be HTML", "must not be HTML", ""}, "contains-html": {"needs HTML", "forbids HTML", ""},
		"is-refusal": {"must refuse", "must not refuse", ""}, "finish-reason": {"needs finish reason %s", "", ""},
		"word-count": {"number of words", "", ""}, "latency": {"within %s", "", "time"},
		"first-token": {"first token within %s", "", "time to first token"},
		"cost":        {"costs at most %s", "", "cost"}, "levenshtein": {"near %s", "far from %s", "distance"},
		"javascript": {"JavaScript", "", ""}, "llm-rubric": {"rubric %s", "", ""},
		"factuality":            {"must agree with %s", "must contradict %s", "factuality"},
		"model-graded-closedqa": {"must meet %s", "must not meet %s", ""},
		"image-aspect":          {"needs aspect ratio %s", "", ""}, "image-format": {"needs format %s", "", ""},
		"image-min-px": {"at least %s px", "", "size in pixels"}, "bytes-max": {"at most %s", "", "size"},
		"same-as": {"same as %s", "", ""}, setType: {"score of a set at least %s", "", "all of a set"},
		thresholdType: {"score at least %s", "", "score"},
	}
}

// cutThreshold divides the value of a name from the threshold after it: `"a" (0.5)`.
func cutThreshold(rest string) (value, limit string) {
	open := strings.LastIndex(rest, "(")
	if open < 0 || !strings.HasSuffix(rest, ")") || open > 0 && rest[open-1] != ' ' {
		return rest, ""
	}
	limit = rest[open+1 : len(rest)-1]
	if _, err := strconv.ParseFloat(limit, 64); err != nil {
		return rest, ""
	}
	return strings.TrimSpace(rest[:open]), limit
}

// valueLabel returns a value as it was written in a name, [shortValue], for the label of a check of a type.
func valueLabel(kind, value string) string {
	var list []any
	switch {
	case strings.HasSuffix(kind, "-any") || strings.HasSuffix(kind, "-all"):
		if json.Unmarshal([]byte(value), &list) == nil && len(list) > 0 {
			value = listLabel(list, map[bool]string{true: " or ", false: " and "}[strings.HasSuffix(kind, "-any")])
		}
	case kind == "regex":
		if text, err := strconv.Unquote(value); err == nil {
			value = "/" + text + "/"
		}
	case kind == "same-as" || kind == "finish-reason" || strings.HasPrefix(kind, "image-") || kind == "bytes-max":
		value = strings.Trim(value, `"`)
		if n, err := strconv.Atoi(value); err == nil && kind == "bytes-max" {
			value = format.Size(int64(n))
		}
	}
	if last := value[max(len(value)-1, 0):]; ansi.StringWidth(value) > maxLabelValue {
		value = ansi.Truncate(value, maxLabelValue-1, "…")
		if last == `"` || last == "/" || strings.HasPrefix(value, `"`) {
			value += map[bool]string{true: "/", false: `"`}[last == "/"]
		}
	}
	return value
}

// listLabel joins the values of a list: `"a", "b" or "c"`.
func listLabel(list []any, last string) string {
	var b strings.Builder
	for i, item := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(last)
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(shortValue(item))
	}
	return b.String()
}

// millisecondsLabel returns a number of milliseconds as a time: `1.5 s`.
func millisecondsLabel(text string) string {
	ms, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return text
	case ms < 1000:
		return formatNumber(ms) + " ms"
	}
	return format.Seconds(time.Duration(ms * float64(time.Millisecond)))
}

// checkReason returns why a check did not pass, on one line; empty where the reason says no more than its label:
// `the text does not contain "days"` of `needs "days"`.
func checkReason(r history.CheckResult) string {
	_, value, hasValue := strings.Cut(r.Name, " ")
	reason := OneLine(r.Reason)
	if r.Metric == "" && hasValue && strings.HasPrefix(reason, "the text ") && strings.HasSuffix(reason, " "+value) {
		return ""
	}
	return reason
}

// FailureText returns the label of a check that failed, with the reason where that says more.
func FailureText(r history.CheckResult) string {
	return joinNonEmpty(": ", CheckLabel(r), checkReason(r))
}

// wordsLabel returns what word-count requires of a number of words: `at most 110 words`.
func wordsLabel(value string, isNegated bool) string {
	decoded, err := decodeJSON(value)
	if err != nil {
		decoded = value
	}
	text := ""
	switch low, high, err := wordBounds(decoded); {
	case err != nil:
		return "number of words"
	case high < 0 && low != high:
		text = "at least " + formatNumber(low)
	case low < 0 && low != high:
		text = "at most " + formatNumber(high)
	case low == high:
		text = formatNumber(low)
	default:
		text = formatNumber(low) + " to " + formatNumber(high)
	}
	return negated(text+" words", isNegated)
}

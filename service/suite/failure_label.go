package suite

import (
	"fmt"
	"strings"

	"confab/history"
)

// FailureLabel returns what is wrong where a check failed: the metric of the check, where the suite gives one, or else
// the opposite of what it requires, such as `lacks "days"`, `more than 110 words` or `has "policy"`.
func FailureLabel(r history.CheckResult) string {
	if r.Metric != "" {
		return OneLine(r.Metric)
	}
	name := OneLine(r.Name)
	kind, rest, _ := strings.Cut(name, " ")
	phrases := failurePhrases()
	if _, isKnown := phrases[strings.TrimPrefix(kind, "not-")]; !isKnown {
		return labelOf(name, checkPhrases())
	}
	// What does not contain "a" or "b" lacks both, and what does not contain "a" and "b" lacks one of them.
	switch base, isAny := strings.CutSuffix(kind, "-any"); {
	case strings.HasPrefix(kind, "not-"):
	case isAny:
		name = base + "-all " + rest
	case strings.HasSuffix(kind, "-all"):
		name = strings.TrimSuffix(kind, "-all") + "-any " + rest
	}
	return labelOf(name, phrases)
}

// FailureText returns what is wrong where a check failed, with the reason where that says more.
func FailureText(r history.CheckResult) string {
	text := FailureLabel(r)
	if text == CheckLabel(r) { // which says what is required
		text += " failed"
	}
	if reason := checkReason(r); reason != "" {
		text += ": " + reason
	}
	return text
}

// failurePhrases returns what is wrong where checks of the judged types failed, by name.
func failurePhrases() map[string]checkPhrase {
	contains := checkPhrase{"lacks %s", "has %s", ""}
	return map[string]checkPhrase{
		"equals": {"is not %s", "equals %s", ""}, "contains": contains, "icontains": contains,
		"contains-any": contains, "icontains-any": contains, "contains-all": contains, "icontains-all": contains,
		"starts-with": {"does not start with %s", "starts with %s", ""},
		"regex":       {"no match of %s", "matches %s", ""}, "word-count": {"not %s", "%s", "number of words"},
		"is-json": {"not JSON", "is JSON", ""}, "contains-json": {"lacks JSON", "has JSON", ""},
		"is-xml": {"not XML", "is XML", ""}, "contains-xml": {"lacks XML", "has XML", ""},
		"is-html": {"not HTML", "is HTML", ""}, "contains-html": {"lacks HTML", "has HTML", ""},
		"is-refusal": {"no refusal", "refusal", ""}, "latency": {"took over %s", "took at most %s", "too late"},
		"finish-reason":         {"finish reason not %s", "finish reason %s", ""},
		"first-token":           {"first token after %s", "first token within %s", "first token too late"},
		"cost":                  {"costs more than %s", "costs at most %s", "costs too much"},
		"levenshtein":           {"too far from %s", "too near to %s", ""},
		"javascript":            {"fails JavaScript", "passes JavaScript", ""},
		"llm-rubric":            {"fails rubric %s", "meets rubric %s", ""},
		"factuality":            {"contradicts %s", "agrees with %s", "wrong facts"},
		"model-graded-closedqa": {"does not meet %s", "meets %s", ""},
		"image-aspect":          {"aspect ratio not %s", "aspect ratio %s", ""},
		"image-format":          {"format not %s", "format %s", ""},
		"image-min-px":          {"fewer than %s px", "at least %s px", "too small"},
		"bytes-max":             {"more than %s", "at most %s", "too large"},
		"same-as":               {"differs from %s", "same as %s", ""},
		setType:                 {"score of a set below %s", "score of a set at least %s", "not all of a set"},
		thresholdType:           {"score below %s", "score at least %s", "score too low"},
	}
}

// wordsLabel returns what word-count requires of a number of words, `at most 110 words`, or what is wrong with it.
func (p checkPhrase) wordsLabel(value string, isNegated bool) string {
	decoded, err := decodeJSON(value)
	if err != nil {
		decoded = value
	}
	low, high, err := wordBounds(decoded)
	isOpposite := strings.Contains(p.negated, "%s")
	atMost, atLeast := "at most %s words", "at least %s words"
	if isOpposite && !isNegated {
		atMost, atLeast = "more than %s words", "fewer than %s words"
	}
	text := ""
	switch {
	case err != nil:
		return "number of words"
	case high < 0 && low != high:
		text = fmt.Sprintf(atLeast, formatNumber(low))
	case low < 0 && low != high:
		text = fmt.Sprintf(atMost, formatNumber(high))
	case low == high:
		return negated(formatNumber(low)+" words", isNegated != isOpposite)
	default:
		return negated(formatNumber(low)+" to "+formatNumber(high)+" words", isNegated != isOpposite)
	}
	return negated(text, isNegated && !isOpposite)
}

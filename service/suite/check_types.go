package suite

import (
	"slices"
	"strings"
)

// checkRule says how the checks of some types are made. The types are without the prefix "not-".
type checkRule struct {
	types   []string
	on      answerKind
	isOwn   bool // confab's, not promptfoo's
	compile func(spec CheckSpec) (judgeFunc, error)
}

func checkRules() []checkRule {
	return []checkRule{
		{types: []string{"equals"}, compile: equals},
		{types: []string{"contains"}, compile: compareText("contains", "does not contain", strings.Contains)},
		{types: []string{"icontains"}, compile: compareText("contains", "does not contain", containsFold)},
		{types: []string{"contains-any", "contains-all"}, compile: containsList(strings.Contains)},
		{types: []string{"icontains-any", "icontains-all"}, compile: containsList(containsFold)},
		{types: []string{"starts-with"}, compile: compareText("starts with", "does not start with", strings.HasPrefix)},
		{types: []string{"regex"}, compile: regex},
		{types: []string{"is-json", "contains-json"}, compile: jsonText},
		{types: []string{"word-count"}, compile: wordCount},
		{types: []string{"latency"}, on: onAny, compile: latency},
		{types: []string{"cost"}, compile: cost},
		{types: []string{"first-token"}, isOwn: true, compile: firstToken},
		{types: []string{"levenshtein"}, compile: distance},
		{types: []string{"image-aspect"}, on: onPicture, isOwn: true, compile: imageAspect},
		{types: []string{"image-format"}, on: onPicture, isOwn: true, compile: imageFormat},
		{types: []string{"image-min-px"}, on: onPicture, isOwn: true, compile: imageMinPx},
		{types: []string{"bytes-max"}, on: onAny, isOwn: true, compile: bytesMax},
		{types: []string{"same-as"}, on: onAny, isOwn: true, compile: sameAs},
	}
}

// ruleOf returns the rule of a type without its not-.
func ruleOf(name string) (checkRule, bool) {
	for _, r := range checkRules() {
		if slices.Contains(r.types, name) {
			return r, true
		}
	}
	return checkRule{}, false
}

// Types returns the types that are judged, without the prefix "not-": promptfoo's first, then confab's own.
func checkTypeNames() (asserts, own []string) {
	for _, r := range checkRules() {
		if r.isOwn {
			own = append(own, r.types...)
		} else {
			asserts = append(asserts, r.types...)
		}
	}
	return asserts, own
}

// Unsupported returns promptfoo's assertion types that confab does not judge, without the prefix "not-": they need a
// second model, a script, or facts of an answer that no service here tells.
func foreignCheckTypes() []string {
	return []string{
		"answer-relevance", "assert-set", "bleu", "classifier", "contains-html", "contains-sql", "contains-xml",
		"context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "factuality",
		"finish-reason", "g-eval", "gleu", "guardrails", "human", "is-html", "is-refusal", "is-sql",
		"is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "javascript",
		"llm-rubric", "max-score", "meteor", "model-graded-closedqa", "model-graded-factuality", "moderation",
		"perplexity", "perplexity-score", "pi", "python", "rouge-n", "ruby", "search-rubric", "select-best", "similar",
		"similar:cosine", "similar:dot", "similar:euclidean", "skill-used", "tool-call-f1", "trace-error-spans",
		"trace-span-count", "trace-span-duration", "trajectory:goal-success", "trajectory:step-count",
		"trajectory:tool-args-match", "trajectory:tool-sequence", "trajectory:tool-used", "webhook",
	}
}

// IsUnsupported reports whether a type is promptfoo's and not judged here.
func isForeignCheckType(name string) bool {
	return slices.Contains(foreignCheckTypes(), name) || strings.HasPrefix(name, "promptfoo:redteam:")
}

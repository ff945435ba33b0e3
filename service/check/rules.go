package check

import (
	"slices"
	"strings"
)

// rule says how the checks of one type are made.
type rule struct {
	on      subject
	own     bool // confab's, not promptfoo's
	compile func(name string, spec Spec) (judge, error)
}

// ruleOf returns the rule of a type without its not-.
func ruleOf(name string) (rule, bool) {
	switch name {
	case "equals":
		return rule{compile: equals}, true
	case "contains", "icontains":
		return rule{compile: contains}, true
	case "contains-any", "contains-all", "icontains-any", "icontains-all":
		return rule{compile: containsList}, true
	case "starts-with":
		return rule{compile: startsWith}, true
	case "regex":
		return rule{compile: regex}, true
	case "is-json", "contains-json":
		return rule{compile: jsonText}, true
	case "word-count":
		return rule{compile: wordCount}, true
	case "levenshtein":
		return rule{compile: distance}, true
	case "latency":
		return rule{on: onAny, compile: latency}, true
	case "image-aspect":
		return rule{on: onPicture, own: true, compile: imageAspect}, true
	case "image-format":
		return rule{on: onPicture, own: true, compile: imageFormat}, true
	case "image-min-px":
		return rule{on: onPicture, own: true, compile: imageMinPx}, true
	case "bytes-max":
		return rule{on: onAny, own: true, compile: bytesMax}, true
	case "same-as":
		return rule{on: onAny, own: true, compile: sameAs}, true
	}
	return rule{}, false
}

// Types returns the types that are judged, without their not-: promptfoo's
// first, then confab's own.
func Types() (asserts, own []string) {
	return []string{
			"equals", "contains", "icontains", "contains-any", "contains-all", "icontains-any", "icontains-all",
			"starts-with", "regex", "is-json", "contains-json", "word-count", "latency", "levenshtein",
		}, []string{
			"image-aspect", "image-format", "image-min-px", "bytes-max", "same-as",
		}
}

// Unsupported returns promptfoo's assertion types that confab does not judge, without their not-: they need a second
// model, a script, or facts of an answer that no service here tells.
func Unsupported() []string {
	return []string{
		"answer-relevance", "assert-set", "bleu", "classifier", "contains-html", "contains-sql", "contains-xml",
		"context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "cost", "factuality",
		"finish-reason", "g-eval", "gleu", "guardrails", "human", "is-html", "is-refusal", "is-sql",
		"is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml", "javascript",
		"llm-rubric", "max-score", "meteor", "model-graded-closedqa", "model-graded-factuality", "moderation",
		"perplexity", "perplexity-score", "pi", "python", "rouge-n", "ruby", "search-rubric", "select-best", "similar",
		"similar:cosine", "similar:dot", "similar:euclidean", "skill-used", "tool-call-f1", "trace-error-spans",
		"trace-span-count", "trace-span-duration", "trajectory:goal-success", "trajectory:step-count",
		"trajectory:tool-args-match", "trajectory:tool-sequence", "trajectory:tool-used", "webhook",
	}
}

// isUnsupported reports whether a type is promptfoo's and not judged here.
func isUnsupported(name string) bool {
	return slices.Contains(Unsupported(), name) || strings.HasPrefix(name, "promptfoo:redteam:")
}

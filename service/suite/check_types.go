package suite

import (
	"fmt"
	"slices"
	"strings"

	"confab/internal/termtext"
)

// checkType describes a type of checks, without the prefix "not-".
type checkType struct {
	name    string
	kinds   answerKinds
	isOwn   bool // confab's, not promptfoo's
	compile func(spec checkSpec) (judgeFunc, error)
}

// checkTypes returns the judged types: promptfoo's first, then confab's own.
func checkTypes() []checkType {
	return []checkType{
		{"equals", onTexts, false, equals},
		{"contains", onTexts, false, compareText("contains", "does not contain", strings.Contains)},
		{"icontains", onTexts, false, compareText("contains", "does not contain", containsFold)},
		{"contains-any", onTexts, false, containsList(strings.Contains)},
		{"contains-all", onTexts, false, containsList(strings.Contains)},
		{"icontains-any", onTexts, false, containsList(containsFold)},
		{"icontains-all", onTexts, false, containsList(containsFold)},
		{"starts-with", onTexts, false, compareText("starts with", "does not start with", strings.HasPrefix)},
		{"regex", onTexts, false, regex},
		{"is-json", onTexts, false, isJSON},
		{"contains-json", onTexts, false, containsJSON},
		{"word-count", onTexts, false, wordCount},
		{"latency", onAllKinds, false, latency},
		{"cost", onTexts, false, cost},
		{"levenshtein", onTexts, false, distance},
		{"first-token", onTexts, true, firstToken},
		{"image-aspect", onPictures, true, imageAspect},
		{"image-format", onPictures, true, imageFormat},
		{"image-min-px", onPictures, true, imageMinPx},
		{"bytes-max", onAllKinds, true, bytesMax},
		{"same-as", onAllKinds, true, sameAs},
	}
}

func checkTypeOf(name string) (checkType, bool) {
	all := checkTypes()
	i := slices.IndexFunc(all, func(t checkType) bool { return t.name == name })
	if i < 0 {
		return checkType{}, false
	}
	return all[i], true
}

// CheckTypes returns the names of the judged types: promptfoo's and confab's own.
func CheckTypes() (asserts, own []string) {
	for _, t := range checkTypes() {
		if t.isOwn {
			own = append(own, t.name)
		} else {
			asserts = append(asserts, t.name)
		}
	}
	return asserts, own
}

// foreignCheckTypes returns promptfoo's types that confab does not judge: they need a second model, a script, or data
// that no service here returns.
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

func isForeignCheckType(name string) bool {
	return slices.Contains(foreignCheckTypes(), name) || strings.HasPrefix(name, "promptfoo:redteam:")
}

// unknownCheckType returns the error for an unknown type, with the nearest known one.
func unknownCheckType(written string) error {
	asserts, own := CheckTypes()
	name, isNegated := strings.CutPrefix(written, "not-")
	near := termtext.NearestName(name, slices.Concat(asserts, own, foreignCheckTypes()))
	switch {
	case near == "":
		return fmt.Errorf("there is no check %s", quoted(written))
	case isNegated:
		near = "not-" + near
	}
	return fmt.Errorf("there is no check %s; did you mean %s?", quoted(written), near)
}

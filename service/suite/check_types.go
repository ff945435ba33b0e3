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
	answers answerKinds
	compile func(spec checkSpec) (judgeFunc, error)

	isOwn       bool // confab's, not promptfoo's
	needsModel  bool // judged after the others
	readsValues bool // reads the variables of the test, so that each call compiles it
}

// checkTypes returns the judged types: promptfoo's first, then confab's own.
func checkTypes() []checkType {
	types := []checkType{
		{name: "equals", compile: equals},
		{name: "contains", compile: compareText("contains", "does not contain", strings.Contains)},
		{name: "icontains", compile: compareText("contains", "does not contain", containsFold)},
		{name: "contains-any", compile: containsList(strings.Contains)},
		{name: "contains-all", compile: containsList(strings.Contains)},
		{name: "icontains-any", compile: containsList(containsFold)},
		{name: "icontains-all", compile: containsList(containsFold)},
		{name: "starts-with", compile: compareText("starts with", "does not start with", strings.HasPrefix)},
		{name: "regex", compile: regex},
		{name: "is-json", compile: isJSON},
		{name: "contains-json", compile: containsJSON},
		{name: "is-xml", compile: isXML},
		{name: "contains-xml", compile: containsXML},
		{name: "is-html", compile: isHTML},
		{name: "contains-html", compile: containsHTML},
		{name: "is-refusal", answers: onEndings, compile: isRefusal},
		{name: "finish-reason", answers: onEndings, compile: finishReason},
		{name: "word-count", compile: wordCount},
		{name: "latency", answers: onAllKinds, compile: latency},
		{name: "cost", compile: cost},
		{name: "levenshtein", compile: distance},
		{name: "javascript", compile: javaScript, readsValues: true},
		{name: "llm-rubric", needsModel: true, compile: rubric("")},
		{name: "factuality", needsModel: true, compile: rubric(
			"The answer does not contradict this reference, which is true; it may say less or more: ")},
		{name: "model-graded-closedqa", needsModel: true, compile: rubric(
			"The answer to the question meets this criterion: ")},
	}
	own := []checkType{
		{name: "first-token", compile: firstToken},
		{name: "image-aspect", answers: onPictures, compile: imageAspect},
		{name: "image-format", answers: onPictures, compile: imageFormat},
		{name: "image-min-px", answers: onPictures, compile: imageMinPx},
		{name: "bytes-max", answers: onAllKinds, compile: bytesMax},
		{name: "same-as", answers: onAllKinds, compile: sameAs},
	}
	for i := range own {
		own[i].isOwn = true
	}
	return append(types, own...)
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
		"agent-rubric", "answer-relevance", "bleu", "classifier", "contains-sql", "context-faithfulness",
		"context-recall", "context-relevance", "conversation-relevance", "g-eval", "gleu", "guardrails",
		"human", "is-sql", "is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call",
		"max-score", "meteor", "model-graded-factuality",
		"moderation", "perplexity", "perplexity-score", "pi", "python", "rouge-n", "ruby", "search-rubric",
		"select-best", "similar", "similar:cosine", "similar:dot", "similar:euclidean", "skill-used", "tool-call-f1",
		"trace-error-spans", "trace-span-count", "trace-span-duration", "trajectory:goal-success",
		"trajectory:step-count", "trajectory:tool-args-match", "trajectory:tool-sequence", "trajectory:tool-used",
		"webhook",
	}
}

func isForeignCheckType(name string) bool {
	return slices.Contains(foreignCheckTypes(), name) || strings.HasPrefix(name, "promptfoo:redteam:")
}

// unknownCheckType returns the error for an unknown type, with the nearest known one.
func unknownCheckType(written string) error {
	asserts, own := CheckTypes()
	name, isNegated := strings.CutPrefix(written, "not-")
	near := termtext.NearestName(name, slices.Concat(asserts, own, []string{setType}, foreignCheckTypes()))
	switch {
	case near == "":
		return fmt.Errorf("there is no check %s", quoted(written))
	case isNegated:
		near = "not-" + near
	}
	return fmt.Errorf("there is no check %s; did you mean %s?", quoted(written), near)
}

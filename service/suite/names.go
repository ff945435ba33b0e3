package suite

import (
	"maps"
	"slices"
	"strings"

	"confab/internal/errtext"
)

// names are the names that one kind of mapping in a suite may hold.
type names struct {
	what    string            // the mapping, as errors call it
	applied []string          // what confab reads
	ignored []string          // promptfoo's, which change neither what is sent nor how it is judged
	notDone map[string]string // promptfoo's that confab does not do, with the note that says so
	open    bool              // promptfoo passes any other name on to the model; here it is noted
}

// other judges an entry that confab does not read: promptfoo's are ignored or noted, those that begin with x- are the
// user's own. Every other name is an error, because a misspelt one would leave out what it stands for.
func (d *decoder) other(n names, e entry) error {
	switch note, notDone := n.notDone[e.name]; {
	case slices.Contains(n.ignored, e.name) || strings.HasPrefix(e.name, "x-"):
		return nil
	case e.name == "$ref":
		return problem(e.line, "confab does not follow $ref: write the text here, or use an anchor of YAML (&name and "+
			"*name)")
	case notDone:
		d.note(e.line, note)
		return nil
	}
	near := errtext.Nearest(e.name, slices.Concat(n.applied, n.ignored, slices.Collect(maps.Keys(n.notDone))))
	switch {
	case near != "":
		return problem(e.line, "%s has no %s; did you mean %s?", n.what, quote(e.name), near)
	case n.open:
		d.note(e.line, quote(e.name)+" is nothing this service takes and is not sent")
		return nil
	}
	return problem(e.line, "%s has no %s; names of your own begin with x-", n.what, quote(e.name))
}

func suiteNames() names {
	return names{
		what: "a suite",
		applied: []string{"description", "prompts", "providers", "targets", "defaultTest", "tests", "evaluateOptions",
			"scenarios", "extensions"},
		ignored: []string{"$schema", "author", "metadata", "outputPath", "redteam", "sharing", "tags", "tracing",
			"writeLatestResults"},
		notDone: map[string]string{
			"assertionTemplates": "assertionTemplates are not applied: confab does not follow $ref",
			"commandLineOptions": "commandLineOptions are not applied",
			"derivedMetrics":     "derivedMetrics are not calculated",
			"env":                "env is not applied",
			"nunjucksFilters":    "nunjucksFilters run code and are not applied",
			"providerPromptMap":  "providerPromptMap is not applied: write prompts in the provider",
			"transform":          "transform runs code and is not applied",
		},
	}
}

func promptNames() names {
	return names{
		what: "a prompt", applied: []string{"id", "label", "display", "raw"},
		notDone: map[string]string{
			"config":   "config of a prompt is not applied",
			"function": "function of a prompt runs code and is not applied",
		},
	}
}

func providerNames() names {
	return names{
		what: "a provider", applied: []string{"id", "label", "prompts", "config", "transform"},
		notDone: map[string]string{
			"delay":  "delay of a provider is not applied",
			"env":    "env of a provider is not applied",
			"inputs": "inputs of a provider are not applied",
		},
	}
}

func configNames() names {
	return names{what: "the config of a provider", applied: []string{"aspect_ratio", "nonce", "imageUrl"}, open: true}
}

func testNames(what string) names {
	return names{
		what: what,
		applied: []string{"description", "vars", "assert", "x-checks", "metadata", "providers", "prompts", "options",
			"assertScoringFunction", "provider", "providerOutput", "path", "config"},
		notDone: map[string]string{"threshold": "threshold of a test is not applied: every check counts"},
	}
}

func testOptionNames() names {
	return names{
		what: "the options of a test",
		applied: []string{"prefix", "suffix", "disableVarExpansion", "disableDefaultAsserts", "transform",
			"postprocess", "transformVars"},
		// These are for checks by a second model.
		ignored: []string{"disableConversationVar", "factuality", "provider", "rubricPrompt"},
		notDone: map[string]string{
			"runSerially":   "runSerially is not applied: write maxConcurrency: 1",
			"storeOutputAs": "storeOutputAs is not applied",
		},
		open: true,
	}
}

func assertNames() names {
	return names{
		what: "a check", applied: []string{"type", "value", "threshold", "weight", "transform", "contextTransform",
			"normalizeUnicode"},
		// A check by a second model or a script has a provider, a rubric and a config, and an assert-set has checks:
		// they are skipped whole.
		ignored: []string{"assert", "config", "metric", "provider", "rubricPrompt"},
	}
}

func optionNames() names {
	return names{
		what: "evaluateOptions", applied: []string{"repeat", "maxConcurrency", "delay", "timeoutMs"},
		ignored: []string{"cache", "eventSource", "generateSuggestions", "interactiveProviders", "isRedteam",
			"progressCallback", "showProgressBar", "silent"},
		notDone: map[string]string{"maxEvalTimeMs": "maxEvalTimeMs is not applied"},
	}
}

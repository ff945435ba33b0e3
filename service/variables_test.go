package service_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"confab/service"
	"confab/service/suite"
)

func TestCombineMakesAPromptOfEveryCombination(t *testing.T) {
	p := service.Prompt{Text: "Write to {{who}} in {{language}}. {{{{who}}}}", System: "You speak {{language}}."}
	if got := suite.Variables(p.Text, p.System); !slices.Equal(got, []string{"who", "language"}) {
		t.Fatalf("variables: %v", got)
	}
	out, err := service.Combine(p, service.Axes{Values: map[string][]string{"who": {"Ana", "Ben"},
		"language": {"German"}, "other": {"x"}}})
	if err != nil || len(out) != 2 {
		t.Fatalf("got %d prompts, %v", len(out), err)
	}
	if out[0].Text != "Write to Ana in German. {{who}}" || out[1].Text != "Write to Ben in German. {{who}}" ||
		out[1].System != "You speak German." {
		t.Errorf("got %q, %q, system %q", out[0].Text, out[1].Text, out[1].System)
	}
	if one := out[1]; one.Template != p.Text || one.SystemTemplate != p.System ||
		!maps.Equal(one.Vars, map[string]string{"who": "Ben", "language": "German"}) {
		t.Errorf("filled in from %q, %q with %v", one.Template, one.SystemTemplate, one.Vars)
	}
}

func TestATurnKeepsItsVariables(t *testing.T) {
	w := newWorld(t)
	prompts, err := service.Combine(
		service.Prompt{Text: "Write to {{who}}, " + sentinel, System: "Be {{how}}", Models: []string{"delta"}},
		service.Axes{Values: map[string][]string{"who": {"Ana " + sentinel}, "how": {"kind"}}},
	)
	must(t, err)
	turn := w.stored(t, w.send(t, prompts[0]).ID)
	if got := fmt.Sprint(turn.Vars, turn.Template, turn.SystemTemplate); !strings.Contains(got, "how:kind who:Ana ") ||
		!strings.Contains(got, "Write to {{who}}, ") || !strings.HasSuffix(got, "Be {{how}}") {
		t.Errorf("kept %s", got)
	}
	if found := grep(t, w.dir, sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
	if prompts[0].Vars["who"] != "Ana "+sentinel {
		t.Errorf("the values of the caller became %v", prompts[0].Vars)
	}
	plain := w.stored(t, w.send(t, service.Prompt{Text: "{{{{who}}}}", Models: []string{"delta"}}).ID)
	if plain.Vars != nil || plain.Template != "" {
		t.Errorf("without variables kept %q, %v", plain.Template, plain.Vars)
	}
}

func TestCombineNamesWhatHasNoValue(t *testing.T) {
	_, err := service.Combine(service.Prompt{Text: "{{a}} {{b}}"},
		service.Axes{Values: map[string][]string{"a": {"1"}}})
	if err == nil || !strings.Contains(err.Error(), "{{b}}") || strings.Contains(err.Error(), "{{a}}") {
		t.Errorf("got %v, want a sentence that names b alone", err)
	}
}

package service

import (
	"slices"
	"strings"
	"testing"
)

func TestFillMakesAPromptOfEveryCombination(t *testing.T) {
	p := Prompt{Text: "Write to {{who}} in {{language}}. {{{{who}}}}", System: "You speak {{language}}."}
	if got := Variables(p.Text, p.System); !slices.Equal(got, []string{"who", "language"}) {
		t.Fatalf("variables: %v", got)
	}
	out, err := Fill(p, map[string][]string{"who": {"Ana", "Ben"}, "language": {"German"}, "other": {"x"}})
	if err != nil || len(out) != 2 {
		t.Fatalf("got %d prompts, %v", len(out), err)
	}
	if out[0].Text != "Write to Ana in German. {{who}}" || out[1].Text != "Write to Ben in German. {{who}}" || out[1].System != "You speak German." {
		t.Errorf("got %q, %q, system %q", out[0].Text, out[1].Text, out[1].System)
	}
}

func TestFillNamesWhatHasNoValue(t *testing.T) {
	_, err := Fill(Prompt{Text: "{{a}} {{b}}"}, map[string][]string{"a": {"1"}})
	if err == nil || !strings.Contains(err.Error(), "{{b}}") || strings.Contains(err.Error(), "{{a}}") {
		t.Errorf("got %v, want a sentence that names b alone", err)
	}
}

func TestFillLeavesOtherTextAlone(t *testing.T) {
	for _, text := range []string{"plain", "a { b } c", "{}"} {
		out, err := Fill(Prompt{Text: text}, nil)
		if err != nil || len(out) != 1 || out[0].Text != text {
			t.Errorf("%q became %v, %v", text, out, err)
		}
	}
}

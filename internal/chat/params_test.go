package chat_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"confab/internal/chat"
)

func TestTheDocumentHasEveryParameter(t *testing.T) {
	page, err := os.ReadFile("../../docs/parameters.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, p := range chat.Params() {
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", p.Name, p.Takes, p.Effect)
	}
	if !strings.Contains(string(page), "|---|---|---|\n"+table.String()+"\n") {
		t.Errorf("the table of docs/parameters.md should be\n%s", table.String())
	}
}

func TestValuesOfParameters(t *testing.T) {
	n := func(s string) any { return json.Number(s) }
	for _, tt := range []struct {
		name         string
		value, taken any
	}{
		{"temperature", 0.5, n("0.5")}, {"temperature", "0.5", nil}, {"temperature", -0.1, nil},
		{"top_k", 40, n("40")}, {"top_k", 40.0, n("40")}, {"top_k", n("4e1"), n("40")}, {"top_k", 0.5, nil},
		{"min_p", 1.01, nil}, {"presence_penalty", -2, n("-2")}, {"frequency_penalty", -2.1, nil},
		{"max_tokens", 0, nil}, {"max_tokens", 1e6, n("1000000")}, {"max_tokens", true, nil},
		{"seed", int64(1)<<62 + 1, n("4611686018427387905")}, {"seed", 1e30, nil},
		{"stop", "a", []any{"a"}}, {"stop", []string{"a", "b"}, []any{"a", "b"}}, {"stop", []any{}, nil},
		{"stop", []int{1}, nil}, {"stop", make([]string, 5), nil},
		{"response_format", "json_object", "json_object"}, {"response_format", "xml", nil},
		{"response_format", map[string]any{"type": "text"}, `{"type":"text"}`},
		{"response_format", `{"title":"x"}`, `{"title":"x"}`}, {"response_format", `{"title"`, nil},
		{"reasoning_effort", "low", "low"}, {"reasoning_effort", "json_object", nil},
		{"extra", map[string]any{"mirostat": 2}, map[string]any{"mirostat": n("2")}}, {"extra", []any{1}, nil},
		{"extra", map[string]any{"Model": "x"}, nil}, {"extra", map[string]any{"seed": 1}, nil},
		{"extra", map[string]any{"api_key": "x"}, nil},
	} {
		got, err := chat.CheckParams(map[string]any{tt.name: tt.value, "seed ": nil})
		if tt.taken == nil {
			if err == nil || !strings.HasPrefix(err.Error(), "the parameter "+tt.name+" must be ") {
				t.Errorf("%s = %v: got %v, %v", tt.name, tt.value, got, err)
			}
		} else if err != nil || !reflect.DeepEqual(got, map[string]any{tt.name: tt.taken}) {
			t.Errorf("%s = %v: got %v, %v", tt.name, tt.value, got, err)
		}
	}
	if _, err := chat.CheckParams(map[string]any{"top-k": 1}); err == nil ||
		err.Error() != `there is no parameter "top-k"; did you mean top_k?` {
		t.Errorf("a misspelt name: %v", err)
	}
}

func TestExtraIsMergedFieldByField(t *testing.T) {
	base := map[string]any{"seed": 1, "extra": map[string]any{"a": 1, "b": 1}}
	over := map[string]any{"seed": 2, "extra": map[string]any{"b": 2}}
	want := map[string]any{"seed": 2, "extra": map[string]any{"a": 1, "b": 2}}
	if got := chat.MergeParams(base, over); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if base["seed"] != 1 || base["extra"].(map[string]any)["b"] != 1 {
		t.Errorf("what was merged into is changed: %v", base)
	}
}

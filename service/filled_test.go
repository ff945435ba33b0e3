package service_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/export"
)

// filledIn sends a prompt for every combination of two variables.
func (w *world) filledIn(t *testing.T, p service.Prompt, values map[string][]string) []history.Turn {
	t.Helper()
	prompts, err := service.Combine(p, service.Axes{Values: values})
	must(t, err)
	return w.sendAll(t, prompts)
}

// sendAll sends prompts together and waits for their answers.
func (w *world) sendAll(t *testing.T, prompts []service.Prompt) (turns []history.Turn) {
	t.Helper()
	sent, err := w.SendAll(t.Context(), prompts)
	must(t, err)
	for _, one := range sent {
		turns = append(turns, follow(one.Turn, one.Events))
	}
	return turns
}

// Every format of an export contains the template and variables of a prompt.
func TestExportsShowVariables(t *testing.T) {
	w := newWritten(t, 0)
	turns := w.filledIn(t, service.Prompt{Text: "Write to {{who}}", System: "Be {{how}}", Models: []string{"delta"}},
		map[string][]string{"who": {"Ana", "Ben,\n\"B\""}, "how": {"kind"}})
	one := export.Request{Turn: turns[1].ID}
	for as, want := range map[export.Format]string{
		export.FormatMarkdown: "**Filled in**\n\n- how: kind\n- who: Ben,\n  \"B\"\n\n*branch 2 of 2*\n\n### delta",
		export.FormatText:     "--- filled in\n\n- how: kind\n- who: Ben,\n  \"B\"\n\n--- delta",
		export.FormatHTML:     "Ben,\n&#34;B&#34;",
	} {
		one.As = as
		if got, _ := w.read(t, one); !strings.Contains(got, want) {
			t.Errorf("%s has no %q:\n%s", as, want, got)
		}
	}
	for _, as := range []export.Format{export.FormatJSON, export.FormatJSONL} {
		one.As = as
		got, _ := w.read(t, one)
		var j struct {
			System         string
			Vars           map[string]string
			Template       string
			SystemTemplate string `json:"system_template"`
		}
		must(t, json.Unmarshal([]byte(got), &j))
		if j.Vars["who"] != "Ben,\n\"B\"" || j.Template != "Write to {{who}}" || j.SystemTemplate != "Be {{how}}" ||
			j.System != "Be kind" {
			t.Errorf("%s says %+v", as, j)
		}
	}
	got, _ := w.read(t, export.Request{Session: turns[0].Session, As: export.FormatCSV}) // the branch that is shown
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	how, who := slices.Index(rows[0], "var.how"), slices.Index(rows[0], "var.who")
	if how < 0 || who < 0 || rows[1][how] != "kind" || rows[1][who] != "Ben,\n\"B\"" {
		t.Errorf("rows %q", rows)
	}
	if first, _ := w.read(t, export.Request{Turn: w.first.ID, As: export.FormatJSON}); strings.Contains(first,
		"vars") ||
		strings.Contains(first, "template") {
		t.Errorf("a prompt without variables says\n%s", first)
	}
}

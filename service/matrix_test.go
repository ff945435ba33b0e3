package service_test

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/suite"
)

// promptsOf returns the prompts of a turn's models in their order.
func promptsOf(t *testing.T, turn history.Turn) []string {
	t.Helper()
	var all []string
	for _, a := range turn.Answers {
		var system, source string
		m, _ := api.Default().Find(a.Model)
		switch {
		case m.TakesSystem:
			system = turn.System
		case m.Kind == api.Edit:
			source = turn.Source.URL
		}
		aspect := ""
		if m.Kind == api.Image {
			aspect = turn.Aspect
		}
		all = append(all,
			fmt.Sprintf("%s %q %q %s %s %s", m.Slug, turn.Prompt, system, aspect, a.SentNonce, source))
	}
	return all
}

// plannedPrompts returns the prompts of a suite.
func plannedPrompts(t *testing.T, w *world, path string) []string {
	t.Helper()
	f, err := w.OpenSuite(t.Context(), path)
	must(t, err)
	if len(f.Suite.Unapplied) > 0 {
		t.Errorf("the suite has the notes %v", f.Suite.Unapplied)
	}
	p, err := w.Runner().Plan(t.Context(), suite.Request{Suite: f.Suite, Path: f.Path})
	must(t, err)
	var all []string
	for _, c := range p.Calls {
		all = append(all,
			fmt.Sprintf("%s %q %q %s %s %s", c.Model.Slug, c.Prompt, c.System, c.Aspect, c.Nonce, c.Source))
	}
	return all
}

// A sent matrix, written as a suite and read again, has the same prompts.
func TestATurnAsASuite(t *testing.T) {
	w := newWritten(t, 0)
	p := service.Prompt{
		Text: "Draw {{who}} {{{{so}}}}", System: "Be {{how}}", Models: []string{"zeta", "sim-image", "imageedit",
			"delta"},
		Aspect: "16:9", Nonce: history.Nonce{Mode: history.NonceFixed,
			Value: "4417"}, Source: &history.Source{URL: "https://example.com/a.png"}, Samples: 2,
	}
	values := map[string][]string{"who": {"{{Ana}}", "Ben: \"B\"\n", sentinel}, "how": {"kind", "{{who}}"}}
	turns := w.filledIn(t, p, values)
	var want []string
	for _, turn := range turns {
		want = append(want, promptsOf(t, turn)...)
	}
	for _, at := range []int{0, 3, 5} {
		_, path := w.read(t, export.Request{Turn: turns[at].ID, As: export.FormatSuite})
		if !strings.HasSuffix(path, ".yaml") {
			t.Errorf("written to %s", path)
		}
		if got := plannedPrompts(t, w.world, path); !slices.Equal(got, want) {
			t.Errorf("by turn %d asks\n%s\nwant\n%s", at, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	alone := w.send(t, service.Prompt{
		Session: turns[0].Session,
		Text:    "{{who}} file://",
		System:  "{{how}}",
		Models:  []string{"delta"},
	})
	_, path := w.read(t, export.Request{Turn: alone.ID, As: export.FormatSuite})
	if got := plannedPrompts(t, w.world, path); !slices.Equal(got, promptsOf(t, alone)) {
		t.Errorf("a turn without variables asks %q", got)
	}
	for _, wr := range []export.Request{{Answer: alone.Answers[0].ID}, {Session: alone.Session}} {
		wr.As = export.FormatSuite
		_, err := w.Exporter().Write(t.Context(), wr)
		wantCode(t, err, api.CodeUsage)
	}
	odd := w.send(t, service.Prompt{
		Text:   "x",
		Models: []string{"sim-image"},
		Nonce:  history.Nonce{Mode: history.NonceFixed, Value: "new"},
	})
	_, err := w.Exporter().Write(t.Context(), export.Request{Turn: odd.ID, As: export.FormatSuite})
	wantCode(t, err, api.CodeUsage)
}

func TestMatrix(t *testing.T) {
	w := newWritten(t, 0)
	p := service.Prompt{Text: "{{a}}", Models: []string{"delta"}}
	var values []string
	for i := range service.TurnsPage + 20 {
		values = append(values, fmt.Sprint(i))
	}
	expect := func(name string, turn history.Turn, want []history.Turn) {
		t.Helper()
		_, path := w.read(t, export.Request{Turn: turn.ID, As: export.FormatSuite})
		var asked []string
		for _, turn := range want {
			asked = append(asked, promptsOf(t, turn)...)
		}
		if got := plannedPrompts(t, w.world, path); !slices.Equal(got, asked) {
			t.Errorf("%s: asks %q, want %q", name, got, asked)
		}
	}
	first := w.filledIn(t, p, map[string][]string{"a": values})
	p.Session = first[0].Session
	again := w.filledIn(t, p, map[string][]string{"a": values[:3]})
	p.Models = []string{"delta", "zeta"}
	others := w.filledIn(t, p, map[string][]string{"a": values[5:7]})
	plain := w.send(t, service.Prompt{Session: p.Session, Text: "5", Models: p.Models})
	after := w.filledIn(t, p, map[string][]string{"a": values[8:9]})
	expect("a long one by its first", first[0], first)
	expect("a long one by its last", first[len(first)-1], first)
	expect("sent again", again[1], again)
	expect("to other models", others[0], others)
	expect("without variables", plain, []history.Turn{plain})
	expect("after another prompt", after[0], after)
	_, err := w.Exporter().Write(t.Context(), export.Request{Turn: 9999, As: export.FormatSuite})
	wantCode(t, err, api.CodeUsage)
}

// Exports a row of a run, and its pictures as one.
func TestWriteARowOfARun(t *testing.T) {
	w := newWritten(t, 0)
	r, ends := w.run(t, t.Context(), w.suiteIn(t, "mixed.yaml", "prompts: [one, two]\nproviders: [llm:delta, "+
		"image:sim-image]\ndefaultTest: {assert: [{type: contains, value: one}]}\n"))
	id := r.Record().ID
	var second []int64 // the turns of the second row
	for _, e := range ends {
		if e.Cell.Row != 2 {
			continue
		}
		second = append(second, e.Cell.Turn)
	}
	got, path := w.read(t, export.Request{Run: id, Turns: second, As: export.FormatCSV})
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][slices.Index(rows[0], "prompt id")] != "2" ||
		!slices.Contains(rows[0], "check.contains \"one\"") || filepath.Base(path) != "mixed-run-1-row-2.csv" {
		t.Errorf("%s: %q, %v", path, rows, err)
	}
	_, err = w.Exporter().Write(t.Context(), export.Request{Run: id, Turns: []int64{999}})
	wantCode(t, err, api.CodeUsage)
}

// A stored run is exported, with a CSV that spreadsheets cannot evaluate.
func TestWriteARun(t *testing.T) {
	w := newWritten(t, 0)
	r, _ := w.run(t, t.Context(), w.suiteIn(t, "sums.yaml", "prompts: ['{{sum}}']\nproviders: [llm:delta]\ntests: "+
		"[{vars: {sum: ['=1+1', plain]}}]\n"))
	id := r.Record().ID
	for _, isExact := range []bool{false, true} {
		got, path := w.read(t, export.Request{Run: id, As: export.FormatCSV, IsExactCSV: isExact})
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(got, "\ufeff"))).ReadAll()
		if err != nil || len(rows) != 3 || !strings.HasPrefix(filepath.Base(path), "sums-run-1") {
			t.Fatalf("%s: %q, %v", path, rows, err)
		}
		value := rows[1][slices.Index(rows[0], "var.sum")]
		want := "'=1+1"
		if isExact {
			want = "=1+1"
		}
		if value != want || strings.HasPrefix(got, "\ufeff") == isExact {
			t.Errorf("exact %v: the value is %q, want %q", isExact, value, want)
		}
	}
	for _, as := range []export.Format{"", export.FormatHTML, export.FormatJSONL} {
		if got, _ := w.read(t, export.Request{Run: id, As: as}); !strings.Contains(got, "delta says") {
			t.Errorf("as %q\n%s", as, got)
		}
	}
	for _, wr := range []export.Request{{Run: id, As: export.FormatPicture}, {Run: 99}, {Run: id, Turn: 1}} {
		_, err := w.Exporter().Write(t.Context(), wr)
		wantCode(t, err, api.CodeUsage)
	}
	got, _ := w.read(t,
		export.Request{Turn: w.send(t, service.Prompt{Text: "=x", System: "@y", Models: []string{"delta"}}).ID,
			As: export.FormatCSV,
		})
	if !strings.Contains(got, ",'@y,") {
		t.Errorf("the turn is %s", got)
	}
}

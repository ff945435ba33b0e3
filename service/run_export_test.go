package service_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/api"
	"confab/service/export"
)

func TestRunFiles(t *testing.T) {
	w := newWorld(t)
	w.client.fails(func(r api.Request) bool { return strings.HasSuffix(r.Prompt, "two") })
	o := w.suiteIn(t, "s.yaml", `
prompts: [{id: p, raw: 'say {{what}}'}]
providers: [llm:delta, 'image:sim-image']
tests: [{vars: {what: [one, two]}, assert: [{type: contains, value: '{{what}}'}]}]
evaluateOptions: {repeat: 2}
`)
	r, events, err := startRun(t.Context(), w.Runner(), o)
	must(t, err)
	paths := []string{"r.jsonl", "r.csv", "r.md", "r.html"}
	var files []*export.RunFile
	for i, name := range paths {
		paths[i] = filepath.Join(w.dir, "out", name)
		f, err := w.Exporter().NewRunFile(r, paths[i], false)
		must(t, err)
		files = append(files, f)
	}
	seen := 0
	for e := range events {
		if e.Cell.State == history.Running {
			continue
		}
		seen++
		for _, f := range files {
			must(t, f.Add(t.Context(), e.Cell))
		}
		// Ended answers are in the file before the run ends.
		if b, err := os.ReadFile(paths[0]); err != nil || strings.Count(string(b), "\n") != seen {
			t.Fatalf("after %d ends the file holds %q, %v", seen, b, err)
		}
	}
	for i, f := range files {
		if path, err := f.Close(t.Context()); err != nil || path != paths[i] {
			t.Fatalf("%s: %v", path, err)
		}
	}
	checkLines(t, paths[0])
	checkRowsOf(t, paths[1])
	for _, path := range paths[2:] {
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), "delta says") || !strings.Contains(string(b), "not well today") ||
			!strings.Contains(string(b), "png") {
			t.Errorf("%s: %.2000s, %v", path, b, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
	// The stored run gives the same file in the order of the suite.
	for i, path := range paths {
		later := filepath.Join(w.dir, "out", "later"+filepath.Ext(path))
		must(t, errorOf(w.writeRun(t.Context(), r.Record().ID, later)))
		a, _ := os.ReadFile(path)
		b, err := os.ReadFile(later)
		x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
		if i < 2 { // these are in the order of arrival
			slices.Sort(x)
			slices.Sort(y)
		}
		if err != nil || !slices.Equal(x, y) {
			t.Errorf("later it is\n%s\nand was\n%s", b, a)
		}
		_, err = w.writeRun(t.Context(), r.Record().ID, later)
		wantCode(t, err, api.CodeUsage)
	}
	_, err = w.writeRun(t.Context(), r.Record().ID, filepath.Join(w.dir, "x.txt"))
	wantCode(t, err, api.CodeUsage)
	_, err = w.writeRun(t.Context(), 99, filepath.Join(w.dir, "x.csv"))
	wantCode(t, err, api.CodeUsage)
}

// TestVotesAreExported votes on the answers of a run, twice on one pair, and exports the run.
func TestVotesAreExported(t *testing.T) {
	w := newWorld(t)
	o := w.suiteIn(t, "s.yaml", "prompts: [say]\nproviders: [llm:delta, llm:zeta, llm:phi-2]\n")
	r, events, err := startRun(t.Context(), w.Runner(), o)
	must(t, err)
	answers := map[string]int64{}
	for e := range events {
		answers[e.Cell.Model] = e.Cell.Answer
	}
	for _, preference := range []history.Preference{history.VoteB, history.VoteA} {
		must(t, errorOf(w.AddVote(t.Context(), history.Vote{AnswerA: answers["delta"], AnswerB: answers["zeta"],
			Preference: preference, IsBlind: true})))
	}
	path := filepath.Join(w.dir, "r.jsonl")
	must(t, errorOf(w.writeRun(t.Context(), r.Record().ID, path)))
	lines, err := os.ReadFile(path)
	must(t, err)
	for line := range strings.Lines(string(lines)) {
		var o struct {
			Model string
			Votes map[string]int
		}
		must(t, json.Unmarshal([]byte(line), &o))
		want := map[string]string{"delta": "map[bad:0 blind:1 equal:0 lost:0 pairs:1 won:1]", "phi-2": "map[]",
			"zeta": "map[bad:0 blind:1 equal:0 lost:1 pairs:1 won:0]"}[o.Model]
		if got := fmt.Sprint(o.Votes); got != want {
			t.Errorf("%s: %s, want %s", o.Model, got, want)
		}
	}
	path = filepath.Join(w.dir, "r.csv")
	must(t, errorOf(w.writeRun(t.Context(), r.Record().ID, path)))
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatal(rows, err)
	}
	first := slices.Index(rows[0], "votes won")
	if !slices.Equal(rows[0][first:], strings.Split("votes won,votes lost,votes equal,votes bad,votes blind", ",")) {
		t.Errorf("columns %q", rows[0])
	}
	for _, row := range rows[1:] {
		want := map[string]string{"delta": "1,0,0,0,1", "zeta": "0,1,0,0,1", "phi-2": ",,,,"}[row[6]]
		if got := strings.Join(row[first:], ","); got != want {
			t.Errorf("%s: %s, want %s", row[6], got, want)
		}
	}
}

func checkLines(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	got := map[string]int{}
	for line := range strings.Lines(string(b)) {
		var o struct {
			Cell, Sample             int
			Model, State, Text, File string
			Vars                     map[string]string
			Checks                   []struct{ Verdict string }
			PromptID                 string `json:"prompt_id"`
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if o.File != "" {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), o.File)); err != nil {
				t.Errorf("the picture is not where %s says: %v", o.File, err)
			}
		}
		got[fmt.Sprint(o.Cell, o.Sample, " ", o.Model, " ", o.PromptID, " ", o.Vars["what"], " ", o.State, " ",
			o.Checks[0].Verdict)]++
	}
	want := map[string]int{
		"1 1 delta p one done passed": 1, "1 2 delta p one done passed": 1, "2 1 sim-image p one done skipped": 1,
		"2 2 sim-image p one done skipped": 1,
		"3 1 delta p two failed skipped":   1, "3 2 delta p two failed skipped": 1,
		"4 1 sim-image p two failed skipped": 1, "4 2 sim-image p two failed skipped": 1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("lines\n got %v\nwant %v", got, want)
	}
}

func checkRowsOf(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 9 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, name := range []string{"var.what", `check.contains "one"`, `check.contains "two"`} {
		if !slices.Contains(rows[0], name) {
			t.Errorf("no column %s in %q", name, rows[0])
		}
	}
}

func TestRunFilesHoldNoKey(t *testing.T) {
	w := newWorld(t)
	w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: "your key is " + sentinel}, api.Exchange{}, nil
	}
	r, ends := w.run(t, t.Context(), w.suiteIn(t, "s.yaml", "prompts: [a]\nproviders: [llm:delta]\n"))
	for _, ext := range []string{".jsonl", ".csv", ".md", ".html"} {
		must(t, errorOf(w.writeRun(t.Context(), r.Record().ID, filepath.Join(w.dir, "out", "r"+ext))))
	}
	if found := grep(t, filepath.Join(w.dir, "out"), sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
	if line, err := w.Exporter().RunLine(t.Context(), r, ends[0].Cell); err != nil || strings.Contains(line, sentinel) {
		t.Errorf("%s, %v", line, err)
	}
}

func TestCompareRuns(t *testing.T) {
	w := newWorld(t)
	run := func(prompts string, answer func(r api.Request) string) int64 {
		w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
			return api.Response{Text: answer(r)}, api.Exchange{}, nil
		}
		r, ends := w.run(t, t.Context(), w.suiteIn(t, "s.yaml", "prompts: ["+prompts+"]\nproviders: "+
			"[llm:delta]\ndefaultTest: {assert: [{type: contains, value: good}]}\n"))
		if r.Err() != nil || len(ends) == 0 {
			t.Fatal(r.Err())
		}
		return r.Record().ID
	}
	first := run("{id: same, raw: a}, {id: edited, raw: b}, {id: gone, raw: c}",
		func(api.Request) string { return "a good answer" })
	second := run("{id: new, raw: d}, {id: edited, raw: bb}, {id: renamed, raw: a}", func(r api.Request) string {
		if r.Prompt == "bb" {
			return "a bad answer"
		}
		return "a good answer"
	})
	var got []string
	_, changes, err := w.Runner().Compare(t.Context(), first, second)
	must(t, err)
	for _, c := range changes {
		name := func(x *history.Cell) string {
			if x == nil {
				return "-"
			}
			return x.Prompt
		}
		got = append(got,
			fmt.Sprintf("%s %s same %v asked %v changed %v like %.1f %v", name(c.A), name(c.B), c.IsSame(),
				c.HasPromptChanged, c.HasAnswerChanged, c.Similarity, c.Checks))
	}
	want := []string{
		"- new same false asked false changed true like 0.0 []",
		`edited edited same false asked true changed true like 0.7 [{contains "good" passed failed}]`,
		"same renamed same true asked false changed false like 1.0 []",
		"gone - same false asked false changed true like 0.0 []",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, _, err = w.Runner().Compare(t.Context(), first, 99)
	wantCode(t, err, api.CodeUsage)
}

// writeRun exports a stored run in the format of the file name.
func (w *world) writeRun(ctx context.Context, run int64, path string) (string, error) {
	full, err := w.Exporter().RunPath(path)
	if err != nil {
		return "", err
	}
	as, _ := export.RunFormat(full)
	paths, err := w.Exporter().Write(ctx, export.Request{Run: run, As: as, Path: full})
	return strings.Join(paths, "\n"), err
}

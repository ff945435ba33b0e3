package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service/export"
)

var day = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// hostile are texts with a meaning in one of the formats.
var hostile = []string{
	"=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u200b=1", "＝1", "'=1", "-", "=",
	`a "quoted" cell`, "a,b;c\td", "line one\nline two", "ends\n", "\n", "lone\rreturn", "", " ", "\\.", "#",
	"日本語 👩‍💻 e\u0301", "| a | b |\n|---|---|\n| c | d |", "<script>alert(1)</script>",
	"</style><script>alert(1)</script>",
	"<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "![x](http://evil.example/a.png)", "<http://a.example>",
	"<javascript:alert(1)>",
	"-->\n<!-- x", "]]>", "&lt;b&gt; &#60;b&#62; &amp;", "# heading\n\n```\nfence", "> quote\n- list\n1. one",
	"{{.Title}}", "%s %d %!",
	"\x00\x1b[31m\u009b\u202e", "[a]: http://evil.example\n\n[a]", "</article></section>", "\" onload=\"alert(1)",
	"http://a.example/<b>", "a\r\nb",
}

func checkResult(name, verdict, reason string) history.CheckResult {
	return history.CheckResult{Name: name, Verdict: verdict, Reason: reason}
}

func sample() export.Run {
	r := export.Run{ID: 12, Name: "refund <b>tone</b>", Created: day}
	for i, text := range hostile {
		r.Cells = append(r.Cells, export.Cell{
			Number: i + 1, Prompt: "p" + text, Vars: map[string]string{"x": text, "=y": "1"},
			Checks: []history.CheckResult{checkResult("contains "+text, "passed", text),
				checkResult("contains "+text, "failed", ""),
				checkResult("odd", "skipped", "unknown")},
			Turn: history.Turn{ID: 7, Session: 3, Created: day, Prompt: text, System: text},
			Answer: history.Answer{
				ID: int64(i + 1), Model: "alpha", Kind: history.KindText, Sample: 1, State: history.Done, Text: text,
				ServedModel: text, Note: text, Started: day, Elapsed: 1900 * time.Millisecond, Rating: history.Good,
			},
		})
	}
	return r
}

// readCSV parses a CSV with an independent reader.
func readCSV(t *testing.T, b []byte) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	must(t, err)
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		if len(m) != len(row) {
			t.Fatalf("two columns have one name: %q", rows[0])
		}
		out = append(out, m)
	}
	return out
}

func TestCSVColumns(t *testing.T) {
	r := export.Run{ID: 5, Cells: []export.Cell{
		{Number: 1, Prompt: "tone", Provider: "cold", Description: "late parcel",
			Vars:          map[string]string{"b": "1", "a": "2"},
			Checks:        []history.CheckResult{checkResult("is-json", "passed", "")},
			EarlierChecks: [][]history.CheckResult{{checkResult("is-json", "failed", "")}},
			Votes:         &history.Tally{Wins: 3, Losses: 1, N: 4, Blind: 2},
			Turn:          history.Turn{ID: 7, Session: 3, Prompt: "Write\nto Ana", System: "be brief"},
			Answer: history.Answer{Model: "alpha", ServedModel: "alpha-2", Kind: history.KindText, Sample: 2,
				State: history.Done,
				Text:  "née\nx", Started: day, Elapsed: 1234567 * time.Microsecond, IsCached: true, Rating: history.Bad,
				IsWinner: true, Note: "n",
				Engine: "local", EngineModel: "a:7b", ServiceNote: "cut", FirstToken: 234567 * time.Microsecond}},
		{Number: 2, Checks: []history.CheckResult{checkResult("latency", "failed", "")},
			Answer: history.Answer{Model: "beta", Kind: history.KindText, Sample: 1,
				State: history.Failed, Failure: &history.Failure{Code: "service", Message: "It said 502."}}},
		{Number: 3, Answer: history.Answer{Model: "pict", Kind: history.KindImage, Sample: 1, State: history.Done,
			Started: day,
			Picture: &history.Picture{Path: "/data/1.png", Bytes: 99}}},
	}}
	var b bytes.Buffer
	must(t, export.Lines(&b, export.FormatCSV, r, export.Options{IsExactCSV: true}))
	want := strings.Join([]string{
		`run,session,turn,cell,sample,provider,model asked,model served,description,prompt id,prompt,system,var.a,var.b,answer,state,error,ms,reused,bytes,chars,words,lines,verdict,inconclusive,check.is-json,check.latency,rating,winner,note,engine,engine model,service note,first token ms,partial answer,finish,input tokens,output tokens,reasoning tokens,cost,currency,parameters,ignored,omitted turns,queue ms,earlier verdict,files,reasons,branch,votes won,votes lost,votes equal,votes bad,votes blind`,
		"5,3,7,1,2,cold,alpha,alpha-2,late parcel,tone,\"Write\nto Ana\",be " +
			"brief,2,1,\"née\nx\",done,,1234,true,6,5,2,2,passed,,passed,,bad,true,n,local,a:7b,cut,234,,,,,,,,,,," +
			",failed,,,,3,1,0,0,2",
		`5,,,2,1,,beta,,,,,,,,,failed,service: It said 502.,,false,,,,,,,,failed,,,,,,,,,,,,,,,,,,,,,failed: latency,,,,,,`,
		`5,,,3,1,,pict,,,,,,,,/data/1.png,done,,0,false,99,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,`,
		"",
	}, "\r\n")
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestCSVReadsBack(t *testing.T) {
	r := sample()
	var b bytes.Buffer
	must(t, export.Lines(&b, export.FormatCSV, r, export.Options{IsExactCSV: true}))
	rows := readCSV(t, b.Bytes())
	if len(rows) != len(hostile) {
		t.Fatalf("%d rows, want %d", len(rows), len(hostile))
	}
	for i, text := range hostile {
		// The reader converts CR LF within a cell to LF; the file contains CR LF.
		want := strings.ReplaceAll(text, "\r\n", "\n")
		for _, column := range []string{"answer", "system", "var.x", "note", "model served"} {
			if got := rows[i][column]; got != want {
				t.Errorf("%s: got %q, want %q", column, got, want)
			}
		}
		size := format.MeasureText(text)
		for column, want := range map[string]int{"bytes": size.Bytes, "chars": size.Chars, "words": size.Words,
			"lines": size.Lines} {
			if got := rows[i][column]; got != fmt.Sprint(want) {
				t.Errorf("%s of %q: got %q, want %d", column, text, got, want)
			}
		}
		name := strings.ReplaceAll("check.contains "+text, "\r\n", "\n")
		if rows[i][name] != "passed" || rows[i][name+" (2)"] != "failed" {
			t.Errorf("checks of %q: got %q, %q", text, rows[i][name], rows[i][name+" (2)"])
		}
	}
	if !strings.Contains(b.String(), ",\"a\r\nb\",") {
		t.Error("CR LF within a cell is not as it was")
	}
}

func TestSpreadsheetCSV(t *testing.T) {
	var b bytes.Buffer
	must(t, export.Lines(&b, export.FormatCSV, sample(), export.Options{}))
	text, ok := bytes.CutPrefix(b.Bytes(), []byte("\ufeff"))
	if !ok {
		t.Error("no byte order mark")
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	must(t, err)
	for _, row := range rows {
		for _, cell := range row {
			if strings.IndexAny(strings.TrimLeft(cell, "\u200b \t\r\n\x00"), "=+-@") == 0 {
				t.Errorf("a spreadsheet may carry out %q", cell)
			}
		}
	}
	answers := map[string]string{"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "'=1": "'=1",
		"日本語 👩‍💻 e\u0301": "日本語 👩‍💻 e\u0301", "＝1": "'＝1"}
	column := slices.Index(rows[0], "answer")
	for i, text := range hostile {
		if want, ok := answers[text]; ok && rows[i+1][column] != want {
			t.Errorf("%q: got %q, want %q", text, rows[i+1][column], want)
		}
	}
}

func TestJSONL(t *testing.T) {
	r := sample()
	r.Cells = append(r.Cells, pictures(1)...)
	var b bytes.Buffer
	o := export.Options{Path: func(string) string { return "pictures/x.png" }}
	must(t, export.Lines(&b, export.FormatJSONL, r, o))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(r.Cells) {
		t.Fatalf("%d lines, want %d", len(lines), len(r.Cells))
	}
	for i, line := range lines {
		var got struct {
			Run    int64
			Text   *string
			File   string
			Prompt string
			Vars   map[string]string
			Error  *struct{ Code string }
			Checks []struct{ Name, Verdict string }
		}
		must(t, json.Unmarshal([]byte(line), &got))
		if got.Run != 12 {
			t.Errorf("run %d", got.Run)
		}
		if i < len(hostile) {
			if got.Text == nil || *got.Text != hostile[i] || got.Prompt != hostile[i] || got.Vars["x"] != hostile[i] ||
				len(got.Checks) != 3 {
				t.Errorf("got %s", line)
			}
		} else if got.File != "pictures/x.png" || got.Text != nil {
			t.Errorf("got %s", line)
		}
	}
}

// pictures returns cells with n different pictures.
func pictures(n int) []export.Cell {
	var cells []export.Cell
	for i := range n {
		cells = append(cells,
			export.Cell{Number: i + 1, Turn: history.Turn{Prompt: "a fox reading under a lamp", Aspect: "16:9"},
				Answer: history.Answer{ID: int64(1000 + i), Model: fmt.Sprintf("pict-%d", i), Kind: history.KindImage,
					Sample:    1,
					State:     history.Done,
					SentNonce: "4417", Started: day, Elapsed: 8200 * time.Millisecond,
					Picture: &history.Picture{Path: fmt.Sprintf("/data/%d.png", i), ContentType: "image/png",
						Width: 160, Height: 90,
						Bytes: 1234}}})
	}
	return cells
}

// colorPicture returns a picture of one color for each answer.
func colorPicture(_ context.Context, a history.Answer) ([]byte, error) {
	return pngOf(colorOf(a), 160, 90), nil
}

func colorOf(a history.Answer) color.RGBA {
	n := uint8(a.ID - 1000)
	return color.RGBA{40 * n, 200 - 30*n, 90, 255}
}

func pngOf(c color.Color, w, h int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestEveryFormatTellsTheVerdict checks that an unjudged answer never reads as passed, and that a failed check is
// named with its reason.
func TestEveryFormatTellsTheVerdict(t *testing.T) {
	cell := func(text string, checks ...history.CheckResult) export.Cell {
		return export.Cell{Number: 1, Prompt: "p", Description: "late parcel", Checks: checks,
			Answer: history.Answer{Model: "alpha", Kind: history.KindText, Sample: 1, State: history.Done, Text: text}}
	}
	r := export.Run{ID: 5, Name: "tone", Cells: []export.Cell{
		cell("a", checkResult("is-json", "passed", "")),
		cell("b", checkResult("is-json", "passed", ""),
			checkResult("llm-rubric", "skipped", "confab does not judge llm-rubric")),
		cell("c"),
		cell("d", checkResult("is-json", "failed", "the text is not JSON")),
	}}
	var csv, jsonl, md, page bytes.Buffer
	for _, err := range []error{
		export.Lines(&csv, export.FormatCSV, r, export.Options{}),
		export.Lines(&jsonl, export.FormatJSONL, r, export.Options{}),
		export.Markdown(&md, r, export.Options{}), export.HTML(t.Context(), &page, r, export.Options{}),
	} {
		must(t, err)
	}
	for name, out := range map[string]string{"csv": csv.String(), "jsonl": jsonl.String(), "markdown": md.String(),
		"html": page.String()} {
		for _, want := range []string{"passed", "skipped", "unchecked", "failed", "late parcel"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %s:\n%s", name, want, out)
			}
		}
	}
	for _, want := range []string{`"verdict":"inconclusive","inconclusive":"skipped"`,
		`"verdict":"inconclusive","inconclusive":"unchecked"`} {
		if !strings.Contains(jsonl.String(), want) {
			t.Errorf("%s is not in\n%s", want, jsonl.String())
		}
	}
	for _, out := range []string{md.String(), page.String()} {
		for _, want := range []string{"1 passed, 1 failed, 1 unchecked, 1 inconclusive (1 skipped)",
			"inconclusive: skipped · 1 word · 1/2 checks, 1 skipped", "failed: must be JSON (the text is not JSON)"} {
			if !strings.Contains(strings.ReplaceAll(out, "\\", ""), want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
	}
}

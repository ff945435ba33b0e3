package export_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"confab/history"
	"confab/service/export"
)

func markdown(t *testing.T, r export.Run) string {
	t.Helper()
	var b bytes.Buffer
	o := export.Options{Path: func(string) string { return "pictures/a b(1).png" }}
	must(t, export.Markdown(&b, r, o))
	return b.String()
}

// drawn renders Markdown as common programs do.
func drawn(t *testing.T, text string) *html.Node {
	t.Helper()
	var b bytes.Buffer
	must(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &b))
	root, err := html.Parse(&b)
	must(t, err)
	return root
}

// TestMarkdownTable checks that texts stay within their cells and readable.
func TestMarkdownTable(t *testing.T) {
	for _, text := range hostile {
		r := sample()
		for i := range r.Cells {
			if r.Cells[i].Answer.Text == text {
				r.Cells = []export.Cell{r.Cells[i], r.Cells[i]}
				break
			}
		}
		r.Cells[1].Answer.Text = "the other one"
		root := drawn(t, markdown(t, r))
		if n := len(find(root, "table", "")); n < 1 || n > 4 { // the totals, and quoted prompts may contain one each
			t.Errorf("%q: %d tables", text, n)
		}
		tables := find(root, "table", "")
		cells := find(tables[len(tables)-1], "td", "")
		want := 8
		if text == "" {
			want = 6 // no note
		}
		if len(cells) != want || textOf(cells[3]) != "the other one" {
			t.Errorf("%q: %d cells", text, len(cells))
			continue
		}
		read := strings.NewReplacer("\r\n", "", "\r", "", "\n", "", "\x00", "\ufffd").Replace(text)
		if got := textOf(cells[2]); strings.TrimSpace(got) != strings.TrimSpace(read) {
			t.Errorf("got %q, want %q", got, read)
		}
		if n := len(find(root, "h2", "")); n != 1 {
			t.Errorf("%q: %d questions", text, n)
		}
	}
}

// TestMarkdownTurn checks that an answer's heading is one line for all facts.
func TestMarkdownTurn(t *testing.T) {
	for _, text := range hostile {
		cell := export.Cell{Answer: history.Answer{
			Model: "m1", Engine: text, State: history.Failed, ServiceNote: text, Failure: &history.Failure{
				Message: text,
			},
		}}
		var b bytes.Buffer
		w := export.ConversationWriter{Out: &b, Format: export.FormatMarkdown}
		must(t, w.WriteTurn(export.Turn{Turn: history.Turn{Prompt: "p"}, Cells: []export.Cell{cell}}))
		root := drawn(t, b.String())
		var heads []string
		for c := range find(root, "body", "")[0].ChildNodes() {
			if c.Type == html.ElementNode && (c.Data == "h3" || c.Data == "h2") {
				heads = append(heads, textOf(c))
			}
		}
		if len(heads) != 2 || !strings.HasPrefix(heads[1], "m1") || len(find(root, "script", "")) > 0 {
			t.Errorf("%q: headings %q in\n%s", text, heads, b.String())
		}
	}
}

func TestMarkdownPicture(t *testing.T) {
	img := find(drawn(t, markdown(t, export.Run{Cells: pictures(2)})), "img", "")
	if len(img) != 2 || img[0].Attr[0].Val != "pictures/a%20b%281%29.png" {
		t.Errorf("got %d, %v", len(img), img[0].Attr)
	}
}

func TestGroups(t *testing.T) {
	cell := func(model, prompt, value string) export.Cell {
		return export.Cell{Vars: map[string]string{"v": value}, Turn: history.Turn{Prompt: prompt},
			Answer: history.Answer{Model: model, Kind: history.KindText, State: history.Done, Text: model}}
	}
	r := export.Run{Cells: []export.Cell{cell("a", "p", "1"), cell("a", "p", "2"), cell("b", "p", "1"),
		cell("b", "q", "1"), cell("b", "p", "2")}}
	var got []string
	for _, s := range find(checkPage(t, page(t, r)), "section", "") {
		row := ""
		for _, h := range find(s, "h3", "") {
			row += textOf(h)
		}
		got = append(got, row)
	}
	if want := "ab ab b"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

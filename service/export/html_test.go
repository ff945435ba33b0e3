package export_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"confab/history"
	"confab/internal/testflags"
	"confab/service/export"
)

// page returns a run as HTML.
func page(t *testing.T, r export.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, export.HTML(t.Context(), &b, r, export.Options{Picture: colorPicture}))
	return b.Bytes()
}

// elements are the allowed elements of a page with their attributes.
var elements = map[string][]string{
	"html": {"lang"}, "head": nil, "meta": {"charset", "http-equiv", "content",
		"name"}, "title": nil, "style": nil, "body": nil,
	"h1": nil, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "p": {"class",
		"dir"}, "section": nil, "div": {"class", "dir"},
	"dl": nil, "dt": nil, "dd": {"class",
		"dir"}, "article": {"class"}, "ul": {"class"}, "ol": {"start"}, "li": {"class"},
	"pre": {"class"}, "code": {"class"}, "blockquote": nil, "em": nil, "strong": nil, "del": nil, "hr": nil, "br": nil,
	"table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"align"}, "td": {"align"}, "a": {"href", "rel",
		"title"},
	"img": {"alt", "src", "width", "height"}, "input": {"type", "checked", "disabled"},
}

// walk visits the elements and texts of a page.
func walk(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for c := range n.ChildNodes() {
		walk(c, visit)
	}
}

// checkPage checks that a page consists of allowed elements.
func checkPage(t *testing.T, b []byte) *html.Node {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(b))
	must(t, err)
	walk(root, func(n *html.Node) {
		if n.Type == html.CommentNode {
			t.Errorf("comment %q", n.Data)
		}
		if n.Type != html.ElementNode {
			return
		}
		allowed, ok := elements[n.Data]
		if !ok {
			t.Errorf("element %s", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(allowed, a.Key) {
				t.Errorf("attribute %s of %s", a.Key, n.Data)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") {
				t.Errorf("link to %q", a.Val)
			}
			if a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") {
				t.Errorf("source %q", a.Val)
			}
		}
	})
	return root
}

// textOf returns the text of a node.
func textOf(n *html.Node) string {
	var s strings.Builder
	walk(n, func(n *html.Node) {
		if n.Type == html.TextNode {
			s.WriteString(n.Data)
		}
	})
	return s.String()
}

// find returns the elements of a name and class.
func find(root *html.Node, name, class string) []*html.Node {
	var out []*html.Node
	walk(root, func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == name &&
			(class == "" || slices.Contains(n.Attr, html.Attribute{Key: "class", Val: class})) {
			out = append(out, n)
		}
	})
	return out
}

func TestHTMLHoldsTextAsText(t *testing.T) {
	r := sample()
	b := page(t, r)
	root := checkPage(t, b)
	articles := find(root, "article", "")
	if len(articles) != len(hostile) {
		t.Fatalf("%d answers, want %d", len(articles), len(hostile))
	}
	for i, text := range hostile {
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\ufffd").Replace(text)
		if note := find(articles[i], "p", "note"); text != "" && (len(note) != 1 || textOf(note[0]) != want) {
			t.Errorf("note %q is not there as it is", text)
		}
	}
	for _, seen := range []string{"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)",
		"</article></section>", "<!-- x"} {
		if !strings.Contains(textOf(root), seen) {
			t.Errorf("%q cannot be seen", seen)
		}
	}
	if got := textOf(find(root, "title", "")[0]); got != "refund <b>tone</b>, run 12" {
		t.Errorf("title %q", got)
	}
}

func TestHTMLMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"emphasis", "a **b** `c`", "<p>a <strong>b</strong> <code>c</code></p>\n"},
		{"line breaks", "Dear Ana,\nthank you.  \nBo", "<p>Dear Ana,<br>\nthank you.<br>\nBo</p>\n"},
		{"emphasis beside Chinese", "**重要：**这是~~删除。~~", "<p><strong>重要：</strong>这是<del>删除。</del></p>\n"},
		{"too many cells", "| a | b |\n|--|--|\n| 1 | 2 | 3 |", "<td>2 | 3</td>"},
		{"table", "| a | b |\n|:--|--:|\n| c | d |", `<td align="right">d</td>`},
		{"markup", "a <b>x</b>", "<p>a &lt;b&gt;x&lt;/b&gt;</p>\n"},
		{"block of markup", "<div>\n*x*\n</div>", "<pre class=\"plain\">&lt;div&gt;\n*x*\n&lt;/div&gt;</pre>\n"},
		{"script", "<script>\nalert(1)\n</script>",
			"<pre class=\"plain\">&lt;script&gt;\nalert(1)\n&lt;/script&gt;</pre>\n"},
		{"link", "[a](https://b.example/c?d=\"e)",
			`<a href="https://b.example/c?d=&#34;e" rel="noopener noreferrer nofollow">a</a>`},
		{"link by script", "[a](javascript:alert(1))", "<p>a (javascript:alert(1))</p>\n"},
		{"link by script with a host", "[a](javascript://b.example/%0aalert(1))",
			"<p>a (javascript://b.example/%0aalert(1))</p>\n"},
		{"link to a file", "[a](file:///etc/passwd)", "<p>a (file:///etc/passwd)</p>\n"},
		{"picture", "![a](http://b.example/c.png)",
			`<p>[picture: <a href="http://b.example/c.png" rel="noopener noreferrer nofollow">a</a>]</p>`},
		{"picture as data", "![a](data:image/png;base64,AA==)", "<p>[picture: a (data:image/png;base64,AA==)]</p>\n"},
		{"too deep", strings.Repeat("> - ", 20) + "x", "<pre class=\"plain\">&gt; - "},
		{"too long", strings.Repeat("*a*\n\n", 60000), "<pre class=\"plain\">*a*\n"},
		{"a rule is not deep", strings.Repeat("-", 80), "<hr>\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := page(t,
				export.Run{Cells: []export.Cell{{Answer: history.Answer{Model: "m", Kind: history.KindText,
					State: history.Done,
					Text:  tt.text}}}})
			checkPage(t, b)
			if !bytes.Contains(b, []byte(tt.want)) {
				_, body, _ := strings.Cut(string(b), `class="body"`)
				t.Errorf("got %.600s, want %s", body, tt.want)
			}
		})
	}
}

// TestHTMLIsBounded checks that no text takes the Markdown parser long: each of these took more than a second, some
// hours.
func TestHTMLIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[](", 20<<10), "columns": strings.Repeat("|a", 9<<10) + "\n" + strings.Repeat("|-",
			9<<10) + "\n" + strings.Repeat("|\n", 9<<10),
		"references": strings.Repeat("[a]: b\n", 9<<10) + strings.Repeat("[a] ", 9<<10), "quotes": strings.Repeat("> ",
			5000) + "x", "stars": strings.Repeat("*a **b ", 9<<10),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			page(t, export.Run{Cells: []export.Cell{{Answer: history.Answer{Kind: history.KindText, State: history.Done,
				Text: text}}}})
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestHTMLPictures(t *testing.T) {
	cells := pictures(4)
	give := func(ctx context.Context, a history.Answer) ([]byte, error) {
		switch a.ID {
		case 1001:
			return nil, errors.New("gone")
		case 1002:
			return []byte("<svg onload=alert(1)>"), nil
		case 1003: // a known code, but not allowed in an answer
			var b bytes.Buffer
			err := gif.Encode(&b, image.NewPaletted(image.Rect(0, 0, 2, 2), color.Palette{color.Black}), nil)
			return b.Bytes(), err
		}
		return colorPicture(ctx, a)
	}
	var b bytes.Buffer
	must(t, export.HTML(t.Context(), &b, export.Run{Cells: cells}, export.Options{Picture: give}))
	root := checkPage(t, b.Bytes())
	if n := len(find(root, "img", "")); n != 1 {
		t.Errorf("%d pictures, want 1", n)
	}
	for _, path := range []string{"/data/0.png", "/data/1.png", "/data/2.png", "/data/3.png"} {
		if !strings.Contains(textOf(root), path) {
			t.Errorf("%s is not named", path)
		}
	}
	failing := writerFunc(func(p []byte) (int, error) { return 0, errors.New("disk full") })
	if err := export.HTML(t.Context(), failing, export.Run{Cells: cells}, export.Options{Picture: give}); err == nil ||
		err.Error() != "disk full" {
		t.Errorf("a full disk: got %v", err)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func FuzzHTML(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := page(t, export.Run{Name: text, Cells: []export.Cell{{
			Vars: map[string]string{text: text}, Turn: history.Turn{Prompt: text, System: text},
			Answer: history.Answer{Model: text, Kind: history.KindText, State: history.Done, Text: text, Note: text},
		}}})
		root := checkPage(t, b)
		if len(find(root, "article", "")) != 1 || len(find(root, "section", "")) != 1 {
			t.Error("the text changed the page")
		}
	})
}

// TestHTMLInABrowser opens the page if there is a browser: its policy allows its style and pictures, and no script
// runs.
func TestHTMLInABrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" || !testflags.IsLong() {
		t.Skip("no browser, or no -long")
	}
	run := sample()
	run.Cells = append(pictures(3), run.Cells...)
	dir := t.TempDir()
	file := filepath.Join(dir, "run.html")
	must(t, os.WriteFile(file, page(t, run), 0o600))
	shot := filepath.Join(dir, "shot.png")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+filepath.Join(dir, "profile"),
		"--hide-scrollbars", "--window-size=1200,900", "--screenshot="+shot, "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("the browser does not start here: %v\n%s", err, out)
	}
	b, err := os.ReadFile(shot)
	if err != nil {
		t.Skip("the browser wrote no picture")
	}
	if keep := os.Getenv("KEEP_SHOT"); keep != "" {
		must(t, os.WriteFile(keep, b, 0o600))
	}
	img, err := png.Decode(bytes.NewReader(b))
	must(t, err)
	if n := count(img, color.RGBA{0xf6, 0xf8, 0xfa, 0xff}); n < 5000 {
		t.Errorf("the cards' ground covers %d pixels: the style does not apply", n)
	}
	for _, c := range run.Cells[:3] {
		if n := count(img, colorOf(c.Answer)); n < 1000 {
			t.Errorf("the picture of %s covers %d pixels", c.Answer.Model, n)
		}
	}
}

// count counts the pixels of exactly one color.
func count(img image.Image, want color.RGBA) int {
	n := 0
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) == want {
				n++
			}
		}
	}
	return n
}

// TestParametersAndLabelsAreTold checks that they are shown per answer if they differ.
func TestParametersAndLabelsAreTold(t *testing.T) {
	cell := func(label string, heat float64) export.Cell {
		return export.Cell{Number: 1, Prompt: "p", Provider: label,
			Turn:   history.Turn{Prompt: "say", Params: history.Params{"temperature": heat}},
			Answer: history.Answer{Model: "alpha", Kind: history.KindText, State: history.Done, Text: "x"}}
	}
	for heat, want := range map[float64]int{0.2: 1, 0.9: 2} {
		r := export.Run{ID: 1, Cells: []export.Cell{cell("cold", 0.2), cell("hot", heat)}}
		var page, md, csv, jsonl bytes.Buffer
		for _, err := range []error{
			export.HTML(t.Context(), &page, r, export.Options{}), export.Markdown(&md, r, export.Options{}),
			export.Lines(&csv, export.FormatCSV, r, export.Options{}),
			export.Lines(&jsonl, export.FormatJSONL, r, export.Options{}),
		} {
			must(t, err)
		}
		for name, out := range map[string]string{"html": page.String(), "markdown": md.String(), "csv": csv.String(),
			"jsonl": jsonl.String()} {
			for _, label := range []string{"cold", "hot"} {
				if !strings.Contains(out, label) {
					t.Errorf("%s does not say %s:\n%s", name, label, out)
				}
			}
			if n := strings.Count(out, "temperature"); n != want && (name == "html" || name == "markdown") {
				t.Errorf("%s tells parameters %d times, want %d:\n%s", name, n, want, out)
			}
		}
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

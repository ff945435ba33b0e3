package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"confab/history"
	"confab/internal/format"
	"confab/internal/mdsyntax"
	"confab/internal/pixels"
	"confab/service/suite"
)

var (
	//go:embed page.css
	pageStyle string
	//go:embed page.html
	pageText string
)

// HTML writes the run as one self-contained file without scripts: answers side by side with embedded pictures. A
// content security policy keeps browsers from loading anything. Answers are rendered from Markdown, with links to
// http and https only and markup shown as text.
func HTML(ctx context.Context, out io.Writer, run Run, o Options) error {
	w := htmlWriter{ctx: ctx, md: newProse(), o: o}
	t, err := template.New("page").Funcs(template.FuncMap{
		"partial":   Cell.partialNote,
		"reasoning": func(c Cell) string { return o.reasoning(c.Answer) },
		"name":      Cell.name, "model": Cell.modelName, "failure": Cell.failure,
		"checks": Cell.checkLines, "body": w.body,
		"picture": w.picture, "attached": w.attached, "size": format.Size,
		"verdict":  func(c Cell) history.Verdict { return c.status().Verdict() },
		"isJudged": func(c Cell) bool { return c.status() != "" },
		"facts":    func(c Cell) string { return strings.Join(c.about(), " · ") }, "path": o.path,
		"number": func(index int) int { return index + 1 },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	return t.Execute(out, map[string]any{
		"Policy": policy(), "Title": run.title(), "Style": template.CSS(pageStyle), "Facts": run.summary(),
		"Questions": run.groups(), "Totals": run.totals(),
	})
}

// policy returns the content security policy: only the pictures and the style in the file itself.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// summary describes the run in one line.
func (r Run) summary() string {
	states := map[history.State]int{}
	var cells []history.Cell
	isOfSuite := false
	for _, c := range r.Cells {
		a := c.Answer
		states[a.State]++
		isOfSuite = isOfSuite || c.Prompt != ""
		cells = append(cells, c.result())
	}
	facts := []string{format.Count(len(r.Cells), "answer")}
	for _, s := range []history.State{history.Done, history.Failed, history.Cancelled, history.Interrupted,
		history.Running, history.Queued} {
		if n := states[s]; n > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", n, s))
		}
	}
	stats := suite.StatsOf(cells...)
	if isOfSuite {
		facts = append(facts, stats.String())
		if text := stats.Grading.String(); text != "" {
			facts = append(facts, "grading: "+text)
		}
	}
	facts = append(facts, stats.UsageText())
	if !r.Created.IsZero() {
		facts = append(facts, timestamp(r.Created))
	}
	facts = append(facts, r.Votes)
	if r.LeftOut > 0 {
		facts = append(facts, format.Count(r.LeftOut, "turn")+" on other branches left out")
	}
	return strings.Join(slices.DeleteFunc(facts, func(text string) bool { return text == "" }), " · ")
}

// htmlWriter writes the parts that templates cannot.
type htmlWriter struct {
	ctx context.Context
	md  goldmark.Markdown
	o   Options
}

// body returns the text of an answer. It returns an error when ctx has ended, which ends the page.
func (w htmlWriter) body(a history.Answer) (template.HTML, error) {
	if a.Kind != history.KindText || a.Text == "" {
		return "", w.ctx.Err()
	}
	return template.HTML(prose(w.md, a.Text)), w.ctx.Err() // prose escapes the text
}

// picture returns the embedded picture of an answer, or "" if it is unavailable or invalid; its file is named below it
// anyway.
func (w htmlWriter) picture(a history.Answer) template.HTML {
	return w.embedded(a, "picture by "+a.Model)
}

// attached returns the embedded copy of a picture that went with a prompt.
func (w htmlWriter) attached(f history.File) template.HTML {
	return w.embedded(history.Answer{Picture: &history.Picture{Path: f.Path, SHA256: f.SHA256}}, f.Name)
}

func (w htmlWriter) embedded(a history.Answer, title string) template.HTML {
	if w.o.Picture == nil {
		return ""
	}
	b, err := w.o.Picture(w.ctx, a)
	if err != nil {
		return ""
	}
	size, err := pixels.Size(b)                // browsers rotate pictures too
	if err != nil || pixels.IsConvertible(b) { // answers are PNG or JPEG
		return ""
	}
	return template.HTML(fmt.Sprintf("<img width=\"%d\" height=\"%d\" alt=\"%s\" src=\"data:%s;base64,%s\">\n",
		size.X, size.Y, template.HTMLEscapeString(title), http.DetectContentType(b),
		base64.StdEncoding.EncodeToString(b)))
}

const (
	maxProse   = 256 << 10 // bytes rendered as Markdown
	maxNesting = 16        // nested containers
	maxMarks   = 4000      // characters of a paragraph that may start inline markup
	maxCells   = 20000     // cells of a table
)

// newProse returns a Markdown renderer that keeps line breaks and shows markup as text.
func newProse() goldmark.Markdown {
	// Alignment by a style would require a looser policy.
	table := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return goldmark.New(
		goldmark.WithExtensions(table, extension.Strikethrough, extension.TaskList),
		goldmark.WithParserOptions(parser.WithInlineParsers(mdsyntax.InlineParsers()...),
			parser.WithParagraphTransformers(mdsyntax.ParagraphTransformers()...)),
		goldmark.WithRendererOptions(goldmarkhtml.WithHardWraps(),
			renderer.WithNodeRenderers(util.Prioritized(safeNodes{}, 1))),
	)
}

// prose returns a text as HTML, without rendering Markdown that would take too long. goldmark v1.8.7 takes minutes
// for 64 KiB of "[](" or of "|" and cannot be cancelled; it may panic on invalid UTF-8.
func prose(md goldmark.Markdown, text string) string {
	if !isCostly(text) {
		var b bytes.Buffer
		if err := md.Convert([]byte(strings.ToValidUTF8(unixLines(text), "\uFFFD")), &b); err == nil {
			return b.String()
		}
	}
	return plainHTML(text)
}

func plainHTML(text string) string {
	return "<pre class=\"plain\">" + html.EscapeString(text) + "</pre>\n"
}

// isCostly reports whether rendering a text as Markdown would take too long.
func isCostly(text string) bool {
	if len(text) > maxProse {
		return true
	}
	marks, lines, widest := 0, 0, 0
	for line := range strings.SplitSeq(unixLines(text), "\n") {
		if strings.TrimSpace(line) == "" {
			marks, lines, widest = 0, 0, 0
			continue
		}
		lines++
		pipes := 0
		for i := range len(line) {
			switch line[i] {
			case '*', '_', '~', '[', ']', '<', '`', '!', '(', '&', '\\':
				marks++
			case '|':
				pipes++
			}
		}
		widest = max(widest, pipes)
		if marks > maxMarks || widest*lines > maxCells || nesting(line) > maxNesting {
			return true
		}
	}
	return false
}

// nesting returns the maximum number of containers that a line opens.
func nesting(line string) int {
	depth, inNumber := 0, false
	for i := range len(line) {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			inNumber = false
		case c == '>' || c == '-' || c == '+' || c == '*':
			depth++
		case c >= '0' && c <= '9' || c == '.' || c == ')':
			if !inNumber {
				depth++
			}
			inNumber = true
		default:
			return depth
		}
	}
	if strings.Trim(line, "-*_= \t") == "" {
		return 0 // a horizontal rule
	}
	return depth
}

// safeNodes renders nodes that could load something or link to other places.
type safeNodes struct{}

// RegisterFuncs implements [renderer.NodeRenderer].
func (safeNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	register := func(kind ast.NodeKind, tags func(n ast.Node, source []byte) (before, after string)) {
		r.Register(kind, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			text, after := tags(n, source)
			if !entering {
				text = after
			}
			_, err := w.WriteString(text)
			return ast.WalkContinue, err
		})
	}
	// Show markup as text.
	register(ast.KindHTMLBlock, func(n ast.Node, source []byte) (before, after string) {
		block := n.(*ast.HTMLBlock)
		markup := block.Lines().Value(source)
		if block.HasClosure() {
			markup = append(markup, block.ClosureLine.Value(source)...)
		}
		return plainHTML(string(markup)), ""
	})
	register(ast.KindRawHTML, func(n ast.Node, source []byte) (before, after string) {
		return html.EscapeString(string(n.(*ast.RawHTML).Segments.Value(source))), ""
	})
	register(ast.KindLink, func(n ast.Node, _ []byte) (before, after string) {
		return linkTags(string(n.(*ast.Link).Destination))
	})
	register(ast.KindAutoLink, func(n ast.Node, source []byte) (before, after string) {
		auto := n.(*ast.AutoLink)
		label := html.EscapeString(string(auto.Label(source)))
		if href, ok := webLink(string(auto.URL(source))); ok && auto.AutoLinkType == ast.AutoLinkURL {
			label = anchor(href) + label + "</a>"
		}
		return label, ""
	})
	// Render a picture as a link: opening the page must not load anything.
	register(ast.KindImage, func(n ast.Node, _ []byte) (before, after string) {
		before, after = linkTags(string(n.(*ast.Image).Destination))
		return "[picture: " + before, after + "]"
	})
}

// linkTags returns the text before and after a link's text: an allowed link, or its target as text.
func linkTags(target string) (before, after string) {
	if href, ok := webLink(target); ok {
		return anchor(href), "</a>"
	}
	return "", " (" + html.EscapeString(target) + ")"
}

func anchor(href string) string {
	return `<a href="` + html.EscapeString(href) + `" rel="noopener noreferrer nofollow">`
}

// webLink returns an allowed target: http or https with a host.
func webLink(target string) (string, bool) {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	return u.String(), true
}

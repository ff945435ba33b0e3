package mdsyntax_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"confab/internal/mdsyntax"
)

func TestEmphasis(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithInlineParsers(mdsyntax.InlineParsers()...)))
	for in, want := range map[string]string{
		"前文**测试**后文":                   "前文<strong>测试</strong>后文",
		"**测试。**后文":                    "<strong>测试。</strong>后文",
		"前文**（测试）**后文":                 "前文<strong>（测试）</strong>后文",
		"**重要：**これは太字です。":              "<strong>重要：</strong>これは太字です。",
		"これは**「重要なこと」**です。":            "これは<strong>「重要なこと」</strong>です。",
		"문서는 **마크다운(Markdown)**을 쓰세요.": "문서는 <strong>마크다운(Markdown)</strong>을 쓰세요.",
		"**步骤一：**打开；**步骤二：**保存。":       "<strong>步骤一：</strong>打开；<strong>步骤二：</strong>保存。",
		"~~删除。~~后文 和 *强调。*后文":          "<del>删除。</del>后文 和 <em>强调。</em>后文",
		"中文***粗斜。***中文":                "中文<em><strong>粗斜。</strong></em>中文",
		"a ** b ** 中文 * 列":             "a ** b ** 中文 * 列",
		"snake_case_词 和 a_b_c":         "snake_case_词 和 a_b_c",
		"**bold** *it* a*b*c ~~gone~~": "<strong>bold</strong> <em>it</em> a<em>b</em>c <del>gone</del>",
		"foo**(bar)**baz":              "foo**(bar)**baz",
	} {
		var out bytes.Buffer
		if err := md.Convert([]byte(in), &out); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(out.String()); got != "<p>"+want+"</p>" {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

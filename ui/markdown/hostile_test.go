package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"confab/internal/testflags"
	"confab/ui/markdown"
)

// hostile returns texts that are isCostly for a parser, a highlighter or a wrapper.
func hostile() map[string]string {
	rep := strings.Repeat
	var defs, stairs, ticks strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&defs, "[a%d]: http://x/%d\n\n[a%d]\n\n", i, i, i)
	}
	for i := range 1000 {
		stairs.WriteString(rep(" ", 2*i) + "- x\n")
	}
	for i := range 170 {
		ticks.WriteString("a" + rep("`", i))
	}
	return map[string]string{
		"short rows":     rep("|a", 600) + "|\n" + rep("|-", 600) + "|\n" + rep("x\n", 2700),
		"quote and list": rep("> - ", 50), "quotes": rep("> ", 100) + "x", "items": rep("- ",
			1000) + "x", "numbers": rep("1. ", 1000) + "x",
		"many deep lines": rep(rep("> - ", 30)+"x\n", 200), "mixed": rep("> 1. - ",
			2000), "stairs": stairs.String(), "lazy": rep("> ", 16) + "a\n" + rep("b\n", 8000),
		"newlines": rep("\n", 4<<20), "returns": rep("\r", 1<<18), "text and newlines": "a\n" + rep("\n",
			1<<20) + "b", "tabs": rep("\t", 1<<17) + "x", "tab items": rep("-\t", 8000),
		"fence": "```go\n" + rep("func f() { return \"a\" }\n", 1<<20/24) + "```", "open fence": "```\n" + rep("x\n",
			1<<19), "fences": rep("- ```\n", 3000),
		"emphasis": rep("*a ", 1<<18), "strong": rep("**", 1<<18) + "a", "crossed": rep("*a_ ",
			5000), "inner": rep("_a*b",
			4000), "three": rep("***a ", 3000) + rep("b*** ", 3000),
		"brackets": rep("[", 1<<18), "links": rep("[a](", 1<<16), "empty links": rep("[]",
			8000), "open links": rep("[a",
			8000) + rep("]", 100), "images": rep("![", 8000),
		"spans": rep("`a``b```c", 2000), "ticks": ticks.String(), "angles": rep("<", 16000), "tags": rep("<a ",
			5000), "cdata": rep("<![CDATA[", 1800), "comments": rep("<!--", 4000), "instructions": rep("<?", 8000),
		"autolinks": rep("<http://a", 1700), "addresses": rep("http://a.b/( ", 1200), "hosts": rep("www.a.b_",
			2000), "mails": rep("a@b.", 4000), "strikes": rep("~a ~~b ", 2300),
		"table": "|a|b|\n|-|-|\n" + rep("|x|y|\n", 20000), "wide table": rep("|a", 4000) + "|\n" + rep("|-",
			4000) + "|\n" + rep("|x", 4000), "heads": rep("|a|b\n", 3000),
		"definitions": defs.String(), "words": rep("word ", 1<<18), "word": rep("a",
			1<<20), "underlines": rep("a\n===\n",
			2700), "big quote": rep("> a\n", 100000),
		"entities": rep("&#27;[8m", 2000), "backslashes": rep("\\*", 8000), "escapes": rep("\x1b[31m",
			3200), "zalgo": rep("e"+rep("\u0301", 100), 1000), "joiners": rep("👩\u200d", 3000), "marks": rep("हि",
			3000) + rep("ि", 9000),
		"python": "```python\n" + rep("'''", 5000) + "\n```", "f-strings": "```python\n" + rep("f'{",
			5000) + "\n```", "templates": "```js\n" + rep("`${", 5000) + "\n```", "html": "```html\n" + rep("<a ",
			5000) + "\n```",
		"shell": "```sh\n" + rep("$((\"", 4000) + "\n```", "yaml": "```yaml\n" + rep("- a: &b\n",
			1900) + "\n```", "scss": "```scss\n" + rep("a{&:", 4000) + "\n```", "java": "```java\n" + rep("List<",
			3000) + "\n```",
		"big list": rep("- item\n", 40000), "big item": "- " + rep("word ",
			20000) + "\n- b\n", "tables": rep("|a|b|\n|-|-|\n|x|y|\n\n", 500),
		"footnotes": "[^1]: " + rep("> - ", 4000), "marks of footnotes": rep("[^1]",
			4000), "formulas": rep(`\(`, 8000), "dollars": rep("$$ a\n", 4000), "groups": `\(` + rep("{", 1900) + `\)`,
		"terms": rep("a\n: b\n", 2700), "small": rep("<sub>", 3000), "info": "```" + rep("x",
			1<<17) + "\ncode\n```",
	}
}

// Bars, not measures: each of these froze a renderer for seconds or minutes.
func TestHostileTextIsBounded(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("takes seconds")
	}
	r := renderer(80)
	for name, text := range hostile() {
		start := time.Now()
		blocks := markdown.Split(text)
		if took := time.Since(start); took > budget {
			t.Errorf("%s: split took %v", name, took)
		}
		var joined strings.Builder
		for _, b := range blocks {
			joined.WriteString(b.Source)
		}
		if joined.String() != text {
			t.Errorf("%s: the blocks do not join to the text", name)
		}
		for _, b := range blocks[:min(len(blocks), 2)] {
			start := time.Now()
			lines := r.Block(b)
			if took := time.Since(start); took > budget {
				t.Errorf("%s: a block of %d bytes took %v", name, len(b.Source), took)
			}
			if len(lines) > 2*len(b.Source)+100 {
				t.Errorf("%s: a block of %d bytes has %d lines", name, len(b.Source), len(lines))
			}
			if len(lines) == 0 && strings.Trim(b.Source, " \t\r\n") != "" {
				t.Errorf("%s: nothing drawn of %.60q", name, b.Source)
			}
		}
	}
}

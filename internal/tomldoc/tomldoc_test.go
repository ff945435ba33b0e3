package tomldoc

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseNamesLines(t *testing.T) {
	const text = `top = 1
[a]
b = "x" # c

a.b = true
"q.r" = 2
[empty]
[[list]]
name = "first"
[[list]]
name = "second"
inline = { x = 1, y = [ { z = 3 } ] }
[list.sub]
deep = 4.5
[[list]]
[m]
inline = [
  { s = "1" },
  { s = "2" },
]
plain = [1, 2]
`
	want := []string{
		"1 top 1", "3 a.b x", "5 a.a.b true", `6 a."q.r" 2`, "7 empty table",
		"9 list[0].name first", "11 list[1].name second", "12 list[1].inline.x 1", "12 list[1].inline.y[0].z 3",
		"14 list[1].sub.deep 4.5", "15 list[2] table", "18 m.inline[0].s 1", "19 m.inline[1].s 2", "21 m.plain [1 2]",
	}
	entries, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, show(e))
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func show(e Entry) string {
	parts := make([]string, len(e.Path))
	for i := range e.Path {
		parts[i] = Entry{Path: e.Path[i : i+1]}.Key()
		if e.Index[i] >= 0 {
			parts[i] += fmt.Sprintf("[%d]", e.Index[i])
		}
	}
	value := fmt.Sprint(e.Value)
	if e.IsTable {
		value = "table"
	}
	return fmt.Sprintf("%d %s %s", e.Line, strings.Join(parts, "."), value)
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int
	}{
		{"no equals sign", "a = 1\napi_key SECRETVALUE\n", 2},
		{"twice the same key", "a = 1\nb = 2\na = 3\n", 3},
		{"unfinished text", "\n\na = \"x\n", 3},
		{"not a value", "a = SECRETVALUE\n", 1},
		{"deep array", "\na = " + strings.Repeat("[", 100_000), 2},
		{"deep table", "a = " + strings.Repeat("{a=", 10_000), 1},
		{"too large", strings.Repeat("# comment\n", MaxBytes/8), 0},
		{"broken UTF-8", "a = \"\xff\"\n", 1},
		{"two byte order marks", "\uFEFF\uFEFFa = 1\n", 1},
		{"deep array behind an escaped backslash", `a = ["\\", ` + strings.Repeat("[", 100_000), 1},
		{"deep array with closing brackets in comments", "a = " + strings.Repeat("[ # ]\n", 20_000), 10_001},
		{"array of 65", "\na = " + strings.Repeat("[\n", 65) + strings.Repeat("]", 65), 2},
		{"deep array behind quotes at the end of a text", `a = ["""x""""", ` + strings.Repeat("[", 100_000), 1},
		{"key of many parts", "b = 1\n" + strings.Repeat("a.", 20_000) + "a = 1\n", 2},
		{"table of many parts", "[" + strings.Repeat("a.", 20_000) + "a]\n", 1},
		{"list of tables of many parts", "[[" + strings.Repeat("a.", 20_000) + "a]]\n", 1},
		{"key of many parts in an inline table", "b = {" + strings.Repeat("a.", 20_000) + "a = 1}\n", 1},
		{"parts of a table and of a key together",
			"[" + strings.Repeat("a.", 20) + "a]\n" + strings.Repeat("b.", 20) + "b = 1\n", 2},
		{"long key", strings.Repeat("a", 40_000) + " = 1\n", 1},
		{"many keys below a long table", "[" + strings.Repeat("a", 500) + "]\n" + numbered(10_000, "k%d=1\n"), 5_001},
		{"many elements", "a = [" + strings.Repeat("{},", 80_000) + "]\n", 1},
		{"many lists of tables", numbered(30_000, "[[a]]\n"), 5_001},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			if used := allocated(func() { _, err = Parse([]byte(tt.text)) }); used > 100 {
				t.Errorf("refusing %d KB took %d MB", len(tt.text)>>10, used)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an Error", err)
			}
			if e.Line != tt.line {
				t.Errorf("got line %d, want %d: %v", e.Line, tt.line, err)
			}
			if strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error repeats the value or is not one line: %q", err)
			}
			if n := utf8.RuneCountInString(err.Error()); n > 200 {
				t.Errorf("the error has %d characters: %q", n, err)
			}
		})
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Replace(format, "%d", strconv.Itoa(i), 1))
	}
	return b.String()
}

// allocated returns how many megabytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

func TestParseIsCheapWithinItsBounds(t *testing.T) {
	deep := "[" + strings.Repeat("aaaaaaaaaaaaaaa.", maxPathParts-2) + "a]\n"
	for name, text := range map[string]string{
		"keys below a deep table":    deep + numbered(maxKeys-1, "k%d=1\n"),
		"tables below a deep table":  numbered(300, "["+strings.Repeat("a.", maxPathParts-2)+"a%d]\n"),
		"a list of plain values":     "a = [" + strings.Repeat("1,", MaxBytes/2-10) + "]\n",
		"keys of one inline table":   "a = {" + numbered(maxKeys-2, "k%d=1,") + "z=1}\n",
		"brackets in texts":          numbered(1000, "k%d='''[[[[[[[[[[['''\n"),
		"brackets in texts of lines": "a = \"\"\"\n" + strings.Repeat("[\n", 1000) + "\"\"\"\n",
		"brackets in comments":       strings.Repeat("# don't [[[[[\n", 1000),
		"a byte order mark":          byteOrderMark + "a = 1\n",
	} {
		if used := allocated(func() {
			if _, err := Parse([]byte(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}); used > 150 {
			t.Errorf("%s: %d KB took %d MB", name, len(text)>>10, used)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a=1", "[a]\nb=[{c=1},{c=2}]", "[[a]]\n[a.b]\nc='x'\n[[a]]", "a.b.c=1979-05-27",
		"a=[[1],[2]]", "\"\"=1", "a={b.c=1}\n", "\ufeffa.b.c.d=[[{e=1}],[]]", "a=\"\"\"\"[\"\"\"\"\" # ]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Parse(data)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("not an Error: %v", err)
		}
		count := strings.Count(string(data), "\n") + 1
		for _, e := range entries {
			if e.Line < 1 || e.Line > count {
				t.Fatalf("entry %s has line %d of %d", e.Key(), e.Line, count)
			}
			if len(e.Path) == 0 || len(e.Path) != len(e.Index) {
				t.Fatalf("entry without a path: %+v", e)
			}
		}
	})
}

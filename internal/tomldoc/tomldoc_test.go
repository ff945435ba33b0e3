package tomldoc

import (
	"errors"
	"fmt"
	"strings"
	"testing"
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
	if e.Table {
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
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text))
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
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a=1", "[a]\nb=[{c=1},{c=2}]", "[[a]]\n[a.b]\nc='x'\n[[a]]", "a.b.c=1979-05-27", "a=[[1],[2]]", "\"\"=1", "a={b.c=1}\n"} {
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

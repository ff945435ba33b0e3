package widget_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/internal/termtexttest"
	"confab/service/diff"
	"confab/themes"
	"confab/ui/widget"
)

// styles are those without colors, in which marks say what was removed and added.
func styles() *themes.Styles { return themes.New(themes.Palette{}) }

func TestTintsStandForMarks(t *testing.T) {
	s := themes.New(themes.Default(true))
	v := widget.InlineDiff(diff.Words("so late, you see today.", "so early, you see now!"), [2]string{}, 40, s)
	if want := "  so late early, you see today. now!"; strings.TrimRight(ansi.Strip(v.Lines[0]), " ") != want {
		t.Errorf("got %q, want %q", ansi.Strip(v.Lines[0]), want)
	}
	mark := widget.InlineDiff(diff.Words("it is here now", "it is here, now"), [2]string{}, 18, s)
	if got := ansi.Strip(mark.Lines[0]); got != "  it is here, now " {
		t.Errorf("a mark is written as %q", got)
	}
	columns := widget.DiffColumns(diff.Words("so late, you see today.", "so early, you see now!"), [2]string{},
		30, 30, s)
	for _, tt := range []struct{ want, line string }{
		{s.Removed.Render("late"), v.Line(0, 1)}, {s.Added.Render("early"), v.Line(0, 1)},
		{s.RemovedCurrent.Render("late"), v.Line(0, 0)}, {s.AddedCurrent.Render("early"), v.Line(0, 0)},
		{s.Removed.Render("late"), columns.Line(0, -1)}, {s.AddedCurrent.Render("early"), columns.Line(0, 0)},
	} {
		if !strings.Contains(tt.line, tt.want) {
			t.Errorf("%q is not in %q", tt.want, tt.line)
		}
	}
	commas := widget.InlineDiff(diff.Words("it is so late now", "it is so, dear, now"), [2]string{}, 30, s)
	if got := ansi.Strip(commas.Lines[0]); !strings.Contains(got, "so late , dear, now") {
		t.Errorf("what was put in follows what was removed without a blank: %q", got)
	}
	if got, want := strings.TrimPrefix(ansi.Strip(v.Line(0, 0)), "±"), ansi.Strip(v.Lines[0])[1:]; got != want {
		t.Errorf("the current change reads %q, not %q", got, want)
	}
}

// TestSignsOfChanges asks that changes are told apart without their colors: by signs before lines of one column, and by
// marks around them where no backgrounds mark them.
func TestSignsOfChanges(t *testing.T) {
	s := themes.New(themes.Default(true))
	v := widget.InlineDiff(diff.Words("a\nold\nb\nso late\n", "a\nb\nnew\nso early\n"), [2]string{}, 20, s)
	var got []string
	for i := range v.Lines {
		got = append(got, strings.TrimRight(ansi.Strip(v.Line(i, 0)), " "))
	}
	if text := strings.Join(got, "\n"); !strings.HasPrefix(text, "  a\n− old\n  b\n+ new\n± so late early") {
		t.Errorf("got\n%s", text)
	}
	if got, want := v.Line(1, 0), s.Marked.On("−")+" "; !strings.HasPrefix(got, want) {
		t.Errorf("the current change is %q, which does not begin with %q", got, want)
	}
	if got := v.Line(1, 1); !strings.HasPrefix(got, "− ") {
		t.Errorf("the first change, which is not the current one: %q", got)
	}
	few := themes.New(themes.Pick(themes.Shipped(), "ansi16-dark", true))
	marked := widget.InlineDiff(diff.Words("so late", "so early"), [2]string{}, 40, few).Line(0, -1)
	if !strings.Contains(marked, few.Removed.Render("late")) || !strings.HasPrefix(marked, "± so") {
		t.Errorf("where no background tells it: %q", marked)
	}
}

// TestLinesWithoutCounterpart checks that few dots in the color of rules are beside a line that only the other text
// has, and that the change that is a whole line fills its column.
func TestLinesWithoutCounterpart(t *testing.T) {
	d := diff.Words("a\nd", "a\nb\nd")
	s := themes.New(themes.Default(true))
	got := widget.DiffColumns(d, [2]string{}, 8, 10, s).Line(1, -1)
	if want := "  " + s.Rule.On("   · ") + " "; !strings.HasPrefix(got, want) {
		t.Errorf("%q does not begin with %q", got, want)
	}
	if want := s.Added.On("b") + s.Added.On("      "); !strings.Contains(got, want) {
		t.Errorf("%q does not contain %q", got, want)
	}
}

// TestCodeKeepsItsColors checks that what is in both texts has the colors of the first one.
func TestCodeKeepsItsColors(t *testing.T) {
	s := themes.New(themes.Default(true))
	d := diff.Words("so\nreturn nil", "then\nreturn nil")
	drawn := [2]string{"so\n\x1b[35mreturn\x1b[m nil"}
	for _, v := range []widget.DiffView{widget.InlineDiff(d, drawn, 40, s), widget.DiffColumns(d, drawn, 20, 20, s)} {
		if got := strings.Join(v.Lines, "\n"); !strings.Contains(got, "\x1b[35mreturn\x1b[m nil") {
			t.Errorf("the colors are gone or go on behind their text: %q", got)
		}
	}
	other := widget.InlineDiff(d, [2]string{"another \x1b[35mtext"}, 40, s)
	if got := strings.Join(other.Lines, "\n"); strings.Contains(got, "\x1b[35m") {
		t.Errorf("it has colors of another text: %q", got)
	}
}

// TestChangesKeepWhatIsNotAColor: headings and strong words stay bold, in the colors of the change.
func TestChangesKeepWhatIsNotAColor(t *testing.T) {
	s := themes.New(themes.Default(true))
	d := diff.Words("so old", "so new")
	drawn := [2]string{"so \x1b[1;38;2;3;1;4mold\x1b[m", "so \x1b[38;5;1;1;3mnew\x1b[m"}
	for _, v := range []widget.DiffView{widget.InlineDiff(d, drawn, 40, s), widget.DiffColumns(d, drawn, 20, 20, s)} {
		for _, want := range []string{s.Removed.Prefix + "\x1b[1mold", s.Added.Prefix + "\x1b[1;3mnew"} {
			if got := v.Line(0, -1); !strings.Contains(got, want) {
				t.Errorf("%q is not in %q", want, got)
			}
		}
	}
}

// TestItemsOfListsHang: their lines go on below their text, in a change too.
func TestItemsOfListsHang(t *testing.T) {
	s := themes.New(themes.Default(true))
	d := diff.Words("  • one two three", "  • one two three\n  • four five six")
	v := widget.InlineDiff(d, [2]string{}, 15, s)
	want := "    • one two  |      three    |    • four five|      six      "
	var got []string
	for _, line := range v.Lines {
		got = append(got, ansi.Strip(line))
	}
	if got := strings.Join(got, "|"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if added := s.Added.On("    ") + s.Added.On("six"); !strings.Contains(v.Lines[3], added) {
		t.Errorf("%q does not contain %q", v.Lines[3], added)
	}
}

const (
	alpha = "Hi Sam,\nI am sorry your parcel is late. I have checked with our courier: it left our depot this " +
		"morning " +
		"and is due tomorrow before noon.\n\nThank you"
	beta = "Dear customer,\nWe regret the delay. Our records show that the parcel is in transit. Please allow two " +
		"more " +
		"working days.\n\nThank you"
)

// plain returns the lines without styles, each ended by | to show its width.
func plain(v widget.DiffView, hunk int) string {
	var s strings.Builder
	for i := range v.Lines {
		s.WriteString(ansi.Strip(v.Line(i, hunk)) + "|\n")
	}
	return s.String()
}

func TestInline(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		w, hunk    int
		want       string
		hunks      []int
	}{
		{"rewritten lines", alpha, beta, 60, 0, `
− [-Hi Sam,-]                                               |
− [-I am sorry your parcel is late. I have checked with our |
− courier: it left our depot this morning and is due        |
− tomorrow before noon.-]                                   |
+ {+Dear customer,+}                                        |
+ {+We regret the delay. Our records show that the parcel is|
+ in transit. Please allow two more working days.+}         |
                                                            |
  Thank you                                                 |
`, []int{0}},
		{"words", "I am sorry that your parcel is late.\nThank you",
			"We regret that your parcel is in transit.\nThank us", 60, 1, `
± [-I am sorry-]{+We regret+} that your parcel is           |
± [-late-]{+in transit+}.                                   |
± Thank [-you-]{+us+}                                       |
`, []int{0, 1, 2}},
		{"equal", "a b", "a b", 8, 0, "\n  a b   |\n", nil},
		{"nothing", "", "", 8, 0, "\n        |\n", nil},
		{"line break removed", "a\nb", "a b", 16, 0, "\n− a[-↵-]        |\n+ {+·+}b        |\n", []int{0}},
		{"blank removed", "a  b", "a b", 16, -1, "\n− a [-·-]b      |\n", []int{0}},
		{"lines added", "a\nd", "a\nb\nc\nd", 16, 0,
			"\n  a             |\n+ {+b+}         |\n+ {+c+}         |\n  d             |\n", []int{1}},
		{"wide characters", "日本語のテキスト", "日本人のテキスト", 14, 0, `
  日本        |
± [-語-]{+人+}|
  のテキスト  |
`, []int{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := widget.InlineDiff(diff.Words(tt.a, tt.b), [2]string{}, tt.w, styles())
			if got := "\n" + plain(v, tt.hunk); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if !slices.Equal(v.Hunks, tt.hunks) {
				t.Errorf("hunks %v, want %v", v.Hunks, tt.hunks)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct {
		name, a, b        string
		left, right, hunk int
		want              string
		hunks             []int
	}{
		{"rewritten lines", alpha, beta, 36, 37, 0, `
  [-Hi Sam,-]                       │ {+Dear customer,+}                 |
  [-I am sorry your parcel is late. │ {+We regret the delay. Our records |
  I have checked with our courier:  │ show that the parcel is in         |
  it left our depot this morning    │ transit. Please allow two more     |
  and is due tomorrow before        │ working days.+}                    |
  noon.-]                           │                                    |
                                    │                                    |
  Thank you                         │ Thank you                          |
`, []int{0}},
		{"two changes", "a\nb\nc", "x\nb\ny\nz", 10, 12, 1, `
  [-a-]   │ {+x+}     |
  b       │ b         |
▌ [-c-]   │ {+y+}     |
          │ {+z+}     |
`, []int{0, 2}},
		{"lines added", "a\nd", "a\nb\nc\nd", 8, 10, 0, `
  a     │ a       |
        │ {+b+}   |
        │ {+c+}   |
  d     │ d       |
`, []int{1}},
		{"wide characters", "日本語です", "日本人です", 13, 17, 0, `
  日本[-語-] │ 日本{+人+}です |
  です       │                |
`, []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := widget.DiffColumns(diff.Words(tt.a, tt.b), [2]string{}, tt.left, tt.right, styles())
			if got := "\n" + plain(v, tt.hunk); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if !slices.Equal(v.Hunks, tt.hunks) {
				t.Errorf("hunks %v, want %v", v.Hunks, tt.hunks)
			}
		})
	}
}

func TestHunkAt(t *testing.T) {
	v := widget.DiffView{Hunks: []int{2, 2, 5}}
	for line, want := range []int{-1, -1, 1, 1, 1, 2, 2} {
		if got := v.HunkAt(line); got != want {
			t.Errorf("line %d: got %d, want %d", line, got, want)
		}
	}
	if v.Line(3, 0) != "" || v.Line(-1, 0) != "" {
		t.Error("a line that is not there")
	}
}

// TestHostile holds that nothing foreign reaches the terminal, and that all of
// it can be read.
func TestHostile(t *testing.T) {
	for name, payload := range termtexttest.Payloads() {
		d := diff.Words("one "+payload+" two\nsame "+payload, "uno\t"+payload+payload+"\r\ndos\nsame "+payload)
		for _, v := range []widget.DiffView{
			widget.InlineDiff(d, [2]string{}, 70, styles()), widget.DiffColumns(d, [2]string{}, 40, 41, styles()),
		} {
			for _, l := range v.Lines {
				if why := termtexttest.Check(l); why != "" {
					t.Errorf("%s: %s", name, why)
				}
			}
		}
	}
}

func FuzzViews(f *testing.F) {
	f.Add(alpha, beta, 30)
	f.Add("日本語\n\tx", "日本\u0301人\r\n", 9)
	f.Add("a\u200b👩‍💻 \x1b[31m", "🇩🇪 b\u202e", 4)
	f.Add("a - b-c", "a -\nb-", 3)
	f.Fuzz(func(t *testing.T, a, b string, w int) {
		w = max(w%60, 0) + 1
		d := diff.Words(a, b)
		for _, v := range []widget.DiffView{widget.InlineDiff(d, [2]string{}, w, styles()),
			widget.DiffColumns(d, [2]string{}, w, w+1, styles()),
			widget.DiffColumns(d, [2]string{}, 1, 2*w, styles())} {
			want := ansi.StringWidth(v.Lines[0])
			if want != w && want != 2*w+1 {
				t.Fatalf("width %d of %d", want, w)
			}
			for _, l := range v.Lines {
				if got := ansi.StringWidth(l); got != want {
					t.Fatalf("width %d, want %d: %q", got, want, l)
				}
				if why := termtexttest.Check(l); why != "" {
					t.Fatal(why)
				}
				if termtext.Allow(l) == "" && l != "" {
					t.Fatalf("nothing is left of %q", l)
				}
			}
			if len(v.Hunks) != len(d.Hunks) || !slices.IsSorted(v.Hunks) {
				t.Fatalf("hunks %v", v.Hunks)
			}
			for _, line := range v.Hunks {
				if line < 0 || line >= len(v.Lines) {
					t.Fatalf("hunk on line %d of %d", line, len(v.Lines))
				}
			}
		}
	})
}

func BenchmarkInline(b *testing.B) {
	d := diff.Words(strings.Repeat(alpha+"\n", 40), strings.Repeat(beta+"\n", 40))
	s := styles()
	for b.Loop() {
		widget.InlineDiff(d, [2]string{}, 100, s)
	}
}

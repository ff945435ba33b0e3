package termtext_test

import (
	"strings"
	"testing"

	"confab/internal/termtext"
)

func TestNamesAreCutWhereTheyDiffer(t *testing.T) {
	for _, tt := range []struct {
		w           int
		names, want string
	}{
		{12, "alpha beta-3-235b-a22b-instruct", "alpha beta-3-235b…"},
		{12, "beta-3-235b-a22b-instruct beta-3-235b-a22b-thinking", "bet…instruct bet…thinking"},
		{14, "sim-image-very-long sim-image-very-long-lite", "sim-image…long sim-imag…-lite"},
		{10, "gamma-4.7-flash-2024 gamma-4.7-flash-2025", "gamma…2024 gamma…2025"},
		{10, "model-with-a-name#1 model-with-a-name#2", "model-wi…1 model-wi…2"},
		{10, "日本語の長い名前です甲 日本語の長い名前です乙", "日本語…甲 日本語…乙"},
		{9, "gamma-4-7b-flash gamma-4.7", "gamma-4-… gamma-4.7"},
		{24, "tone=warm,mail=My_parcel_is_late tone=warm,mail=My_parcel_is_lost",
			"tone=warm,mail=My_p…late tone=warm,mail=My_p…lost"},
		{3, "abcdef abcdeg", "ab… ab…"},
		{0, "abcdef", ""},
	} {
		names := strings.Fields(tt.names)
		var got []string
		seen := map[string]bool{}
		for _, name := range names {
			cut := termtext.CutName(name, tt.w, names)
			if termtext.Width(cut) > tt.w {
				t.Errorf("%q is wider than %d", cut, tt.w)
			}
			seen[cut] = true
			got = append(got, cut)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("in %d cells: got %q, want %q", tt.w, strings.Join(got, " "), tt.want)
		}
		if len(seen) != len(names) && tt.w >= 6 {
			t.Errorf("alike: %q", got)
		}
	}
}

// TestACommonBeginningIsLeftOut checks names that would look the same, and names that fit or have too little in common.
func TestACommonBeginningIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		w           int
		names, want string
	}{
		{20, "Answer kindly: where is my refund?|Answer kindly: where is my parcel?", "…refund?|…parcel?"},
		{40, "Answer kindly: where is my refund?|Answer kindly: where is my parcel?",
			"Answer kindly: where is my refund?|Answer kindly: where is my parcel?"},
		{10, "one long question|one other question", "one long question|one other question"},
		{10, "the same long question|the same long question", "…question|…question"},
		{5, "a question alone", "a question alone"},
	} {
		got := termtext.WithoutCommonBeginning(strings.Split(tt.names, "|"), tt.w)
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%q in %d cells: got %q, want %q", tt.names, tt.w, got, tt.want)
		}
	}
}

func FuzzCutName(f *testing.F) {
	f.Add("beta-3-235b-a22b-instruct", "beta-3-235b-a22b-thinking", "beta-3", uint8(12))
	f.Add("日本語の長い名前", "日本語の長い名", "a b", uint8(6))
	f.Fuzz(func(t *testing.T, a, b, c string, width uint8) {
		a, b, c = termtext.Line(a), termtext.Line(b), termtext.Line(c)
		names, w := []string{a, b, c}, int(width)
		cuts := map[string]string{}
		for _, name := range names {
			cut := termtext.CutName(name, w, names)
			if termtext.Width(cut) > w {
				t.Fatalf("%q in %d cells: %q", name, w, cut)
			}
			if before, ok := cuts[cut]; ok && before != name && w >= 12 && isASCII(a+b+c) {
				t.Fatalf("%q and %q in %d cells: %q", name, before, w, cut)
			}
			cuts[cut] = name
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x7f })
}

func TestCutWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		w    int
		want string
	}{
		{"a tall tower", 12, "a tall tower"}, {"a tall tower", 11, "a tall tow…"}, {"a tall tower", 9, "a tall…"},
		{"a tall tower", 6, "a tal…"},
		{"lighthouse", 6, "light…"}, {"one, two", 7, "one…"}, {"x", 0, ""},
	} {
		if got := termtext.CutWords(tt.text, tt.w); got != tt.want {
			t.Errorf("%q in %d cells is %q, want %q", tt.text, tt.w, got, tt.want)
		}
	}
}

// TestCutTextAlignsWhatDiffers checks texts with a long beginning in common, and one without.
func TestCutTextAlignsWhatDiffers(t *testing.T) {
	texts := []string{"You are a kind shop assistant. Answer: Do you ship to Norway?",
		"You are a kind shop assistant. Answer: Where is my refund?",
		"Write a polite reminder about an invoice that nobody paid"}
	for i, want := range []string{"You are a kind s… Do you ship to Norway?", "You are a kind s… Where is my refund?",
		"Write a polite reminder about an invoic…"} {
		if got := termtext.CutText(texts[i], 40, texts); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCutTextCutsOnce checks that in narrow lists the end of a text with a common beginning is whole.
func TestCutTextCutsOnce(t *testing.T) {
	texts := []string{"You are a kind shop assistant. Answer: Do you ship to Norway?",
		"You are a kind shop assistant. Answer: My parcel arrived broken.",
		"You are a kind shop assistant. Answer: Can I return shoes after 40 days?",
		"Write a polite reminder about an unpaid invoice", "Write a quicksort in Go and explain it"}
	for i, want := range []string{"You are… Do you ship to Norway?", "You are… My parcel arrived broken.",
		"You are… shoes after 40 days?", "Write a polite reminder about an…"} {
		if got := termtext.CutText(texts[i], 34, texts); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package format

import (
	"slices"
	"testing"
	"time"
)

func TestMeasureText(t *testing.T) {
	tests := []struct {
		name, text string
		want       TextSize
	}{
		{"empty", "", TextSize{}},
		{"plain", "Hi Sam, it's 4417.", TextSize{Bytes: 18, Chars: 18, Words: 4, Lines: 1}},
		{"lines", "a\nb\n\nc", TextSize{Bytes: 6, Chars: 6, Words: 3, Lines: 4}},
		{"a last line end", "a\n", TextSize{Bytes: 2, Chars: 2, Words: 1, Lines: 1}},
		{"punctuation is no word", "-- … !? —", TextSize{Bytes: 13, Chars: 9, Words: 0, Lines: 1}},
		{"family", "👨‍👩‍👧 e\u0301", TextSize{Bytes: 22, Chars: 3, Words: 1, Lines: 1}},
		{"ideographs", "東京都", TextSize{Bytes: 9, Chars: 3, Words: 3, Lines: 1}},
		{"CRLF is one", "a\r\nb", TextSize{Bytes: 4, Chars: 3, Words: 2, Lines: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := MeasureText(tt.text); got != tt.want {
				t.Errorf("MeasureText(%q) = %+v, want %+v", tt.text, got, tt.want)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	tests := []struct {
		bytes int
		want  string
	}{
		{0, "~0 tokens"}, {1, "~1 tokens"}, {4, "~1 tokens"}, {5, "~2 tokens"}, {396, "~99 tokens"},
		{400, "~100 tokens"}, {598, "~150 tokens"}, {620, "~160 tokens"}, {3996, "~1000 tokens"},
		{4940, "~1200 tokens"}, {5000, "~1300 tokens"}, {-3, "~0 tokens"},
	}
	for _, tt := range tests {
		if got := EstimatedTokens(tt.bytes); got != tt.want {
			t.Errorf("%d bytes are %q, want %q", tt.bytes, got, tt.want)
		}
	}
}

func TestSummary(t *testing.T) {
	ms := func(n ...int) (out []time.Duration) {
		for _, n := range n {
			out = append(out, time.Duration(n)*time.Millisecond)
		}
		return out
	}
	tests := []struct {
		name    string
		samples []time.Duration
		want    string
	}{
		{"none", nil, ""},
		{"unknown only", ms(-1), ""},
		{"one", ms(1900), "1.9 s"},
		{"five", ms(4000, 1800, 2100, 2000, 2500), "2.1 s (1.8–4.0, n=5)"},
		{"even", ms(1000, 2000), "1.5 s (1.0–2.0, n=2)"},
		{"unknown left out", ms(1000, -1, 3000), "2.0 s (1.0–3.0, n=2)"},
		{"long", ms(1800, 40_000, 31_000), "31 s (1.8–40, n=3)"},
		{"minutes", ms(1800, 125_000, 61_000), "61 s (1.8 s–2 m 05 s, n=3)"},
		{"a minute", ms(61_000), "61 s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.samples)
			if got := Summarize(tt.samples).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if !slices.Equal(before, tt.samples) {
				t.Error("the samples were moved")
			}
		})
	}
}

func BenchmarkMeasureText(b *testing.B) {
	text := ""
	for len(text) < 64<<10 {
		text += "The parcel left the depot this morning. 東京 👨‍👩‍👧\n"
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		MeasureText(text)
	}
}

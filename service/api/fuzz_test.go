package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"confab/internal/pixels"
)

const fuzzKey = "sk-fuzz-0123456789abcdef"

func fuzzCall(tb testing.TB, kind ModelKind) *call {
	c, err := NewClient(Options{BaseURL: "https://service.example/x", APIKey: fuzzKey})
	must(tb, err)
	r := Request{Model: Model{Slug: "m", Kind: kind}, Prompt: "p"}
	return &call{Client: c, request: r, limits: c.limits, url: c.url(r), observe: func(Progress) {},
		exchange: &Exchange{}}
}

// FuzzJudge holds that whatever comes is an answer that the contract calls one,
// or a failure with a code, one clean line and without the key.
func FuzzJudge(f *testing.F) {
	example, err := os.ReadFile(filepath.Join("testdata", "examples", "text-response.json"))
	must(f, err)
	f.Add(200, "application/json", "", example, byte(0))
	f.Add(401, "application/json", "", []byte(`{"error":{"message":"bad key `+fuzzKey+`"}}`), byte(0))
	f.Add(200, "", "sk-fuzz\u202e-0123456789abcdef \x1b[2J\xff", example, byte(0))
	f.Add(307, "text/html", "https://evil.example/\x1b", []byte("<html><title>x&#27;</title>"), byte(1))
	f.Add(200, "image/png", "", []byte(pngSignature), byte(1))
	f.Add(429, "", "12", []byte("\x1b]0;x\a slow"), byte(2))
	f.Add(200, "", "", []byte(`{"status":500,"data":{"text":"\u001b[2J\u202e"}}`), byte(0))
	f.Fuzz(func(t *testing.T, status int, contentType, other string, body []byte, which byte) {
		k := fuzzCall(t, []ModelKind{Text, Image, Edit}[int(which)%3])
		header := http.Header{"Content-Type": {contentType}, "Location": {other}, "Retry-After": {other},
			"X-Cache":    {other},
			HeaderEngine: {other}, HeaderModel: {other}, HeaderNote: {other}}
		response, failure := k.judge(context.Background(), status, header, body)
		if failure == nil {
			switch {
			case status != 200:
				t.Fatalf("status %d is an answer", status)
			case k.request.Model.Kind == Text && !json.Valid(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))):
				t.Fatalf("%q is an answer", body)
			case k.request.Model.Kind != Text &&
				(response.Width <= 0 || response.Height <= 0 || len(response.Image) == 0):
				t.Fatalf("an empty picture: %+v", response)
			case strings.Contains(response.Text+response.ServedModel, fuzzKey):
				t.Fatalf("the key is in %q", response.Text)
			case !plain(response.Engine+response.EngineModel+response.Note) ||
				strings.Contains(response.Engine+response.EngineModel+response.Note, fuzzKey):
				t.Fatalf("the headers tell %q by %q", response.Note, response.Engine)
			case !utf8.ValidString(response.Text):
				t.Fatalf("invalid text %q", response.Text)
			}
			return
		}
		if failure.Code == "" || failure.Message == "" || failure.RetryAfter < 0 {
			t.Fatalf("got %+v", failure)
		}
		if strings.Contains(failure.Error(), fuzzKey) || failure.Err != nil &&
			strings.Contains(failure.Err.Error(), fuzzKey) {
			t.Fatalf("the key is in %v", failure)
		}
		if !plain(failure.Message) {
			t.Fatalf("got %q", failure.Message)
		}
		if n := utf8.RuneCountInString(failure.Message); n > 600 {
			t.Fatalf("%d runes: %q", n, failure.Message)
		}
	})
}

// plain tells whether a text is one line without anything a terminal obeys.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) || r == utf8.RuneError })
}

// FuzzJudgeImage holds that judging allocates within its budget, and that what
// passes for a picture is one that the decoders take.
func FuzzJudgeImage(f *testing.F) {
	const limit = 10_000
	for _, at := range []string{
		pngSignature + "\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x02\x08\x06\x00\x00\x00",
		"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01" +
			"\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00\xff\xd9",
		"GIF89a",
	} {
		f.Add([]byte(at))
	}
	f.Add(smallPicture(f, true))
	f.Add(smallPicture(f, false))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		facts, err := JudgeImage(t.Context(), b, limit)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20+uint64(8*len(b)) {
			t.Fatalf("allocated %d bytes for %d", took, len(b))
		}
		if err != nil {
			if code := CodeOf(err); code != CodeBadImage && code != CodeTooLarge {
				t.Fatalf("got %v", err)
			}
			return
		}
		if facts.IsTooLarge {
			return
		}
		decode := png.Decode
		if facts.ContentType == "image/jpeg" {
			decode = jpeg.Decode
		}
		if m, err := decode(bytes.NewReader(b)); err != nil || m.Bounds().Dx() != facts.Width ||
			m.Bounds().Dy() != facts.Height {
			t.Fatalf("got %+v, but %v", facts, err)
		}
	})
}

// FuzzClean holds that nothing but printable characters comes through, on one
// line, within the length, and that cleaning twice is cleaning once.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"plain", "\x1b]0;PWNED\x07 a", "a\u009b31mb", "\x1b[31", "\x1bPq\x1b\\", "a\n\tb",
		"\u202eabc", "\xff\xfe", strings.Repeat("é ", 500)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		for _, r := range got {
			if r != ' ' && !unicode.IsPrint(r) {
				t.Fatalf("%U in %q", r, got)
			}
		}
		if utf8.RuneCountInString(got) > maxQuote+1 || strings.Contains(got, "  ") {
			t.Fatalf("got %q", got)
		}
		if again := clean(got); again != got && !strings.HasSuffix(got, "…") {
			t.Fatalf("got %q, then %q", got, again)
		}
	})
}

func TestClean(t *testing.T) {
	for s, want := range map[string]string{
		"a sentence.":                  "a sentence",
		" two\n\t lines ":              "two lines",
		"\x1b]0;PWNED\x07title":        "title",
		"\x1b]8;;http://x\x1b\\link":   "link",
		"\u009d0;PWNED\u009cc1":        "c1",
		"\x1b[31mred\x1b[0m":           "red",
		"\u009b2Jclear":                "clear",
		"a\u202e\u200b\u2066b\x00\x7f": "ab",
		"\xffbroken\xfe":               "broken",
		"":                             "",
		"\x1b":                         "",
		"kept \x1b]0;never ended":      "kept",
		strings.Repeat("x", 300):       strings.Repeat("x", 200) + "…",
	} {
		if got := clean(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func TestDecodingWaitsForMemory(t *testing.T) {
	release, err := pixels.Acquire(t.Context(), pixels.Bytes)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := JudgeImage(ctx, smallPicture(t, true), 1000); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beside another: got %v, want to have waited", err)
	}
	if facts, err := JudgeImage(t.Context(), smallPicture(t, true), 100); err != nil || !facts.IsTooLarge {
		t.Errorf("one that is not decoded: got %+v, %v", facts, err)
	}
	release()
	if _, err := JudgeImage(t.Context(), smallPicture(t, false), 1000); err != nil {
		t.Errorf("after it: got %v", err)
	}
}

func smallPicture(tb testing.TB, asPNG bool) []byte {
	name := "small.jpg"
	if asPNG {
		name = "small.png"
	}
	b, err := os.ReadFile(filepath.Join("testdata", name))
	must(tb, err)
	return b
}

func BenchmarkJudgeText(b *testing.B) {
	k := fuzzCall(b, Text)
	body, _ := json.Marshal(map[string]any{"status": 200,
		"data": map[string]string{"text": strings.Repeat("some words of an answer\n", 40000), "model": "m"}})
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, failure := k.judge(context.Background(), 200, nil, body); failure != nil {
			b.Fatal(failure)
		}
	}
}

func BenchmarkJudgeImage(b *testing.B) {
	picture := smallPicture(b, true)
	b.SetBytes(int64(len(picture)))
	for b.Loop() {
		if _, err := JudgeImage(b.Context(), picture, 40e6); err != nil {
			b.Fatal(err)
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

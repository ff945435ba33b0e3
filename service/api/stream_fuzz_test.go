package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// readStreamOf reads a stream from memory and returns what came of it, and what was reported.
func readStreamOf(k *call, r io.Reader) (response Response, failure *Error, text, reasoning string) {
	k.request.IsStreamed = true
	k.limits.JSON = 1 << 12
	k.observe = func(p Progress) { text += p.Text; reasoning += p.Reasoning }
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w := &watch{cancel: cancel}
	defer w.stop()
	answer := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {EventStream}}, Body: io.NopCloser(r)}
	response, failure = k.receiveStream(ctx, ctx, w, answer)
	return response, failure, text, reasoning
}

// FuzzStream holds that whatever comes as a stream is an answer whose end says so, or a failure with a code and one
// clean line; that neither the key nor more than the limit is in it; that what was reported is what is there; and that
// all of it is the same when the bytes come one by one.
func FuzzStream(f *testing.F) {
	whole := func(parts ...string) []byte {
		var b strings.Builder
		for _, part := range parts {
			fmt.Fprintf(&b, "event: delta\ndata: {\"text\":%q}\n\n", part)
		}
		all := strings.Join(parts, "")
		fmt.Fprintf(&b, "event: done\ndata: {\"status\":200,\"data\":{\"length\":%d,\"sha256\":\"%x\"}}\n\n", len(all),
			sha256.Sum256([]byte(all)))
		return []byte(b.String())
	}
	f.Add(whole("An ", "answer."))
	f.Add(whole("the key ", fuzzKey[:9], fuzzKey[9:], "!"))
	f.Add(bytes.ReplaceAll(whole("a"), []byte("\n"), []byte("\r\n")))
	f.Add([]byte("event: delta\ndata: {\"text\":\"\\ud83d\"}\n\nevent: delta\ndata: {\"text\":\"\\ude00\xc3\"}\n\n"))
	f.Add([]byte("event: reasoning\ndata: {\"text\":\"x\"}\n\nevent: usage\ndata: {\"input_tokens\":3}\n\n" +
		"event: error\n" +
		"data: {\"status\":503,\"error\":{\"message\":\"" + fuzzKey + "\"}}\n\n"))
	f.Add([]byte("<html><title>x</title>"))
	f.Add([]byte(": c\n\n:\n\nevent: done\ndata: {}\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		k := fuzzCall(t, Text)
		response, failure, text, reasoning := readStreamOf(k, bytes.NewReader(body))
		switch {
		case failure == nil && !bytes.Contains(body, []byte("done")):
			t.Fatalf("%q is an answer", body)
		case failure != nil && (failure.Code == "" || failure.Message == "" || !plain(failure.Message)):
			t.Fatalf("got %+v", failure)
		case failure != nil && strings.Contains(failure.Error(), fuzzKey):
			t.Fatalf("the key is in %v", failure)
		case text != response.Text || reasoning != response.Reasoning:
			t.Fatalf("reported %q and %q, got %q and %q", text, reasoning, response.Text, response.Reasoning)
		case strings.Contains(text, fuzzKey), strings.Contains(reasoning, fuzzKey):
			t.Fatalf("the key is in %q", text)
		case !utf8.ValidString(text + reasoning):
			t.Fatalf("invalid text %q, %q", text, reasoning)
		case len(text)+len(reasoning) > 2*int(k.limits.JSON): // dots may be longer than what they stand for
			t.Fatalf("%d bytes of text", len(text)+len(reasoning))
		}
		slow, slowFailure, _, _ := readStreamOf(fuzzCall(t, Text), iotest.OneByteReader(bytes.NewReader(body)))
		if fmt.Sprint(slow) != fmt.Sprint(response) {
			t.Fatalf("byte by byte %+v, want %+v", slow, response)
		}
		if fmt.Sprint(slowFailure) != fmt.Sprint(failure) {
			t.Fatalf("byte by byte %v, want %v", slowFailure, failure)
		}
	})
}

// FuzzStreamText holds that a text put together from parts is the same however its JSON is cut.
func FuzzStreamText(f *testing.F) {
	f.Add([]byte(`a\ud83d\ude00b`), uint16(5), uint16(9))
	f.Add([]byte("é\xf0\x9f\x91\xa9\\\\ud83d"), uint16(1), uint16(4))
	f.Add([]byte(`\ud83d\ud83d\ude00`), uint16(6), uint16(12))
	f.Fuzz(func(t *testing.T, literal []byte, a, b uint16) {
		quoted := []byte(`"` + string(literal) + `"`)
		i, j := int(a)%(len(literal)+1), int(b)%(len(literal)+1)
		i, j = min(i, j), max(i, j)
		parts := [][]byte{literal[:i], literal[i:j], literal[j:]}
		for _, part := range append(parts, literal) {
			if textOf(append(append([]byte{'"'}, part...), '"')) == "" && len(part) > 0 {
				return // not what stands between the quotation marks of a JSON string
			}
		}
		mask := fuzzCall(t, Text).mask
		text := newStreamText(mask)
		for _, part := range parts {
			text.add(part, 1<<30)
		}
		text.end()
		want := textOf(quoted)
		if got := text.masked.String(); got != mask.String(want) || text.writer.HasMasked() != (got != want) ||
			text.length != int64(len(want)) || text.sum() != fmt.Sprintf("%x", sha256.Sum256([]byte(want))) {
			t.Fatalf("got %q of %d bytes, masked %v, want %q", got, text.length, text.writer.HasMasked(), want)
		}
	})
}

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/httpclient"
	"confab/internal/termtext"
)

// content is what bytes are, in the words of a sentence.
type content string

// What bytes may be.
const (
	isEmpty content = "nothing"
	isPNG   content = "a PNG picture"
	isJPEG  content = "a JPEG picture"
	isGIF   content = "a GIF picture"
	isWebP  content = "a WebP picture"
	isBMP   content = "a BMP picture"
	isSVG   content = "an SVG drawing"
	isAVIF  content = "an AVIF or HEIC picture"
	isPDF   content = "a PDF document"
	isHTML  content = "a web page"
	isJSON  content = "JSON"
	isText  content = "a text"
	isOther content = "bytes of an unknown kind"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// sniff tells what bytes are by their beginning.
func sniff(b []byte) content {
	head := b[:min(len(b), 4<<10)]
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	low := bytes.ToLower(text)
	known := map[string]content{"image/gif": isGIF, "image/webp": isWebP, "image/bmp": isBMP, "application/pdf": isPDF}
	switch kind := known[http.DetectContentType(head)]; {
	case len(b) == 0, len(text) == 0 && len(head) == len(b):
		return isEmpty
	case bytes.HasPrefix(head, []byte(pngSignature)):
		return isPNG
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return isJPEG
	case kind != "":
		return kind
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return isAVIF
	case bytes.HasPrefix(low, []byte("<svg")), bytes.HasPrefix(low, []byte("<?xml")) &&
		bytes.Contains(low, []byte("<svg")):
		return isSVG
	case strings.HasPrefix(http.DetectContentType(text), "text/html"), bytes.Contains(low, []byte("<html")) &&
		low[0] == '<':
		return isHTML
	case text[0] == '{', text[0] == '[':
		return isJSON
	case isPrintable(text):
		return isText
	}
	return isOther
}

// isPrintable tells whether bytes are a text of which the end may be missing.
func isPrintable(b []byte) bool {
	for i := 0; len(b) > 0 && i < utf8.UTFMax && !utf8.Valid(b); i++ {
		b = b[:len(b)-1]
	}
	return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0
}

// maxMessage is the largest body in which a message is looked for, in bytes.
const maxMessage = 1 << 20

// message finds what a body says to people: in JSON at the places where services put it, or a short plain text. Of a
// web page nothing is taken.
func message(body []byte) string {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch sniff(body) {
	case isJSON:
		if len(body) <= maxMessage {
			return httpclient.Message(body)
		}
	case isText:
		return string(body[:min(len(body), 64*maxQuote)])
	}
	return ""
}

// errorCode returns error.code of a body, as the embedded service writes it.
func errorCode(body []byte) string {
	if len(body) > maxMessage || !json.Valid(body) {
		return ""
	}
	var code string
	_ = json.Unmarshal(Members(Members(body, "error")["error"], "code")["code"], &code)
	return code
}

// maxQuote is how much of a foreign text a sentence repeats, in runes.
const maxQuote = 200

// maxReason is how much a sentence repeats of a refusal, in runes: engines say up to 300 of why they fail.
const maxReason = 370

// configError is an [Error] of code config; the arguments must be clean.
func configError(format string, args ...any) *Error {
	return &Error{Code: CodeConfig, Message: fmt.Sprintf(format, args...)}
}

// clean makes a foreign text fit for a sentence: one line, no control or invisible characters, no terminal sequences,
// at most [maxQuote] runes, no stop at its end. A sequence that never ends takes the rest of the text with it. It is
// empty when nothing readable is left.
func clean(s string) string { return cleanTo(maxQuote, s) }

// cleanTo is [clean] for at most so many runes.
func cleanTo(most int, s string) string {
	// Written as one character, the introducers are no sequences to the library.
	introducers := strings.NewReplacer("\u0090", "\x1bP", "\u0098", "\x1bX", "\u009b", "\x1b[", "\u009c", "\x1b\\",
		"\u009d", "\x1b]", "\u009e", "\x1b^", "\u009f", "\x1b_")
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range ansi.Strip(introducers.Replace(s[:min(len(s), 64*most)])) {
		if unicode.IsSpace(r) {
			gap = runes > 0
			continue
		}
		if r == utf8.RuneError || !termtext.IsVisible(r) || unicode.Is(unicode.Mn, r) && runes == 0 {
			continue
		}
		if runes >= most || gap && runes+1 >= most {
			return b.String() + "…"
		}
		if gap {
			b.WriteByte(' ')
			runes++
			gap = false
		}
		b.WriteRune(r)
		runes++
	}
	return strings.TrimRight(b.String(), " .")
}

// quote returns a foreign text between quotation marks, cleaned.
func quote(s string) string { return "“" + clean(s) + "”" }

// size returns a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return format.Count(int(n), "byte")
}

package api

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"

	"confab/internal/redact"
)

const (
	maxInflated = 4 << 20 // bytes that a part of a picture may inflate to; what holds more is left out
	maxEncoded  = 4 << 20 // bytes of a part in which encodings of texts are looked for
	maxHeader   = 1 << 10 // bytes at the beginning of a part in which compressed data begins
)

// picturePart is a part of a picture beside its pixels.
type picturePart struct {
	from, to int    // where it stands
	kind     string // of a chunk or segment
	text     []byte // what it holds, inflated, without what stands before it in each part of its kind
	hasKey   bool
}

// withoutSecrets returns a whole picture without the parts beside its pixels that hold a secret: some services write
// the request they got into the picture's notes. Without such parts b itself is returned.
func withoutSecrets(m *redact.Masker, b []byte) ([]byte, bool) {
	parts := pictureParts(b)
	joined := map[string][]byte{} // the texts of the others of a kind
	for i := range parts {
		p := &parts[i]
		if p.hasKey = holdsSecret(m, b[p.from:p.to], 2) || holdsSecret(m, p.text, 2); !p.hasKey {
			joined[p.kind] = append(joined[p.kind], p.text...)
		}
	}
	isSplit := map[string]bool{} // a secret begins in one part and ends in the next
	for kind, text := range joined {
		isSplit[kind] = holdsSecret(m, text, 1)
	}
	var out []byte
	from := 0
	for _, p := range parts {
		if p.hasKey || isSplit[p.kind] {
			out = append(out, b[from:p.from]...)
			from = p.to
		}
	}
	if from == 0 {
		return b, false
	}
	return append(out, b[from:]...), true
}

// pictureParts returns the parts of a whole picture that it can be drawn without.
func pictureParts(b []byte) []picturePart {
	var parts []picturePart
	at := 0
	visit := func(isRemovable bool, kind string, whole, text []byte) {
		if isRemovable {
			parts = append(parts, picturePart{from: at, to: at + len(whole), kind: kind, text: text})
		}
		at += len(whole)
	}
	if bytes.HasPrefix(b, []byte(pngSignature)) {
		at = len(pngSignature)
		_, _ = walkPNG(b, func(kind string, whole []byte) {
			switch kind {
			case "IHDR", "PLTE", "IDAT", "IEND":
				visit(false, kind, whole, nil)
			case "":
				visit(true, kind, whole, whole)
			default:
				visit(true, kind, whole, chunkText(kind, whole[8:len(whole)-4]))
			}
		})
		return parts
	}
	_, _ = walkJPEG(b, func(marker byte, whole []byte) {
		isNote := marker >= 0xe0 && marker <= 0xef || marker == 0xfe
		text := whole
		if isNote {
			text = segmentText(whole)
		}
		visit(marker == 0 || isNote, string(rune(marker)), whole, text)
	})
	return parts
}

// chunkText returns the text of a chunk of a PNG without its keyword, inflated where it is compressed.
func chunkText(kind string, body []byte) []byte {
	fields := map[string]int{"tEXt": 1, "zTXt": 2, "iCCP": 2, "iTXt": 3}[kind] // that end with a NUL
	if _, rest, found := bytes.Cut(body, []byte{0}); found && kind == "iTXt" && len(rest) > 2 {
		body = rest[2:] // two flags stand between the keyword and two more fields
		fields = 2
	}
	for range fields {
		if _, rest, found := bytes.Cut(body, []byte{0}); found {
			body = rest
		}
	}
	if text, _ := inflate(body); len(text) > 0 {
		return text
	}
	return body
}

// segmentText returns what a segment of a JPEG holds, without what stands before it in each of several segments.
func segmentText(whole []byte) []byte {
	body := whole[bytes.IndexByte(whole, 0xff)+1:] // stray bytes and several of these may stand before the marker
	for len(body) > 0 && body[0] == 0xff {
		body = body[1:]
	}
	body = body[min(3, len(body)):] // marker and length
	for name, header := range map[string]int{"http://ns.adobe.com/xmp/extension/\x00": 75, "ICC_PROFILE\x00": 14} {
		if bytes.HasPrefix(body, []byte(name)) && len(body) >= header {
			return body[header:]
		}
	}
	return body
}

// holdsSecret tells whether bytes hold a secret, also as UTF-16, as Latin-1, in hexadecimal, or compressed, up to a
// depth. What inflates to more than may be judged counts as a secret.
func holdsSecret(m *redact.Masker, b []byte, depth int) bool {
	if hit(m, b) || bytes.IndexByte(b, 0) >= 0 && hit(m, bytes.ReplaceAll(b, []byte{0}, nil)) {
		return true
	}
	if len(b) > maxEncoded {
		return false
	}
	if hit(m, fromLatin1(b)) || hit(m, fromHex(b)) {
		return true
	}
	if depth == 0 {
		return false
	}
	for at := range min(len(b), maxHeader) {
		if at > 0 && b[at-1] != 0 { // compressed data begins a part, or follows a NUL
			continue
		}
		text, isWhole := inflate(b[at:])
		if !isWhole || len(text) > 0 && holdsSecret(m, text, depth-1) {
			return true
		}
	}
	return false
}

func hit(m *redact.Masker, b []byte) bool {
	_, isHit := m.Bytes(b)
	return isHit
}

// inflate returns what is compressed with zlib, nil for other bytes, and whether that is all of it.
func inflate(b []byte) (text []byte, isWhole bool) {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, true
	}
	defer r.Close()                                        //nolint:errcheck // it was only read
	text, _ = io.ReadAll(io.LimitReader(r, maxInflated+1)) // what comes before damage counts
	return text, len(text) <= maxInflated
}

// fromLatin1 returns a text as UTF-8; nil for one of ASCII alone.
func fromLatin1(b []byte) []byte {
	runes, isASCII := make([]rune, 0, len(b)), true
	for _, c := range b {
		runes, isASCII = append(runes, rune(c)), isASCII && c < 0x80
	}
	if isASCII {
		return nil
	}
	return []byte(string(runes))
}

// fromHex decodes the hexadecimal digits in a text, as some programs write profiles, with line breaks between them.
func fromHex(b []byte) []byte {
	var out, run []byte
	flush := func() {
		if len(run) >= 16 {
			for _, digits := range [][]byte{run, run[1:]} { // a number may stand before them
				decoded := make([]byte, len(digits)/2)
				_, _ = hex.Decode(decoded, digits[:len(digits)/2*2]) // they are digits only
				out = append(append(out, decoded...), '\n')
			}
		}
		run = run[:0]
	}
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
			run = append(run, c)
		case c == '\n' || c == '\r':
		default:
			flush()
		}
	}
	flush()
	return out
}

package api

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"io"
	"iter"
	"slices"

	"confab/internal/pixels"
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
	if !bytes.HasPrefix(b, []byte(pngSignature)) {
		at := 0
		for marker, whole := range jpegSegments(b) {
			switch {
			case marker == 0:
				parts = append(parts, picturePart{from: at, to: at + len(whole), text: whole})
			case marker >= 0xe0 && marker <= 0xef, marker == 0xfe:
				parts = append(parts, picturePart{from: at, to: at + len(whole), kind: string(rune(marker)),
					text: segmentText(whole)})
			}
			at += len(whole)
		}
		return parts
	}
	at := len(pngSignature)
	for kind, body := range pixels.Chunks(b) {
		end := at + 12 + len(body)
		if !slices.Contains([]string{"IHDR", "PLTE", "IDAT", "IEND"}, kind) {
			parts = append(parts, picturePart{from: at, to: end, kind: kind, text: chunkText(kind, body)})
		}
		if at = end; kind == "IEND" {
			break
		}
	}
	if at < len(b) {
		parts = append(parts, picturePart{from: at, to: len(b), text: b[at:]})
	}
	return parts
}

// jpegSegments yields the segments of a JPEG after their markers, the pixels with the header of their scan, up to one
// that is cut off. What follows the end has the marker 0.
func jpegSegments(b []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for len(b) > 0 {
			at := bytes.IndexByte(b, 0xff) // decoders pass over stray bytes
			for at >= 0 && at < len(b) && b[at] == 0xff {
				at++
			}
			if at < 0 || at >= len(b) {
				return
			}
			marker := b[at]
			at++
			if hasLength := marker > 1 && (marker < 0xd0 || marker > 0xd9); hasLength {
				if at+2 > len(b) {
					return
				}
				if at += int(binary.BigEndian.Uint16(b[at:])); at > len(b) {
					return
				}
			}
			if marker == 0xda {
				at = endOfScan(b, at)
			}
			if !yield(marker, b[:at]) {
				return
			}
			if b = b[at:]; marker == 0xd9 {
				if len(b) > 0 {
					yield(0, b)
				}
				return
			}
		}
	}
}

// endOfScan returns where the coded pixels that begin at a place end.
func endOfScan(b []byte, at int) int {
	for ; at+1 < len(b); at++ {
		if b[at] == 0xff && b[at+1] != 0 && (b[at+1] < 0xd0 || b[at+1] > 0xd7) && b[at+1] != 0xff {
			return at
		}
	}
	return len(b)
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

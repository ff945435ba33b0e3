package pictures

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"unicode/utf8"

	"confab/internal/fileio"
)

// Where the text chunk goes in a PNG: right behind its signature and header.
const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngHeaderEnd = len(pngSignature) + 8 + 13 + 4
	keyword      = "parameters"
)

// maxText bounds the text put into a PNG, in bytes.
const maxText = 64 << 10

// signed ends the text of a chunk that confab added, so that it is never mistaken for one that came with the picture.
const signed = ", Saved by: confab"

// textChunk returns the chunk that carries text under the keyword that other tools read, or nil when picture is not a
// PNG with a whole header. Text that fits Latin-1 goes into a tEXt chunk, which every tool reads; other text into an
// iTXt one.
func textChunk(picture []byte, text string) []byte {
	if text == "" || !isPNG(picture) {
		return nil
	}
	text = fileio.CutName(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD"), maxText) + signed
	var data bytes.Buffer
	data.WriteString(keyword + "\x00")
	kind := "tEXt"
	if latin, ok := latin1(text); ok {
		data.Write(latin)
	} else {
		kind = "iTXt"
		data.WriteString("\x00\x00\x00\x00") // not compressed, no language, no translated keyword
		data.WriteString(text)
	}
	chunk := binary.BigEndian.AppendUint32(nil, uint32(data.Len()))
	chunk = append(chunk, kind...)
	chunk = append(chunk, data.Bytes()...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// CleanCopy returns the picture as it was received: without the text chunk that was added when it was saved, every
// other byte untouched. It returns b itself when nothing was added.
func CleanCopy(b []byte) []byte {
	n := addedLength(b)
	if n == 0 {
		return b
	}
	return slices.Concat(b[:pngHeaderEnd], b[pngHeaderEnd+n:])
}

// addedLength returns how many bytes behind the header were added by confab.
func addedLength(b []byte) int {
	if !isPNG(b) || len(b) < pngHeaderEnd+12 {
		return 0
	}
	rest := b[pngHeaderEnd:]
	n := int64(binary.BigEndian.Uint32(rest))
	if n+12 > int64(len(rest)) {
		return 0
	}
	kind, data := string(rest[4:8]), rest[8:8+n]
	if kind != "tEXt" && kind != "iTXt" || !bytes.HasPrefix(data, []byte(keyword+"\x00")) ||
		!bytes.HasSuffix(data, []byte(signed)) {
		return 0
	}
	return int(n) + 12
}

// isPNG tells whether b begins with a PNG's signature and header chunk.
func isPNG(b []byte) bool {
	return len(b) >= pngHeaderEnd && string(b[:len(pngSignature)]) == pngSignature &&
		string(b[len(pngSignature):len(pngSignature)+8]) == "\x00\x00\x00\x0dIHDR"
}

// latin1 returns text as Latin-1 when all of it fits and is printable there.
func latin1(text string) ([]byte, bool) {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r == utf8.RuneError || r > 0xFF || (r < 0x20 && r != '\n') || (r >= 0x7F && r < 0xA0) {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}

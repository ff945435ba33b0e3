package api

import (
	"bytes"

	"confab/internal/redact"
)

// withoutSecrets returns a whole picture without the parts beside its pixels that hold a secret: some services write
// the request they got into the picture's notes. Without such parts b itself is returned.
func withoutSecrets(m *redact.Masker, b []byte) ([]byte, bool) {
	var held [][2]int // where parts with a secret begin and end
	at := 0
	visit := func(removable bool, whole []byte) {
		if removable {
			if _, hit := m.Bytes(whole); hit {
				held = append(held, [2]int{at, at + len(whole)})
			}
		}
		at += len(whole)
	}
	if bytes.HasPrefix(b, []byte(pngSignature)) {
		at = len(pngSignature)
		_, _ = walkPNG(b, func(kind string, whole []byte) {
			visit(kind == "" || kind[0]&0x20 != 0, whole) // a small letter: not needed for drawing
		})
	} else {
		_, _ = walkJPEG(b, func(marker byte, whole []byte) {
			visit(marker == 0 || marker >= 0xe0 && marker <= 0xef || marker == 0xfe, whole)
		})
	}
	if held == nil {
		return b, false
	}
	var out []byte
	from := 0
	for _, part := range held {
		out = append(out, b[from:part[0]]...)
		from = part[1]
	}
	return append(out, b[from:]...), true
}

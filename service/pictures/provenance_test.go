package pictures

import (
	"testing"
)

func FuzzDecodeProvenance(f *testing.F) {
	for _, s := range []string{`{}`,
		`{"made_by":"confab","answer":1,"turn":2,"width":3,"height":4,"sha256_received":"x"}`,
		`{"made_by":"confab","answer":1,"width":3,"height":4,"sha256_received":"x"}`,
		`{"made_by":"confab","width":3,"height":4,"sha256_received":"x"}`,
		`{"made_by":"confab","answer":-1}`, `[]`, "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := decodeProvenance(b)
		if ok && (p.Answer < 0 || (p.Answer > 0) != (p.Turn > 0) || p.Width <= 0 || p.Height <= 0) {
			t.Fatalf("took %+v for provenance", p)
		}
	})
}

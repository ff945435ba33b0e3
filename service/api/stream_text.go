package api

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strings"

	"confab/internal/httpclient"
	"confab/internal/redact"
)

// streamText puts a text together from its parts and masks the key in it, also where it lies across parts.
type streamText struct {
	length int64 // bytes of the text as received
	hash   hash.Hash
	joiner httpclient.TextJoiner

	masked   strings.Builder
	writer   *redact.Writer // to masked
	reported int            // bytes of masked that were reported
}

func newStreamText(mask *redact.Masker) *streamText {
	t := &streamText{hash: sha256.New()}
	t.writer = mask.Writer(&t.masked)
	return t
}

// add adds a part, given as what stands between the quotation marks of its JSON. It adds nothing and returns false when
// the part is longer than limit bytes.
func (t *streamText) add(literal []byte, limit int64) bool {
	part := t.joiner.Add(literal)
	if int64(len(part)) > limit {
		return false
	}
	t.write(part)
	return true
}

// write adds decoded text.
func (t *streamText) write(part string) {
	t.length += int64(len(part))
	t.hash.Write([]byte(part))
	_, _ = io.WriteString(t.writer, part) // a strings.Builder takes everything
}

// end adds what was held back, because nothing follows. Of a text that broke off this stays out: it may be most of the
// key.
func (t *streamText) end() {
	t.write(t.joiner.End())
	_ = t.writer.Close()
}

// sum returns the SHA-256 of the text as received.
func (t *streamText) sum() string { return hex.EncodeToString(t.hash.Sum(nil)) }

// unreported returns what was added since it was called last.
func (t *streamText) unreported() string {
	s := t.masked.String()[t.reported:]
	t.reported += len(s)
	return s
}

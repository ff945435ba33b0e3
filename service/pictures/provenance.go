package pictures

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"confab/history"
	"confab/internal/fileio"
	"confab/internal/pixels"
	"confab/internal/redact"
	"confab/service/export"
)

// provenance is the content of the JSON file beside a picture: the record of its answer and its question.
type provenance struct {
	export.AnswerRecord
	MadeBy      string `json:"made_by"`
	File        string `json:"file"`
	Prompt      string `json:"prompt"`
	AspectAsked string `json:"aspect_asked,omitempty"`
	AspectGot   string `json:"aspect_got,omitempty"`
	NonceMode   string `json:"nonce_mode,omitempty"`
	Nonce       string `json:"nonce,omitempty"`

	ParentAnswer int64  `json:"parent_answer,omitempty"`
	ParentFile   string `json:"parent_file,omitempty"`

	IsTooLarge     bool   `json:"too_large_to_show,omitempty"`
	BytesReceived  int64  `json:"bytes_received"`
	SHA256Received string `json:"sha256_received"`
	BytesFile      int64  `json:"bytes_file"`
	SHA256File     string `json:"sha256_file"`
	HasAddedText   bool   `json:"parameters_added"`
	IsAttached     bool   `json:"attached,omitempty"` // a copy of a picture that went with a prompt
	IsMasked       bool   `json:"masked,omitempty"`   // the received bytes contained the key, which was masked
	About          string `json:"about,omitempty"`

	SessionName string    `json:"session_name,omitempty"`
	Version     int       `json:"version"`
	Asked       time.Time `json:"asked"`
	Started     time.Time `json:"started"`
	Received    time.Time `json:"received"`
}

// aboutText explains the two hashes.
const aboutText = "sha256_received is of the bytes as the service sent them. The file also carries the PNG text " +
	"chunk 'parameters'; the pixels are untouched, and removing the chunk gives back exactly those bytes."

// aboutMasked explains the two hashes of a picture that contained the key.
const aboutMasked = "sha256_received is of the bytes as the service sent them. They quoted the API key, which was " +
	"taken out before they were saved, so they cannot be given back; the pixels are untouched."

// newProvenance returns the provenance of an answer's picture with the key masked.
func newProvenance(t history.Turn, a history.Answer, session string, mask *redact.Masker) provenance {
	p := a.Picture
	f := provenance{
		AnswerRecord: export.NewAnswerRecord(export.Cell{Turn: t, Answer: a}, export.Options{}),
		MadeBy:       "confab", Prompt: mask.String(t.Prompt), IsTooLarge: p.IsTooLarge,
		AspectGot: ratio(p.Width, p.Height), BytesReceived: p.Bytes, SHA256Received: p.SHA256,
		SessionName: mask.String(session), Version: a.Version, IsMasked: a.IsMasked,
		Asked: a.Queued.UTC(), Started: a.Started.UTC(), Received: a.Ended.UTC(),
	}
	// The file has its own names for these, and judgements may change later.
	f.Bytes, f.SHA256, f.SentNonce = nil, "", ""
	f.Rating, f.IsWinner, f.Note = history.Unrated, false, ""
	f.SentPrompt, f.SourceURL = mask.String(a.SentPrompt), ""
	switch a.Kind {
	case history.KindImage:
		f.AspectAsked, f.NonceMode, f.Nonce = t.Aspect, string(t.Nonce.Mode), mask.String(a.SentNonce)
	case history.KindEdit:
		f.ParentAnswer, f.SourceURL = p.Parent, mask.String(a.SourceURL)
		if t.Source != nil {
			f.ParentFile = mask.String(t.Source.Path)
		}
	}
	return f
}

// suffix returns a part that makes the name of a picture unique among all hosts of a history, since each counts for
// itself.
func (p provenance) suffix() string {
	return "-" + SHA256(fmt.Appendf(nil, "%s %d %d", p.SHA256Received, p.Answer, p.Asked.UnixMilli()))[:8]
}

func (p provenance) encode(s savedPicture) ([]byte, error) {
	p.File, p.BytesFile, p.SHA256File, p.HasAddedText = filepath.Base(s.path), s.bytes, s.sha256, s.hasAddedText
	switch {
	case p.IsMasked:
		p.About = aboutMasked
	case p.HasAddedText:
		p.About = aboutText
	}
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the provenance: %w", err)
	}
	return append(b, '\n'), nil
}

// parameters returns the text that other tools read from a PNG: the prompt, then a line of settings.
func (p provenance) parameters() string {
	settings := []string{"Model: " + p.Model, fmt.Sprintf("Size: %dx%d", p.Width, p.Height)}
	if p.AspectAsked != "" {
		settings = append(settings, "Aspect ratio: "+p.AspectAsked)
	}
	if p.Nonce != "" {
		settings = append(settings, "Nonce: "+p.Nonce)
	}
	return p.Prompt + "\n" + strings.Join(settings, ", ")
}

// decodeProvenance parses a provenance file; ok is false for a file that confab did not write.
func decodeProvenance(b []byte) (p provenance, ok bool) {
	if err := json.Unmarshal(b, &p); err != nil {
		return provenance{}, false
	}
	saved, unsaved := p.Answer > 0 && p.Turn > 0, p.Answer == 0 && p.Turn == 0
	return p, p.MadeBy == "confab" && (saved || unsaved) && p.Width > 0 && p.Height > 0 && p.SHA256Received != ""
}

// restore completes an answer from the provenance of its picture at a path.
func (p provenance) restore(a *history.Answer, path string) {
	p.AnswerRecord.Restore(a)
	a.State, a.Version = history.Done, a.Version+1
	a.IsMasked, a.Started, a.Ended = p.IsMasked, p.Started, p.Received
	a.Picture = &history.Picture{
		Path: path, ContentType: p.ContentType, Width: p.Width, Height: p.Height, Bytes: p.BytesReceived,
		SHA256: p.SHA256Received, Parent: p.ParentAnswer, IsTooLarge: p.IsTooLarge,
	}
	if a.Kind == history.KindEdit {
		a.SourceURL = p.SourceURL
	}
}

// ratio returns w to h in lowest terms, such as 16:9.
func ratio(w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	a, b := w, h
	for b != 0 {
		a, b = b, a%b
	}
	return fmt.Sprintf("%d:%d", w/a, h/a)
}

// The position of the text chunk in a PNG: after its signature and header.
const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngHeaderEnd = len(pngSignature) + 8 + 13 + 4
	keyword      = "parameters"
)

// maxText is the maximum size in bytes of the text added to a PNG.
const maxText = 64 << 10

// signed is the suffix of a text chunk that confab added, which distinguishes it from one of the received picture.
const signed = ", Saved by: confab"

// textChunk returns a chunk with text under the keyword that other tools read. It returns nil if the picture is not a
// PNG with a complete header, or has a text under that keyword. Latin-1 text goes into a tEXt chunk, which every tool
// reads; other text into an iTXt chunk.
func textChunk(picture []byte, text string) []byte {
	if text == "" || !isPNG(picture) {
		return nil
	}
	for kind, body := range pixels.Chunks(picture) {
		if (kind == "tEXt" || kind == "zTXt" || kind == "iTXt") && bytes.HasPrefix(body, []byte(keyword+"\x00")) {
			return nil
		}
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

// CleanCopy returns the picture as received, without the text chunk that saving added. It returns b itself if nothing
// was added.
func CleanCopy(b []byte) []byte {
	n := addedLength(b)
	if n == 0 {
		return b
	}
	return slices.Concat(b[:pngHeaderEnd], b[pngHeaderEnd+n:])
}

// addedLength returns the number of bytes that confab added after the header.
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

// isPNG reports whether b begins with a PNG's signature and header chunk.
func isPNG(b []byte) bool {
	return len(b) >= pngHeaderEnd && string(b[:len(pngSignature)]) == pngSignature &&
		string(b[len(pngSignature):len(pngSignature)+8]) == "\x00\x00\x00\x0dIHDR"
}

// latin1 returns printable text as Latin-1 if all of it fits.
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

package pictures

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"confab/history"
	"confab/internal/redact"
	"confab/service/export"
)

// provenance is the content of the JSON file beside a picture: the record of its answer, and what was asked.
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
	IsMasked       bool   `json:"masked,omitempty"` // the key stood in what was received and was taken out
	About          string `json:"about,omitempty"`

	SessionName string    `json:"session_name,omitempty"`
	Version     int       `json:"version"`
	Asked       time.Time `json:"asked"`
	Started     time.Time `json:"started"`
	Received    time.Time `json:"received"`
}

// aboutText says what the two hashes are of.
const aboutText = "sha256_received is of the bytes as the service sent them. The file also carries the PNG text " +
	"chunk 'parameters'; the pixels are untouched, and removing the chunk gives back exactly those bytes."

// aboutMasked says the same where what came was not kept as it was.
const aboutMasked = "sha256_received is of the bytes as the service sent them. They quoted the API key, which was " +
	"taken out before they were saved, so they cannot be given back; the pixels are untouched."

// newProvenance returns what is known of the picture of an answer, with the key masked.
func newProvenance(t history.Turn, a history.Answer, session string, mask *redact.Masker) provenance {
	p := a.Picture
	f := provenance{
		AnswerRecord: export.NewAnswerRecord(export.Cell{Turn: t, Answer: a}, export.Options{}),
		MadeBy:       "confab", Prompt: mask.String(t.Prompt), IsTooLarge: p.IsTooLarge,
		AspectGot: ratio(p.Width, p.Height), BytesReceived: p.Bytes, SHA256Received: p.SHA256,
		SessionName: mask.String(session), Version: a.Version, IsMasked: a.IsMasked,
		Asked: a.Queued.UTC(), Started: a.Started.UTC(), Received: a.Ended.UTC(),
	}
	// The file has names of its own for these, and judgements may change after it was written.
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

// encode returns the file's content.
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

// decodeProvenance reads the file beside a picture. It reports false for a file that confab did not write.
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

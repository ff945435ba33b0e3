package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"confab/history"
	"confab/internal/redact"
	"confab/service/export"
	"confab/service/pictures"
)

// pictureFacts is the content of the file beside a picture.
type pictureFacts struct {
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

	TooLarge       bool   `json:"too_large_to_show,omitempty"`
	BytesReceived  int64  `json:"bytes_received"`
	SHA256Received string `json:"sha256_received"`
	BytesFile      int64  `json:"bytes_file"`
	SHA256File     string `json:"sha256_file"`
	TextAdded      bool   `json:"parameters_added"`
	Masked         bool   `json:"masked,omitempty"` // the key stood in what was received and was taken out
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

// factsOf returns what is known of an answer's picture, the key masked.
func factsOf(t history.Turn, a history.Answer, session string, mask *redact.Masker) pictureFacts {
	p := a.Picture
	f := pictureFacts{
		AnswerRecord: export.NewAnswerRecord(export.Cell{Turn: t, Answer: a}, export.Options{}),
		MadeBy:       "confab", Prompt: mask.String(t.Prompt), TooLarge: p.TooLarge,
		AspectGot: ratio(p.Width, p.Height), BytesReceived: p.Bytes, SHA256Received: p.SHA256,
		SessionName: mask.String(session), Version: a.Version, Masked: a.Masked,
		Asked: a.Queued.UTC(), Started: a.Started.UTC(), Received: a.Ended.UTC(),
	}
	// The file has names of its own for these, and judgements may change after it was written.
	f.Bytes, f.SHA256, f.SentNonce = nil, "", ""
	f.Rating, f.Winner, f.Note = history.Unrated, false, ""
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
func (f pictureFacts) encode(k pictures.SavedPicture) ([]byte, error) {
	f.File, f.BytesFile, f.SHA256File, f.TextAdded = k.Name, k.Bytes, k.SHA256, k.TextAdded
	switch {
	case f.Masked:
		f.About = aboutMasked
	case f.TextAdded:
		f.About = aboutText
	}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the facts: %w", err)
	}
	return append(b, '\n'), nil
}

// parameters returns the text that other tools read from a PNG: the prompt,
// then a line of settings.
func (f pictureFacts) parameters() string {
	settings := []string{"Model: " + f.Model, fmt.Sprintf("Size: %dx%d", f.Width, f.Height)}
	if f.AspectAsked != "" {
		settings = append(settings, "Aspect ratio: "+f.AspectAsked)
	}
	if f.Nonce != "" {
		settings = append(settings, "Nonce: "+f.Nonce)
	}
	return f.Prompt + "\n" + strings.Join(settings, ", ")
}

// decodeFacts reads the file beside a picture; ok is false when it is not one
// that confab wrote.
func decodeFacts(b []byte) (f pictureFacts, ok bool) {
	if err := json.Unmarshal(b, &f); err != nil {
		return pictureFacts{}, false
	}
	saved, unsaved := f.Answer > 0 && f.Turn > 0, f.Answer == 0 && f.Turn == 0
	return f, f.MadeBy == "confab" && (saved || unsaved) && f.Width > 0 && f.Height > 0 && f.SHA256Received != ""
}

// picture returns the picture that the facts describe.
func (f pictureFacts) picture(path string) *history.Picture {
	return &history.Picture{
		Path: path, ContentType: f.ContentType, Width: f.Width, Height: f.Height, Bytes: f.BytesReceived,
		SHA256: f.SHA256Received, Parent: f.ParentAnswer, TooLarge: f.TooLarge,
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

// Package engine says what answers behind the embedded service. An [Engine]
// turns a prompt into text or a picture; each one lives in a folder of its own
// and passes the suite of package enginetest.
//
// It knows nothing of HTTP, of turns or of screens.
package engine

import (
	"context"
	"fmt"
)

// TextRequest asks for a text.
type TextRequest struct {
	Model  string
	Prompt string
	System string
}

// ImageRequest asks for a picture. Aspect is "<w>:<h>" and never empty; the
// same Nonce (or none) with the same rest asks for the same picture.
type ImageRequest struct {
	Model  string
	Prompt string
	Aspect string
	Nonce  string
}

// EditRequest asks for a changed picture. Source is the encoded picture, PNG
// or JPEG, already judged to be of a bearable size.
type EditRequest struct {
	Model  string
	Prompt string
	Source []byte
}

// Picture is an encoded picture.
type Picture struct {
	Bytes       []byte
	ContentType string // image/png or image/jpeg
}

// Engine answers. Every method honours the context's end within 100 ms, is
// safe for concurrent use, and fails with an [Error] where the caller is at
// fault or the request cannot be met.
type Engine interface {
	Name() string
	Text(ctx context.Context, r TextRequest) (string, error)
	Image(ctx context.Context, r ImageRequest) (Picture, error)
	Edit(ctx context.Context, r EditRequest) (Picture, error)
}

// Error is a refusal or failure with what the service should answer.
type Error struct {
	Status  int    // HTTP status: 400, 404, 422, 429, 500, 502, 504
	Code    string // a code of the contract's error body, such as bad_request
	Message string // one sentence for people
	Err     error
}

// Error returns the sentence.
func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Code) }

// Unwrap returns what the error comes from.
func (e *Error) Unwrap() error { return e.Err }

package api

import (
	"errors"
	"fmt"
	"time"
)

// Code is a stable name for what went wrong; codes are documented and scripts may branch on them.
type Code string

// The codes.
const (
	CodeUsage            Code = "usage"
	CodeConfig           Code = "config"
	CodeUnauthorized     Code = "unauthorized"
	CodeUnknownModel     Code = "unknown_model"
	CodeBadRequest       Code = "bad_request"
	CodeRateLimited      Code = "rate_limited"
	CodeQuota            Code = "quota"
	CodeService          Code = "service"
	CodeNetwork          Code = "network"
	CodeTimeout          Code = "timeout"
	CodeCancelled        Code = "cancelled"
	CodeBadResponse      Code = "bad_response"
	CodeTooLarge         Code = "too_large"
	CodeBadImage         Code = "bad_image"
	CodeImageUnreachable Code = "image_unreachable"
	CodeStore            Code = "store"
	CodeDisk             Code = "disk"
)

// Error is a failure a person can act on: a stable code and one sentence. Its message holds no raw error of a library,
// no stack and never the key.
type Error struct {
	Code       Code
	Message    string        // one sentence: what happened, what to do
	Status     int           // HTTP status, 0 when there was none
	RetryAfter time.Duration // asked for by the service, 0 when it was not
	Err        error         // what it comes from, for the log
}

// Error returns the sentence followed by the code.
func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Code) }

// Unwrap returns what the error comes from.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first [Error] in err's chain, or "" when there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

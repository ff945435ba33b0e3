package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"confab/service/api"
	"confab/service/engine"
)

// refusal is an answer of the contract's error shape.
type refusal struct {
	status  int
	code    string
	message string
	allow   string // methods, for 405
	retry   int    // seconds, for 429 and 503
	cause   error  // for the log
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (%s)", r.message, r.code) }

func (r *refusal) Unwrap() error { return r.cause }

func badRequest(format string, args ...any) *refusal {
	return &refusal{status: 400, code: string(api.CodeBadRequest), message: fmt.Sprintf(format, args...)}
}

// refusalOf says what to answer for err; nil when the client has gone and nobody would read it.
func refusalOf(ctx context.Context, err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	var e *engine.Error
	if errors.As(err, &e) {
		r := &refusal{status: e.Status, code: e.Code, message: e.Message, cause: e.Err, retry: seconds(e.RetryAfter)}
		if r.status < 400 || r.status > 599 {
			r.status = 500
		}
		if r.code == "" {
			r.code = string(api.CodeService)
		}
		return r
	}
	if ctx.Err() != nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &refusal{status: 504, code: string(api.CodeTimeout), message: "The engine took too long.", cause: err}
	}
	return &refusal{status: 500, code: string(api.CodeService), message: "The service could not answer.", cause: err}
}

// write sends the refusal in the contract's shape.
func (r *refusal) write(w http.ResponseWriter) {
	var body api.ErrorBody
	body.Status = r.status
	body.Error.Code, body.Error.Message = r.code, r.message
	if r.allow != "" {
		w.Header().Set("Allow", r.allow)
	}
	if r.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(r.retry))
	}
	b, err := json.Marshal(body)
	if err != nil { // strings and a number always marshal
		b = []byte(`{"status":500,"error":{"code":"service","message":"The service could not answer."}}`)
	}
	send(w, r.status, "application/json", append(b, '\n'))
}

// send writes a whole answer. That the client may have gone is its affair.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// seconds is a wait as Retry-After has it: whole, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

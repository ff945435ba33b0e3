package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"confab/service/api"
	"confab/service/engine"
)

// refuse returns the error that answers a request with this status and sentence.
func refuse(status int, code api.Code, format string, args ...any) *engine.Error {
	return &engine.Error{Status: status, Code: string(code), Message: fmt.Sprintf(format, args...)}
}

// refuseFor is [refuse] with the time after which the client may try again.
func refuseFor(wait time.Duration, status int, code api.Code, format string, args ...any) *engine.Error {
	e := refuse(status, code, format, args...)
	e.RetryAfter = max(wait, time.Second)
	return e
}

func badRequest(format string, args ...any) *engine.Error {
	return refuse(http.StatusBadRequest, api.CodeBadRequest, format, args...)
}

func notFound() error {
	return refuse(http.StatusNotFound, api.CodeBadRequest,
		"Nothing is at this path: send POST to /api/llm/MODEL for text or to /api/generative/MODEL for pictures.")
}

// tooMany refuses a client that reached its limit.
func tooMany(message string, wait time.Duration) error {
	return refuseFor(wait, http.StatusTooManyRequests, api.CodeRateLimited, "%s", message)
}

// busy refuses a request for which there is no place or no memory now.
func busy() error {
	return tooMany("The service has too much to do; try again in a second.", time.Second)
}

// goingDown refuses or ends a request because the server ends.
func goingDown() error {
	return refuseFor(time.Second, http.StatusServiceUnavailable, api.CodeService, "The service is going down.")
}

// requireMethod refuses a request with another method than one of these.
func requireMethod(w http.ResponseWriter, r *http.Request, methods ...string) error {
	if slices.Contains(methods, r.Method) {
		return nil
	}
	w.Header().Set("Allow", methods[0])
	return refuse(http.StatusMethodNotAllowed, api.CodeBadRequest, "This path takes %s only.", methods[0])
}

// answerFor returns the error to answer for err, and nil when the client has gone and nobody would read it.
func answerFor(ctx context.Context, err error) *engine.Error {
	var e *engine.Error
	switch {
	case errors.As(err, &e), ctx.Err() != nil && errors.As(context.Cause(ctx), &e):
		answer := *e
		answer.Code = cmp.Or(e.Code, string(api.CodeService))
		if e.Status < 400 || e.Status > 599 {
			answer.Status = http.StatusInternalServerError
		}
		return &answer
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return refuse(http.StatusGatewayTimeout, api.CodeTimeout, "The engine took too long.")
	}
	return refuse(http.StatusInternalServerError, api.CodeService, "The service could not answer.")
}

// sendError sends an error in the contract's shape.
func sendError(w http.ResponseWriter, e *engine.Error) {
	if seconds := math.Ceil(e.RetryAfter.Seconds()); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
	}
	b, _ := json.Marshal(errorBody(e)) // strings and a number always marshal
	send(w, e.Status, "application/json", append(b, '\n'))
}

func errorBody(e *engine.Error) api.ErrorBody {
	body := api.ErrorBody{Status: e.Status}
	body.Error.Code, body.Error.Message = e.Code, e.Message
	return body
}

// send writes a whole answer. The client may have gone; nothing can be done about that.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"confab/internal/format"
	"confab/internal/httpclient"
)

// Error is why an address could not be fetched.
type Error struct {
	// Clause is for everybody. It is empty for errors that reveal addresses of the network.
	Clause string
	// OwnerClause is for the owner of the program.
	OwnerClause string
	Err         error
}

func (e *Error) Error() string { return e.OwnerClause }

func (e *Error) Unwrap() error { return e.Err }

var errTooManyRedirects = errors.New("too many redirects")

// public returns an error for everybody.
func public(err error, format string, args ...any) *Error {
	clause := fmt.Sprintf(format, args...)
	return &Error{Clause: clause, OwnerClause: clause, Err: err}
}

// failure returns the error of a request without a response. Only the owner learns which addresses exist and respond.
func (f *Fetcher) failure(err error) error {
	fault := httpclient.FaultOf(err)
	switch {
	case errors.Is(err, errTooManyRedirects):
		return public(err, "it redirects more than %d times", maxRedirects)
	case errors.Is(err, errRefused):
		return &Error{OwnerClause: "its address, or one that it redirects to, is not a public http or https address",
			Err: err}
	case fault == httpclient.Timeout || fault == httpclient.TLSTimeout || fault == httpclient.ConnectTimeout:
		return &Error{OwnerClause: fmt.Sprintf("it did not answer within %s", f.options.Timeout), Err: err}
	case fault.IsCertificate():
		return public(err, "%s", strings.TrimSuffix(fault.String(), ", whom ca_file can name"))
	case fault == httpclient.NoTLS, fault == httpclient.TLSRefused, fault == httpclient.TLSOnly:
		return public(err, "%s", fault)
	case fault != httpclient.UnknownFault:
		return &Error{OwnerClause: fault.String(), Err: err}
	}
	return &Error{OwnerClause: "what answers there is not an HTTP service", Err: err}
}

// bodyFailure returns the error of an incomplete body.
func (f *Fetcher) bodyFailure(err error, received int64) error {
	if httpclient.FaultOf(err) == httpclient.Timeout {
		return public(err, "it was not whole within %s", f.options.Timeout)
	}
	return public(err, "the connection broke off after %s of it", format.Count(int(received), "byte"))
}

// statusFailure returns the error of an unsuccessful status.
func statusFailure(res *http.Response) error {
	head, _ := io.ReadAll(io.LimitReader(res.Body, 4<<10)) // the beginning suffices
	status := res.StatusCode
	says := strings.ToLower(string(head))
	switch {
	case status == 410, status >= 400 && status < 404 && strings.Contains(says, "expired"),
		status == 403 && strings.Contains(says, "not valid in the specified time frame"):
		return public(nil, "its link has expired (HTTP %d)", status)
	case status == 401, status == 407:
		return public(nil, "its server asks for a login (HTTP %d)", status)
	case status == 403:
		return public(nil, "its server refuses to hand it out (HTTP %d)", status)
	case status == 404:
		return public(nil, "there is nothing at its address (HTTP %d)", status)
	case status == 429, status >= 500:
		return public(nil, "its server cannot answer now (HTTP %d)", status)
	case status >= 300 && status < 400:
		return public(nil, "its server redirects nowhere (HTTP %d)", status)
	}
	return public(nil, "its server answers with HTTP %d", status)
}

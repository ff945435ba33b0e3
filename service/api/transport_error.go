package api

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"confab/internal/format"
)

// maskedCause is the text of an error without the key, for the log. Of what it comes from only the end of a context can
// be asked for.
type maskedCause struct {
	text string
	is   error
}

// Error returns the masked text.
func (c *maskedCause) Error() string { return c.text }

// Unwrap returns the context's error, if that is what it was.
func (c *maskedCause) Unwrap() error { return c.is }

// fail returns an [Error] that keeps what err says, masked.
func (c *Client) fail(code Code, err error, format string, args ...any) *Error {
	e := &Error{Code: code, Message: c.mask.String(fmt.Sprintf(format, args...))}
	if err == nil {
		return e
	}
	why := &maskedCause{text: c.mask.String(err.Error())}
	for _, is := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, is) {
			why.is = is
		}
	}
	e.Err = why
	return e
}

// contextError returns why the caller's own context ended.
func contextError(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Code: CodeTimeout, Message: "The time allowed for the answer is over: allow more with a longer " +
			"time-out.", Err: context.DeadlineExceeded}
	}
	return &Error{Code: CodeCancelled, Message: "The request was cancelled.", Err: context.Canceled}
}

// stopped returns why an attempt was stopped from here, nil when it was not.
func (k *call) stopped(parent, ctx context.Context, received int64) *Error {
	if parent.Err() != nil {
		return contextError(parent)
	}
	var late *timeoutError
	if !errors.As(context.Cause(ctx), &late) {
		return nil
	}
	limit, got := durationText(late.limit), format.Count(int(received), "byte")
	message := fmt.Sprintf("The answer was not there within %s: try again, or allow more time.", limit)
	switch {
	case late.phase == phaseConnect:
		message = fmt.Sprintf("The service at %s could not be reached within %s: check the network and base_url.",
			k.Host(), limit)
	case late.phase == phaseHeader:
		message = fmt.Sprintf("The service took the request and did not answer within %s: try again, or allow more "+
			"time.", limit)
	case late.phase == phaseSilence:
		message = fmt.Sprintf("The service sent nothing for %s after %s of the answer: try again, or allow more time.",
			limit, got)
	case received > 0:
		message = fmt.Sprintf("The answer was not whole after %s and %s: try again, or allow more time.", limit, got)
	}
	return k.fail(CodeTimeout, late, "%s", message)
}

// noAnswer judges an attempt that got no whole header, and tells whether another one is in order.
func (k *call) noAnswer(parent, ctx context.Context, at *attempt, err error) (*Error, bool) {
	if failure := k.stopped(parent, ctx, 0); failure != nil {
		return failure, false
	}
	at.mu.Lock()
	stood := !at.connectedAt.IsZero()
	at.mu.Unlock()
	if !stood {
		return k.noConnection(err)
	}
	if !at.hasSpokenHTTP() {
		return k.notHTTP(err), false
	}
	if isConnectionLost(err) {
		return k.fail(CodeNetwork, err, "The service at %s closed the connection before it answered: try again.",
				k.Host()),
			at.hasSentNothing()
	}
	if strings.Contains(err.Error(), "headers exceeded") || strings.Contains(err.Error(), "too many 1xx") {
		return k.fail(CodeBadResponse, err, "The header of the answer is larger than %s: check that base_url is the "+
			"address of the service.", size(k.limits.Header)), false
	}
	return k.notHTTP(err), false
}

func (k *call) notHTTP(err error) *Error {
	return k.fail(CodeBadResponse, err, "What answers at %s is not an HTTP service, or breaks its rules: check "+
		"base_url.", k.Host())
}

// noConnection judges an attempt whose connection never stood, and tells whether another one is in order: not when the
// same would come of it.
func (k *call) noConnection(err error) (*Error, bool) {
	var (
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		name        *net.DNSError
		operation   *net.OpError
	)
	host := k.Host()
	switch {
	case errors.Is(err, errNotLoopback):
		return k.fail(CodeConfig, err, "The service at %s is not on this machine, and plain http would send the key "+
			"unprotected: use https, or allow it with allow_plain_http.", host), false
	case errors.Is(err, errProxy):
		return k.fail(CodeNetwork, err, "The proxy refused to connect to %s: check the proxy's address and password.",
			host), false
	case errors.As(err, &certificate):
		return k.fail(CodeNetwork, err, "The certificate of %s %s: check base_url, or install the certificate it was "+
			"issued by.", host, certificateFault(err)), false
	case errors.As(err, &record):
		return k.fail(CodeNetwork, err, "The service at %s does not speak TLS: check whether base_url should begin "+
			"with http://.", host), false
	case errors.As(err, &alert):
		return k.fail(CodeNetwork, err, "The service at %s refused the TLS connection: check base_url.", host), false
	case errors.As(err, &name) && name.IsNotFound:
		return k.fail(CodeNetwork, err, "The host %s is not known: check the spelling of base_url and the network.",
			quote(name.Name)), false
	}
	message := "The service at " + host + " could not be reached: check the network and base_url."
	switch {
	case name != nil:
		message = "The address of " + host + " could not be looked up: check the network."
	case errors.As(err, &operation) && operation.Op == "proxyconnect":
		message = "The proxy could not be reached: check its address in the environment."
	case errors.Is(err, syscall.ECONNREFUSED):
		message = "Nothing answers at " + host + ": check base_url, and that the service is running."
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		message = "There is no way to " + host + ": check the network."
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		message = "There are too many open files for another connection: close some, or raise the limit."
	}
	return k.fail(CodeNetwork, err, "%s", message), true
}

func certificateFault(err error) string {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &host):
		return "is for another name"
	case errors.As(err, &authority):
		return "was issued by someone this machine does not know"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "has expired or is not valid yet"
	}
	return "cannot be trusted"
}

// isConnectionLost tells whether an error is the network's and not the answer's.
func isConnectionLost(err error) bool {
	var op *net.OpError
	var number syscall.Errno
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.ErrClosedPipe) || errors.As(err, &op) || errors.As(err, &number) ||
		strings.Contains(err.Error(), "server closed")
}

// bodyError judges an answer whose body could not be read to its end.
func (k *call) bodyError(parent, ctx context.Context, answer *http.Response, source *countingReader, err error,
	limit int64) *Error {
	if failure := k.stopped(parent, ctx, source.n); failure != nil {
		return failure
	}
	var encoding *encodingError
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, errTooLarge):
		return k.tooLarge(limit)
	case errors.As(err, &encoding):
		return k.fail(CodeBadResponse, err,
			"The answer is compressed in a way that was not asked for (%s): the service has to send it plain or as "+
				"gzip.", quote(encoding.name))
	case source.err != nil && isConnectionLost(source.err):
		of := ""
		if answer.ContentLength > 0 {
			of = fmt.Sprintf(" of %d", answer.ContentLength)
		}
		return k.fail(CodeNetwork, source.err, "The connection broke off after %d%s bytes of the answer: try again.",
			source.n, of)
	case source.err == nil &&
		(errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) ||
			errors.Is(err, io.EOF) || errors.As(err, &corrupt)):
		return k.fail(CodeBadResponse, err,
			"The answer says that it is compressed with gzip, and is not, or is damaged: the service is at fault.")
	}
	return k.fail(CodeBadResponse, err, "The answer broke the rules of HTTP after %s: the service, or something in "+
		"front of it, is at fault.", format.Count(int(source.n), "byte"))
}

func (c *Client) tooLarge(limit int64) *Error {
	return c.fail(CodeTooLarge, nil, "The answer is larger than the limit of %s: ask for less, or raise the limit.",
		size(limit))
}

// durationText returns a time limit as people say it.
func durationText(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return format.Count(int(d/time.Minute), "minute")
	case d >= time.Second && d%time.Second == 0:
		return format.Count(int(d/time.Second), "second")
	}
	return d.String()
}

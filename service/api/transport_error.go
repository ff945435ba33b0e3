package api

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"confab/internal/format"
	"confab/internal/httpclient"
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
	if httpclient.FaultOf(err) == httpclient.TLSOnly {
		return k.speaksTLS(err), false
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

func (k *call) speaksTLS(err error) *Error {
	return k.fail(CodeNetwork, err, "The service at %s speaks TLS: base_url has to begin with https://.", k.Host())
}

func (k *call) notHTTP(err error) *Error {
	return k.fail(CodeBadResponse, err, "What answers at %s is not an HTTP service, or breaks its rules: check "+
		"base_url.", k.Host())
}

// noConnection judges an attempt whose connection never stood, and tells whether another one is in order: not when the
// same would come of it.
func (k *call) noConnection(err error) (*Error, bool) {
	host := k.Host()
	fail := func(code Code, format string, args ...any) *Error { return k.fail(code, err, format, args...) }
	switch {
	case errors.Is(err, errNotLoopback):
		return fail(CodeConfig, "The service at %s is not on this machine, and plain http would send the key "+
			"unprotected: use https, or allow it with allow_plain_http.", host), false
	case errors.Is(err, errProxy):
		return fail(CodeNetwork, "The proxy refused to connect to %s: check the proxy's address and password.",
			host), false
	}
	again := fmt.Sprintf("The service at %s could not be reached: check the network and base_url.", host)
	switch httpclient.FaultOf(err) {
	case httpclient.WrongName:
		return fail(CodeNetwork, "The certificate of %s is for another name: check base_url.", host), false
	case httpclient.UnknownIssuer:
		return fail(CodeNetwork, "The certificate of %s was issued by someone this machine does not know: check "+
			"base_url, or set service.ca_file to the certificate of the issuer.", host), false
	case httpclient.Expired:
		return fail(CodeNetwork, "The certificate of %s has expired or is not valid yet: the operator of the service "+
			"has to renew it, or the clock of this machine is wrong.", host), false
	case httpclient.BadCertificate:
		return fail(CodeNetwork, "The certificate of %s cannot be trusted: check base_url.", host), false
	case httpclient.NoTLS:
		return fail(CodeNetwork, "The service at %s does not speak TLS: check whether base_url should begin "+
			"with http://.", host), false
	case httpclient.TLSRefused:
		return fail(CodeNetwork, "The service at %s refused the TLS connection: check base_url.", host), false
	case httpclient.UnknownHost:
		return fail(CodeNetwork, "The host %s is not known: check the spelling of base_url and the network.",
			quote(unknownHost(err))), false
	case httpclient.TLSTimeout:
		again = "The service at " + host + " did not finish the TLS handshake in time: try again."
	case httpclient.LookupFailed:
		again = "The address of " + host + " could not be looked up: check the network."
	case httpclient.ProxyFailed:
		again = "The proxy could not be reached: check its address in the environment."
	case httpclient.ConnectionRefused:
		again = "Nothing answers at " + host + ": check base_url, and that the service is running."
	case httpclient.NoRoute:
		again = "There is no way to " + host + ": check the network."
	case httpclient.TooManyFiles:
		again = "There are too many open files for another connection: close some, or raise the limit."
	}
	return fail(CodeNetwork, "%s", again), true
}

// unknownHost returns the name that could not be looked up.
func unknownHost(err error) string {
	var name *net.DNSError
	if errors.As(err, &name) {
		return name.Name
	}
	return ""
}

// isConnectionLost tells whether an error is the network's and not the answer's.
func isConnectionLost(err error) bool { return httpclient.FaultOf(err) == httpclient.BrokeOff }

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

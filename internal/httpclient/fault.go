package httpclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
)

// Fault is the cause of a missing or incomplete response.
type Fault int

const (
	UnknownFault Fault = iota

	// Faults before the request was sent.
	UnknownIssuer  // of the certificate
	WrongName      // in the certificate
	Expired        // the certificate, or not valid yet
	BadCertificate // for another reason
	NoTLS          // the server does not speak TLS
	TLSRefused     // the server sent an alert
	TLSTimeout     // of the handshake
	UnknownHost
	LookupFailed
	ConnectionRefused
	NoRoute
	ConnectTimeout
	TooManyFiles
	ProxyFailed
	NotConnected // for another reason

	// Faults after which the request may have been sent.
	TLSOnly     // plain http to a port that speaks TLS
	StreamReset // of HTTP/2
	Timeout
	BrokeOff // the connection
)

// FaultOf returns why a request failed.
func FaultOf(err error) Fault {
	if fault := certificateFault(err); fault != UnknownFault {
		return fault
	}
	var (
		record    tls.RecordHeaderError
		alert     tls.AlertError
		name      *net.DNSError
		operation *net.OpError
	)
	isOperation := errors.As(err, &operation)
	text := err.Error()
	switch {
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return NoTLS
	case errors.As(err, &alert), isOperation && operation.Op == "remote error":
		return TLSRefused
	case strings.Contains(text, "TLS handshake timeout"):
		return TLSTimeout
	case errors.As(err, &name) && name.IsNotFound:
		return UnknownHost
	case name != nil:
		return LookupFailed
	case isOperation && operation.Op == "proxyconnect":
		return ProxyFailed
	case errors.Is(err, syscall.ECONNREFUSED):
		return ConnectionRefused
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return NoRoute
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return TooManyFiles
	case isOperation && operation.Op == "dial" && operation.Timeout():
		return ConnectTimeout
	case isOperation && operation.Op == "dial":
		return NotConnected
	case strings.Contains(text, `malformed HTTP response "\x15\x03`):
		return TLSOnly // the response is a TLS alert
	case strings.Contains(text, "stream error: stream ID"), strings.Contains(text, "server sent GOAWAY"):
		return StreamReset // net/http does not export the type of the error
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Timeout
	case isBreak(err):
		return BrokeOff
	}
	return UnknownFault
}

func certificateFault(err error) Fault {
	var (
		failed    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &host):
		return WrongName
	case errors.As(err, &authority):
		return UnknownIssuer
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return Expired
	case errors.As(err, &invalid), errors.As(err, &failed):
		return BadCertificate
	}
	return UnknownFault
}

// isBreak reports whether an error is one of the connection and not of the response.
func isBreak(err error) bool {
	var op *net.OpError
	var number syscall.Errno
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.ErrClosedPipe) || errors.As(err, &op) || errors.As(err, &number) ||
		strings.Contains(err.Error(), "server closed")
}

// IsConnection reports whether no connection for the request could be made.
func (f Fault) IsConnection() bool { return f >= UnknownIssuer && f <= NotConnected }

// IsCertificate reports whether the server's certificate is not trusted.
func (f Fault) IsCertificate() bool { return f >= UnknownIssuer && f <= BadCertificate }

// String returns the fault as a clause without the server's name; empty if unknown.
func (f Fault) String() string {
	return map[Fault]string{
		UnknownIssuer:     "its certificate was issued by someone this machine does not know, whom ca_file can name",
		WrongName:         "its certificate is for another name",
		Expired:           "its certificate has expired or is not valid yet",
		BadCertificate:    "its certificate cannot be trusted",
		NoTLS:             "it does not speak TLS, so its address has to begin with http://",
		TLSRefused:        "it refused the TLS connection",
		TLSTimeout:        "it did not finish the TLS handshake in time",
		UnknownHost:       "its host is not known",
		LookupFailed:      "its address could not be looked up",
		ConnectionRefused: "nothing listens at its address",
		NoRoute:           "there is no way to its address",
		ConnectTimeout:    "its address does not answer",
		TooManyFiles:      "there are too many open files for another connection",
		ProxyFailed:       "the proxy could not be reached",
		NotConnected:      "there is no connection to its address",
		TLSOnly:           "it speaks TLS, so its address has to begin with https://",
		StreamReset:       "it reset the stream of HTTP/2",
		Timeout:           "it took too long",
		BrokeOff:          "the connection broke off",
	}[f]
}

// WantsTLS reports whether the body of an error response to plain http says that the port requires TLS.
func WantsTLS(body []byte) bool {
	for _, sentence := range []string{"HTTP request to an HTTPS server", "HTTP request was sent to HTTPS port",
		"speaking plain HTTP to an SSL-enabled server port", "requires TLS"} {
		if bytes.Contains(body, []byte(sentence)) {
			return true
		}
	}
	return false
}

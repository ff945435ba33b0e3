package testserver

import (
	"bufio"
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// conn is a connection with the request being answered.
type conn struct {
	net.Conn
	server  *Server
	secure  bool
	in      *bufio.Reader
	request *http.Request
	seen    *ReceivedRequest
	picture bool // the request is for a picture
	nth     int  // number of the request for this path, from 1
}

// raw writes bytes unchanged.
func (c *conn) raw(s string) bool {
	_, err := io.WriteString(c.Conn, s)
	return err == nil
}

// reply sends a valid response; lines of the header are "Name: value".
func (c *conn) reply(status int, contentType, body string, lines ...string) {
	if contentType != "" {
		lines = append(lines, "Content-Type: "+contentType)
	}
	lines = append(lines, fmt.Sprintf("Content-Length: %d", len(body)), "Connection: close")
	reason := cmp.Or(http.StatusText(status), "Odd")
	head := fmt.Sprintf("HTTP/1.1 %03d %s\r\n%s\r\n\r\n", status, reason, strings.Join(lines, "\r\n"))
	if c.raw(head) {
		c.raw(body)
	}
}

// contentType returns the type of a right answer to the request.
func (c *conn) contentType() string {
	if c.picture {
		return "image/png"
	}
	return "application/json"
}

// body returns a right answer to the request.
func (c *conn) body() string {
	if c.picture {
		return string(PNG(32, 16))
	}
	return answerOf("An answer.", c.slug())
}

func (c *conn) slug() string {
	parts := strings.Split(c.request.URL.Path, "/")
	return parts[len(parts)-1]
}

// key returns the key that the request carried.
func (c *conn) key() string {
	var body struct {
		APIKey string `json:"apikey"`
	}
	_ = json.Unmarshal([]byte(c.seen.Body), &body)
	return body.APIKey
}

// wait blocks until the client closes the connection, and records the time.
func (c *conn) wait() {
	_, _ = io.Copy(io.Discard, c.in)
	c.server.record(func() { c.seen.Closed = time.Now() })
}

// reset closes the connection with RST.
func (c *conn) reset() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// answerOf returns the body of a text answer.
func answerOf(text, model string) string {
	t, _ := json.Marshal(text)
	m, _ := json.Marshal(model)
	return fmt.Sprintf(`{"status":200,"data":{"text":%s,"model":%s}}`, t, m)
}

// certify returns a self-signed certificate.
func certify(t testing.TB, name string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatalf("make key: %v", err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatalf("make certificate: %v", err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatalf("parse certificate: %v", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

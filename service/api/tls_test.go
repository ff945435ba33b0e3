package api_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"confab/service/api"
)

// TestOldTLSIsRefused has options allow what the client does not.
func TestOldTLSIsRefused(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, good)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	s.StartTLS()
	defer s.Close()
	trust := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS10}
	trust.RootCAs.AddCert(s.Certificate())
	c := newClient(t, s.URL, func(o *api.Options) { o.TLS = trust })
	if _, _, err := c.Do(t.Context(), textTo("delta"), nil); err == nil {
		t.Error("the call went through")
	}
}

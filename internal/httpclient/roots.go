package httpclient

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TLS returns a configuration that trusts the certificates of the system and of a PEM file, which may be "". The
// error is a clause for people.
func TLS(caFile string) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if caFile == "" {
		return c, nil
	}
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, fmt.Errorf("the ca_file cannot be read: %w", err)
	}
	if c.RootCAs, err = x509.SystemCertPool(); err != nil {
		c.RootCAs = x509.NewCertPool()
	}
	if !c.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("the ca_file %s holds no certificate in PEM form", caFile)
	}
	return c, nil
}

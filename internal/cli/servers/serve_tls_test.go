package servers_test

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/cli/clitest"
	"confab/service/server"
)

// TestTLSTakesNoCBC offers what old clients do.
func TestTLSTakesNoCBC(t *testing.T) {
	cert, key, pool := selfSigned(t)
	w := clitest.NewWorld(t)
	w.Configure("[serve]\ntls_cert='" + cert + "'\ntls_key='" + key + "'\n")
	base, _, _ := serving(w, "-q")
	for suite, taken := range map[uint16]bool{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: false, tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: false,
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: true, tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: true,
	} {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(base, "https://"),
			&tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite}})
		if err == nil {
			_ = conn.Close()
		}
		if (err == nil) != taken {
			t.Errorf("%s: %v, want taken %v", tls.CipherSuiteName(suite), err, taken)
		}
	}
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "127.0.0.1:0").Err, "serve.tls_key", "chmod 600")
}

func TestARenewedCertificateIsTaken(t *testing.T) {
	cert, key, _ := selfSigned(t)
	newCert, newKey, _ := selfSigned(t)
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		c, err := server.LoadTLS(cert, key, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		serves := func() string {
			held, err := c.GetCertificate(nil)
			if err != nil {
				t.Fatal(err)
			}
			return string(held.Certificate[0])
		}
		replace := func(at time.Time, newCert, newKey []byte) {
			for path, b := range map[string][]byte{cert: newCert, key: newKey} {
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(11 * time.Second)
		}
		read := func(path string) []byte {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		old, oldKey := read(cert), read(key)
		first := serves()
		replace(time.Now().Add(time.Hour), []byte("broken"), oldKey)
		for range 3 {
			if serves() != first {
				t.Error("a broken certificate was taken")
			}
			time.Sleep(11 * time.Second)
		}
		if n := strings.Count(log.String(), "cannot be used"); n != 1 {
			t.Errorf("it was told %d times:\n%s", n, log.String())
		}
		replace(time.Now().Add(2*time.Hour), read(newCert), oldKey) // between the two files of a renewal
		if serves() != first {
			t.Error("a certificate without its key was taken")
		}
		if err := os.Chmod(key, 0o644); err != nil {
			t.Fatal(err)
		}
		replace(time.Now().Add(2*time.Hour), read(newCert), read(newKey))
		if serves() != first {
			t.Error("a certificate was taken whose key others can read")
		}
		if err := os.Chmod(key, 0o600); err != nil {
			t.Fatal(err)
		}
		replace(time.Now().Add(2*time.Hour), read(newCert), read(newKey))
		if serves() == first {
			t.Error("the renewed certificate was not taken")
		}
		replace(time.Now().Add(3*time.Hour), old, oldKey)
		if serves() != first {
			t.Error("the certificate was not taken back")
		}
	})
}

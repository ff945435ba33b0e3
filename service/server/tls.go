package server

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"confab/internal/fileio"
	"confab/internal/termtext"
	"confab/service/api"
)

// CheckSecretFile refuses a file of secrets, which a setting names, that others on this machine can read or write. A
// file of root's may be readable by its group, as system-wide certificates are. A missing file is not an error here:
// reading it will be.
func CheckSecretFile(setting, path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil
	}
	mode := info.Mode().Perm()
	if mode&0o077 == 0 || mode&0o037 == 0 && isOwnedByRoot(info) {
		return nil
	}
	return &api.Error{Code: api.CodeConfig, Err: fs.ErrPermission, Message: fmt.Sprintf(
		"%s: the file %s can be read by others on this machine: run chmod 600 on it", setting, termtext.Line(path))}
}

// LoadTLS returns the settings of HTTPS with a certificate and its key, which are read again when their files change;
// nil when neither is set. log is told of a new certificate that cannot be used.
func LoadTLS(cert, key string, log *slog.Logger) (*tls.Config, error) {
	if cert == "" && key == "" {
		return nil, nil
	}
	if cert == "" || key == "" {
		return nil, &api.Error{Code: api.CodeConfig, Message: "serve.tls_cert and serve.tls_key must both be set"}
	}
	files := &certificateFiles{cert: cert, key: key, log: log}
	if err := CheckSecretFile("serve.tls_key", key); err != nil {
		return nil, err
	}
	if _, err := files.certificate(nil); err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("the certificate %s and its key cannot "+
			"be used", termtext.Line(cert)), Err: err}
	}
	return &tls.Config{
		GetCertificate: files.certificate, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12,
		CipherSuites: []uint16{ // of TLS 1.2: forward secrecy and authenticated encryption only, no CBC
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
	}, nil
}

// certificateFiles reads a certificate and its key again when the files change, so that a renewed certificate needs no
// restart.
type certificateFiles struct {
	cert, key string
	log       *slog.Logger

	mu        sync.Mutex
	current   *tls.Certificate
	modTime   time.Time
	checkedAt time.Time
	hasWarned bool // the log was told that the new certificate cannot be used
}

// certificate implements GetCertificate of [tls.Config]. When a changed certificate cannot be used, the old one stays
// in use.
func (t *certificateFiles) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	const checkInterval = 10 * time.Second
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current != nil && time.Since(t.checkedAt) < checkInterval {
		return t.current, nil
	}
	t.checkedAt = time.Now()
	info, err := os.Stat(t.cert)
	if err == nil && t.current != nil && info.ModTime().Equal(t.modTime) {
		return t.current, nil
	}
	if err == nil {
		err = CheckSecretFile("serve.tls_key", t.key)
	}
	if err == nil {
		var c tls.Certificate
		if c, err = loadCertificate(t.cert, t.key); err == nil {
			t.current, t.modTime = &c, info.ModTime()
		}
	}
	if err != nil && t.current != nil && !t.hasWarned {
		t.log.Warn("The new certificate cannot be used; the old one stays", "error", err)
	}
	t.hasWarned = err != nil
	if t.current == nil {
		return nil, fmt.Errorf("load the certificate: %w", err)
	}
	return t.current, nil
}

// maxCertificate bounds the files of a certificate and of its key.
const maxCertificate = 1 << 20

// loadCertificate reads a certificate and its key. Unlike [tls.LoadX509KeyPair] it never waits for a named pipe.
func loadCertificate(cert, key string) (c tls.Certificate, err error) {
	certPEM, err := fileio.Read(cert, maxCertificate)
	if err != nil {
		return c, err
	}
	keyPEM, err := fileio.Read(key, maxCertificate)
	if err != nil {
		return c, err
	}
	return tls.X509KeyPair(certPEM, keyPEM)
}

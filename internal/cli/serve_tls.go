package cli

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"confab/internal/regularfile"
	"confab/internal/termtext"
	"confab/service/api"
)

// certificate returns how HTTPS is served; nil when it is not.
func certificate(cert, key string, log *slog.Logger) (*tls.Config, error) {
	if cert == "" && key == "" {
		return nil, nil
	}
	if cert == "" || key == "" {
		return nil, &api.Error{Code: api.CodeConfig, Message: "serve.tls_cert and serve.tls_key are needed both"}
	}
	files := &tlsFiles{cert: cert, key: key, log: log}
	if err := judgeSecretFile("serve.tls_key", key); err != nil {
		return nil, err
	}
	if _, err := files.get(nil); err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("the certificate %s and its key cannot be used", termtext.Line(cert)), Err: err}
	}
	return &tls.Config{
		GetCertificate: files.get, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12,
		CipherSuites: []uint16{ // of TLS 1.2: forward secrecy and authenticated encryption only, no CBC
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
	}, nil
}

// tlsFiles are a certificate and its key in files, read again when they
// change, so that a renewed one needs no restart.
type tlsFiles struct {
	cert, key string
	log       *slog.Logger

	mu     sync.Mutex
	held   *tls.Certificate
	stamp  time.Time
	looked time.Time
	told   bool // that the new one cannot be used
}

// get implements GetCertificate of [tls.Config]. A changed certificate that
// cannot be used leaves the old one in use.
func (t *tlsFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	const look = 10 * time.Second
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held != nil && time.Since(t.looked) < look {
		return t.held, nil
	}
	t.looked = time.Now()
	info, err := os.Stat(t.cert)
	if err == nil && t.held != nil && info.ModTime().Equal(t.stamp) {
		return t.held, nil
	}
	if err == nil {
		err = judgeSecretFile("serve.tls_key", t.key)
	}
	if err == nil {
		var c tls.Certificate
		if c, err = loadCertificate(t.cert, t.key); err == nil {
			t.held, t.stamp = &c, info.ModTime()
		}
	}
	if err != nil && t.held != nil && !t.told {
		t.log.Warn("The new certificate cannot be used; the old one stays", "error", err)
	}
	t.told = err != nil
	if t.held == nil {
		return nil, fmt.Errorf("load the certificate: %w", err)
	}
	return t.held, nil
}

// judgeSecretFile refuses a file of secrets that others on this machine can read or write. A file of root's may be
// readable by its group, as system-wide certificates are. A file that is missing is left to whoever reads it.
func judgeSecretFile(setting, path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil
	}
	mode := info.Mode().Perm()
	if mode&0o077 == 0 || mode&0o037 == 0 && ownedByRoot(info) {
		return nil
	}
	return &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf("%s: the file %s can be read by others on this machine: run chmod 600 on it", setting, termtext.Line(path)), Err: fs.ErrPermission}
}

// maxCertificate bounds the files of a certificate and of its key.
const maxCertificate = 1 << 20

// loadCertificate reads a certificate and its key. Unlike [tls.LoadX509KeyPair] it never waits for a named pipe.
func loadCertificate(cert, key string) (c tls.Certificate, err error) {
	certPEM, err := regularfile.Read(cert, maxCertificate)
	if err != nil {
		return c, err
	}
	keyPEM, err := regularfile.Read(key, maxCertificate)
	if err != nil {
		return c, err
	}
	return tls.X509KeyPair(certPEM, keyPEM)
}

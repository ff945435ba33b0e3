package sshserver

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/fileio"
)

// loadHostKey returns the signer by which clients know the server, and whether its key was just created. It refuses a
// key that others could have read or replaced. account is the user id that runs the server.
func loadHostKey(path string, account int) (signer gossh.Signer, made bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := createHostKey(path); err != nil {
			return nil, false, err
		}
		made = true
		info, err = os.Lstat(path)
	}
	switch {
	case err != nil:
		return nil, made, fmt.Errorf("the host key %w", cannotRead(path, err))
	case !info.Mode().IsRegular():
		return nil, made, fmt.Errorf("the host key %s is not a file", path)
	case fileio.OthersMay(0o077, info):
		return nil, made, fmt.Errorf("the host key %s can be read by others on this machine, who could pose as this "+
			"server: run chmod 600 on it, and better still move it away so that a new one is made", path)
	}
	if _, _, err := trustedPath(path, account); err != nil {
		return nil, made, fmt.Errorf("the host key %s could be replaced by others on this machine: %w", path, err)
	}
	pem, err := fileio.Read(path, maxHostKey)
	if err != nil {
		return nil, made, fmt.Errorf("the host key %w", cannotRead(path, err))
	}
	signer, err = parseHostKey(path, pem)
	return signer, made, err
}

// maxHostKey is how large the file of a host key may be, in bytes.
const maxHostKey = 1 << 20

// createHostKey writes a new key for its owner only, whole or not at all. A key that another server has made meanwhile
// stays.
func createHostKey(path string) error {
	failed := func(err error) error { return fmt.Errorf("the host key %s cannot be made: %w", path, err) }
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return failed(err)
	}
	block, err := gossh.MarshalPrivateKey(key, "confab")
	if err != nil {
		return failed(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return failed(err)
	}
	_, err = fileio.WriteNew(path, false, func(out io.Writer, _ string) error { return pem.Encode(out, block) })
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return failed(err)
	}
	return nil
}

// protocolConfig returns the algorithms of the connection: those that are considered safe today. It has no SHA-1, no
// CBC, and no key exchange over fields so large that strangers could keep the processor busy.
func protocolConfig() gossh.Config {
	return gossh.Config{
		KeyExchanges: []string{
			gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519,
			gossh.KeyExchangeECDHP256, gossh.KeyExchangeECDHP384, gossh.KeyExchangeECDHP521,
			gossh.KeyExchangeDH14SHA256,
		},
		Ciphers: []string{
			gossh.CipherChaCha20Poly1305, gossh.CipherAES128GCM, gossh.CipherAES256GCM,
			gossh.CipherAES128CTR, gossh.CipherAES192CTR, gossh.CipherAES256CTR,
		},
		MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM, gossh.HMACSHA256, gossh.HMACSHA512},
	}
}

// signatureAlgorithms returns the algorithms with which users may prove that a key is theirs: no DSA, and no RSA with
// SHA-1.
func signatureAlgorithms() []string { return gossh.SupportedAlgorithms().PublicKeyAuths }

// parseHostKey returns the signer of a host key, which never signs with SHA-1. It refuses keys that are too weak to
// identify the server.
func parseHostKey(path string, pem []byte) (gossh.Signer, error) {
	key, err := gossh.ParsePrivateKey(pem)
	if err != nil {
		return nil, fmt.Errorf("%s is not a private key without a passphrase; move it away so that one is made", path)
	}
	if problem := unacceptableKey(key.PublicKey()); problem != "" {
		return nil, fmt.Errorf("the host key %s cannot be used: %s; move it away so that one is made", path, problem)
	}
	signer, ok := key.(gossh.AlgorithmSigner)
	if !ok || key.PublicKey().Type() != gossh.KeyAlgoRSA {
		return key, nil
	}
	restricted, err := gossh.NewSignerWithAlgorithms(signer, []string{gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256})
	if err != nil {
		return nil, fmt.Errorf("use the host key %s: %w", path, err)
	}
	return restricted, nil
}

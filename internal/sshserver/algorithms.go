package sshserver

import (
	"fmt"

	gossh "golang.org/x/crypto/ssh"
)

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

package sshserver_test

import (
	"crypto/dsa" //lint:ignore SA1019 this algorithm has to be refused
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

func newRSAKey(t testing.TB, bits int) gossh.Signer {
	t.Helper()
	t.Setenv("GODEBUG", "rsa1024min=0") // Go itself refuses to make such a key
	private, err := rsa.GenerateKey(rand.Reader, bits)
	must(t, err)
	key, err := gossh.NewSignerFromKey(private)
	must(t, err)
	return key
}

func TestWeakHostKeysAreRefused(t *testing.T) {
	anna := newKey(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "keys"), line(anna, ""))
	var weakDSA dsa.PrivateKey
	must(t, dsa.GenerateParameters(&weakDSA.Parameters, rand.Reader, dsa.L1024N160))
	must(t, dsa.GenerateKey(&weakDSA, rand.Reader))
	der, err := asn1.Marshal(struct {
		Version       int
		P, Q, G, Y, X *big.Int
	}{0, weakDSA.P, weakDSA.Q, weakDSA.G, weakDSA.Y, weakDSA.X})
	must(t, err)
	t.Setenv("GODEBUG", "rsa1024min=0")
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	must(t, err)
	for want, block := range map[string]*pem.Block{
		"keys of the type ssh-dss are not safe": {Type: "DSA PRIVATE KEY", Bytes: der},
		"an RSA key of 1024 bits":               {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(short)},
	} {
		path := filepath.Join(dir, "host")
		write(t, path, string(pem.EncodeToMemory(block)))
		if _, err := sshserver.New(sshserver.Options{Keys: filepath.Join(dir, "keys"), HostKey: path}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestOldAlgorithmsAreNeitherOfferedNorAccepted(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	anna, err := gossh.NewSignerFromKey(private)
	must(t, err)
	s := newSite(t, anna, func(o *sshserver.Options) {
		write(t, o.HostKey,
			string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
				Bytes: x509.MarshalPKCS1PrivateKey(private)})))
	}).serve()
	with := func(algorithm string) gossh.AuthMethod {
		signer, err := gossh.NewSignerWithAlgorithms(anna.(gossh.AlgorithmSigner), []string{algorithm})
		must(t, err)
		return keys(signer)
	}
	supported, insecure := gossh.SupportedAlgorithms(), gossh.InsecureAlgorithms()
	for _, old := range insecure.KeyExchanges {
		c := config("anna", keys(anna))
		c.KeyExchanges = []string{old}
		s.refuses(c, old)
	}
	for _, old := range insecure.Ciphers {
		c := config("anna", keys(anna))
		c.Ciphers = []string{old}
		s.refuses(c, old)
	}
	for _, old := range append(insecure.MACs, gossh.HMACSHA1) {
		c := config("anna", keys(anna))
		c.Ciphers, c.MACs = []string{gossh.CipherAES128CTR}, []string{old}
		s.refuses(c, old)
	}
	for _, old := range insecure.HostKeys {
		c := config("anna", keys(anna))
		c.HostKeyAlgorithms = []string{old}
		s.refuses(c, old)
	}
	s.refuses(config("anna", with(gossh.KeyAlgoRSA)), "a signature with SHA-1")
	for _, today := range []string{gossh.KeyAlgoRSASHA256, gossh.KeyAlgoRSASHA512} {
		c := config("anna", with(today))
		c.HostKeyAlgorithms, c.Ciphers, c.MACs = []string{today}, supported.Ciphers[3:], []string{gossh.HMACSHA256}
		client, err := s.connect(c)
		if err != nil {
			t.Errorf("%s: %v", today, err)
			continue
		}
		client.Close()
	}
}

// refuses checks that a client cannot log in.
func (s *serverFixture) refuses(c *gossh.ClientConfig, why string) {
	s.t.Helper()
	if client, err := s.connect(c); err == nil {
		client.Close()
		s.t.Errorf("%s is accepted", why)
	}
}

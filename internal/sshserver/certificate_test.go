package sshserver_test

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

// certify returns a signer with a certificate for a key, valid for anna at any time unless change says otherwise.
func certify(t testing.TB, authority, key gossh.Signer, change func(*gossh.Certificate)) gossh.Signer {
	t.Helper()
	c := &gossh.Certificate{Key: key.PublicKey(), Serial: 7, CertType: gossh.UserCert, KeyId: "anna@laptop",
		ValidPrincipals: []string{"anna", "ops"}, ValidBefore: gossh.CertTimeInfinity}
	if change != nil {
		change(c)
	}
	must(t, c.SignCert(rand.Reader, authority))
	signer, err := gossh.NewCertSigner(c, key)
	must(t, err)
	return signer
}

// withAuthority makes the server trust an authority. There is no file of keys.
func withAuthority(t testing.TB, authority gossh.Signer) func(*sshserver.Options) {
	return func(o *sshserver.Options) {
		dir := filepath.Dir(o.Keys)
		o.Keys = filepath.Join(dir, "no-keys")
		o.TrustedUserCAKeys = filepath.Join(dir, "ca")
		write(t, o.TrustedUserCAKeys, "# ours\n"+line(authority, "ca"))
	}
}

func TestCertificatesLogIn(t *testing.T) {
	ca, other, key := newKey(t), newKey(t), newKey(t)
	for _, tt := range []struct {
		name, login string
		authority   gossh.Signer
		change      func(*gossh.Certificate)
		why         string // in the log, empty when it logs in
	}{
		{"as it is", "anna", ca, nil, ""},
		{"another name of it", "ops", ca, nil, ""},
		{"from an address", "anna", ca, critical("source-address", "198.51.100.0/24,192.0.2.0/28"), ""},
		{"of nobody trusted", "anna", other, nil, "no trusted authority"},
		{"of another name", "bob", ca, nil, "not in the set of valid principals"},
		{"without names", "anna", ca, func(c *gossh.Certificate) { c.ValidPrincipals = nil }, "names no user"},
		{"of a host", "anna", ca, func(c *gossh.Certificate) { c.CertType = gossh.HostCert }, "not one of a user"},
		{"expired", "anna", ca, func(c *gossh.Certificate) { c.ValidBefore = 900_000_000 }, "expired"},
		{"not yet valid", "anna", ca, func(c *gossh.Certificate) { c.ValidAfter = 1_900_000_000 }, "not yet valid"},
		{"from elsewhere", "anna", ca, critical("source-address", "198.51.100.0/24"),
			"is not allowed because of source-address"},
		{"for one command", "anna", ca, critical("force-command", "ls"), "unsupported critical option"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from := "192.0.2.1"
				s := newSite(t, key, withAuthority(t, ca)).inBubble(&from)
				c, err := s.connect(config(tt.login, keys(certify(t, tt.authority, key, tt.change))))
				if (err == nil) != (tt.why == "") || !strings.Contains(s.log.String(), tt.why) {
					t.Errorf("%v, the log says %s", err, s.log)
				}
				if err == nil {
					x := open(t, c, 80, 24)
					x.sees("hello " + tt.login)
					if v, _ := s.handler.lastSession(); v.User.ID != tt.login {
						t.Errorf("the user is %+v", v.User)
					}
					want := fmt.Sprintf("user=%s from=192.0.2.1:1001 key=%s certificate=anna@laptop "+
						"principals=anna,ops", tt.login, gossh.FingerprintSHA256(key.PublicKey()))
					if got := s.log.lineWith("Opened a screen"); !strings.Contains(got, want) {
						t.Errorf("the line of the login is %q, without %q", got, want)
					}
					c.Close()
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// critical returns a change that adds a critical option.
func critical(name, value string) func(*gossh.Certificate) {
	return func(c *gossh.Certificate) { c.CriticalOptions = map[string]string{name: value} }
}

// An authority that is not trusted any more ends what its certificates opened; a certificate that expires does not.
func TestSessionsOutliveCertificatesButNotAuthorities(t *testing.T) {
	ca, key := newKey(t), newKey(t)
	synctest.Test(t, func(t *testing.T) {
		from := "192.0.2.1"
		s := newSite(t, key, withAuthority(t, ca)).inBubble(&from)
		signer := certify(t, ca, key, func(c *gossh.Certificate) {
			c.ValidBefore = uint64(time.Now().Add(time.Minute).Unix())
		})
		x := open(t, s.client("anna", signer), 80, 24)
		time.Sleep(2 * time.Minute)
		if !x.isQuiet() {
			t.Error("the session ended with its certificate")
		}
		if _, err := s.connect(config("anna", keys(signer))); err == nil ||
			!strings.Contains(s.log.String(), "cert has expired") {
			t.Errorf("an expired certificate: %v; the log says\n%s", err, s.log)
		}
		write(t, filepath.Join(s.dir, "ca"), line(newKey(t), "another"))
		if err := <-x.over; status(err) != 0 {
			t.Errorf("ended with %v", err)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestReloadKeepsTheRulesWhenAFileIsWrong(t *testing.T) {
	ca, key := newKey(t), newKey(t)
	s := newSite(t, key, withAuthority(t, ca)).serve()
	authorities := filepath.Join(s.dir, "ca")
	for name, content := range map[string]string{
		"missing": "", "wrong": "nonsense\n", "optioned": `from="192.0.2.1" ` + line(newKey(t), ""),
	} {
		path := filepath.Join(s.dir, name)
		if content != "" {
			write(t, path, content)
		}
		if err := s.Reload(sshserver.DefaultLimits(), path, nil); err == nil ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		s.client("anna", certify(t, ca, key, nil)).Close()
	}
	if err := s.Reload(sshserver.DefaultLimits(), authorities, nil); err != nil {
		t.Error(err)
	}
	authorities = filepath.Join(s.dir, "other")
	write(t, authorities, line(newKey(t), ""))
	if err := s.Reload(sshserver.DefaultLimits(), authorities, nil); err != nil {
		t.Error(err)
	}
	if _, err := s.connect(config("anna", keys(certify(t, ca, key, nil)))); err == nil {
		t.Error("the old authority is still trusted")
	}
}

package sshserver

import (
	"errors"
	"io/fs"
	"os"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/termtext"
)

// CheckReport is what [Check] finds.
type CheckReport struct {
	Problems []error  // for which a server does not start
	Notes    []string // sentences about keys that are skipped
	HostKey  string   // the fingerprint, or that it will be made
}

// Check reads all files that [New] reads and says what is wrong with them. In contrast to New it makes no host key.
func Check(o Options) CheckReport {
	r := CheckReport{HostKey: "made at the first start"}
	index := newKeyIndex(o.Keys)
	index.optional.Store(o.TrustedUserCAKeys != "")
	keys := index.refresh(time.Now())
	r.add(keys.err)
	for _, sentence := range keys.skipped {
		r.Notes = append(r.Notes, termtext.Line(sentence))
	}
	if _, err := os.Lstat(o.HostKey); !errors.Is(err, fs.ErrNotExist) {
		host, _, err := loadHostKey(o.HostKey, index.account)
		r.add(err)
		if err == nil {
			r.HostKey = gossh.FingerprintSHA256(host.PublicKey())
		}
	}
	_, err := newAuthorityFile(o.TrustedUserCAKeys, index.account)
	r.add(err)
	return r
}

func (r *CheckReport) add(err error) {
	if err != nil {
		r.Problems = append(r.Problems, err)
	}
}

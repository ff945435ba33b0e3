package cli

import (
	"errors"
	"maps"
	"slices"

	"confab/internal/sshserver"
	"confab/internal/termtext"
)

// checkFiles opens the files that settings name: of keys, of passwords, and of confab ssh.
func (d *doctorReport) checkFiles() {
	found := d.app.config.CheckSecretFiles()
	for _, setting := range slices.Sorted(maps.Keys(found)) {
		if !d.failOn(found[setting], setting, "correct the setting or the file") {
			d.ok(setting, "can be read")
		}
	}
	ssh := d.app.config.SSH
	if ssh.AuthorizedKeys+ssh.TrustedUserCAKeys+ssh.HostKey+ssh.HostCertificate == "" {
		return
	}
	paths := d.app.config.Paths
	report := sshserver.Check(sshserver.Options{Keys: paths.AuthorizedKeys, HostKey: paths.HostKey,
		Access: sshserver.Access{TrustedUserCAKeys: ssh.TrustedUserCAKeys, HostCertificate: ssh.HostCertificate}})
	for _, note := range report.Notes {
		d.warn("ssh", note, "")
	}
	if err := errors.Join(report.Problems...); err != nil {
		d.fail("ssh", termtext.Line(err.Error()), "correct the setting or the file")
		return
	}
	d.ok("ssh", "the files can be read, and the host key is %s", report.HostKey)
}

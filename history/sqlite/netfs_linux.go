package sqlite

import "golang.org/x/sys/unix"

// isOnNetwork reports whether a folder is on a network file system, on which SQLite's WAL does not work.
func isOnNetwork(folder string) bool {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return false
	}
	switch uint32(s.Type) { //nolint:gosec // the magic numbers have 32 bits, the field's width varies
	case 0x6969, // NFS
		0x517B,     // SMB
		0xFE534D42, // SMB2
		0xFF534D42, // CIFS
		0x01021997, // 9p, as in virtual machines
		0x5346414F, // AFS
		0x73757245, // Coda
		0x564C,     // NCP
		0x00C36400: // Ceph
		return true
	}
	return false
}

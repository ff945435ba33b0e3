package netaddr_test

import (
	"testing"

	"confab/internal/netaddr"
)

func TestNamesThisMachine(t *testing.T) {
	for host, want := range map[string]bool{
		"": true, "localhost:9": true, "LOCALHOST": true, "127.0.0.1:80": true, "[::1]:80": true, "[::1]": true,
		"evil.example": false, "evil.example:9": false, "10.0.0.1": false, "localhost.evil.example": false,
	} {
		if got := netaddr.NamesThisMachine(host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}

package startup_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"confab/internal/startup"
)

var isCompact bool

func TestCompactReturnsTheCodeOfTheStart(t *testing.T) {
	if isCompact {
		t.Skip("it does so once in the life of a process")
	}
	isCompact = true
	before := codeInMemory(t)
	startup.Compact()
	if after := codeInMemory(t); after >= before {
		t.Errorf("%d kB of the binary are in memory, of %d before", after, before)
	}
}

// codeInMemory returns how many kB of mapped files are in memory.
func codeInMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "RssFile:")
	kB, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kB
}

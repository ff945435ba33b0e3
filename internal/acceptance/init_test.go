package acceptance

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPackagesComputeNothingAtTheStart measures what packages allocate while Go initialises them, which every command
// pays. Only those that glamour brings may allocate much, and large ones that were replaced are not linked.
func TestPackagesComputeNothingAtTheStart(t *testing.T) {
	const maxBytes = 300_000
	ofGlamour := []string{"github.com/alecthomas/chroma/", "github.com/microcosm-cc/bluemonday",
		"github.com/gorilla/css/", "github.com/yuin/goldmark/", "charm.land/glamour/"}
	c := exec.Command(binary, "--version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := 0
	for _, line := range regexp.MustCompile(`init (\S+) @.*?, (\d+) bytes`).FindAllStringSubmatch(string(out), -1) {
		bytes, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		if line[1] == "github.com/minio/minio-go/v7" || strings.HasPrefix(line[1], "github.com/santhosh-tekuri/") {
			t.Errorf("%s is linked; docs/dependencies.md says what it costs", line[1])
		}
		isOfGlamour := false
		for _, prefix := range ofGlamour {
			isOfGlamour = isOfGlamour || strings.HasPrefix(line[1], prefix)
		}
		if seen++; bytes > maxBytes && !isOfGlamour {
			t.Errorf("%s allocates %d bytes when it is initialised; at most %d may be", line[1], bytes, maxBytes)
		}
	}
	if seen < 20 {
		t.Errorf("only %d packages were traced:\n%s", seen, out)
	}
}

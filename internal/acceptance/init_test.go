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
// pays. Only those that glamour brings, and the judge of JSON Schemas, may allocate much, and the client of minio-go,
// which was replaced, is not linked.
func TestPackagesComputeNothingAtTheStart(t *testing.T) {
	const maxBytes = 300_000
	known := []string{"github.com/santhosh-tekuri/jsonschema/",
		"github.com/alecthomas/chroma/", "github.com/microcosm-cc/bluemonday",
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
		if line[1] == "github.com/minio/minio-go/v7" {
			t.Errorf("%s is linked; docs/dependencies.md says what it costs", line[1])
		}
		isKnown := false
		for _, prefix := range known {
			isKnown = isKnown || strings.HasPrefix(line[1], prefix)
		}
		if seen++; bytes > maxBytes && !isKnown {
			t.Errorf("%s allocates %d bytes when it is initialised; at most %d may be", line[1], bytes, maxBytes)
		}
	}
	if seen < 20 {
		t.Errorf("only %d packages were traced:\n%s", seen, out)
	}
}

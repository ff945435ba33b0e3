package config

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/configuration.md")

func TestReferenceIsWritten(t *testing.T) {
	const path = "../../docs/configuration.md"
	if *update {
		if err := os.WriteFile(path, []byte(Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Reference() {
		t.Errorf("docs/configuration.md is not what the table says; run go test ./internal/config -run Reference " +
			"-update")
	}
}

package cli

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/commands.md")

func TestReferenceIsWritten(t *testing.T) {
	const path = "../../docs/commands.md"
	want := commandsPage(newApp(Env{}).root())
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/commands.md is not what the commands say; run go test ./internal/cli -run Reference -update")
	}
}

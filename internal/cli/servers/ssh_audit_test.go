package servers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

// auditLines returns the lines of an audit file about some events as objects.
func auditLines(t *testing.T, path string, events ...string) (lines []map[string]any, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if event, _ := fields["event"].(string); slices.Contains(events, event) {
			lines, text = append(lines, fields), text+line
		}
	}
	return lines, text
}

func TestAuditStream(t *testing.T) {
	w := clitest.NewWorld(t)
	path := filepath.Join(w.Home, "audit.jsonl")
	configure := func(more string) {
		w.Configure("[ssh]\naudit = '" + path + "'\ncommands = [\"ask\"]\n" + more)
	}
	configure("")
	s := serve(w, []string{"anna", "bob"})
	reload := func() {
		t.Helper()
		const read = "Read the configuration again"
		before := strings.Count(s.said.String(), read)
		s.Signals <- syscall.SIGHUP
		clitest.Eventually(t, read, func() bool { return strings.Count(s.said.String(), read) > before })
	}
	if r := s.ask("anna", "", "ask -m phi-2 --samples 2 what-only-anna-knows"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	old := path + ".1"
	if err := os.Rename(path, old); err != nil {
		t.Fatal(err)
	}
	configure("audit_prompts = true\n")
	reload()
	if r := s.ask("bob", "", "ask -m phi-2 hello-from-bob"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	// A file that cannot be opened leaves the stream in the old one.
	if err := os.Rename(path, path+".2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	reload()
	if r := s.ask("bob", "", "ask -m phi-2 again"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	s.stop()
	clitest.WantTexts(t, s.said.String(), "The audit stream goes on in the old file")

	lines, text := auditLines(t, old, "answer")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %s", len(lines), text)
	}
	for name, want := range map[string]any{
		"user": "anna", "key": gossh.FingerprintSHA256(s.keys["anna"].PublicKey()), "kind": "text", "model": "phi-2",
		"outcome": "done",
	} {
		if lines[0][name] != want {
			t.Errorf("%s is %v in %s", name, lines[0][name], text)
		}
	}
	if from, _ := lines[0]["from"].(string); !strings.HasPrefix(from, "127.0.0.1:") {
		t.Errorf("from %q", from)
	}
	clitest.WantNoTexts(t, text, "what-only-anna-knows")
	lines, text = auditLines(t, path+".2", "answer")
	if len(lines) != 2 || lines[0]["user"] != "bob" || lines[0]["prompt"] != "hello-from-bob" ||
		lines[1]["prompt"] != "again" {
		t.Errorf("the new file has %s", text)
	}
	if info, err := os.Stat(old); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

func TestAuditStreamOnStandardErrorAndWhatItRefuses(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure("[ssh]\naudit = \"stderr\"\ncommands = [\"ask\"]\n")
	s := serve(w, []string{"anna"})
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	s.stop()
	clitest.WantTexts(t, s.said.String(), `"event":"answer","user":"anna","key":"SHA256:`, `"outcome":"done"`)
	w.Configure("[ssh]\naudit = '" + w.Home + "'\n")
	clitest.WantTexts(t, w.Must(console.ExitFailed, "ssh", "--listen", "127.0.0.1:0").Err,
		"ssh.audit: open the audit file: ", "is not a file")
	w.Configure("[ssh]\naudit = \"audit.jsonl\"\n")
	clitest.WantTexts(t, w.Must(console.ExitUsage, "ssh", "--listen", "127.0.0.1:0").Err,
		"must be \"stderr\" or an absolute path")
}

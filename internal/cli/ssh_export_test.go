package cli_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// openSSH runs a command with OpenSSH's client, as a user with a key that it makes.
func (s *runningSSH) openSSH(user string, command ...string) clitest.Result {
	s.T.Helper()
	key := filepath.Join(s.Home, user+"-key")
	if _, err := os.Stat(key); err != nil {
		if out, err := exec.CommandContext(s.T.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).
			CombinedOutput(); err != nil {
			s.T.Fatalf("%v: %s", err, out)
		}
		public, err := os.ReadFile(key + ".pub")
		if err == nil {
			err = os.WriteFile(filepath.Join(s.Home, "keys", user), public, 0o600)
		}
		must(s.T, err)
	}
	_, port, _ := net.SplitHostPort(s.addr)
	args := []string{"-F", "none", "-n", "-p", port, "-i", key, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
		user + "@127.0.0.1"}
	cmd := exec.CommandContext(s.T.Context(), "ssh", append(args, command...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.T.Fatal(err)
	}
	return clitest.Result{Code: cmd.ProcessState.ExitCode(), Out: out.String(), Err: said.String()}
}

// unpack returns the files of an archive by their names.
func unpack(t *testing.T, archive string) (names []string, files map[string]string) {
	t.Helper()
	files = map[string]string{}
	r := tar.NewReader(strings.NewReader(archive))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			slices.Sort(names)
			return names, files
		}
		must(t, err)
		b, err := io.ReadAll(r)
		must(t, err)
		names, files[h.Name] = append(names, h.Name), string(b)
	}
}

func TestUsersFetchWhatIsTheirs(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("OpenSSH's client is not installed: apt-get install openssh-client")
	}
	w := clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask,export,pictures")
	s := serve(w, []string{"anna", "bob"})
	for _, words := range [][]string{{"ask", "-m", "phi-2", "--session", "plans", "'what only anna knows'"},
		{"ask", "-m", "sim-image", "--session", "drawn", "a fox"}} {
		if r := s.openSSH("anna", words...); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	if r := s.openSSH("anna", "export", "plans"); r.Code != 0 || !strings.Contains(r.Out, "what only anna knows") {
		t.Errorf("a session: %+v", r)
	}
	r := s.openSSH("anna", "export")
	if wants := "(pictures/"; r.Code != 0 || !strings.Contains(r.Out, wants) {
		t.Errorf("the last session: %+v", r)
	}
	clitest.WantTexts(t, s.openSSH("anna", "export", "--list").Out, "\tplans\t1\t1\t0\t")
	names, files := unpack(t, s.openSSH("anna", "export", "--all", "--format", "jsonl").Out)
	if want := []string{"s1-plans.jsonl", "s2-drawn.jsonl"}; !slices.Equal(names, want) ||
		!strings.Contains(files["s1-plans.jsonl"], "what only anna knows") {
		t.Errorf("all sessions: %q", files)
	}
	names, files = unpack(t, s.openSSH("anna", "pictures").Out)
	if len(names) != 1 || !strings.HasPrefix(names[0], "pictures/") || http.DetectContentType(
		[]byte(files[names[0]])) != "image/png" {
		t.Errorf("pictures: %q", names)
	}
	clitest.WantTexts(t, s.openSSH("anna", "pictures", "--names", "fox").Out, "a2\t"+filepath.Base(names[0])+"\n")
	if r := s.openSSH("anna", "pictures", "nothing-like-this"); r.Code != 0 || len(r.Out) > 1024 {
		t.Errorf("no pictures: %d, %d bytes", r.Code, len(r.Out))
	}

	for _, command := range [][]string{{"export", "plans"}, {"export", "s1"}, {"export", "a2"}} {
		if r := s.openSSH("bob", command...); r.Code == 0 || strings.Contains(r.Out, "anna") {
			t.Errorf("bob got %s: %+v", command, r)
		}
	}
	if r := s.openSSH("bob", "export", "--all"); r.Code != 0 || len(r.Out) > 1024 {
		t.Errorf("all of bob's nothing: %d, %d bytes, %s", r.Code, len(r.Out), r.Err)
	}
	for wrong, says := range map[string]string{"export --format pdf": "--format takes markdown, html",
		"export -o x": "unknown shorthand flag", "export --all -t": "unknown shorthand flag",
		"history list": "only these commands are run here: ask, export, pictures"} {
		if r := s.openSSH("anna", wrong); r.Code != 2 || !strings.Contains(r.Err, says) {
			t.Errorf("%s: %+v", wrong, r)
		}
	}
	left, _ := filepath.Glob(filepath.Join(s.user("anna"), "state", "export-*"))
	if len(left) > 0 {
		t.Errorf("left over: %s", left)
	}
}

// TestTabsReachFilesOverSSH asks for source code with tabs and fetches the session.
func TestTabsReachFilesOverSSH(t *testing.T) {
	const code = "func f() {\n\treturn\t1\n}"
	r := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		clitest.AnswerText(w, code)
	})
	s := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+r.URL, "CONFAB_API_KEY=key-for-tests-0001",
		"CONFAB_SSH_COMMANDS=ask,export"), []string{"anna"})
	for _, command := range []string{"ask -m phi-2 hello", "ask -m phi-2 --samples 2 -q hello", "export",
		"export --format text", "export --raw"} {
		if got := s.ask("anna", "", command); got.Code != 0 || !strings.Contains(got.Out, code) {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

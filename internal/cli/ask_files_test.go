package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

func TestAskWithFiles(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Answering("fine"))
	w := clitest.RemoteWorld(t, s)
	dir := t.TempDir()
	for name, content := range map[string]string{"a.go": "package a", "b.go": "package b", "c.md": "# c"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.Stdin = clitest.Pipe(t, "from a pipe")
	w.Must(0, "ask", "-m", "delta", "-f", filepath.Join(dir, "*.go"), "--file", "-", "compare", "them")
	want := "File " + dir + "/a.go:\n```go\npackage a\n```\n\nFile " + dir + "/b.go:\n```go\npackage b\n```\n\n" +
		"File standard input:\n```\nfrom a pipe\n```\n\ncompare them"
	if got := s.Last(t)["prompt"]; got != want {
		t.Errorf("sent %q\nwant %q", got, want)
	}
	clitest.WantTexts(t, w.Must(0, "history", "show", "t1").Out, "file "+dir+"/a.go 9 B <==",
		"file standard input 11 B")
	clitest.WantTexts(t, w.Must(0, "history", "show", "t1", "--json").Out, `"text":"package b"`)
	w.Stdin = nil
	before := len(s.Bodies)
	for _, args := range [][]string{{"-f", filepath.Join(dir, "gone")}, {"-f", dir}, {"-f", ""},
		{"-f", os.Args[0]}, {"--image", filepath.Join(dir, "a.go"), "--image", filepath.Join(dir, "b.go")}} {
		r := w.Must(2, append([]string{"ask", "-m", "delta", "x"}, args...)...)
		if n := strings.Count(r.Err, "\n"); n != 1 {
			t.Errorf("%q: %s", args, r.Err)
		}
	}
	if n := len(s.Bodies) - before; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

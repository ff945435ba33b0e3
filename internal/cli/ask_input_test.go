package cli_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

func TestInputThatIsNoPrompt(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"bytes that are no text", "\xff\xfe", "not UTF-8"},
		{"a zero byte", "a\x00b", "not UTF-8"},
		{"nothing", " \n", "standard input is empty"},
		{"too much", strings.Repeat("x", 16<<20+1), "larger than 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.NewWorld(t)
			w.Stdin = strings.NewReader(c.input)
			clitest.WantTexts(t, w.Must(2, "ask", "-m", "zeta").Err, c.want)
		})
	}
}

// TestTheMinusSign stands for standard input as the prompt, and for standard output as the file.
func TestTheMinusSign(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	w.Stdin = strings.NewReader("from a pipe\n")
	if r := w.Must(0, "ask", "-m", "zeta", "-o", "-", "-"); !strings.Contains(r.Out, "from a pipe") ||
		strings.Contains(r.Out, "- ") {
		t.Errorf("printed %q", r.Out)
	}
}

// TestJSONOfWhatWasRefused before it was sent, and of a picture that came and could not be written.
func TestJSONOfWhatWasRefused(t *testing.T) {
	picture := clitest.SamplePicture(t)
	w := clitest.RemoteWorld(t, clitest.NewRemote(t,
		func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(picture)
		}))
	for want, args := range map[string][]string{
		"unknown_model": {"-m", "nobody", "x"},
		"usage":         {"-m", "imageedit", "x"},
	} {
		got := clitest.Objects(t, w.Must(2, append([]string{"ask", "--json"}, args...)...).Out)
		failure, _ := got[0]["error"].(map[string]any)
		if len(got) != 1 || got[0]["state"] != "failed" || failure["code"] != want {
			t.Errorf("%v: %v", args, got)
		}
	}
	got := clitest.Objects(t, w.Must(1, "ask", "--json", "-m", "sim-image", "-o", filepath.Join(w.Home, "new", "\x00x"),
		"x").Out)
	failure, _ := got[0]["error"].(map[string]any)
	if len(got) != 1 || got[0]["model"] != "sim-image" || failure["code"] == nil {
		t.Errorf("a picture that could not be written: %v", got)
	}
}

func TestTimeoutTellsMoreThanAFailure(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "zeta") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		<-r.Context().Done()
	})
	clitest.RemoteWorld(t, s).Must(124, "ask", "-m", "zeta,delta", "--timeout", "1s", "hello")
}

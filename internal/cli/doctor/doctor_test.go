package doctor_test

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

func TestDoctor(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "hello")
	verdicts := map[string]any{}
	for _, o := range clitest.Objects(t, w.Must(0, "doctor", "--json").Out) {
		verdicts[o["check"].(string)] = o["verdict"]
	}
	for _, check := range []string{"version", "terminal", "colors", "config", "pictures", "models", "service",
		"history",
		"sqlite", "folders", "clipboard"} {
		if verdicts[check] != "ok" {
			t.Errorf("%s is %v", check, verdicts[check])
		}
	}
	history := filepath.Join(w.Home, ".local", "share", "confab", "history.db")
	if err := os.Chmod(history, 0o644); err != nil {
		t.Fatal(err)
	}
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "warn\tfolders\tothers may look into "+history, "chmod 600")
	for _, left := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(history + left) // some are not there
	}
	if err := os.WriteFile(history, bytes.Repeat([]byte("no history "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.WantTexts(t, w.Must(1, "doctor").Out, "fail\thistory", "(store)")
	clitest.WantTexts(t, w.Must(1, "history", "list").Err, "damaged", "(store)")

	r := clitest.NewWorld(t, "CONFAB_UI_THEME=nope").Must(0, "doctor")
	clitest.WantTexts(t, r.Out, "warn\ttheme", `"nope"`)
	clitest.WantTexts(t, clitest.NewWorld(t, "CONFAB_SERVICE_CONCURRENCY=900").Must(1, "doctor").Out, "fail\tconfig")
	clitest.WantTexts(t, clitest.NewWorld(t, "CONFAB_BASE_URL=https://service.invalid").Must(1, "doctor").Out,
		"fail\tkey")
	// This one request is not of the contract: it tells nothing, and is made only when it is asked for.
	s := &clitest.Remote{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method != http.MethodHead || len(body) > 0 {
			t.Errorf("doctor sent %s %s", r.Method, body)
		}
		w.WriteHeader(http.StatusNotFound)
	}))}
	w = clitest.RemoteWorld(t, s)
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "ok\tonline")
	s.Close()
	clitest.WantTexts(t, w.Must(1, "doctor", "--online").Out, "fail\tonline")
	clitest.WantNoTexts(t, w.Must(0, "doctor").Out, "online")
}

func TestConfigCheck(t *testing.T) {
	w := clitest.NewWorld(t)
	clitest.WantTexts(t, w.Must(console.ExitDone, "config", "check").Out, "ok\tconfig\tno file ", "ok\tmodels\t",
		"ok\tservice\t")
	w.Configure("[ui]\nmouse = true\n")
	clitest.WantNoTexts(t, w.Must(console.ExitDone, "config", "check").Out, "no file")
	w.Configure("[service]\nbase_url = \"https://api.example.com\"\n")
	clitest.WantTexts(t, w.Must(console.ExitFailed, "config", "check").Out, "fail\tkey\tthere is none")
	w.Configure("[service]\nbase_url = 7\n")
	clitest.WantTexts(t, w.Must(console.ExitFailed, "config", "check", "--json").Out,
		`"check":"config","verdict":"fail"`)
	_ = filepath.WalkDir(filepath.Join(w.Home, ".local"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("a check made %s", path)
		}
		return nil
	})
}

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/internal/s3test"
)

func TestPicturesGoToABucket(t *testing.T) {
	server := s3test.Start(t)
	_, secret, _ := strings.Cut(s3test.Key, ":")
	url := "CONFAB_PICTURES_URL=" + server.URL("team")
	w := clitest.NewWorld(t, url, "CONFAB_PICTURES_KEY="+s3test.Key)
	path := clitest.Objects(t, w.Must(0, "ask", "-m", "sim-image", "--json", "a fox").Out)[0]["file"].(string)
	if got := server.Objects("team"); len(got) != 2 || got[filepath.Base(path)] == nil {
		t.Errorf("%d objects, none is %s", len(got), filepath.Base(path))
	}
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "ok\tbucket\ts3://bucket/team/ can be read and written")
	clitest.WantTexts(t, w.Must(0, "history", "sweep", "--yes").Err, "nothing to sweep")
	shown := w.Must(0, "config", "show")
	clitest.WantTexts(t, shown.Out, "s3://bucket/team")
	clitest.WantNoTexts(t, shown.Out+shown.Err, secret)

	w.Must(0, "history", "rm", "--yes", "a1")
	if got := server.Objects("team"); len(got) != 0 {
		t.Errorf("%d objects after the deletion", len(got))
	}

	server.Stop()
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "doctor").Out, "fail\tbucket\tthe bucket bucket cannot be reached")
	down := clitest.NewWorld(t, url, "CONFAB_PICTURES_KEY="+s3test.Key)
	asked := down.Must(0, "ask", "-q", "-m", "sim-image", "a hen")
	if asked.Err != "" {
		t.Errorf("asking without the server said %s", asked.Err)
	}
	server.Up()
	down.Must(0, "ask", "-q", "-m", "delta", "hello") // starts again
	if got := server.Objects("team"); len(got) != 2 {
		t.Errorf("%d objects after the server was up again", len(got))
	}
	for name, content := range clitest.Contents(t, down.Home) {
		if strings.Contains(content, secret) {
			t.Errorf("%s holds the secret", name)
		}
	}
}

func TestKeysOfABucket(t *testing.T) {
	server := s3test.Start(t)
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(s3test.Key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	id, secret, _ := strings.Cut(s3test.Key, ":")
	t.Setenv("AWS_ACCESS_KEY_ID", id)
	for prefix, environ := range map[string][]string{
		"command": {"CONFAB_PICTURES_KEY_COMMAND=echo " + s3test.Key},
		"file":    {"CONFAB_PICTURES_KEY_FILE=" + file},
		"aws":     nil,
	} {
		if prefix == "aws" {
			t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
		}
		w := clitest.NewWorld(t, append(environ, "CONFAB_PICTURES_URL="+server.URL(prefix))...)
		w.Must(0, "ask", "-q", "-m", "sim-image", "a fox")
		if got := server.Objects(prefix); len(got) != 2 {
			t.Errorf("%s: %d objects", prefix, len(got))
		}
	}
	w := clitest.NewWorld(t, "CONFAB_PICTURES_URL="+server.URL("wrong"), "CONFAB_PICTURES_KEY=wrong:"+s3test.Key)
	w.Must(0, "ask", "-q", "-m", "sim-image", "a fox") // stays here
	swept := w.Run("history", "sweep", "--yes")
	if swept.Code == 0 || strings.Contains(swept.Err, s3test.Key) {
		t.Errorf("sweeping with a wrong key ended with %d and said %s", swept.Code, swept.Err)
	}
}

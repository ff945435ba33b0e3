package cli_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

func TestDoctor(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "hello")
	verdicts := map[string]any{}
	for _, o := range clitest.Objects(t, w.Must(0, "doctor", "--json").Out) {
		verdicts[o["check"].(string)] = o["verdict"]
	}
	for _, check := range []string{"version", "terminal", "colors", "config", "models", "service", "history", "sqlite",
		"folders", "clipboard"} {
		if verdicts[check] != "ok" {
			t.Errorf("%s is %v", check, verdicts[check])
		}
	}
	history := filepath.Join(w.Home, ".local", "share", "confab", "history.db")
	must(t, os.Chmod(history, 0o644))
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "warn\tfolders\tothers can read "+history, "chmod 600")
	for _, left := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(history + left) // some are not there
	}
	clitest.WriteFile(t, history, bytes.Repeat([]byte("no history "), 1000), 0o600)
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
	clitest.WantTexts(t, w.Must(cli.ExitDone, "config", "check").Out, "ok\tconfig\tno file ", "ok\tmodels\t",
		"ok\tservice\t")
	w.Configure("[ui]\nmouse = true\n")
	clitest.WantNoTexts(t, w.Must(cli.ExitDone, "config", "check").Out, "no file")
	w.Configure("[service]\nbase_url = \"https://api.example.com\"\n")
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "config", "check").Out, "fail\tkey\tthere is none")
	w.Configure("[service]\nbase_url = 7\n")
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "config", "check", "--json").Out,
		`"check":"config","verdict":"fail"`, "config.toml, or move it away")
	for _, path := range clitest.Files(t, w.Home) {
		if strings.Contains(path, ".local") {
			t.Errorf("a check made %s", path)
		}
	}
	w.Configure("")
	w.Environ = append(w.Environ, "CONFAB_SERVICE_CONCURRENCY=99")
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "config", "check").Out, "must be a whole number from 1 to 64",
		"\tcorrect CONFAB_SERVICE_CONCURRENCY in the environment, or unset it\n")
}

// TestCheckOpensTheFilesOfSettings names files that are missing or readable by others, and a certificate that has
// expired.
func TestCheckOpensTheFilesOfSettings(t *testing.T) {
	w := clitest.NewWorld(t)
	file := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(w.Home, name)
		clitest.WriteFile(t, path, text, mode)
		return path
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	signer, err := ssh.NewSignerFromKey(private)
	must(t, err)
	block, err := ssh.MarshalPrivateKey(private, "")
	must(t, err)
	good := "[pictures]\nkey_file = '" + file("good", "id:secret", 0o600) + "'\n[ssh]\n" +
		"authorized_keys = '" + file("keys", string(ssh.MarshalAuthorizedKey(signer.PublicKey())), 0o600) + "'\n" +
		"host_key = '" + file("host", string(pem.EncodeToMemory(block)), 0o600) + "'\n"
	w.Configure(good)
	clitest.WantTexts(t, w.Must(cli.ExitDone, "config", "check").Out, "ok\tpictures.key_file\tcan be read",
		"ok\tssh\tthe files can be read, and the host key is SHA256:")
	w.Configure("[history]\npassword_file = '/nothing/here'\n[service]\napi_key_file = '" +
		file("open", "k", 0o644) + "'\n[engines.e]\nurl = 'http://localhost/v1'\nkey_file = '" +
		file("empty", "", 0o600) + "'\n" + good +
		"trusted_user_ca_keys = '/nothing/there'\n")
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "config", "check").Out,
		"fail\thistory.password_file\tthe key file /nothing/here", "fail\tservice.api_key_file\tthe key file ",
		"can be read by others", "fail\tengines.e.key_file\tthe key file ", "is empty",
		"fail\tssh\t", "/nothing/there cannot be read")
}

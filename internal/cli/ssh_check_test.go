package cli

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"confab/internal/cli/console"
)

func TestSSHCheckSaysWhatIsWrongAndMakesNothing(t *testing.T) {
	w := newWorld(t)
	folder := filepath.Join(w.home, "keys")
	w.environ = append(w.environ, "CONFAB_SSH_AUTHORIZED_KEYS="+folder)
	r := w.must(console.ExitFailed, "ssh", "--check", "--listen", "127.0.0.1:0")
	wantTexts(t, r.out, "fail\tssh\tthere are no authorised keys: "+folder+" is not there", "ok\tlisten\t127.0.0.1:")
	s := w.serve([]string{"anna"})
	wantTexts(t, w.must(console.ExitDone, "ssh", "--check").out, "another confab ssh serves this data folder already",
		"the host key is SHA256:")
	s.stop()
	key := filepath.Join(w.home, ".local", "state", "confab", "ssh_host_key")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	w.configure("[ssh]\nconnections = 10000\nrevoked_keys = \"/nothing/here\"\n")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r = w.must(console.ExitFailed, "ssh", "--check", "--listen", l.Addr().String())
	wantTexts(t, r.out, "the revoked keys: /nothing/here cannot be read", "fail\tlisten\tcannot listen on "+
		l.Addr().String())
	w.configure("")
	r = w.must(console.ExitDone, "ssh", "--check", "--listen", "127.0.0.1:0")
	wantTexts(t, r.out, "the host key is made at the first start")
	if _, err := os.Lstat(key); !os.IsNotExist(err) {
		t.Errorf("a check made a host key: %v", err)
	}
	w.configure("[ssh]\nconnections = \"many\"\n")
	wantTexts(t, w.must(console.ExitFailed, "ssh", "--check").out, "fail\tconfig\t")
}

func TestConfigCheck(t *testing.T) {
	w := newWorld(t)
	wantTexts(t, w.must(console.ExitDone, "config", "check").out, "ok\tconfig\tno file ", "ok\tmodels\t",
		"ok\tservice\t")
	w.configure("[ui]\nmouse = true\n")
	wantNoTexts(t, w.must(console.ExitDone, "config", "check").out, "no file")
	w.configure("[service]\nbase_url = \"https://api.example.com\"\n")
	wantTexts(t, w.must(console.ExitFailed, "config", "check").out, "fail\tkey\tthere is none")
	w.configure("[service]\nbase_url = 7\n")
	wantTexts(t, w.must(console.ExitFailed, "config", "check", "--json").out, `"check":"config","verdict":"fail"`)
	_ = filepath.WalkDir(filepath.Join(w.home, ".local"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("a check made %s", path)
		}
		return nil
	})
}

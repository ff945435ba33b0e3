package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

func TestSSHCheckSaysWhatIsWrongAndMakesNothing(t *testing.T) {
	w := clitest.NewWorld(t)
	folder := filepath.Join(w.Home, "keys")
	w.Environ = append(w.Environ, "CONFAB_SSH_AUTHORIZED_KEYS="+folder)
	r := w.Must(cli.ExitFailed, "ssh", "--check", "--listen", "127.0.0.1:0")
	clitest.WantTexts(t, r.Out, "fail\tssh\tthere are no authorised keys: "+folder+" is not there",
		"ok\tlisten\t127.0.0.1:")
	s := serve(w, []string{"anna"})
	clitest.WantTexts(t, w.Must(cli.ExitDone, "ssh", "--check").Out,
		"another confab ssh serves this data folder already", "the host key is SHA256:")
	s.stop()
	key := filepath.Join(w.Home, ".local", "state", "confab", "ssh_host_key")
	must(t, os.Remove(key))
	w.Configure("[ssh]\nconnections = 10000\ntrusted_user_ca_keys = \"/nothing/here\"\n")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	r = w.Must(cli.ExitFailed, "ssh", "--check", "--listen", l.Addr().String())
	clitest.WantTexts(t, r.Out, "the trusted authorities: /nothing/here cannot be read",
		"fail\tlisten\tcannot listen on "+l.Addr().String())
	w.Configure("")
	r = w.Must(cli.ExitDone, "ssh", "--check", "--listen", "127.0.0.1:0")
	clitest.WantTexts(t, r.Out, "the host key is made at the first start")
	if _, err := os.Lstat(key); !os.IsNotExist(err) {
		t.Errorf("a check made a host key: %v", err)
	}
	w.Configure("[ssh]\nconnections = \"many\"\n")
	clitest.WantTexts(t, w.Must(cli.ExitFailed, "ssh", "--check").Out, "fail\tconfig\t")
}

package sshserver_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

func TestUserOfAKey(t *testing.T) {
	anna, second, bob, shared, none := newKey(t), newKey(t), newKey(t), newKey(t), newKey(t)
	short := newRSAKey(t, 1024)
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	write(t, filepath.Join(folder, "anna"),
		"# comment\n\n"+line(anna, "me@laptop")+line(second, "x")+line(shared, ""))
	write(t, filepath.Join(folder, "bob.pub"), line(bob, "anna")+line(shared, "")+"not a key\n"+
		`command="x" `+line(none, "")+"restrict "+line(none, ""))
	for _, bad := range []string{"Anna", "a b", "key-0", ".hidden", "_x", "anna~", strings.Repeat("a", 40)} {
		write(t, filepath.Join(folder, bad), line(none, "anna"))
	}
	const date = "rsa-key-20240101" // PuTTY's comment
	content := "\ufeff" + line(anna, date) + line(second, date) + line(bob, "anna") + line(shared, "") +
		line(shared, "") + line(short, "bob")
	for _, options := range []string{
		`from="192.0.2.1"`, `expiry-time="20991231"`, "cert-authority", "no-such-option", "restrict",
		`environment="CONFAB_USER=bob"`,
	} {
		content += options + " " + line(none, "bob")
	}
	write(t, file, content)
	byFile, byFolder := newSite(t, anna, func(o *sshserver.Options) { o.Keys = file }).serve(),
		newSite(t, anna, func(o *sshserver.Options) { o.Keys = folder }).serve()
	tests := []struct {
		site  *serverFixture
		login string
		key   gossh.Signer
		want  string // id; "key" for one by fingerprint, "" for nobody
	}{
		{byFolder, "", anna, "anna"}, {byFolder, "bob", anna, "anna"}, {byFolder, "root", second, "anna"},
		{byFolder, "anna", bob, "bob"}, {byFolder, "anna", shared, "anna"}, {byFolder, "bob", shared, "bob"},
		{byFolder, "carla", shared, ""}, {byFolder, "anna", none, ""}, {byFolder, "Anna", none, ""},
		{byFile, date, anna, "key"}, {byFile, date, second, "key"}, {byFile, "anna", bob, "key"},
		{byFile, "x", shared, "key"}, {byFile, "bob", none, ""}, {byFile, "bob", short, ""},
	}
	ids := map[string]bool{}
	for _, tt := range tests {
		got := tt.site.userOf(tt.login, tt.key)
		if strings.HasPrefix(got, "key-") && len(got) == 44 {
			ids[got] = true
			got = "key"
		}
		if got != tt.want {
			t.Errorf("folder %v, as %q: %q, want %q", tt.site == byFolder, tt.login, got, tt.want)
		}
	}
	if len(ids) != 4 {
		t.Errorf("four keys, two of them with one comment, are %d users", len(ids))
	}
	report := sshserver.Check(sshserver.Options{Keys: file, HostKey: filepath.Join(dir, "host")})
	if len(report.Problems) != 0 || len(report.Notes) != 7 {
		t.Errorf("passed over %q, %v", report.Notes, report.Problems)
	}
	for _, want := range []string{"it has options", "ForceCommand", "1024 bits"} {
		if !strings.Contains(fmt.Sprint(report.Notes), want) {
			t.Errorf("%q is not in %q", want, report.Notes)
		}
	}
}

func TestThereIsNoServerWithoutAnAuthorisedKey(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty"), "# nobody\n")
	for _, path := range []string{filepath.Join(dir, "empty"), filepath.Join(dir, "nothing"), t.TempDir()} {
		if _, err := sshserver.New(sshserver.Options{Keys: path, HostKey: filepath.Join(dir, "host")}); err == nil {
			t.Errorf("%s serves", path)
		}
	}
	write(t, filepath.Join(dir, "damaged"), "ssh-ed25519 AAAA anna\n")
	if _, err := sshserver.New(
		sshserver.Options{Keys: filepath.Join(dir, "damaged"), HostKey: filepath.Join(dir, "host")},
	); err == nil ||
		!strings.Contains(err.Error(), "line 1 is passed over: it is no public key") {
		t.Errorf("it does not say why: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "host")); err == nil {
		t.Error("a host key was made for a server that does not start")
	}
}

func TestTheHostKeyIsMadeOnceForItsOwnerOnly(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna)
	path := filepath.Join(s.dir, "state", "host")
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "state", ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if !strings.Contains(fmt.Sprint(s.Notes()), "host key was made") {
		t.Errorf("notes: %q", s.Notes())
	}
	o := sshserver.Options{Keys: filepath.Join(s.dir, "keys"), HostKey: path}
	again, err := sshserver.New(o)
	if err != nil || again.Fingerprint() != s.Fingerprint() || len(again.Notes()) != 0 {
		t.Errorf("after a restart: %v, %v", again, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604} {
		must(t, os.Chmod(path, mode))
		if _, err := sshserver.New(o); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("with %v: %v", mode, err)
		}
	}
	write(t, filepath.Join(s.dir, "other"), "not a key")
	for _, bad := range []string{filepath.Join(s.dir, "other"), s.dir} {
		o.HostKey = bad
		if _, err := sshserver.New(o); err == nil {
			t.Errorf("%s is a host key", bad)
		}
	}
}

func TestHealth(t *testing.T) {
	anna := newKey(t)
	var problem error
	s := newSite(t, anna, func(o *sshserver.Options) { o.Ready = func() error { return problem } }).serve()
	get := func(path string) string {
		r := httptest.NewRecorder()
		s.HealthHandler().ServeHTTP(r, httptest.NewRequest(http.MethodGet, path, nil))
		return fmt.Sprint(r.Code, " ", strings.TrimSpace(r.Body.String()))
	}
	want := func(health, ready string) {
		t.Helper()
		if got := get("/healthz"); got != health {
			t.Errorf("health: %s, want %s", got, health)
		}
		if got := get("/readyz"); got != ready {
			t.Errorf("ready: %s, want %s", got, ready)
		}
	}
	want("200 ok", "200 ok")
	problem = errors.New("the history is not reachable")
	want("200 ok", "503 the history is not reachable")
	problem = nil
	want("200 ok", "200 ok")
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	want("503 closing", "503 closing")
}

package sshd

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

func TestWhoseKeyItIs(t *testing.T) {
	anna, second, bob, shared, none := newKey(t), newKey(t), newKey(t), newKey(t), newKey(t)
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Skip("no weak keys can be made here:", err)
	}
	short, err := gossh.NewSignerFromKey(weak)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	write(t, filepath.Join(folder, "anna"), "# comment\n\n"+line(anna, "me@laptop")+"restrict,no-pty "+line(second, "x")+line(shared, ""))
	write(t, filepath.Join(folder, "bob.pub"), line(bob, "anna")+line(shared, "")+"not a key\n"+`command="x" `+line(none, ""))
	for _, bad := range []string{"..", "Anna", "a b", "key-0", ".hidden", "_x", "anna~", strings.Repeat("a", 40)} {
		if bad != ".." {
			write(t, filepath.Join(folder, bad), line(none, "anna"))
		}
	}
	write(t, file, line(anna, "me@laptop")+line(second, "me@laptop")+line(bob, "bob")+
		`from="10.0.0.0/8" `+line(none, "bob")+`expiry-time="20200101" `+line(none, "bob")+"cert-authority "+line(none, "bob")+line(short, "bob"))
	tests := []struct {
		path, login string
		key         gossh.Signer
		want        string // id; "key" for one by fingerprint, "" for nobody
	}{
		{folder, "", anna, "anna"}, {folder, "bob", anna, "anna"}, {folder, "root", second, "anna"}, {folder, "anna", bob, "bob"},
		{folder, "anna", shared, "anna"}, {folder, "bob", shared, "bob"}, {folder, "carla", shared, ""}, {folder, "anna", none, ""}, {folder, "Anna", none, ""},
		{file, "x", anna, "key"}, {file, "x", second, "key"}, {file, "x", bob, "bob"}, {file, "bob", none, ""}, {file, "bob", short, ""},
		{filepath.Join(dir, "nothing"), "anna", anna, ""},
	}
	ids := map[string]bool{}
	for _, tt := range tests {
		u, ok := roster{tt.path}.find(tt.login, tt.key.PublicKey())
		got := u.ID()
		if strings.HasPrefix(got, unnamed) && len(got) == 44 {
			ids[got] = true
			got = "key"
		}
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s as %q: %q, %v; want %q", filepath.Base(tt.path), tt.login, u.ID(), ok, tt.want)
		}
	}
	if len(ids) != 2 {
		t.Errorf("two keys that ssh-keygen named alike are %d users", len(ids))
	}
	all, passed, err := roster{file}.read()
	if err != nil || len(all) != 3 || len(passed) != 4 {
		t.Errorf("%d keys, passed over %q, %v", len(all), passed, err)
	}
	for _, want := range []string{"from is not understood", "expiry-time", "cert-authority", "2048 bits"} {
		if !strings.Contains(fmt.Sprint(passed), want) {
			t.Errorf("%q is not in %q", want, passed)
		}
	}
	if _, ok := (roster{folder}).find("anna", nil); ok {
		t.Error("nobody's key is somebody's")
	}
}

func TestKeysThatOthersCanWriteAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such rights")
	}
	anna := newKey(t)
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "file"), filepath.Join(dir, "folder")
	write(t, file, line(anna, "anna"))
	write(t, filepath.Join(folder, "anna"), line(anna, ""))
	for _, tt := range []struct {
		path string
		mode os.FileMode
		read string
	}{{file, 0o620, file}, {file, 0o602, file}, {folder, 0o770, folder}, {filepath.Join(folder, "anna"), 0o666, folder}} {
		if err := os.Chmod(tt.path, tt.mode); err != nil {
			t.Fatal(err)
		}
		if _, ok := (roster{tt.read}).find("anna", anna.PublicKey()); ok {
			t.Errorf("%s with %v lets anna in", tt.path, tt.mode)
		}
		if _, err := New(Options{Keys: tt.read, HostKey: filepath.Join(dir, "host")}); err == nil {
			t.Errorf("%s with %v serves", tt.path, tt.mode)
		}
		if err := os.Chmod(tt.path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestThereIsNoServerWithoutAnAuthorisedKey(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty"), "# nobody\n")
	for _, path := range []string{filepath.Join(dir, "empty"), filepath.Join(dir, "nothing"), t.TempDir()} {
		if _, err := New(Options{Keys: path, HostKey: filepath.Join(dir, "host")}); err == nil {
			t.Errorf("%s serves", path)
		}
	}
	write(t, filepath.Join(dir, "damaged"), "ssh-ed25519 AAAA anna\n")
	if _, err := New(Options{Keys: filepath.Join(dir, "damaged"), HostKey: filepath.Join(dir, "host")}); err == nil || !strings.Contains(err.Error(), "line 1 is passed over: it is no public key") {
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
	o := Options{Keys: filepath.Join(s.dir, "keys"), HostKey: path}
	again, err := New(o)
	if err != nil || again.Fingerprint() != s.Fingerprint() || len(again.Notes()) != 0 {
		t.Errorf("after a restart: %v, %v", again, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("with %v: %v", mode, err)
		}
	}
	write(t, filepath.Join(s.dir, "other"), "not a key")
	for _, bad := range []string{filepath.Join(s.dir, "other"), s.dir} {
		o.HostKey = bad
		if _, err := New(o); err == nil {
			t.Errorf("%s is a host key", bad)
		}
	}
}

func TestFacts(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	open(t, s.client("anna", anna), 80, 24).sees("hello")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	ctx := t.Context()
	go func() { over <- s.ServeFacts(ctx, l) }()
	get := func(path string) (int, string) {
		t.Helper()
		c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		r, err := c.Get("http://" + l.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		return r.StatusCode, string(b)
	}
	if code, body := get("/healthz"); code != 200 || body != "ok\n" {
		t.Errorf("health: %d %q", code, body)
	}
	_, body := get("/metrics")
	for _, want := range []string{"confab_ssh_connections 1\n", "confab_ssh_screens 1\n", "confab_ssh_users 1\n", "confab_ssh_logins_total 1\n", "# TYPE confab_ssh_login_seconds histogram"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not in\n%s", want, body)
		}
	}
	s.end()
	if code, _ := get("/healthz"); code != http.StatusServiceUnavailable {
		t.Errorf("health while closing: %d", code)
	}
	l.Close()
	<-over
}

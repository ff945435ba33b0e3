package sshserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"confab/internal/sshserver"
)

func TestKeysThatOthersCouldReplaceAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such rights")
	}
	anna := newKey(t)
	dir := t.TempDir()
	above := filepath.Join(dir, "above")
	file, folder, host := filepath.Join(above, "file"), filepath.Join(above, "folder"), filepath.Join(above, "state",
		"host")
	write(t, file, line(anna, "anna"))
	write(t, filepath.Join(folder, "anna"), line(anna, ""))
	write(t, filepath.Join(dir, "elsewhere", "anna"), line(anna, ""))
	for link, to := range map[string]string{"link": file, "links/anna": filepath.Join(dir, "elsewhere", "anna")} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700))
		must(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	serves := func(keys string) error {
		_, err := sshserver.New(sshserver.Options{Keys: keys, HostKey: host})
		return err
	}
	for _, tt := range []struct {
		path string
		mode os.FileMode
		keys string
	}{
		{file, 0o620, file}, {file, 0o602, file}, {folder, 0o770, folder}, {filepath.Join(folder, "anna"), 0o666,
			folder},
		{above, 0o770, file}, {above, 0o707, file}, {above, 0o777, folder}, {dir, 0o777, folder}, {above, 0o777,
			filepath.Join(dir, "link")},
		{filepath.Join(dir, "elsewhere"), 0o777, filepath.Join(dir, "links")}, {folder, 0o777 | os.ModeSticky, folder},
		{filepath.Dir(host), 0o777, filepath.Join(dir, "links")},
	} {
		if err := serves(tt.keys); err != nil {
			t.Fatalf("%s: %v", tt.keys, err)
		}
		must(t, os.Chmod(tt.path, tt.mode))
		if err := serves(tt.keys); err == nil || !strings.Contains(err.Error(), "run chmod go-w on it") {
			t.Errorf("%s with %v: %v", tt.path, tt.mode, err)
		}
		must(t, os.Chmod(tt.path, 0o700))
	}
	must(t, os.Chmod(above, 0o777|os.ModeSticky))
	if err := serves(file); err != nil {
		t.Errorf("in a folder like /tmp: %v", err)
	}
}

func TestKeysOfAnotherAccountAreRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	anna := newKey(t)
	for _, foreign := range []string{"keys/anna", "keys", "."} {
		dir := filepath.Join(t.TempDir(), "server")
		write(t, filepath.Join(dir, "keys", "anna"), line(anna, ""))
		o := sshserver.Options{Keys: filepath.Join(dir, "keys"), HostKey: filepath.Join(dir, "host")}
		if report := sshserver.Check(o); len(report.Problems)+len(report.Notes) != 0 {
			t.Fatalf("%+v", report)
		}
		must(t, os.Chown(filepath.Join(dir, foreign), 12345, -1))
		if text := fmt.Sprint(sshserver.Check(o)); !strings.Contains(
			text,
			"belongs to another account (user id 12345)",
		) {
			t.Errorf("%s is foreign: %v", foreign, text)
		}
	}
}

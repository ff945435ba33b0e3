//go:build !windows

package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// home is a home folder and an environment. Nothing is shared with the machine that the test runs on.
type home struct {
	t       testing.TB
	dir     string
	environ []string
}

func newHome(t testing.TB, environ ...string) *home {
	t.Helper()
	dir := t.TempDir()
	return &home{t: t, dir: dir, environ: append([]string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}, environ...)}
}

// newRemoteHome returns a home that uses a service at an address, with additional models.
func newRemoteHome(t testing.TB, url string, texts, pictures []string) *home {
	t.Helper()
	h := newHome(t, "CONFAB_BASE_URL="+url, "CONFAB_API_KEY="+sentinel)
	var config strings.Builder
	for _, slug := range texts {
		fmt.Fprintf(&config, "[[models.custom]]\nslug = %q\n", slug)
	}
	for _, slug := range pictures {
		fmt.Fprintf(&config, "[[models.custom]]\nslug = %q\nkind = \"image\"\n", slug)
	}
	h.configure(config.String())
	return h
}

func (h *home) configure(text string) {
	h.t.Helper()
	dir := filepath.Join(h.dir, ".config", "confab")
	must(h.t, os.MkdirAll(dir, 0o700))
	must(h.t, os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600))
}

func (h *home) command(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env, cmd.Dir = h.environ, h.dir
	return cmd
}

// storedAnswer is an answer as the command line prints it.
type storedAnswer struct {
	Session, Turn, Answer      int64
	Prompt, Model, State, Text string
	PartialText                string `json:"partial_text"`
	File                       string
}

// answers returns the stored answers of a turn, read by another process.
func (h *home) answers(turn string) []storedAnswer {
	h.t.Helper()
	var errs bytes.Buffer
	cmd := h.command("history", "show", turn, "--json")
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("history show %s: %v\n%s", turn, err, &errs)
	}
	var all []storedAnswer
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var k storedAnswer
		must(h.t, d.Decode(&k))
		all = append(all, k)
	}
	return all
}

// state returns the state of the only answer of a turn.
func (h *home) state(turn string) (prompt, state string) {
	h.t.Helper()
	all := h.answers(turn)
	if len(all) != 1 {
		h.t.Fatalf("turn %s has %d answers, want 1: %v", turn, len(all), all)
	}
	return all[0].Prompt, all[0].State
}

// await waits until a condition holds that is not visible on a terminal.
func (h *home) await(what string, holds func() bool) {
	h.t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	over := time.After(waitLimit)
	for !holds() {
		select {
		case <-look.C:
		case <-over:
			h.t.Fatal("waited in vain for", what)
		}
	}
}

// filesContaining returns the files of the home that contain one of the texts.
func (h *home) filesContaining(texts []string, except ...string) []string {
	h.t.Helper()
	var found []string
	read := 0
	err := filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, e := range except {
			if strings.HasSuffix(path, e) {
				return nil
			}
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for _, text := range texts {
			if bytes.Contains(b, []byte(text)) || strings.Contains(path, text) {
				found = append(found, fmt.Sprintf("%s holds %q", path, text))
			}
		}
		return nil
	})
	must(h.t, err)
	if read < 2 {
		h.t.Fatalf("only %d files were read: the test looks in the wrong place", read)
	}
	return found
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// errorOf returns the error of a call whose result does not matter.
func errorOf[T any](_ T, err error) error { return err }

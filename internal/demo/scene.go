//go:build !windows

package main

import (
	"errors"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const (
	columns, rows = 120, 36
	stepLimit     = 60 * time.Second       // how long a step may wait for its text
	keyPause      = 40 * time.Millisecond  // between two keys, as a person types
	settleTime    = 900 * time.Millisecond // without output, after which a picture is taken
)

// scene is one start of confab: what is done in it, and what is written of it.
type scene struct {
	name    string
	args    []string
	steps   []step
	hasCast bool // a recording is written too
}

// step types keys, waits for a text and takes a picture, as far as it names them.
type step struct {
	keys    string
	waitFor string        // a regular expression
	pause   time.Duration // before the picture, which otherwise waits for a still screen
	picture string
}

// scenes are what is shown, in their order: the start page shows what the others left.
var scenes = []scene{
	{name: "chat", steps: []step{
		{waitFor: "Write a prompt"},
		{keys: "What is git, in one sentence?\r", waitFor: "remembers 1 turn"},
		{keys: "And when do I rebase?\r", waitFor: "remembers 2 turns", picture: "chat"},
	}},
	{name: "code", steps: []step{
		{waitFor: "Write a prompt"},
		{keys: "Write a Go function that merges two sets\r", waitFor: `tokens?/s|\d words`, picture: "conversation"},
	}},
	{name: "streaming", hasCast: true,
		args: []string{"-m", "alpha3.1-8b", "-m", "oss-20b", "-m", "gamma-4.7", "-m", "oss-120b"}, steps: []step{
			{waitFor: "Write a prompt"},
			{keys: "Explain a CRDT to a baker. Use one analogy.\r", waitFor: "of 4", pause: 400 * time.Millisecond,
				picture: "streaming-1"},
			{waitFor: "of 4", pause: time.Second, picture: "streaming-2"},
			{waitFor: "4/4 done", pause: time.Second, picture: "streaming-3"},
			{keys: "\x1b2", waitFor: "d diff"},
			{keys: "d", waitFor: "similarity", picture: "compare"},
		}},
	{name: "pictures", args: []string{"-m", "sim-image", "-m", "diffusion-xl"}, steps: []step{
		{waitFor: "Write a prompt"},
		{keys: "A lighthouse at dusk, calm sea, oil painting\r", waitFor: "(?s)lighthouse.*2/2 done"},
		{keys: "A red fox in fresh snow\r", waitFor: "(?s)red fox.*2/2 done"},
		{keys: "A market street in the rain, at night\r", waitFor: "(?s)market street.*2/2 done"},
		{keys: "A glass teapot on a windowsill\r", waitFor: "(?s)glass teapot.*2/2 done"},
		{keys: "\x07", waitFor: "Pictures", pause: 2 * time.Second, picture: "gallery"},
	}},
	{name: "start", steps: []step{{waitFor: "Write a prompt", pause: 2 * time.Second, picture: "start"}}},
}

// play runs a scene and writes its pictures and its recording to a folder.
func play(s scene, program, home, out string) (err error) {
	cmd := exec.Command(program, s.args...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-kitty", "COLORTERM=truecolor",
		"LANG=C.UTF-8"}
	t, err := openTerminal(cmd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	for _, st := range s.steps {
		if err := t.do(st); err != nil {
			return err
		}
		if st.picture != "" {
			if err := writePicture(t, filepath.Join(out, st.picture+".png")); err != nil {
				return err
			}
		}
	}
	if s.hasCast {
		return t.writeCast(filepath.Join(out, s.name+".cast"))
	}
	return nil
}

// do types the keys of a step and waits until the screen shows what it asks for.
func (t *terminal) do(st step) error {
	keys := strings.Split(st.keys, "")
	if strings.HasPrefix(st.keys, "\x1b") { // the bytes of one key
		keys = []string{st.keys}
	}
	for _, key := range keys {
		if _, err := t.master.WriteString(key); err != nil {
			return fmt.Errorf("type: %w", err)
		}
		time.Sleep(keyPause)
	}
	if st.waitFor != "" && !t.await(regexp.MustCompile(st.waitFor), stepLimit) {
		return fmt.Errorf("waited in vain for %q:\n%s", st.waitFor, t.text())
	}
	if st.pause > 0 {
		time.Sleep(st.pause)
	} else {
		t.settle(settleTime)
	}
	return nil
}

func writePicture(t *terminal, path string) error {
	img, err := t.draw()
	if err != nil {
		return fmt.Errorf("draw the screen: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("make a picture: %w", err)
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := errors.Join(e.Encode(f, img), f.Close()); err != nil {
		return fmt.Errorf("write a picture: %w", err)
	}
	return nil
}

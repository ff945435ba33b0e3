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
	columns, rows = 132, 33                // with the margin 1200 by 600 pixels
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

// scenes are what is shown, in their order.
var scenes = []scene{
	{name: "four-models", hasCast: true,
		args: []string{"-m", "alpha3.1-8b", "-m", "oss-20b", "-m", "gamma-4.7", "-m", "delta"}, steps: []step{
			{waitFor: "Write a prompt"},
			{keys: "Explain a CRDT to a baker. Use one analogy.\r", waitFor: "of 4", pause: 1500 * time.Millisecond,
				picture: "four-models"},
			{waitFor: "4 answers", pause: 2 * time.Second},
			{keys: "\x1b2", waitFor: "d diff"},
			{keys: "d", waitFor: "same wording", pause: 3 * time.Second, picture: "difference"},
			{keys: "\x1b", waitFor: "d diff"},
			{keys: "V", waitFor: "(?i)blind vote", pause: time.Second},
			{keys: "a", waitFor: "pair 2 of 6", pause: time.Second},
			{keys: "b", waitFor: "pair 3 of 6", pause: time.Second},
			{keys: "abaa", waitFor: "Model against model", pause: 2 * time.Second},
		}},
	{name: "pictures", args: []string{"-m", "sim-image", "-m", "diffusion-xl"}, steps: []step{
		{waitFor: "Describe the picture"},
		{keys: "A lighthouse at dusk, calm sea, oil painting\r", waitFor: "(?s)2 answers.*lighthouse"},
		{keys: "A red fox in fresh snow\r", waitFor: "(?s)4 answers.*red fox"},
		{keys: "A market street in the rain, at night\r", waitFor: "(?s)6 answers.*market street"},
		{keys: "A glass teapot on a windowsill\r", waitFor: "(?s)8 answers.*glass teapot"},
		{keys: "\x07", waitFor: "Pictures", pause: 2 * time.Second, picture: "gallery"},
	}},
	{name: "chat", args: []string{"-m", "gamma-4.7"}, steps: []step{
		{waitFor: "Write a prompt"},
		{keys: "What is a CRDT?\r", waitFor: "remembers 1 turn"},
		{keys: "Explain a CRDT to a baker. Use one analogy.\r", waitFor: "remembers 2 turns", picture: "chat"},
	}},
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

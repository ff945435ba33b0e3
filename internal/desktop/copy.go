package desktop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/safe"
	"confab/service/api"

	"github.com/atotto/clipboard"
)

// maxTerminal is the largest text, in bytes, that is sent to a terminal or
// through tmux: tmux 3.3a loses 80 KB without a word.
const maxTerminal = 70_000

// clipboardWait bounds the local clipboard and tmux, which hang with what they
// wait for.
const clipboardWait = 2 * time.Second

// Copy puts text where the person can paste it. Over SSH that is never this
// machine's clipboard. terminal tells whether the terminal should be asked by
// OSC 52; nobody can know whether it obeys, so where then says "sent". What is
// too large for the terminal is written to a file of the state folder.
func (d *Desktop) Copy(ctx context.Context, text string) (where string, terminal bool, err error) {
	var places []string
	fits := len(text) <= maxTerminal
	local := false
	if !d.Remote() {
		within, cancel := context.WithTimeout(ctx, clipboardWait)
		local = d.o.Clipboard(within, text) == nil
		cancel()
		if local {
			places = append(places, "on the clipboard")
		}
	}
	if ctx.Err() != nil {
		return "", false, failure(api.CodeCancelled, context.Cause(ctx), "copying was cancelled")
	}
	sent := false
	if d.get("TMUX") != "" {
		buffer, forwarded := d.tmux(ctx, text)
		if buffer {
			places = append(places, "in tmux (prefix ] pastes it)")
		}
		sent = buffer && forwarded
		terminal = !sent
	} else {
		terminal = true
	}
	if !fits {
		terminal, sent = false, false
	}
	if sent || terminal && !local {
		places = append(places, "sent to the terminal")
	}
	if !fits && !local {
		path, err := d.writeCopy(text)
		if err != nil {
			return "", false, err
		}
		places = append(places, fmt.Sprintf("too large for the terminal, so also in the file %s", path))
		if len(places) == 1 {
			places[0] = fmt.Sprintf("too large for the terminal, so it is in the file %s", path)
		}
	}
	return strings.Join(places, ", "), terminal, nil
}

// tmux loads a buffer. With -w, which tmux has since 3.2, it passes the text on
// to the terminal.
func (d *Desktop) tmux(ctx context.Context, text string) (buffer, forwarded bool) {
	program, ok := d.find("tmux")
	if !ok {
		return false, false
	}
	ctx, cancel := context.WithTimeout(ctx, clipboardWait)
	defer cancel()
	load := func(args ...string) bool {
		cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // found on the person's own PATH
		cmd.Env = d.environ
		cmd.Stdin = strings.NewReader(text)
		cmd.WaitDelay = time.Second
		return cmd.Run() == nil
	}
	if load("load-buffer", "-w", "-") {
		return true, true
	}
	return load("load-buffer", "-"), false
}

// writeCopy keeps a text that is too large to be sent, for its owner only. Only
// the newest one is kept.
func (d *Desktop) writeCopy(text string) (string, error) {
	path := filepath.Join(d.o.State, "copied.txt")
	refused := func(err error) error {
		return failure(api.CodeDisk, err, "the text is too large for the terminal and could not be written to %s", path)
	}
	if err := os.MkdirAll(d.o.State, 0o700); err != nil {
		return "", refused(err)
	}
	f, err := os.CreateTemp(d.o.State, "copied-*.tmp") // 0600
	if err != nil {
		return "", refused(err)
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", refused(err)
	}
	return path, nil
}

// systemClipboard asks the library, whose programs cannot be stopped: it goes
// on behind who gave up waiting.
func systemClipboard(ctx context.Context, text string) error {
	if clipboard.Unsupported {
		return errors.New("no program for the clipboard")
	}
	done := make(chan error, 2)
	safe.Go(nil, "clipboard", func() { done <- clipboard.WriteAll(text) }, func(err error) { done <- err })
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("write to the clipboard: %w", err)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Ways says how [Desktop.Copy] reaches a clipboard here, best first.
func (d *Desktop) Ways() []string {
	var ways []string
	if !d.Remote() && !clipboard.Unsupported {
		ways = append(ways, "this machine's clipboard")
	}
	if d.get("TMUX") != "" {
		if _, ok := d.find("tmux"); ok {
			ways = append(ways, "tmux")
		}
	}
	return append(ways, "the terminal (OSC 52, if it allows that)")
}

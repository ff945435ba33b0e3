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

	"github.com/atotto/clipboard"

	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/service/api"
)

// MaxTerminalText is the largest text in bytes that is sent to a terminal. Some silently take only 100,000 bytes of a
// sequence, which are 74,994 of text.
const MaxTerminalText = 70_000

// maxMoshText is that of mosh 1.4, which cuts a sequence after 16 KiB, which are 12,282 bytes of text.
const maxMoshText = 12_000

func (d *Desktop) maxTerminalCopy() int {
	if d.o.IsMosh {
		return maxMoshText
	}
	return MaxTerminalText
}

// clipboardWait bounds calls of the local clipboard and of tmux, which may hang.
const clipboardWait = 2 * time.Second

// Copy copies text to the clipboard, over SSH never to that of this machine. isTerminal tells the caller to send it
// to the terminal by OSC 52, which nobody can confirm. A text too large for that goes to a file.
func (d *Desktop) Copy(ctx context.Context, text string) (where string, isTerminal bool, err error) {
	var places []string
	local := false
	if !d.IsRemote() {
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
	fits := len(text) <= d.maxTerminalCopy()
	var tmux tmuxCopy
	if d.get("TMUX") != "" {
		tmux = d.tmux(ctx, text, fits)
	}
	isTerminal = fits && !tmux.blocks && (!tmux.isForwarded || tmux.passesThrough)
	if fits && (tmux.isForwarded || !local && !tmux.blocks) {
		places = append(places, "sent to your terminal's clipboard")
	}
	if !fits && !local {
		path, err := d.writeCopy(text)
		if err != nil {
			return "", false, err
		}
		places = append(places, "in the file "+d.shortenPath(path)+": too large for the terminal")
	}
	if tmux.isBuffered {
		places = append(places, "in tmux (prefix ] pastes it)")
	}
	if tmux.isBuffered && tmux.blocks && fits && !local {
		places = append(places, "which passes nothing on: its set-clipboard is off")
	}
	return strings.Join(places, ", "), isTerminal, nil
}

// tmuxCopy is the result of a copy to tmux.
type tmuxCopy struct {
	isBuffered    bool // the text is in a buffer of tmux
	isForwarded   bool // tmux itself sent the text to the terminal
	passesThrough bool // tmux passes wrapped escape sequences on to the terminal
	blocks        bool // tmux passes nothing on
}

// tmux loads a buffer. With -w, since 3.2, it forwards the text to the terminal unless set-clipboard is off. xterm
// takes that for the selection; a wrapped sequence names the clipboard.
func (d *Desktop) tmux(ctx context.Context, text string, passes bool) (result tmuxCopy) {
	program, ok := d.findProgram("tmux")
	if !ok {
		return result
	}
	ctx, cancel := context.WithTimeout(ctx, clipboardWait)
	defer cancel()
	run := func(in string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // found on the person's own PATH
		cmd.Env = d.environ
		cmd.Stdin = strings.NewReader(in)
		cmd.WaitDelay = time.Second
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	// Before 3.3 there is no allow-passthrough, and all that is wrapped passes.
	set, err := run("", "show", "-sv", "set-clipboard", ";", "show", "-Aqv", "allow-passthrough")
	set, wrapped, _ := strings.Cut(set, "\n")
	result.passesThrough = err == nil && wrapped != "" && wrapped != "off"
	result.blocks = err == nil && set == "off" && wrapped == "off"
	if passes && err == nil && set != "off" {
		if _, err := run(text, "load-buffer", "-w", "-"); err == nil {
			result.isBuffered, result.isForwarded = true, true
			return result
		}
	}
	_, err = run(text, "load-buffer", "-")
	result.isBuffered = err == nil
	result.blocks = result.blocks && result.isBuffered
	return result
}

// writeCopy writes a text that is too large to be sent to a private file, over the one before.
func (d *Desktop) writeCopy(text string) (string, error) {
	path := filepath.Join(d.o.State, "copied.txt")
	err := os.MkdirAll(d.o.State, 0o700)
	if err == nil {
		err = fileio.Write(path, []byte(text), 0o600)
	}
	if err != nil {
		return "", failure(api.CodeDisk, err, "the text is too large for the terminal and could not be written to %s",
			path)
	}
	return path, nil
}

// shortenPath replaces the home folder by ~, because a narrow screen has to show the whole path.
func (d *Desktop) shortenPath(path string) string {
	if home := d.get("HOME"); home != "" && d.o.System != "windows" {
		if rest, ok := strings.CutPrefix(path, filepath.Clean(home)+string(filepath.Separator)); ok {
			return "~/" + rest
		}
	}
	return path
}

// systemClipboard calls the library, whose programs cannot be stopped and may outlive ctx.
func systemClipboard(ctx context.Context, text string) error {
	if clipboard.Unsupported {
		return errors.New("no program for the clipboard")
	}
	done := make(chan error, 2)
	safego.Go(nil, "clipboard", func() { done <- clipboard.WriteAll(text) }, func(err error) { done <- err })
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

// CopyMethods returns the ways of [Desktop.Copy] for people, best first.
func (d *Desktop) CopyMethods() []string {
	var ways []string
	if !d.IsRemote() && !clipboard.Unsupported {
		ways = append(ways, "this machine's clipboard")
	}
	if d.get("TMUX") != "" {
		if _, ok := d.findProgram("tmux"); ok {
			ways = append(ways, "tmux's buffer")
		}
	}
	return append(ways, fmt.Sprintf("your terminal's clipboard (OSC 52, which it may refuse without a word; up to "+
		"%d KB, and what is larger to a file)", d.maxTerminalCopy()/1000))
}

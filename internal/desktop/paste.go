package desktop

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"io"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/atotto/clipboard"

	"confab/internal/safego"
	"confab/service/api"
)

// maxPastedPicture bounds a picture from the clipboard, and pasteWait the time that programs have for it.
const (
	maxPastedPicture = 64 << 20
	pasteWait        = 5 * time.Second
)

// Paste returns the text of the local clipboard, or the picture if there is no text. Over SSH the clipboard is on
// another machine.
func (d *Desktop) Paste(ctx context.Context) (text string, picture []byte, err error) {
	if d.IsRemote() {
		return "", nil, failure(api.CodeUsage, nil, "over SSH the clipboard is on your own machine: paste text "+
			"with your terminal, attach files with @")
	}
	ctx, cancel := context.WithTimeout(ctx, pasteWait)
	defer cancel()
	text, err = d.o.ReadClipboard(ctx)
	// Without a text, xclip hands out the bytes of a picture.
	if err == nil && text != "" && utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
		return text, nil, nil
	}
	argv, decode := d.pictureReader()
	switch {
	case argv == nil && d.o.System == "linux" && d.get("DISPLAY")+d.get("WAYLAND_DISPLAY") == "":
		return "", nil, failure(api.CodeConfig, err, "there is no clipboard without a desktop; paste text with your "+
			"terminal's key")
	case argv == nil:
		return "", nil, failure(api.CodeConfig, err, "there is no program that reads pictures of the clipboard; "+
			"install wl-clipboard or xclip")
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // found on the person's own PATH
	cmd.Env, cmd.WaitDelay = d.environ, time.Second
	out := limitedBuffer{limit: 2*maxPastedPicture + 1024}
	cmd.Stdout = &out
	if cmd.Run() == nil && !out.isOver {
		picture = decode(out.Bytes())
	}
	if len(picture) == 0 {
		return "", nil, failure(api.CodeUsage, nil, "the clipboard holds neither text nor a picture")
	}
	return "", picture, nil
}

// limitedBuffer keeps the beginning of what is written to it.
type limitedBuffer struct {
	bytes.Buffer
	limit  int
	isOver bool
}

// Write implements [io.Writer].
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.isOver = b.isOver || b.Len()+len(p) > b.limit; b.isOver {
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}

// pictureReader returns a command that prints the PNG picture of the clipboard, and a function that decodes what it
// prints; nil where no program is known.
func (d *Desktop) pictureReader() (argv []string, decode func([]byte) []byte) {
	same := func(b []byte) []byte { return b }
	find := func(name string, args ...string) []string {
		path, ok := d.findProgram(name)
		if !ok {
			return nil
		}
		return append([]string{path}, args...)
	}
	switch d.o.System {
	case "darwin":
		return find("osascript", "-e", "get the clipboard as \u00abclass PNGf\u00bb"), fromAppleScript
	case "windows":
		return find("powershell", "-NoProfile", "-STA", "-Command", windowsPicture), fromBase64
	}
	if d.get("WAYLAND_DISPLAY") != "" {
		if argv = find("wl-paste", "--no-newline", "--type", "image/png"); argv != nil {
			return argv, same
		}
	}
	if d.get("DISPLAY") == "" {
		return nil, nil
	}
	return find("xclip", "-selection", "clipboard", "-target", "image/png", "-out"), same
}

// windowsPicture prints the picture of the clipboard as base64.
const windowsPicture = `Add-Type -AssemblyName System.Windows.Forms, System.Drawing;
$i = [System.Windows.Forms.Clipboard]::GetImage(); if ($i) { $m = New-Object System.IO.MemoryStream;
$i.Save($m, [System.Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray()) }`

func fromBase64(b []byte) []byte {
	picture, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(b)))
	if err != nil {
		return nil
	}
	return picture
}

// fromAppleScript decodes the hexadecimal digits of «data PNGf…».
func fromAppleScript(b []byte) []byte {
	_, digits, ok := strings.Cut(strings.TrimSpace(string(b)), "PNGf")
	picture, err := hex.DecodeString(strings.TrimSuffix(digits, "\u00bb"))
	if !ok || err != nil {
		return nil
	}
	return picture
}

// readSystemClipboard calls the library, whose programs cannot be stopped and may outlive ctx.
func readSystemClipboard(ctx context.Context) (string, error) {
	type outcome struct {
		text string
		err  error
	}
	done := make(chan outcome, 2)
	safego.Go(nil, "clipboard", func() {
		text, err := clipboard.ReadAll()
		done <- outcome{text, err}
	}, func(err error) { done <- outcome{err: err} })
	select {
	case o := <-done:
		return o.text, o.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

package desktop_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"confab/internal/desktop"
)

func TestPaste(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs are scripts here")
	}
	bin := t.TempDir()
	for name, script := range map[string]string{"xclip": `test "$4" = image/png && printf PNG`,
		"wl-paste": `printf WAYLAND`, "osascript": `printf '«data PNGf504E47»\n'`, "powershell": `echo UE5H`} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		system, text, environ, path string
		want, problem               string
	}{
		"text":           {"linux", "words", "DISPLAY=:1", bin, "words", ""},
		"no text":        {"linux", "\x89PNG\x00", "DISPLAY=:1", bin, "PNG", ""},
		"X11":            {"linux", "", "DISPLAY=:1", bin, "PNG", ""},
		"Wayland":        {"linux", "", "WAYLAND_DISPLAY=w", bin, "WAYLAND", ""},
		"macOS":          {"darwin", "", "", bin, "PNG", ""},
		"Windows":        {"windows", "", "", bin, "PNG", ""},
		"no desktop":     {"linux", "", "", bin, "", "no clipboard without a desktop"},
		"no program":     {"linux", "", "DISPLAY=:1", t.TempDir(), "", "no program"},
		"another system": {"linux", "words", "SSH_CONNECTION=a b", bin, "", "on your own machine"},
	} {
		t.Run(name, func(t *testing.T) {
			d := desktop.New(desktop.Options{System: tt.system, Environ: []string{tt.environ, "PATH=" + tt.path},
				ReadClipboard: func(context.Context) (string, error) {
					if tt.text == "" {
						return "", errors.New("no text")
					}
					return tt.text, nil
				}})
			text, picture, err := d.Paste(t.Context())
			if got := text + string(picture); got != tt.want || (err != nil) != (tt.problem != "") ||
				err != nil && !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("got %q and %v, want %q", got, err, tt.want)
			}
		})
	}
}

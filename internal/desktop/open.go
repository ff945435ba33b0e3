package desktop

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/format"
	"confab/internal/safego"
	"confab/service/api"
)

// openWait is how long a program has to fail; later it is showing its file.
const openWait = 700 * time.Millisecond

// Open shows a file or an http link with the desktop's program. Over SSH, or without a desktop, hint tells what to
// do.
func (d *Desktop) Open(ctx context.Context, target string) (hint string, err error) {
	link := isLink(target)
	if !link {
		if target, err = filepath.Abs(target); err != nil {
			return "", failure(api.CodeUsage, err, "the path of the file cannot be made out")
		}
	}
	switch {
	case d.IsRemote() && link:
		return "open it on your own machine: " + target, nil
	case d.IsRemote():
		line, _ := d.Fetch(target)
		return "fetch it: " + line, nil
	}
	argv, ok := d.opener(target)
	if !ok {
		return "there is no desktop to open it on: " + target, nil
	}
	// A program on the user's PATH, which may outlive ctx.
	cmd := exec.Command(argv[0], argv[1:]...) //nolint:gosec
	cmd.Env = d.environ
	if err := cmd.Start(); err != nil {
		return "", failure(api.CodeConfig, err, "%s could not be started", filepath.Base(argv[0]))
	}
	ended := make(chan error, 2)
	safego.Go(nil, "open", func() { ended <- cmd.Wait() }, func(err error) { ended <- err })
	t := time.NewTimer(openWait)
	defer t.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return "", failure(api.CodeConfig, err, "%s could not open %s", filepath.Base(argv[0]), target)
		}
	case <-t.C:
	case <-ctx.Done():
	}
	return "opened with " + filepath.Base(argv[0]), nil
}

func isLink(target string) bool {
	u, err := url.Parse(target)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// opener returns the command that shows target; ok is false without a desktop.
func (d *Desktop) opener(target string) (argv []string, ok bool) {
	switch d.o.System {
	case "darwin":
		path, ok := d.findProgram("open")
		return []string{path, target}, ok
	case "windows":
		path, ok := d.findProgram("rundll32")
		return []string{path, "url.dll,FileProtocolHandler", target}, ok
	}
	if path, ok := d.findProgram("termux-open", "wslview"); ok {
		return []string{path, target}, true
	}
	if d.get("DISPLAY") == "" && d.get("WAYLAND_DISPLAY") == "" {
		return nil, false
	}
	if path, ok := d.findProgram("xdg-open"); ok {
		return []string{path, target}, true
	}
	path, ok := d.findProgram("gio")
	return []string{path, "open", target}, ok
}

// Fetch returns a shell line that copies files to the user's machine; ok is false if that is this one.
func (d *Desktop) Fetch(paths ...string) (line string, ok bool) {
	if !d.IsRemote() || len(paths) == 0 {
		return "", false
	}
	host, port := "HOST", ""
	if f := strings.Fields(d.get("SSH_CONNECTION")); len(f) == 4 && net.ParseIP(f[2]) != nil {
		host = f[2]
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if f[3] != "22" {
			port = "-P " + f[3] + " "
		}
	}
	if user := cmp.Or(d.get("USER"), d.get("LOGNAME")); user != "" {
		host = user + "@" + host
	}
	words := make([]string, len(paths))
	for i, path := range paths {
		words[i] = format.ShellWord(host + ":" + path)
	}
	return "scp " + port + strings.Join(words, " ") + " .", true
}

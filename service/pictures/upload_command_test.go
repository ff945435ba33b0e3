package pictures_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"confab/internal/redact"
	"confab/service/api"
	"confab/service/pictures"
)

const sentinel = "sk-sentinel-0123456789abcdef"

// runsAsUploadCommand makes this program the upload command of its own tests. It reports whether it did.
func runsAsUploadCommand() bool {
	if len(os.Args) == 4 && os.Args[1] == "withdraw" {
		f, err := os.OpenFile(filepath.Join(os.Args[2], "gone"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		if _, err := f.WriteString(os.Args[3] + "\n"); err != nil {
			panic(err)
		}
		return true
	}
	switch os.Getenv("CONFAB_TEST_UPLOAD") {
	case "":
		return false
	case "ok":
		b, err := os.ReadFile(os.Args[len(os.Args)-1])
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString("uploading…\nhttps://up.example/" + string(b) + "?args=" +
			strings.Join(os.Args[1:len(os.Args)-1], "+") + "\n\n")
	case "environ":
		os.Stdout.WriteString("https://up.example/?" + strings.Join(os.Environ(), "&"))
	case "fail":
		os.Stderr.WriteString("first\nno room for " + sentinel + "\n")
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour) // until killed; without C, "select {}" is reported as a deadlock
	case "flood":
		os.Stdout.WriteString(strings.Repeat("x", 1<<20) + "\nhttps://up.example/flood\n")
	case "tree":
		child := exec.Command(os.Args[0], os.Args[1:]...)
		child.Env = []string{"CONFAB_TEST_UPLOAD=connect"}
		if err := child.Run(); err != nil {
			panic(err)
		}
	case "connect":
		conn, err := net.Dial("tcp", os.Args[1])
		if err != nil {
			panic(err)
		}
		_, _ = io.Copy(io.Discard, conn)
	case "leaves":
		child := exec.Command(os.Args[0], os.Args[1:]...)
		child.Env, child.Stdout = []string{"CONFAB_TEST_UPLOAD=connect"}, os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		os.Stdout.WriteString("https://up.example/left\n")
	case "late":
		os.Stdout.WriteString("https://up.example/late\n")
		if conn, err := net.Dial("tcp", os.Args[1]); err == nil {
			_, _ = io.Copy(io.Discard, conn)
		}
	case "no url":
		os.Stdout.WriteString("file:///etc/passwd\n")
	}
	return true
}

func pictureFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b;$(x).png")
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// command returns an upload command that runs this program, with options that change may set.
func command(t *testing.T, change func(*pictures.UploadCommandOptions), mode string,
	args ...string) *pictures.UploadCommand {
	t.Helper()
	o := pictures.UploadCommandOptions{
		Args: append([]string{os.Args[0]}, args...), Timeout: 20 * time.Second,
		Environ: []string{"CONFAB_TEST_UPLOAD=" + mode, "CONFAB_API_KEY=" + sentinel, "OTHER=x" + sentinel,
			"PLAIN=yes"},
		Mask: redact.NewMasker(sentinel),
	}
	if change != nil {
		change(&o)
	}
	c, err := pictures.NewUploadCommand(o)
	must(t, err)
	return c
}

func TestCommand(t *testing.T) {
	path := pictureFile(t, "content")
	u, release, err := command(t, nil, "ok", "-x", "a b").Publish(t.Context(), path)
	if err != nil || u != "https://up.example/content?args=-x+a b" {
		t.Fatalf("got %q, %v", u, err)
	}
	release()
	if u, _, err := command(t, nil, "ok", "-x", "{file}").Publish(t.Context(), path); err != nil ||
		u != "https://up.example/content?args=-x" {
		t.Errorf("with a placeholder: got %q, %v", u, err)
	}
	if u, _, err := command(t, nil, "flood").Publish(t.Context(), path); err != nil || u != "https://up.example/flood" {
		t.Errorf("after much output: got %q, %v", u, err)
	}
	u, _, err = command(t, nil, "environ").Publish(t.Context(), path)
	if err != nil || !strings.Contains(u, "PLAIN=yes") || strings.Contains(u, sentinel) ||
		strings.Contains(u, "OTHER") || strings.Contains(u, "CONFAB_API_KEY") {
		t.Errorf("the program saw %q (%v)", u, err)
	}
	if plan := command(t, nil, "ok").Plan(path); !strings.Contains(plan, filepath.Base(path)) ||
		!strings.Contains(plan, filepath.Base(os.Args[0])) {
		t.Errorf("plan %q", plan)
	}
}

func TestCommandThatFails(t *testing.T) {
	path := pictureFile(t, "content")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	quick := command(t, func(o *pictures.UploadCommandOptions) { o.Timeout = 50 * time.Millisecond }, "hang")
	missing := command(t, func(o *pictures.UploadCommandOptions) { o.Args = []string{"/nowhere/at-all"} }, "")
	for name, tt := range map[string]struct {
		ctx  context.Context
		c    *pictures.UploadCommand
		code api.Code
		says string
	}{
		"status":    {t.Context(), command(t, nil, "fail"), api.CodeImageUnreachable, "status 3 and said: no room"},
		"no url":    {t.Context(), command(t, nil, "no url"), api.CodeImageUnreachable, "no http"},
		"time-out":  {t.Context(), quick, api.CodeTimeout, "longer than 50ms"},
		"cancelled": {over, command(t, nil, "hang"), api.CodeCancelled, "cancelled"},
		"missing":   {t.Context(), missing, api.CodeConfig, "at-all"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := tt.c.Publish(tt.ctx, path)
			if api.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) ||
				strings.Contains(err.Error(), sentinel) {
				t.Errorf("got %v, want %s with %q", err, tt.code, tt.says)
			}
		})
	}
	if _, err := pictures.NewUploadCommand(pictures.UploadCommandOptions{}); api.CodeOf(err) != api.CodeConfig {
		t.Errorf("without a program: %v", err)
	}
}

// listenForPrograms listens for connections of a test's programs.
func listenForPrograms(t *testing.T) (net.Listener, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return l, l.Addr().String()
}

// Cancelling a command kills its children.
func TestCommandEndsWithAllItStarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process groups there")
	}
	l, address := listenForPrograms(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	ended := make(chan error, 1)
	path := pictureFile(t, "content")
	c := command(t, nil, "tree", address, "{file}")
	go func() {
		_, _, err := c.Publish(ctx, path)
		ended <- err
	}()
	grandchild, err := l.Accept()
	must(t, err)
	defer grandchild.Close()
	cancel(stopped)
	if err := <-ended; api.CodeOf(err) != api.CodeCancelled || !errors.Is(err, stopped) {
		t.Errorf("got %v", err)
	}
	if n, err := grandchild.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("it goes on: %d, %v", n, err)
	}
}

// A successful command may leave a child running, such as a tunnel.
func TestCommandThatLeavesSomethingRunning(t *testing.T) {
	l, address := listenForPrograms(t)
	c := command(t, func(o *pictures.UploadCommandOptions) { o.OutputWait = 20 * time.Millisecond }, "leaves", address,
		"{file}")
	u, _, err := c.Publish(t.Context(), pictureFile(t, "content"))
	if err != nil || u != "https://up.example/left" {
		t.Errorf("got %q, %v", u, err)
	}
	left, err := l.Accept()
	must(t, err)
	left.Close() // this ends it
}

// Releasing withdraws the picture once, and so does cancelling a command after it printed the address.
func TestCommandTakesThePictureBack(t *testing.T) {
	dir := t.TempDir()
	withdrawing := func(mode string, args ...string) *pictures.UploadCommand {
		return command(t, func(o *pictures.UploadCommandOptions) {
			o.Withdraw = []string{os.Args[0], "withdraw", dir, "{url}"}
		}, mode, args...)
	}
	gone := func() string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, "gone"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(b)
	}
	path := pictureFile(t, "content")
	ctx, cancel := context.WithCancel(t.Context())
	u, release, err := withdrawing("ok").Publish(ctx, path)
	if err != nil || gone() != "" {
		t.Fatalf("got %q, %v; gone: %q", u, err, gone())
	}
	cancel()
	release()
	release()
	if gone() != u+"\n" {
		t.Errorf("gone: %q, want %q once", gone(), u)
	}
	if plan := withdrawing("ok").Plan(path); !strings.Contains(plan, "right after the request") {
		t.Errorf("plan %q", plan)
	}

	l, address := listenForPrograms(t)
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		if conn, err := l.Accept(); err == nil {
			defer conn.Close()
			cancel()
		}
	}()
	if _, _, err := withdrawing("late", address, "{file}").Publish(ctx, path); api.CodeOf(err) != api.CodeCancelled {
		t.Errorf("got %v", err)
	}
	if !strings.HasSuffix(gone(), "https://up.example/late\n") {
		t.Errorf("gone: %q", gone())
	}
}

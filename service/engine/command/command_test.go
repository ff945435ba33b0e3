//go:build unix

package command_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"confab/internal/chat"
	"confab/internal/redact"
	"confab/service/engine"
	"confab/service/engine/command"
	"confab/service/engine/enginetest"
	"confab/service/engine/openai/stub"
)

// TestMain is the program when it runs as one.
func TestMain(m *testing.M) {
	if os.Getenv("ENGINE_KIND") == "" {
		os.Exit(m.Run())
	}
	os.Exit(program())
}

func program() int {
	prompt := make([]byte, 1<<20)
	n, _ := os.Stdin.Read(prompt)
	model := os.Getenv("ENGINE_MODEL")
	switch model {
	case "fails":
		fmt.Fprintln(os.Stderr, "no memory for key sk-secret-0123456789")
		return 3
	case "unmet":
		fmt.Fprintln(os.Stderr, "first line\nI can only turn pictures\x1b[31m.")
		return 65
	case "floods":
		for {
			if _, err := fmt.Print(strings.Repeat("x", 1<<16)); err != nil {
				return 1
			}
		}
	case "waits":
		signal.Ignore(syscall.SIGTERM)
		child, _ := os.StartProcess("/bin/sleep", []string{"sleep", "1000"},
			&os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
		_ = os.WriteFile(os.Getenv("ENGINE_SYSTEM"), []byte(strconv.Itoa(child.Pid)), 0o600)
		time.Sleep(time.Hour) // until killed; without C, "select {}" is reported as a deadlock
	case "marked": // as editors on Windows write
		fmt.Print("\xef\xbb\xbfYes.\r\n")
		return 0
	case "thinks":
		fmt.Print("<think>\nHm.</think>\n\nYes.\n")
		return 0
	case "thinks without a tag":
		fmt.Print("Hm.</think>Yes.")
		return 0
	case "in parts": // continues when its output was received
		fmt.Print("first ")
		for {
			if _, err := os.Stat(os.Getenv("ENGINE_SYSTEM")); err == nil {
				break
			}
			runtime.Gosched()
		}
		for _, b := range []byte("für 3 €\r\n\n und 🌊.\r\n") {
			os.Stdout.Write([]byte{b})
		}
		return 0
	case "breaks off":
		fmt.Print("half \xff of it")
		return 1
	case "binary":
		fmt.Print("\xff\xfe")
		return 0
	}
	switch os.Getenv("ENGINE_KIND") {
	case "text":
		fmt.Printf("%s|%s|%s|%s|%s|%s\n", os.Args[1], prompt[:n], os.Getenv("ENGINE_SYSTEM"),
			os.Getenv("ENGINE_PARAMS"), os.Getenv("ENGINE_MESSAGES"), os.Getenv("CONFAB_API_KEY"))
	case "image":
		w, _ := strconv.Atoi(os.Getenv("ENGINE_WIDTH"))
		h, _ := strconv.Atoi(os.Getenv("ENGINE_HEIGHT"))
		if model == "square" {
			w, h = 800, 800
		}
		os.Stdout.Write(stub.Picture(w/8, h/8, uint32(len(model))))
	case "edit":
		b, err := os.ReadFile(os.Getenv("ENGINE_SOURCE"))
		if err != nil {
			return 1
		}
		os.Stdout.Write(stub.Picture(9, 9, uint32(len(b))))
	}
	return 0
}

func newEngine(t *testing.T, kinds ...engine.ModelKind) *command.Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := command.New(command.Options{Name: "own", Args: []string{self, "model={model}"}, Kinds: kinds,
		TakesMessages: true, Environ: []string{"PATH=" + os.Getenv("PATH")},
		Mask: redact.NewMasker("sk-secret-0123456789").String})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConformance(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) engine.Engine {
		return newEngine(t, engine.KindText, engine.KindImage, engine.KindEdit)
	}, enginetest.Traits{Text: []string{"one", "three"}, Image: []string{"any", "square"}, Edit: []string{"edit"}})
}

func TestWhatTheProgramGets(t *testing.T) {
	t.Setenv("CONFAB_API_KEY", "sk-secret-0123456789")
	got, err := newEngine(t, engine.KindText).Text(t.Context(),
		engine.TextRequest{Model: "m; rm -rf /", Prompt: "p $(x)", System: "s", Params: engine.Params{"a": 1}})
	if err != nil || got.Text != `model=m; rm -rf /|p $(x)|s|{"a":1}|[]|` || got.Engine != "own" {
		t.Errorf("got %q, %v", got.Text, err)
	}
}

func TestMessagesAreInTheEnvironment(t *testing.T) {
	e := newEngine(t, engine.KindText)
	got, err := e.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p", Messages: []chat.Message{
		{Role: chat.RoleUser, Content: "a\x00\"b"}, {Role: chat.RoleAssistant, Content: "c"}}})
	const want = `model=m|p||{}|[{"role":"user","content":"a\u0000\"b"},{"role":"assistant","content":"c"}]|`
	if err != nil || got.Text != want {
		t.Errorf("got %q, %v", got.Text, err)
	}
	long := strings.Repeat("x", 200<<10)
	for name, r := range map[string]engine.TextRequest{
		"conversation":       {Messages: []chat.Message{{Role: chat.RoleUser, Content: long}}},
		"system prompt":      {System: long},
		"list of parameters": {Params: engine.Params{"a": long}},
	} {
		r.Model, r.Prompt = "m", "p"
		_, err := e.Text(t.Context(), r)
		var refused *engine.Error
		if !errors.As(err, &refused) || refused.Status != 413 || !strings.Contains(refused.Message, name) {
			t.Errorf("a long %s: %v", name, err)
		}
	}
}

// TestOutputIsEmittedAsItIsWritten runs a program that waits until its first word was emitted, and then writes byte
// by byte.
func TestOutputIsEmittedAsItIsWritten(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "taken")
	var parts []string
	emit := func(p engine.Part) {
		if parts = append(parts, p.Text); len(parts) == 1 {
			if err := os.WriteFile(taken, nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	got, err := newEngine(t, engine.KindText).Text(t.Context(),
		engine.TextRequest{Model: "in parts", Prompt: "p", System: taken, Emit: emit})
	const want = "first für 3 €\r\n\n und 🌊."
	if err != nil || got.Text != want || strings.Join(parts, "") != want || parts[0] != "first " {
		t.Errorf("got %q in parts %q, %v", got.Text, parts, err)
	}
	for _, p := range parts {
		if !utf8.ValidString(p) {
			t.Errorf("%q is cut in a character", p)
		}
	}
	parts = []string{"", ""} // the file exists
	if _, err := newEngine(t, engine.KindText).Text(t.Context(), engine.TextRequest{Model: "breaks off", Prompt: "p",
		Emit: emit}); err == nil || strings.Contains(strings.Join(parts, ""), "of it") {
		t.Errorf("a program that breaks off in a character: %q, %v", parts, err)
	}
}

func TestProgramsThatFail(t *testing.T) {
	e := newEngine(t, engine.KindText)
	for model, want := range map[string]struct {
		status int
		said   string
	}{
		"fails":  {502, "The engine own ended with status 3."},
		"unmet":  {422, "The engine own cannot do that: I can only turn pictures[31m."},
		"floods": {502, "The engine own printed more than is accepted."},
		"binary": {502, "The engine own printed something that is no text."},
	} {
		_, err := e.Text(t.Context(), engine.TextRequest{Model: model, Prompt: "p"})
		var f *engine.Error
		if !errors.As(err, &f) || f.Status != want.status || f.Message != want.said || f.Err != nil &&
			strings.Contains(f.Err.Error(), "sk-secret") {
			t.Errorf("%s: %v (%v)", model, err, errors.Unwrap(err))
		}
	}
	if _, err := e.Image(t.Context(), engine.ImageRequest{Model: "m", Prompt: "p", Aspect: "1:1"}); err == nil ||
		!strings.Contains(err.Error(), "makes no pictures") {
		t.Errorf("a kind it does not make: %v", err)
	}
	gone, err := command.New(command.Options{Name: "gone", Args: []string{"no-such-program-here"},
		Kinds: []engine.ModelKind{engine.KindText}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"}); err == nil ||
		gone.Check(t.Context()) == nil {
		t.Error("a program that is not there answered")
	}
}

// TestCancellingEndsTheGroup cancels a program that ignores SIGTERM and has a child.
func TestCancellingEndsTheGroup(t *testing.T) {
	note := filepath.Join(t.TempDir(), "child")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := newEngine(t, engine.KindText).Text(ctx, engine.TextRequest{Model: "waits", Prompt: "p", System: note})
		done <- err
	}()
	pid := 0
	eventually(t, func() bool {
		b, _ := os.ReadFile(note)
		pid, _ = strconv.Atoi(string(b))
		return pid > 0
	})
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	eventually(t, func() bool {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil && syscall.Kill(pid, 0) != nil || strings.Contains(string(b), ") Z ")
	})
}

func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !holds() {
		if ctx.Err() != nil {
			t.Fatal("waited in vain")
		}
		runtime.Gosched()
	}
}

// TestReasoningAndMarksAreNoText parses output before the text.
func TestReasoningAndMarksAreNoText(t *testing.T) {
	for _, model := range []string{"marked", "thinks", "thinks without a tag"} {
		for _, streams := range []bool{false, true} {
			r := engine.TextRequest{Model: model, Prompt: "p"}
			whole := ""
			if streams {
				r.Emit = func(p engine.Part) {
					if p.DropsText {
						whole = ""
					}
					whole += p.Text
				}
			}
			got, err := newEngine(t, engine.KindText).Text(t.Context(), r)
			if err != nil || got.Text != "Yes." || (got.Reasoning == "") != (model == "marked") ||
				streams && whole != "Yes." {
				t.Errorf("%s: %q after %q in parts %q, %v", model, got.Text, got.Reasoning, whole, err)
			}
		}
	}
}

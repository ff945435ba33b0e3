package enginetest

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"confab/internal/chat"
	"confab/service/engine"
)

// testStream requests texts in parts.
func testStream(t *testing.T, make func(t *testing.T) engine.Engine, tr Traits) {
	t.Run("parts make the text", func(t *testing.T) {
		e := make(t)
		for _, model := range tr.Text {
			testParts(t, e, model, tr.Repeats)
		}
	})
	t.Run("messages arrive", func(t *testing.T) { testMessages(t, make(t), first(tr.Text)) })
	t.Run("end of the context in the middle", func(t *testing.T) { testStreamEnd(t, make(t), first(tr.Text)) })
	t.Run("no goroutine is left", testGoroutines)
}

// testParts compares the emitted parts with the returned text and with a whole answer.
func testParts(t *testing.T, e engine.Engine, model string, repeats bool) {
	r := engine.TextRequest{Model: model, Prompt: "Explain how a tide works.", System: "You are a patient pilot."}
	whole, err := e.Text(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", model, err)
	}
	var joined engine.Part
	var emitting, ended atomic.Bool
	r.Emit = func(p engine.Part) {
		if !emitting.CompareAndSwap(false, true) || ended.Load() {
			t.Errorf("%s: a part is emitted beside another one, or after the end", model)
		}
		if p == (engine.Part{}) {
			t.Errorf("%s: an empty part is emitted", model)
		}
		joined.Text += p.Text
		joined.Reasoning += p.Reasoning
		emitting.Store(false)
	}
	got, err := e.Text(t.Context(), r)
	ended.Store(true)
	if err != nil {
		t.Fatalf("%s: %v", model, err)
	}
	if joined.Text != got.Text || joined.Reasoning != got.Reasoning {
		t.Errorf("%s: the parts are %+v, want %q after %q", model, joined, got.Text, got.Reasoning)
	}
	if repeats && !reflect.DeepEqual(got, whole) {
		t.Errorf("%s: an answer in parts is %+v, want %+v", model, got, whole)
	}
	if e.Features(model).CountsTokens && (got.Usage.InputTokens == 0 || got.Usage.OutputTokens == 0) {
		t.Errorf("%s: the usage is %+v", model, got.Usage)
	}
}

// testMessages checks that the answer contains a word of an earlier message.
func testMessages(t *testing.T, e engine.Engine, model string) {
	if !e.Features(model).TakesMessages {
		t.Skip("the engine takes no messages")
	}
	got, err := e.Text(t.Context(), engine.TextRequest{Model: model, Prompt: "And at low tide?",
		Messages: []chat.Message{{Role: chat.RoleUser, Content: "Where is Zierikzee?"},
			{Role: chat.RoleAssistant, Content: "In Zeeland."}}})
	if err != nil || !strings.Contains(got.Text, "Zierikzee") {
		t.Errorf("the answer is %q, %v, which the earlier message is not in", got.Text, err)
	}
}

// testStreamEnd cancels the context when the first part is emitted.
func testStreamEnd(t *testing.T, e engine.Engine, model string) {
	why := errors.New("nobody reads any more")
	var took time.Duration
	for range 5 { // a busy machine may be late once
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := endOf(ctx)
		_, err := e.Text(ctx, engine.TextRequest{Model: model, Prompt: "a long answer, please",
			Emit: func(engine.Part) { cancel(why) }})
		if !errors.Is(err, why) {
			cancel(nil)
			t.Fatalf("the error is %v, want the cause of the end", err)
		}
		if took = time.Since(<-ended); took <= within {
			return
		}
	}
	t.Errorf("it took %v to return, want at most %v", took, within)
}

// testGoroutines waits until no goroutine runs code of an engine.
func testGoroutines(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		left := engineGoroutine()
		if left == "" {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("a goroutine is left:\n%s", left)
		}
		runtime.Gosched()
	}
}

// engineGoroutine returns the stack of a goroutine that runs code of an engine outside of tests, or "".
func engineGoroutine() string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		isEngine := strings.Contains(stack, "confab/service/engine/") || strings.Contains(stack, "os/exec.")
		isTest := strings.Contains(stack, "testing.") || strings.Contains(stack, "engine/openai/stub.")
		if isEngine && !isTest {
			return stack
		}
	}
	return ""
}

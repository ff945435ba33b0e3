package javascript_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"confab/internal/javascript"
)

// TestMain makes this program the interpreter of its tests.
func TestMain(m *testing.M) {
	if javascript.IsChild(os.Args[1:]) {
		if err := javascript.Serve(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func run(t *testing.T, body string) (javascript.Result, error) {
	t.Helper()
	return javascript.ThisProgram().Run(t.Context(), javascript.Script{Body: body, Output: "Hi <Ana>\n",
		Context: map[string]any{"vars": map[string]any{"name": "Ana"}}})
}

func TestRun(t *testing.T) {
	for body, want := range map[string]bool{
		"return output.includes(context.vars.name)":                true,
		"return output.length > 100":                               false,
		"const x = /ana/i.exec(output)?.[0] ?? ''; return !!x":     true,
		"return Promise.resolve(true)":                             true,
		"return (async () => { await null; return false })()":      false,
		"console.log(output); return output.at(-1) === '\\n'":      true,
		"return {pass: true, score: 0.5, reason: 'half'}":          true,
		"return new Set([1, 1]).size === 1 && 2n ** 64n > 1n":      true,
		"Object.prototype.then = undefined; return true":           true,
		"JSON.stringify = () => '{\"passed\":true}'; return false": false,
	} {
		r, err := run(t, body)
		if err != nil || r.Passed == nil || *r.Passed != want {
			t.Errorf("%s: got %+v, %v", body, r, err)
		}
	}
	if r, err := run(t, "return output.length / 2"); err != nil || r.Score == nil || *r.Score != 4.5 {
		t.Errorf("a number: got %+v, %v", r, err)
	}
}

func TestScriptsThatReturnNoVerdict(t *testing.T) {
	for body, want := range map[string]string{
		"return (":                 "unexpected",
		"return x.y":               "x' is not defined",
		"return 'true'":            "it returned a value of the type string",
		"return null":              "it returned null",
		"":                         "it returned a value of the type undefined",
		"throw new Error('no')":    "no",
		"throw 'a text'":           "a text",
		"return {pass: true}":      "it returned a value of the type object",
		"return import('fs')":      "fs",
		"return std.open('a','r')": "std' is not defined",
	} {
		r, err := run(t, body)
		if err != nil || r.Passed != nil || r.Score != nil || !strings.Contains(r.Failure, want) {
			t.Errorf("%s: got %+v, %v, want %s", body, r, err, want)
		}
	}
	for body, want := range map[string]string{
		"return process.env.HOME":                      "process",
		"return require('fs')":                         "require",
		"return context.provider.id":                   "context.provider",
		"try { return fetch('a') } catch { return 1 }": "fetch",
	} {
		if r, err := run(t, body); err != nil || r.Unsupported != want || r.Passed != nil {
			t.Errorf("%s: got %+v, %v, want %s", body, r, err, want)
		}
	}
}

// TestScriptsAreBounded runs scripts that need too much time or memory. The last two ask built-in functions for what
// the engine cannot stop.
func TestScriptsAreBounded(t *testing.T) {
	for _, body := range []string{
		"for (;;);", "let s = 'x'; for (const a = [];;) a.push(s += 'x')", "return 'x'.repeat(2 ** 29)",
		"return /^(a+)+$/.test('a'.repeat(50) + 'b')", "return (async () => { for (;;) await null })()",
		"return new Array(4294967295).join('x')",
		"return 'x'.repeat(1e6).replaceAll('x', 'y'.repeat(1e6))",
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			if r, err := run(t, body); !errors.Is(err, javascript.ErrLimit) {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
	if _, err := javascript.Interpreter(nil).Run(t.Context(), javascript.Script{}); err == nil {
		t.Error("a script ran without an interpreter")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := javascript.ThisProgram().Run(ctx, javascript.Script{Body: "return true"})
	if !errors.Is(err, javascript.ErrLimit) {
		t.Errorf("after the end: %v", err)
	}
}

// TestScriptsHaveNoEnvironment checks that the process of a script was given none.
func TestScriptsHaveNoEnvironment(t *testing.T) {
	t.Setenv("CONFAB_API_KEY", "secret")
	r, err := run(t, "return Object.getOwnPropertyNames(globalThis).includes('std') || typeof os !== 'undefined'")
	if err != nil || r.Passed == nil || *r.Passed || os.Getenv("CONFAB_API_KEY") == "" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func FuzzRun(f *testing.F) {
	f.Add("return output.includes('a')", "a")
	f.Add("let a = [output]; for (;;) a = [a, a]", "a")
	f.Add("return Array.from({length: 1e9})", "")
	f.Fuzz(func(t *testing.T, body, output string) {
		began := time.Now()
		_, err := javascript.ThisProgram().Run(t.Context(), javascript.Script{Body: body, Output: output})
		if d := time.Since(began); d > 10*time.Second || err != nil && !errors.Is(err, javascript.ErrLimit) {
			t.Fatalf("%s: %v", d, err)
		}
	})
}

//go:build !windows

package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"confab/internal/termtexttest"
	"confab/internal/testserver"
)

// sequence finds what begins with ESC in the output.
var sequence = regexp.MustCompile(
	`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])`,
)

// unfinished is a sequence of which the rest has not been read yet.
var unfinished = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$`)

// sequenceKind returns what a sequence does without its parameters, such as colors and positions.
func sequenceKind(s string) string {
	switch {
	case strings.HasPrefix(s, "\x1b[?"), strings.HasPrefix(s, "\x1b[>"), strings.HasPrefix(s, "\x1b[<"),
		strings.HasPrefix(s, "\x1b[="):
		return s // modes: which one matters
	case strings.HasPrefix(s, "\x1b]8;"):
		if i := strings.IndexByte(s[4:], ';'); i >= 0 {
			target, _, _ := strings.Cut(s[4+i+1:], ":")
			return "OSC 8 " + strings.Trim(target, "\x07\x1b\\")
		}
		return s
	case strings.HasPrefix(s, "\x1b]"):
		number, _, _ := strings.Cut(s[2:], ";")
		return "OSC " + number
	case strings.HasPrefix(s, "\x1b["):
		final := s[len(s)-1:]
		if final == "m" &&
			slices.ContainsFunc([]string{"5", "6", "8"}, func(p string) bool { return s == "\x1b["+p+"m" }) {
			return "SGR " + s[2:]
		}
		return "CSI " + strings.Trim(s[2:len(s)-1], "0123456789;:") + final
	}
	return s
}

// sequenceKinds returns the kinds of escape sequences in an output, and every character that is neither text nor part
// of a sequence.
func sequenceKinds(output string) (map[string]bool, []string) {
	all := map[string]bool{}
	output = unfinished.ReplaceAllString(output, "")
	text := sequence.ReplaceAllStringFunc(output, func(s string) string { all[sequenceKind(s)] = true; return "" })
	var wrong []string
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\r', r == '\n', r == '\t', r == '\b', r == '\u200b':
		case r == utf8.RuneError && size == 1, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs),
			r == 0x2028,
			r == 0x2029:
			wrong = append(wrong, fmt.Sprintf("U+%04X after %q", r, text[max(i-30, 0):i]))
		}
	}
	return all, wrong
}

// usualSequences returns the kinds of sequences of a run without hostile text. It is the allowlist of the other runs.
func usualSequences(t *testing.T) map[string]bool {
	t.Helper()
	s := newHome(t).open(180, 120)
	s.waitFor("Nothing sent yet")
	s.sendKeys("https://a.example and a table\r")
	s.waitFor("1 answer", "words")
	s.waitUntilGone("of 1 answered")
	visitEveryView(s)
	s.quit()
	s.checkRestored()
	all, wrong := sequenceKinds(s.output())
	if len(wrong) > 0 {
		t.Fatalf("a normal run writes %q", wrong)
	}
	return all
}

// visitEveryView shows the answers in every view that there is.
func visitEveryView(s *terminal) {
	s.t.Helper()
	s.sendKeys("\x1bv") // alt+v: from the answers side by side to the conversation
	s.waitFor("─ Conversation")
	s.sendKeys("\x1b2") // alt+2: its focus
	s.waitFor("┏━ Conversation")
	s.sendKeys("u")
	s.sendKeys("u")
	s.sendKeys("i") // inspect
	s.waitFor("esc close")
	s.sendKeys("q")
	s.waitUntilGone("copy as curl")
	for _, list := range []string{"\x13", "\x12"} { // sessions, old prompts
		s.sendKeys(list)
		s.waitFor("─ Preview")
		s.sendKeys("\x1b")
		s.waitUntilGone("─ Preview")
	}
}

// scrollSequences are what the renderer also writes when much of a screen changes: scroll
// regions, scrolling, lines and characters moved. A payload's own are looked for
// by their parameters.
var scrollSequences = []string{"CSI r", "CSI S", "CSI T", "CSI D", "CSI Z", "CSI L", "CSI M", "CSI P", "CSI @",
	"CSI X", "CSI b", "CSI d", "CSI G", "CSI `", "CSI A", "CSI B", "CSI C", "CSI I", "\x1bM"}

// payloadSequences are sequences of payloads that confab itself never writes.
var payloadSequences = []string{"\x1b[1;2r", "\x1b[99A", "\x1b[9999b", "\x1b[21t", "\x1b[18t", "\x1b[6n",
	"\x1b[8m", "\x1b[5m", "\x1b(0", "\x1bc"}

func checkSequences(t *testing.T, usual map[string]bool, s *terminal) {
	t.Helper()
	seen, wrong := sequenceKinds(s.output())
	usual["OSC 8 https"], usual["OSC 8 http"], usual["OSC 8 "] = true, true, true
	for _, kind := range scrollSequences {
		usual[kind] = true
	}
	for _, s0 := range payloadSequences {
		if strings.Contains(s.output(), s0) {
			t.Errorf("a hostile answer made it write %q", s0)
		}
	}
	for kind := range seen {
		if !usual[kind] {
			t.Errorf("a hostile answer made it write %q", kind)
		}
	}
	if len(wrong) > 0 {
		t.Errorf("the terminal got %q", wrong)
	}
	if strings.Contains(s.output(), "\x1b]0;PWNED") || strings.Contains(s.output(), "\x1b]2;PWNED") {
		t.Error("the title was set")
	}
}

func TestAHostileServiceDrivesNoTerminal(t *testing.T) {
	usual := usualSequences(t)
	service := testserver.New(t)
	var slugs []string
	for _, name := range testserver.Names() {
		if strings.HasPrefix(name, "esc-") || strings.HasPrefix(name, "uni-") || name == "md-links" ||
			name == "garbage-esc" || name == "redirect-esc" {
			slugs = append(slugs, name)
		}
	}
	if len(slugs) < 12 {
		t.Fatalf("only %q: the hostile service has changed", slugs)
	}
	h := newRemoteHome(t, service.URL, slugs, nil)
	s := h.open(180, 240, "-m", strings.Join(slugs, ","))
	s.waitFor("Write a prompt")
	s.paste("BEGIN \u009b2J\u009d0;PWNED\u009c\x1b]0;PWNED\x07 \u202e END")
	s.waitFor("END")
	s.sendKeys("\r")
	s.waitFor(fmt.Sprintf("%d answers", len(slugs)))
	s.waitUntilGone(fmt.Sprintf("of %d answered", len(slugs)))
	visitEveryView(s)
	s.await("both ends of what stands between", func() bool {
		screen := s.text()
		begin, end := strings.Count(screen, "BEGIN"), strings.Count(screen, "END")
		return begin >= len(slugs)-8 && begin == end
	})
	s.quit()
	s.checkRestored()
	checkSequences(t, usual, s)
}

// TestPayloadsStayText shows every payload in one answer.
func TestPayloadsStayText(t *testing.T) {
	usual := usualSequences(t)
	payloads := termtexttest.Payloads()
	names := slices.Sorted(maps.Keys(payloads))
	var text strings.Builder
	for _, name := range names {
		text.WriteString(strings.ToValidUTF8(payloads[name], "\ufffd") + "\n\n")
	}
	text.WriteString("LAST LINE")
	service := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body, _ := json.Marshal(map[string]any{"status": 200,
			"data": map[string]string{"text": text.String(), "model": "zeta"}})
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})))
	t.Cleanup(service.Close)
	h := newRemoteHome(t, service.URL, nil, nil)
	s := h.open(160, 2*len(names)+140, "-m", "zeta")
	s.waitFor("Write a prompt")
	s.sendKeys("go\r")
	s.waitFor("1 answer", "LAST LINE")
	visitEveryView(s)
	s.await("both ends of every payload", func() bool {
		screen := s.text()
		return strings.Count(screen, "BEGIN") >= len(names) && strings.Count(screen, "END") >= len(names)
	})
	s.quit()
	checkSequences(t, usual, s)
}

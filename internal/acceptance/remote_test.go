//go:build !windows

package acceptance

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// newSSHClientHome returns a home with the environment of an SSH login, which lacks most variables of the terminal.
func newSSHClientHome(t *testing.T, environ ...string) *home {
	t.Helper()
	return newHome(t,
		append([]string{"TERM=xterm-256color", "COLORTERM=", "SSH_TTY=/dev/pts/9",
			"SSH_CONNECTION=192.0.2.7 50000 192.0.2.9 22"}, environ...)...)
}

func TestAfterALostLineTheNextStartSaysHowToGoOn(t *testing.T) {
	h, s, service := openWithPendingAnswer(t)
	_ = s.tty.Close() // all that is left of a terminal when its line is lost
	must(t, s.master.Close())
	if err := s.waitForExit(); err == nil {
		t.Error("it ended as if it were told to")
	}
	again := h.open(150, 30)
	again.waitFor("Session “the question” has a draft and 1 interrupted answer", "alt+l")
	again.sendKeys("\x1bl")
	again.waitFor("┃ the next thought", "interrupted",
		"Draft back; 1 answer was interrupted last time: alt+2, then R runs it again.")
	again.quit()
	if n := len(service.Seen()); n != 1 {
		t.Errorf("the service was asked %d times", n)
	}
}

// clipboardTexts returns the texts that an output copies to the clipboard of the terminal.
func clipboardTexts(t *testing.T, output string) []string {
	t.Helper()
	var texts []string
	for _, m := range regexp.MustCompile("\x1b\\]52;c;([^\x07]*)\x07").FindAllStringSubmatch(output, -1) {
		b, err := base64.StdEncoding.DecodeString(m[1])
		if err != nil {
			t.Fatalf("%.80q: %v", m[1], err)
		}
		texts = append(texts, string(b))
	}
	return texts
}

func TestOverSSHACopyGoesToTheTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		piece   int // bytes of the longest string that is let through; 0 for no limit
	}{
		"plain":      {nil, 0},
		"GNU screen": {[]string{"TERM=screen.xterm-256color", "STY=1.x"}, 768},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSSHClientHome(t, c.environ...).open(120, 40, "-m", "alpha3.1-8b")
			s.waitFor("Write a prompt")
			text := strings.TrimSpace(strings.Repeat("a long prompt ", 300))
			s.paste(text)
			s.waitFor("a long prompt")
			s.sendKeys("\r")
			s.waitFor("Simulated by the offline engine.")
			s.sendKeys("\x1b2Y")
			s.waitFor("sent to your terminal's clipboard.", "writes a file")
			got := s.output()
			if c.piece > 0 {
				// Screen hands on what stands in its strings, and prints what is longer.
				through := ""
				for _, m := range regexp.MustCompile("(?s)\x1bP(.*?)\x1b\\\\").FindAllStringSubmatch(got, -1) {
					if len(m[1]) >= c.piece {
						t.Errorf("a string of %d bytes", len(m[1]))
					}
					through += m[1]
				}
				if strings.Contains(strings.ReplaceAll(got, "\x1bP\x1b]52;", ""), "\x1b]52;") {
					t.Error("some of it is not wrapped")
				}
				got = through
			}
			if texts := clipboardTexts(t, got); len(texts) != 1 || !strings.Contains(texts[0], text) {
				t.Errorf("the terminal was given %d texts: %.200q", len(texts), texts)
			}
		})
	}
}

func TestWithFewColorsTheLineUnderTheCursorIsSeen(t *testing.T) {
	for name, environ := range map[string][]string{
		"sixteen": {"TERM=linux"},
		"none":    {"NO_COLOR=yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSSHClientHome(t, environ...).open(80, 24)
			s.waitFor("Write a prompt")
			s.sendKeys("\x0c") // ctrl+l
			s.waitFor("space mark", "oss-120b")
			s.sendKeys("\x1b[B")
			s.await("a swapped line", func() bool {
				for _, line := range strings.Split(s.styledText(), "\n") {
					if strings.Contains(line, "oss-120b") {
						return regexp.MustCompile(`\x1b\[([0-9]+;)*7[;m]`).MatchString(line)
					}
				}
				return false
			})
			if strings.Contains(s.styledText(), "\x1b[40m") {
				t.Error("a black bar, which a black screen hides")
			}
		})
	}
}

// installProgram puts a shell script before all programs of that name.
func (h *home) installProgram(name, script string) {
	h.t.Helper()
	dir := filepath.Join(h.dir, "programs")
	must(h.t, os.MkdirAll(dir, 0o700))
	must(h.t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	h.environ = append(h.environ, "PATH="+dir+":"+os.Getenv("PATH"))
}

func TestTmuxIsAskedForItsColors(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		many bool
	}{
		"a feature":    {"256,RGB,title\n 197: RGB: [missing]", true},
		"a capability": {"256,title\n 223: Tc: (flag) true", true},
		"neither":      {"256,title\n 197: RGB: [missing]\n 223: Tc: [missing]", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newSSHClientHome(t, "TERM=tmux-256color", "TMUX=/nowhere,1,0")
			h.installProgram("tmux", `[ "$1" = display-message ] && printf '`+c.says+`\n'`)
			if c.many {
				s := h.open(120, 40)
				s.await("colors of 24 bits", func() bool { return strings.Contains(s.output(), "38;2;") })
			}
			s := h.open(80, 60, "doctor")
			s.waitFor("notification (OSC 9)", "editor") // it is said after the colors
			if strings.Contains(s.text(), "truecolor, as tmux draws them") != c.many {
				t.Errorf("doctor says:\n%s", s.text())
			}
		})
	}
}

func TestDoctorBreaksItsLinesAtWords(t *testing.T) {
	s := newSSHClientHome(t).open(80, 60, "doctor")
	s.waitFor("notification (OSC 9)", "editor")
	begins := regexp.MustCompile(`^(ok|warn|fail) +[a-z0-9]+ +\S|^ {18}\S`)
	for _, line := range strings.Split(strings.TrimSpace(s.text()), "\n") {
		if line = strings.TrimRight(line, " \r"); line != "" && !begins.MatchString(line) {
			t.Errorf("a line begins elsewhere: %q", line)
		}
	}
}

func TestOnANarrowScreenWhatIsFarAwayIsReadWhole(t *testing.T) {
	s := newSSHClientHome(t).open(80, 24, "-m", "alpha3.1-8b")
	s.waitFor("Write a prompt")
	s.paste(strings.Repeat("a long prompt ", 6000))
	s.waitFor("paste 1")
	s.sendKeys("\r")
	s.waitFor("1 turn")
	s.sendKeys("\x1b2G")
	s.waitFor("alpha3.1-8b", "words")
	s.sendKeys("Y")
	s.waitFor("In the file ~/.local/state/confab/copied.txt: too large for the terminal.")
	s.sendKeys("w")
	s.waitFor("Export to a file")
	s.sendKeys("\r")
	s.await("a line that fetches the file", func() bool {
		screen := regexp.MustCompile(`[\s┃│]+`).ReplaceAllString(s.text(), "")
		return strings.Contains(screen, "runthisonyourownmachine") &&
			regexp.MustCompile(`scp192\.0\.2\.9:/\S+\.txt\.`).MatchString(screen)
	})
}

func TestDoctorTellsHowBoxesAreMended(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		todo    string
	}{
		"tmux":       {[]string{"TERM=tmux-256color", "TMUX=/nowhere,1,0"}, "tmux -u attach"},
		"GNU screen": {[]string{"TERM=screen", "STY=1.x", "LANG=C"}, ":utf8 on on"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newSSHClientHome(t, c.environ...)
			h.installProgram("tmux", `[ "$3" = '#{client_utf8}' ] && echo 0`)
			s := h.open(80, 70, "doctor")
			s.waitFor(c.todo)
		})
	}
}

// Every letter of such a paste is a key. Text of this size becomes a chip, as a paste with brackets does.
func TestAPasteWithoutBracketsIsQuickOnALocalTerminalToo(t *testing.T) {
	s := newHome(t).open(120, 40)
	s.waitFor("Write a prompt")
	text := strings.Repeat("some words ", 1700)
	began := time.Now()
	s.sendKeys(text)
	s.waitFor("1 line, 19 KB")
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// GNU screen swaps colors where it is asked for italics.
func TestGNUScreenIsSentNoItalics(t *testing.T) {
	italic := regexp.MustCompile(`\x1b\[([0-9]+;)*3[;m][^\x1b]*Simulated by`)
	for term, wanted := range map[string]bool{"xterm-256color": true, "screen-256color": false} {
		t.Run(term, func(t *testing.T) {
			t.Parallel()
			s := newSSHClientHome(t, "TERM="+term).open(120, 40, "-m", "alpha3.1-8b")
			s.waitFor("Write a prompt")
			s.sendKeys("What is a CRDT?\r")
			s.waitFor("Simulated by the offline engine.")
			s.waitFor(" first token ") // the answer has ended
			if got := italic.MatchString(s.styledText()); got != wanted {
				t.Errorf("in italics %t, wanted %t: %q", got, wanted, s.styledText())
			}
		})
	}
}

//go:build !windows

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png" // the format of the pictures that confab sends
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal is a program on an emulated terminal, which keeps the pictures sent by kitty's protocol.
type terminal struct {
	cmd    *exec.Cmd
	master *os.File
	ended  chan struct{}

	mu       sync.Mutex
	screen   *vt.Emulator
	began    time.Time
	newest   time.Time // of the output
	events   []castEvent
	pictures map[int]picture // by their ids
	sending  bytes.Buffer    // the parts of a picture so far
	sendID   int
	cells    image.Point // of the picture that is being sent
}

// picture is one that was sent, and how many cells it covers.
type picture struct {
	img   image.Image
	cells image.Point
}

// castEvent is a piece of output and the seconds from the start to it.
type castEvent struct {
	at   float64
	text string
}

func openTerminal(cmd *exec.Cmd) (*terminal, error) {
	now := time.Now()
	t := &terminal{cmd: cmd, ended: make(chan struct{}), screen: vt.NewEmulator(columns, rows), began: now, newest: now,
		pictures: map[int]picture{}}
	t.answerQueries()
	var err error
	t.master, err = pty.StartWithSize(cmd, &pty.Winsize{Cols: columns, Rows: rows, X: columns * cellWidth,
		Y: rows * cellHeight})
	if err != nil {
		return nil, fmt.Errorf("start confab: %w", err)
	}
	go t.read()
	go t.reply()
	return t, nil
}

// answerQueries makes the emulator answer what confab asks a terminal about pictures.
func (t *terminal) answerQueries() {
	reply := func(format string, a ...any) bool {
		_, _ = fmt.Fprintf(t.screen.InputPipe(), format, a...) // a closed emulator needs no answer
		return true
	}
	t.screen.RegisterCsiHandler(ansi.Command('>', 0, 'q'), func(ansi.Params) bool {
		return reply("\x1bP>|kitty(0.41.1)\x1b\\")
	})
	t.screen.RegisterCsiHandler('t', func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 0)
		return n == 16 && reply("\x1b[6;%d;%dt", cellHeight, cellWidth) ||
			n == 14 && reply("\x1b[4;%d;%dt", rows*cellHeight, columns*cellWidth)
	})
	t.screen.RegisterApcHandler(func(data []byte) bool {
		options, payload, ok := parseGraphics(data)
		if ok && options["a"] == "q" {
			return reply("\x1b_Gi=%s;OK\x1b\\", options["i"])
		}
		if ok {
			t.takePicture(options, payload)
		}
		return ok
	})
}

// parseGraphics returns the options and the payload of a command of kitty's graphics protocol.
func parseGraphics(data []byte) (options map[string]string, payload []byte, ok bool) {
	data, ok = bytes.CutPrefix(data, []byte("G"))
	head, payload, _ := bytes.Cut(data, []byte(";"))
	options = map[string]string{}
	for option := range strings.SplitSeq(string(head), ",") {
		name, value, _ := strings.Cut(option, "=")
		options[name] = value
	}
	return options, payload, ok
}

// takePicture adds a part of a picture, and keeps the picture when the part is its last one.
func (t *terminal) takePicture(options map[string]string, payload []byte) {
	if id, err := strconv.Atoi(options["i"]); err == nil {
		t.sendID = id
		t.cells.X, _ = strconv.Atoi(options["c"])
		t.cells.Y, _ = strconv.Atoi(options["r"])
		t.sending.Reset()
	}
	t.sending.Write(payload)
	if options["m"] == "1" {
		return
	}
	if old, ok := t.pictures[t.sendID]; ok && t.sending.Len() == 0 && t.cells.X > 0 && t.cells.Y > 0 {
		t.pictures[t.sendID] = picture{old.img, t.cells} // it is shown in another size
		return
	}
	img, _, err := image.Decode(base64.NewDecoder(base64.StdEncoding, &t.sending))
	if err == nil && t.cells.X > 0 && t.cells.Y > 0 {
		t.pictures[t.sendID] = picture{img, t.cells}
	}
}

func (t *terminal) read() {
	defer close(t.ended)
	b := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(b)
		t.mu.Lock()
		t.newest = time.Now()
		t.events = append(t.events, castEvent{t.newest.Sub(t.began).Seconds(), string(b[:n])})
		_, _ = t.screen.Write(b[:n]) // an emulator takes everything
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// reply passes on what the emulator answers to queries, until the emulator is closed.
func (t *terminal) reply() {
	b := make([]byte, 4096)
	for {
		n, err := t.screen.Read(b)
		if err != nil {
			return
		}
		_, _ = t.master.Write(b[:n]) // a program that has ended needs no answer
	}
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.String()
}

// pollInterval is how often the screen is looked at while something is awaited.
const pollInterval = 20 * time.Millisecond

// await tells whether a text comes to the screen in time.
func (t *terminal) await(text *regexp.Regexp, limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(pollInterval) {
		if text.MatchString(t.text()) {
			return true
		}
	}
	return false
}

// settle waits until nothing was written for a time.
func (t *terminal) settle(quiet time.Duration) {
	for end := time.Now().Add(stepLimit); time.Now().Before(end); time.Sleep(pollInterval) {
		t.mu.Lock()
		since := time.Since(t.newest)
		t.mu.Unlock()
		if since >= quiet {
			return
		}
	}
}

// close ends the program and the terminal.
func (t *terminal) close() error {
	_ = t.cmd.Process.Signal(os.Interrupt) // the program may have ended
	_ = t.cmd.Wait()                       // a screen that is interrupted ends with a status of its own
	err := t.master.Close()
	<-t.ended
	if err != nil {
		return fmt.Errorf("close the terminal: %w", err)
	}
	return nil
}

// writeCast writes the output as an asciinema recording, version 2.
func (t *terminal) writeCast(path string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	lines := []any{map[string]any{"version": 2, "width": columns, "height": rows, "title": "confab"}}
	for _, event := range t.events {
		lines = append(lines, []any{math.Round(event.at*1000) / 1000, "o", event.text})
	}
	for _, line := range lines {
		if err := e.Encode(line); err != nil {
			return fmt.Errorf("write the recording: %w", err)
		}
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	return nil
}

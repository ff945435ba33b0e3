package ui_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/themes"
	"confab/ui"
	uiscreen "confab/ui/screen"
)

// client answers in memory, after the time its model takes, so that a whole
// program runs inside a synctest bubble.
type client struct {
	mu    sync.Mutex
	asked []api.Request
	say   func(r api.Request) (api.Response, time.Duration, error)
	parts func(r api.Request) []api.Progress // a second apart, before what say returns; nil for none
}

func (c *client) Do(ctx context.Context, r api.Request, tell func(api.Progress)) (api.Response, api.Exchange, error) {
	c.mu.Lock()
	c.asked = append(c.asked, r)
	c.mu.Unlock()
	e := api.Exchange{Method: "POST", URL: "http://service.example/api/llm/" + r.Model.Slug,
		RequestBody: `{"apikey":"••••","prompt":"…"}`, Status: 200, Proto: "HTTP/1.1", Attempts: 1}
	resp, takes, err := c.say(r)
	if c.parts != nil {
		tell(api.Progress{Attempt: 1})
		for i, p := range c.parts(r) {
			select {
			case <-time.After(time.Second):
				p.Received, p.Attempt = int64(i+1), 1
				tell(p)
			case <-ctx.Done(): // which is told below
			}
		}
	}
	if ctx.Err() != nil {
		takes = time.Hour
	}
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return api.Response{}, e,
			&api.Error{Code: api.CodeCancelled, Message: "It was cancelled.", Err: context.Cause(ctx)}
	}
	return resp, e, err
}

func (c *client) Curl(r api.Request) string {
	return "curl -d '{\"apikey\":\"'$CONFAB_API_KEY'\"}' " + r.Model.Slug
}

func (c *client) requests() []api.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// answerAll is what the client says unless a test says otherwise.
func answerAll(r api.Request) (api.Response, time.Duration, error) {
	switch {
	case r.Model.Kind != api.Text:
		b := testPicture()
		return api.Response{Image: b, ContentType: "image/png", Width: 64, Height: 32,
			SHA256: fmt.Sprintf("%x", sha256.Sum256(b)), Status: 200}, 6 * time.Second, nil
	case r.Model.Slug == "oss-120b":
		return api.Response{}, time.Second, &api.Error{Code: api.CodeRateLimited, Message: "The service is busy; try " +
			"again in 12 s.", Status: 429}
	}
	parts := strings.Split(r.Prompt, "## Me\n\n") // of earlier turns
	prompt := parts[len(parts)-1]
	text := "# About " + prompt + "\n\nA *short* answer of **" + r.Model.Slug +
		"**.\n\n- one\n- two\n\n```go\nfmt.Println(\"hi\")\n```\n"
	return api.Response{Text: text, ServedModel: r.Model.Slug, Status: 200}, 2 * time.Second, nil
}

func testPicture() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for y := range 32 {
		for x := range 64 {
			img.Set(x, y, color.RGBA{uint8(4 * x), uint8(8 * y), 128, 255})
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img)
	return b.Bytes()
}

// desktop remembers what was asked of it.
type desktop struct {
	copied, opened []string
	text           string // of the clipboard
	picture        []byte
}

func (d *desktop) Paste(context.Context) (text string, picture []byte, err error) {
	return d.text, d.picture, nil
}

func (d *desktop) Copy(_ context.Context, text string) (string, bool, error) {
	d.copied = append(d.copied, text)
	return "on the clipboard", true, nil
}

func (d *desktop) Open(_ context.Context, target string) (string, error) {
	d.opened = append(d.opened, target)
	return "", nil
}

func (d *desktop) Fetch(...string) (string, bool) { return "", false }

func (d *desktop) Editor(context.Context, string) (func(io.Reader, io.Writer) (string, string, error), error) {
	return nil, errors.New("no editor in tests")
}

func (d *desktop) Saved(string) (string, error) { return "", errors.ErrUnsupported }

// screen is a whole program in front of a terminal emulator.
type screen struct {
	t       *testing.T
	program *tea.Program
	client  *client
	desktop *desktop
	service *service.Service
	done    chan error
	mu      sync.Mutex
	term    *vt.Emulator
	wrote   int // bytes written to the terminal
	raw     bytes.Buffer
	w, h    int
	dir     string // of its files
}

// Write is the terminal's end of the line.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote += len(p)
	s.raw.Write(p)
	// Without a terminal as input the renderer counts on LF being mapped.
	if _, err := s.term.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

type option func(*ui.Options, *service.Options)

func withAnswers(say func(api.Request) (api.Response, time.Duration, error)) option {
	return func(_ *ui.Options, o *service.Options) {
		o.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: &client{say: say}}, nil
		}
	}
}

// open starts a screen of a size, inside a bubble.
func open(t *testing.T, w, h int, options ...option) *screen {
	t.Helper()
	s := &screen{t: t, term: vt.NewEmulator(w, h), desktop: &desktop{}, client: &client{say: answerAll},
		done: make(chan error, 1), w: w, h: h}
	dir := t.TempDir()
	s.dir = dir
	so := service.Options{
		History: service.HistoryOptions{Saves: true,
			Open: func(ctx context.Context) (history.Store, error) {
				return sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{})
			},
			OpenMemory: func(ctx context.Context) (history.Store, error) {
				return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
			}},
		Backend: service.BackendOptions{Catalogue: api.Default,
			Endpoint: func() service.Endpoint { return service.Endpoint{IsEmbedded: true, IsSimulated: true} },
			Connect: func(context.Context) (service.Connection, error) {
				return service.Connection{Client: s.client}, nil
			}},
		Pictures:    pictures.Options{Folder: filepath.Join(dir, "pictures")},
		DraftFolder: filepath.Join(dir, "drafts"),
	}
	uo := ui.Options{Desktop: s.desktop, Keys: ui.Keys(),
		Theme:    uiscreen.Theme{Palettes: themes.Shipped(), Name: "auto", Profile: colorprofile.TrueColor},
		Start:    ui.Start{Models: catalogue(), Marked: []string{"alpha3.1-8b"}, Remembers: true},
		Terminal: ui.Terminal{Notify: "off"}}
	for _, option := range options {
		option(&uo, &so)
	}
	s.service = service.New(so)
	uo.Service = s.service
	ctx, cancel := context.WithCancel(t.Context())
	s.program = tea.NewProgram(ui.New(ctx, uo), tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(s),
		tea.WithoutSignalHandler(),
		tea.WithWindowSize(w,
			h), tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color",
			"COLORTERM=truecolor"}))
	replies := make(chan struct{})
	go func() { defer close(replies); _, _ = io.Copy(io.Discard, s.term) }() // the emulator's answers to queries
	go func() { _, err := s.program.Run(); s.done <- err }()
	t.Cleanup(func() {
		s.program.Quit()
		<-s.done
		cancel()
		if err := s.service.Close(context.Background()); err != nil {
			t.Error("closing the service:", err)
		}
		// The emulator's Close does not wait for its Read (x/vt): end the copying
		// by its pipe first.
		if pipe, ok := s.term.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		<-replies
		_ = s.term.Close()
		// virtual: pending ticks end, and the clock of the highlighter, which runs as long as the longest bubble
		time.Sleep(20 * time.Minute)
		synctest.Wait()
	})
	s.settle()
	return s
}

// settle waits until nothing moves any more, without letting seconds pass.
func (s *screen) settle() {
	for range 12 {
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
	}
}

func catalogue() []service.ModelInfo {
	var out []service.ModelInfo
	for _, m := range api.Default().Models() {
		out = append(out, service.ModelInfo{Model: m})
	}
	return out
}

// text is what a person sees.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := strings.Split(ansi.Strip(s.term.Render()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n")
}

// typed types text, rune by rune.
func (s *screen) typed(text string) {
	for _, r := range text {
		s.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	s.settle()
}

// press presses keys by the names of the key map.
func (s *screen) press(names ...string) {
	for _, name := range names {
		s.program.Send(keyPress(name))
		s.settle()
	}
}

// pass lets time pass.
func (s *screen) pass(d time.Duration) {
	time.Sleep(d)
	s.settle()
}

var codes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp,
	"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"home": tea.KeyHome, "end": tea.KeyEnd,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9}

func keyPress(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		switch {
		case strings.HasPrefix(name, "ctrl+"):
			k.Mod |= tea.ModCtrl
			name = name[5:]
			continue
		case strings.HasPrefix(name, "alt+"):
			k.Mod |= tea.ModAlt
			name = name[4:]
			continue
		case strings.HasPrefix(name, "shift+"):
			k.Mod |= tea.ModShift
			name = name[6:]
			continue
		}
		break
	}
	if code, ok := codes[name]; ok {
		k.Code = code
		if name == "space" {
			k.Text = " "
		}
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		k.Text = name
	}
	return k
}

// shows fails the test unless the screen holds every part.
func (s *screen) shows(parts ...string) {
	s.t.Helper()
	text := s.text()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.t.Fatalf("the screen does not show %q:\n%s", part, text)
		}
	}
}

// lacks fails the test when the screen holds one of the parts.
func (s *screen) lacks(parts ...string) {
	s.t.Helper()
	text := s.text()
	for _, part := range parts {
		if strings.Contains(text, part) {
			s.t.Fatalf("the screen shows %q:\n%s", part, text)
		}
	}
}

// run runs a test inside a bubble.
func run(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

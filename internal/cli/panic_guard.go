package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/internal/startup"
)

// panicRecord keeps the first panic of a run.
type panicRecord struct{ first atomic.Pointer[caughtPanic] }

// caughtPanic is the value of a panic and its stack.
type caughtPanic struct {
	cause any
	stack []byte
}

// catch records a panic unless there was one before. The deferred function that recovers it must call catch.
func (f *panicRecord) catch(cause any) {
	f.first.CompareAndSwap(nil, &caughtPanic{cause, debug.Stack()})
}

func (f *panicRecord) hasHappened() bool { return f.first.Load() != nil }

// get returns the first panic, nil without any.
func (f *panicRecord) get() *caughtPanic { return f.first.Load() }

// firstFrame is how long the garbage collector stays off after the screen started.
const firstFrame = 200 * time.Millisecond

// settled is the time after which the history is open and local engines were looked for.
const settled = time.Second

// paintTime is how long a local terminal takes to show the first frame, at 120 frames a second.
const paintTime = 8 * time.Millisecond

// panicGuard wraps the root model and catches panics of it and its commands. Bubble Tea v2.0.9 would print them
// unmasked.
type panicGuard struct {
	model tea.Model
	fault *panicRecord
	quit  func() // ends the program from outside its loop
	// ask runs after the model got its color profile, so that its answer comes later; nil asks nothing.
	ask tea.Cmd
	// drawn, if not nil, is closed when the first frame was drawn.
	drawn chan struct{}

	once sync.Once
}

func (g *panicGuard) Init() (cmd tea.Cmd) {
	defer g.recovered(func() { cmd = tea.Quit })
	after := func(delay time.Duration, do func()) tea.Cmd {
		return tea.Tick(delay, func(time.Time) tea.Msg {
			do()
			return nil
		})
	}
	return tea.Batch(g.command(g.model.Init()), after(firstFrame, startup.ReleaseGC),
		after(settled, startup.Compact))
}

func (g *panicGuard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer g.recovered(func() { next, cmd = g, tea.Quit })
	if g.fault.hasHappened() {
		return g, tea.Quit
	}
	g.model, cmd = g.model.Update(msg)
	if _, told := msg.(tea.ColorProfileMsg); told && g.ask != nil {
		cmd, g.ask = tea.Batch(cmd, g.ask), nil
	}
	return g, g.command(cmd)
}

func (g *panicGuard) View() (v tea.View) {
	defer g.recovered(func() {
		v = tea.NewView(" ")
		safego.Go(nil, "quit", g.quit, nil) // a view cannot ask for it
	})
	if g.fault.hasHappened() {
		return tea.NewView(" ")
	}
	if g.drawn != nil {
		defer g.once.Do(func() { time.AfterFunc(paintTime, func() { close(g.drawn) }) })
	}
	return g.model.View()
}

// draftKeeper is a model with a draft that can be saved when its program has ended.
type draftKeeper interface{ KeepDraft() }

// keepDraft has the model save the draft, however the screen ended.
func (g *panicGuard) keepDraft() {
	defer g.recovered(func() {})
	if m, ok := g.model.(draftKeeper); ok {
		m.KeepDraft()
	}
}

// recovered is deferred. It records a panic and calls then.
func (g *panicGuard) recovered(then func()) {
	if cause := recover(); cause != nil {
		g.fault.catch(cause)
		then()
	}
}

// command guards a command and those in its batch or sequence.
func (g *panicGuard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.recovered(func() { msg = tea.QuitMsg{} })
		return g.guardBatch(cmd())
	}
}

// guardBatch guards the commands of a batch or a sequence, whose type is not exported.
func (g *panicGuard) guardBatch(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	for i := range v.Len() {
		c, _ := v.Index(i).Interface().(tea.Cmd)
		v.Index(i).Set(reflect.ValueOf(g.command(c)))
	}
	return v.Interface()
}

// maxCrashes is the number of crash files that are kept.
const maxCrashes = 5

// report writes the crash file, prints its path and returns the exit code.
func (a *app) report(f *panicRecord) int {
	thrown := f.get()
	text := fmt.Sprintf("confab %s, %s, %s/%s, %s\n\n%v\n\n%s", a.env.BuildVersion(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH, time.Now().UTC().Format(time.RFC3339), thrown.cause, thrown.stack)
	where := "and no report could be written"
	if path, err := a.writeCrash(a.secrets.Masker().String(text)); err == nil {
		where = "the report is in " + path
	}
	a.warn("an unexpected fault ended the program; %s (service)", where)
	return ExitFailed
}

func (a *app) writeCrash(text string) (string, error) {
	if !a.isLoaded {
		return "", fmt.Errorf("no place is known")
	}
	dir := a.config.Paths.State
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder: %w", err)
	}
	path, err := fileio.WriteNew(filepath.Join(dir, "crash-"+time.Now().UTC().Format("20060102-150405")+".txt"),
		true, func(out io.Writer, _ string) error {
			_, err := io.WriteString(out, text)
			return err
		})
	if err != nil {
		return "", fmt.Errorf("write the file: %w", err)
	}
	if old, err := filepath.Glob(filepath.Join(dir, "crash-*.txt")); err == nil && len(old) > maxCrashes {
		slices.Sort(old) // by time
		for _, path := range old[:len(old)-maxCrashes] {
			_ = os.Remove(path) // the next crash tries again
		}
	}
	return path, nil
}

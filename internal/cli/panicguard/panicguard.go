// Package panicguard keeps panics of a screen from ending the program before they are reported.
package panicguard

import (
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/safego"
	"confab/internal/startup"
)

// Fault keeps the first panic of a run.
type Fault struct{ first atomic.Pointer[Panic] }

// Panic is what was thrown, and where.
type Panic struct {
	Cause any
	Stack []byte
}

// Catch notes a panic; only the first one tells anything. It is to be called where the panic is recovered.
func (f *Fault) Catch(cause any) { f.first.CompareAndSwap(nil, &Panic{cause, debug.Stack()}) }

// HasHappened reports whether there was a panic.
func (f *Fault) HasHappened() bool { return f.first.Load() != nil }

// First returns the first panic, nil without any.
func (f *Fault) First() *Panic { return f.first.Load() }

// firstFrame is how long after the start of the screen the garbage collector may run.
const firstFrame = 200 * time.Millisecond

// settled is how long after the start of the screen the history is open and engines on this machine were looked for.
const settled = time.Second

// paintTime is how long after it was drawn the first frame is on the screen.
const paintTime = 20 * time.Millisecond

// Guard stands around the root model and catches its panics, and those of its commands. Bubble Tea v2.0.9 would
// catch them too, but prints what was thrown, which may hold a key, to standard error as it is.
type Guard struct {
	Model tea.Model
	Fault *Fault
	Quit  func() // ends the program from outside its loop
	// Ask is started once the colors that the program begins with were told, so that its answer comes after them; nil
	// asks nothing.
	Ask tea.Cmd
	// Drawn is closed when the first frame was drawn; nil for nobody waits for it.
	Drawn chan struct{}

	once sync.Once
}

// Init implements [tea.Model].
func (g *Guard) Init() (cmd tea.Cmd) {
	defer g.recovered(func() { cmd = tea.Quit })
	after := func(delay time.Duration, do func()) tea.Cmd {
		return tea.Tick(delay, func(time.Time) tea.Msg {
			do()
			return nil
		})
	}
	return tea.Batch(g.command(g.Model.Init()), after(firstFrame, startup.ReleaseGC),
		after(settled, startup.CompactHeap))
}

// Update implements [tea.Model].
func (g *Guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer g.recovered(func() { next, cmd = g, tea.Quit })
	if g.Fault.HasHappened() {
		return g, tea.Quit
	}
	g.Model, cmd = g.Model.Update(msg)
	if _, told := msg.(tea.ColorProfileMsg); told && g.Ask != nil {
		cmd, g.Ask = tea.Batch(cmd, g.Ask), nil
	}
	return g, g.command(cmd)
}

// View implements [tea.Model].
func (g *Guard) View() (v tea.View) {
	defer g.recovered(func() {
		v = tea.NewView(" ")
		safego.Go(nil, "quit", g.Quit, nil) // a view cannot ask for it
	})
	if g.Fault.HasHappened() {
		return tea.NewView(" ")
	}
	if g.Drawn != nil {
		defer g.once.Do(func() { time.AfterFunc(paintTime, func() { close(g.Drawn) }) })
	}
	return g.Model.View()
}

// KeepDraft lets the model keep what was written, however the screen ended.
func (g *Guard) KeepDraft() {
	defer g.recovered(func() {})
	if m, ok := g.Model.(interface{ KeepDraft() }); ok {
		m.KeepDraft()
	}
}

// recovered is deferred: it notes a panic and does what follows from it.
func (g *Guard) recovered(then func()) {
	if cause := recover(); cause != nil {
		g.Fault.Catch(cause)
		then()
	}
}

// command guards a command, and those that it turns out to be made of.
func (g *Guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.recovered(func() { msg = tea.QuitMsg{} })
		return g.parts(cmd())
	}
}

// parts guards the commands of a batch or a sequence, whose type is not exported.
func (g *Guard) parts(msg tea.Msg) tea.Msg {
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

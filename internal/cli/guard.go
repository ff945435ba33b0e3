package cli

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/safego"
	"confab/internal/startup"
)

// firstFrame is how long the first frame may take before the garbage collector is let loose.
const firstFrame = 200 * time.Millisecond

// guard stands around the root model and catches its panics, and those of its
// commands. Bubble Tea v2.0.9 would catch them too, but prints what was thrown,
// which may hold a key, to standard error as it is.
type guard struct {
	model tea.Model
	fault *crash
	quit  func() // ends the program from outside its loop
	// ask is started once the colours that the program begins with were told, so
	// that its answer comes after them; nil asks nothing.
	ask tea.Cmd
}

// Init implements [tea.Model].
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.recovered(func() { cmd = tea.Quit })
	return tea.Batch(g.command(g.model.Init()), tea.Tick(firstFrame, func(time.Time) tea.Msg {
		startup.ReleaseGC()
		return nil
	}))
}

// Update implements [tea.Model].
func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer g.recovered(func() { next, cmd = g, tea.Quit })
	if g.fault.happened() {
		return g, tea.Quit
	}
	g.model, cmd = g.model.Update(msg)
	if _, told := msg.(tea.ColorProfileMsg); told && g.ask != nil {
		cmd, g.ask = tea.Batch(cmd, g.ask), nil
	}
	return g, g.command(cmd)
}

// View implements [tea.Model].
func (g *guard) View() (v tea.View) {
	defer g.recovered(func() {
		v = tea.NewView(" ")
		safego.Go(nil, "quit", g.quit, nil) // a view cannot ask for it
	})
	if g.fault.happened() {
		return tea.NewView(" ")
	}
	return g.model.View()
}

// keepDraft lets the model keep what was written, however the screen ended.
func (g *guard) keepDraft() {
	defer g.recovered(func() {})
	if m, ok := g.model.(interface{ KeepDraft() }); ok {
		m.KeepDraft()
	}
}

// recovered is deferred: it notes a panic and does what follows from it.
func (g *guard) recovered(then func()) {
	if cause := recover(); cause != nil {
		g.fault.caught(cause)
		then()
	}
}

// command guards a command, and those that it turns out to be made of.
func (g *guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.recovered(func() { msg = tea.QuitMsg{} })
		return g.parts(cmd())
	}
}

// parts guards the commands of a batch or a sequence, whose type is not
// exported.
func (g *guard) parts(msg tea.Msg) tea.Msg {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for i, c := range batch {
			batch[i] = g.command(c)
		}
		return batch
	}
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

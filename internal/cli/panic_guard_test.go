package cli

import (
	"bytes"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// secret is what is thrown, which no screen may show.
const secret = "sk-sentinel-0123456789"

// faultyModel panics where it is told to.
type faultyModel struct{ where string }

func (f faultyModel) Init() tea.Cmd {
	fault := func() tea.Msg { panic("fault with " + secret) }
	switch f.where {
	case "init":
		panic("fault with " + secret)
	case "command":
		return fault
	case "batch":
		return tea.Batch(fault, func() tea.Msg { return nil })
	case "sequence":
		return tea.Sequence(func() tea.Msg { return nil }, tea.Batch(tea.Sequence(fault, fault), fault))
	}
	return func() tea.Msg { return "go" }
}

func (f faultyModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg == "go" && f.where == "update" {
		panic("fault with " + secret)
	}
	return f, nil
}

func (f faultyModel) View() tea.View {
	if f.where == "view" {
		panic("fault with " + secret)
	}
	return tea.NewView("fine")
}

func TestGuardCatchesEveryPanic(t *testing.T) {
	for _, where := range []string{"init", "update", "view", "command", "batch", "sequence"} {
		t.Run(where, func(t *testing.T) {
			fault := &panicRecord{}
			g := &panicGuard{model: faultyModel{where}, fault: fault}
			var out bytes.Buffer
			p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(&out), tea.WithWindowSize(80, 24),
				tea.WithoutSignalHandler(), tea.WithEnvironment([]string{"TERM=xterm"}))
			g.quit = p.Quit
			if _, err := p.Run(); err != nil {
				t.Errorf("the program itself noticed: %v", err)
			}
			if !fault.hasHappened() || !strings.Contains(fault.get().cause.(string), secret) ||
				!bytes.Contains(fault.get().stack, []byte("faulty")) {
				t.Errorf("caught %v\n%s", fault.get().cause, fault.get().stack)
			}
			if s := out.String(); strings.Contains(s, secret) || strings.Contains(s, "panic") {
				t.Errorf("the screen shows %q", s)
			}
		})
	}
}

func TestGuardLetsOthersPass(t *testing.T) {
	g := &panicGuard{model: faultyModel{}, fault: &panicRecord{}}
	order := make(chan int, 4)
	say := func(n int) tea.Cmd { return func() tea.Msg { order <- n; return nil } }
	var out bytes.Buffer
	g.model = sequencer{tea.Sequence(say(1), tea.Batch(say(2)), say(3), tea.Quit)}
	p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(&out), tea.WithWindowSize(80, 24),
		tea.WithoutSignalHandler())
	if _, err := p.Run(); err != nil || g.fault.hasHappened() {
		t.Errorf("%v, %v", err, g.fault.get())
	}
	for want := 1; want <= 3; want++ {
		if got := <-order; got != want {
			t.Errorf("command %d came as number %d", got, want)
		}
	}
}

// sequencer runs one command.
type sequencer struct{ cmd tea.Cmd }

func (s sequencer) Init() tea.Cmd                       { return s.cmd }
func (s sequencer) Update(tea.Msg) (tea.Model, tea.Cmd) { return s, nil }
func (s sequencer) View() tea.View                      { return tea.NewView("fine") }

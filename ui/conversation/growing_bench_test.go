//go:build unix

package conversation_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/themes"
	"confab/ui/markdown"
	"confab/ui/part"
)

// processorTime returns the processor time that the process took so far.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	runtime.GC()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// answersOf1MB are texts of 1 MB by what they consist of.
func answersOf1MB() map[string]string {
	prose := "Some *words* of a paragraph with `code` in it and a [link](https://example.com), which is as long as " +
		"one " +
		"commonly is: it goes over a few lines of the pane, so that it is broken more than once.\n\n"
	code := "```go\n" + strings.Repeat("\tcall(x, y) // and so on\n", 30) + "```\n\n"
	list := strings.Repeat("- an item of a list, of a few words\n", 8) + "\n"
	fill := func(unit string) string { return strings.Repeat(unit, 1<<20/len(unit)) }
	return map[string]string{
		"plain": fill("Some words of a paragraph, which is of a common length.\n\n"), "prose": fill(prose),
		"code": fill(code), "mixed": fill("## A heading\n\n" + prose + prose + list + code +
			"| a | b |\n|---|---|\n| 1 | 2 |\n\n"),
		"one list": fill("- an item of a list, of a few words\n"), "one line": fill("words without an end "),
		"one block of code": "```go\n" + fill("\tcall(x, y) // and so on\n"),
	}
}

// BenchmarkGrowingAnswer shows an answer of 1 MB that is written within nine seconds, thirty times a second. It reports
// the processor time of that over the time of drawing all blocks of the whole answer once.
func BenchmarkGrowingAnswer(b *testing.B) {
	const frame = time.Second / 30
	for name, text := range answersOf1MB() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				began := processorTime(b)
				r := markdown.NewRenderer(themes.New(themes.Default(true)), 78)
				for _, block := range markdown.Split(text) {
					r.Block(block)
				}
				once := processorTime(b) - began
				began = processorTime(b)
				showGrowing(b, text, len(text)/256, frame)
				growing := processorTime(b) - began
				b.ReportMetric(once.Seconds(), "s/once")
				b.ReportMetric(growing.Seconds(), "s/growing")
				b.ReportMetric(growing.Seconds()/once.Seconds(), "growing/once")
			}
		})
	}
}

// showGrowing shows an answer that grows by so many bytes in every frame, and runs the commands of its pane.
func showGrowing(b *testing.B, text string, size int, frame time.Duration) {
	c, a := newPane(80, 40), growingAnswer(1, 2, "alpha")
	c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{a}}}, false)
	msgs := make(chan tea.Msg, 100)
	ticker := time.NewTicker(frame)
	defer ticker.Stop()
	for n := 0; n < len(text) || a.State == history.Running; {
		select {
		case msg := <-msgs:
			_, cmd := c.Update(msg)
			start(cmd, msgs)
		case <-ticker.C:
			if n = min(n+size, len(text)); n == len(text) {
				a.State = history.Done
			}
			a.Text = text[:n]
			a.Version++
			c.Apply(history.Event{Turn: 1, Answer: a})
			c.View()
		}
		_, cmd := c.Work()
		start(cmd, msgs)
	}
}

// start runs a command as a program does.
func start(cmd tea.Cmd, msgs chan<- tea.Msg) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for _, cmd := range msg {
				start(cmd, msgs)
			}
		case part.Result:
			msgs <- msg.Msg
		}
	}()
}

//go:build linux

package acceptance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// processorTime returns the processor time that the process took so far.
func (s *terminal) processorTime() time.Duration {
	s.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	must(s.t, err)
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	if errUser != nil || errSystem != nil {
		s.t.Fatal(errUser, errSystem)
	}
	return time.Duration(user+system) * 10 * time.Millisecond // a tick of Linux
}

// typeSteadily types so many digits, ten a second, and returns how long each took to be on the screen.
func (s *terminal) typeSteadily(letters int) []time.Duration {
	s.t.Helper()
	s.sendKeys("\x15Q") // in an empty prompt
	var took []time.Duration
	digits := rand.New(rand.NewPCG(1, uint64(letters)))
	typed := ""
	for range letters {
		typed += string(rune('0' + digits.IntN(10)))
		pressed := time.Now()
		s.sendKeys(typed[len(typed)-1:])
		s.await("the digits "+typed, func() bool { return strings.Contains(s.text(), "Q"+typed) })
		took = append(took, time.Since(pressed))
		time.Sleep(max(0, 100*time.Millisecond-time.Since(pressed)))
	}
	slices.Sort(took)
	return took
}

func percentile(sorted []time.Duration, p int) float64 {
	return float64(sorted[min(len(sorted)-1, len(sorted)*p/100)]) / 1e6
}

// BenchmarkFirstToken measures how long after the engine sent it the first token is on the screen.
func BenchmarkFirstToken(b *testing.B) {
	e := newTokenEngine(b, 3, 30*time.Millisecond)
	e.reading = 200 * time.Millisecond
	s := e.home(b, 1).open(120, 40)
	s.waitFor("Prompt")
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		before := e.sentAt("m1", "a1")
		s.sendKeys(fmt.Sprintf("count %d\r", i))
		s.await("the first token", func() bool {
			at := e.sentAt("m1", "a1")
			_, after, found := strings.Cut(s.text(), fmt.Sprintf("count %d", i))
			return at.After(before) && found && strings.Contains(after, "a1")
		})
		took = append(took, time.Since(e.sentAt("m1", "a1")))
		s.await("the end", func() bool {
			_, after, _ := strings.Cut(s.text(), fmt.Sprintf("count %d", i))
			return strings.Contains(after, "a3")
		})
		time.Sleep(200 * time.Millisecond)
	}
	slices.Sort(took)
	b.ReportMetric(percentile(took, 50), "ms/p50")
	b.ReportMetric(percentile(took, 95), "ms/p95")
}

// BenchmarkFifteenStreams has fifteen models write 100 tokens a second each while somebody types: at home, and as over
// SSH.
func BenchmarkFifteenStreams(b *testing.B) {
	for name, environ := range map[string][]string{"home": nil, "ssh": {"SSH_CONNECTION=a 1 b 22",
		"SSH_TTY=/dev/pts/9"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e := newTokenEngine(b, 1200, 10*time.Millisecond)
				e.reading = 200 * time.Millisecond
				s := e.home(b, 15, environ...).open(120, 40)
				s.waitFor("Prompt")
				alone := s.typeSteadily(60)
				s.sendKeys("\x15count\r")
				s.waitFor("a9")
				processor, bytes, began := s.processorTime(), len(s.output()), time.Now()
				meanwhile := s.typeSteadily(80)
				spent := time.Since(began).Seconds()
				b.ReportMetric(percentile(alone, 99), "ms/key-p99-alone")
				b.ReportMetric(percentile(meanwhile, 50), "ms/key-p50")
				b.ReportMetric(percentile(meanwhile, 99), "ms/key-p99")
				b.ReportMetric(100*(s.processorTime()-processor).Seconds()/spent, "%-of-a-core")
				b.ReportMetric(float64(len(s.output())-bytes)/spent/1000, "kB/s")
			}
		})
	}
}

// BenchmarkFifteenLongStreams has fifteen models write 1 MB of Markdown each within ten seconds. It reports the memory
// of the program: at the start, the most meanwhile, and three seconds after the end.
func BenchmarkFifteenLongStreams(b *testing.B) {
	unit := "## A heading\n\n" + strings.Repeat("Some *words* of a paragraph with `code` in it and a "+
		"[link](https://example.com), which goes over a few lines.\n\n", 4) +
		strings.Repeat("- an item of a list, of a few words\n", 8) + "\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\n" +
		strings.Repeat("\tcall(x, y) // and so on\n", 30) + "```\n\n"
	for b.Loop() {
		e := newTokenEngine(b, 1000, 10*time.Millisecond)
		e.text = strings.Repeat(unit, 1<<20/len(unit)+1)
		s := e.home(b, 15).open(120, 40)
		s.waitFor("Prompt")
		time.Sleep(time.Second)
		pid := s.cmd.Process.Pid
		before := processMemory(b, pid, "VmRSS:")
		processor, began := s.processorTime(), time.Now()
		s.sendKeys("count\r")
		for _, m := range models(15) {
			e.awaitSent(b, m, "a1000")
		}
		spent := time.Since(began)
		time.Sleep(3 * time.Second)
		b.ReportMetric(float64(before)/1e6, "MB/start")
		b.ReportMetric(float64(processMemory(b, pid, "VmHWM:"))/1e6, "MB/peak")
		b.ReportMetric(float64(processMemory(b, pid, "VmRSS:"))/1e6, "MB/after")
		b.ReportMetric((s.processorTime() - processor).Seconds(), "s/processor")
		b.ReportMetric(spent.Seconds(), "s/streams")
	}
}

// awaitSent waits until a token was sent to a model.
func (e *tokenEngine) awaitSent(b *testing.B, model, token string) {
	b.Helper()
	for over := time.Now().Add(2 * time.Minute); e.sentAt(model, token).IsZero(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(over) {
			b.Fatal("the last token is not sent to", model)
		}
	}
}

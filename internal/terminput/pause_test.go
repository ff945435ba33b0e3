package terminput

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// sequences returns what terminals send: keys, mouse events, pastes and answers.
func sequences() []string {
	return []string{
		"日本語é🙂", "\x1bé", "\x1b[A", "\x1bOP", "\x1bO5P", "\x1b[[C", "\x1b\x1b[D", "\x1b[15;5~", "\x1b[1;2R",
		"\x1b[1;1R", "\x1b[27;5;1089~", "\x1b[1089::99;5u", "\x1b[97;5:3u", "\x1b[<0;103;40M\x1b[<0;103;40m",
		"\x1b[32;95;7M", "\x1b[M \x7f!", "\x1b[M \xff\xc3", "\x1b[I\x1b[O", "\x1b[48;40;120;800;1200t", "\x1b[6;20;10t",
		"\x1b[4;800;1200t", "\x1b[?62;4;22c", "\x1b[>41;354;0c", "\x1b[?2026;2$y", "\x1b[?1u",
		"\x1b[?997;1n", "\x1b[>4;2m", "\x1b[12;40R",
		"\x1b]11;rgb:ffff/ffff/ffff\x07", "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\", "\x1b]52;c;aGVsbG8gd29ybGQ=\x07",
		"\x1b]1337;ReportCellSize=20;10\x1b\\", "\x1b]4;1;rgb:cd/00/00\x1b\\", "\x1bP>|kitty(0.41.1)\x1b\\",
		"\x1bP1$r48:2:1:2:3m\x1b\\", "\x1bP1+r524742=38\x1b\\", "\x1bP!|7E565445\x1b\\", "\x1b_Gi=31;OK\x1b\\",
		"\x1b_Gi=31;ENOENT:no picture\x1b\\", "\x1b]0;" + strings.Repeat("x", maxSequence) + "\x1b\\",
		pasteStart + "a\x1b[A\x1b]0;x\r\n日\x03\x1b[201\x7f\r" + pasteEnd, pasteStart + pasteEnd,
	}
}

// feedSlowly decodes chunks with a pause after each, except after a lone escape character, which would become the
// escape key.
func feedSlowly(d *Decoder, pause time.Duration, chunks []string) (events []uv.Event) {
	d.Emit = func(e uv.Event) { events = append(events, e) }
	for _, c := range chunks {
		d.Feed([]byte(c))
		for left := pause; len(d.text) > 0 || len(d.pending) == 0 || !isWhole(d.pending) || d.mode != readingKeys; {
			wait := d.Wait()
			if wait == 0 || wait > left {
				break
			}
			left -= wait
			d.Expire()
		}
	}
	for d.Wait() > 0 {
		d.Expire()
	}
	return events
}

// undivided describes events independently of how text and pastes are divided into them.
func undivided(events []uv.Event) string {
	var joined []uv.Event
	for _, e := range events {
		paste, isPaste := e.(uv.PasteEvent)
		if last := len(joined) - 1; isPaste && last >= 0 {
			if before, ok := joined[last].(uv.PasteEvent); ok {
				joined[last] = uv.PasteEvent{Content: before.Content + paste.Content}
				continue
			}
		}
		joined = append(joined, e)
	}
	// Each run of invalid bytes becomes one replacement character.
	return regexp.MustCompile("\uFFFD+|(\\\\ufffd)+").ReplaceAllString(typed(joined), "\uFFFD")
}

// cut splits a text at random positions.
func cut(random *rand.Rand, text string) (chunks []string) {
	for text != "" {
		n := min(len(text), 1+random.IntN(12))
		chunks, text = append(chunks, text[:n]), text[n:]
	}
	return chunks
}

// TestPausesChangeNothing splits the input of terminals at every position with short and long pauses.
func TestPausesChangeNothing(t *testing.T) {
	for _, sequence := range sequences() {
		input := "a" + sequence + "b\x1b[B"
		want := undivided(feed(&Decoder{}, input))
		step := max(1, len(input)/200)
		for at := 1; at < len(input); at += step {
			for _, pause := range []time.Duration{60 * time.Millisecond, 6 * time.Second} {
				got := undivided(feedSlowly(&Decoder{}, pause, []string{input[:at], input[at:]}))
				if got != want {
					t.Fatalf("%q, %v after %q:\ngot  %q\nwant %q", input, pause, input[:at], got, want)
				}
			}
		}
	}
}

func FuzzPauses(f *testing.F) {
	for i, sequence := range sequences() {
		f.Add([]byte(sequence+"x"+sequence), uint64(i), uint16(6000))
	}
	for _, input := range hostile() {
		f.Add([]byte(input[:min(len(input), 300)]), uint64(1), uint16(60))
	}
	f.Fuzz(func(t *testing.T, input []byte, seed uint64, pause uint16) {
		chunks := cut(rand.New(rand.NewPCG(seed, 1)), string(input))
		wait := time.Duration(pause) * time.Millisecond % stallWait
		got := undivided(feedSlowly(&Decoder{}, wait, chunks))
		if want := undivided(feed(&Decoder{}, string(input))); got != want {
			t.Errorf("%q with pauses of %v:\ngot  %q\nwant %q", chunks, wait, got, want)
		}
	})
}

package terminput

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"

	"confab/internal/safego"
)

// answerTime is how long after its start a terminal may answer the program's questions. Later answers are pasted
// text, which must not change the rendering.
const answerTime = 30 * time.Second

// Reader is the input of a Bubble Tea program. It decodes the bytes of a terminal itself and sends the events to the
// program.
type Reader struct {
	source io.Reader
	log    *slog.Logger
	isRead bool // the first bytes were read

	mu      sync.Mutex
	send    func(tea.Msg)
	decoder *Decoder
	budget  *budget
	began   time.Time
	burstAt time.Time // when the current burst began; zero without one
	timer   *time.Timer
	expiry  int // incremented at every decoding, so that late timers have no effect
	buffer  []byte
}

// New returns a reader of a terminal. A nil log discards errors.
func New(source io.Reader, log *slog.Logger) *Reader {
	r := &Reader{source: source, log: log, began: time.Now(), budget: newBudget(), buffer: make([]byte, 4<<10)}
	r.reset()
	return r
}

// reset discards the state of the decoder.
func (r *Reader) reset() { r.decoder = &Decoder{Emit: r.emit, Allow: r.budget.allow} }

// Input returns the option that makes a program read this terminal. Bubble Tea sets a file to raw mode, and stops
// reading it while another program uses the terminal.
func (r *Reader) Input() tea.ProgramOption {
	if f, ok := r.source.(*os.File); ok {
		return tea.WithInput(file{f, r})
	}
	return tea.WithInput(r)
}

// SendTo sets the receiver of events. Call it once before the program runs.
func (r *Reader) SendTo(p *tea.Program) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.send = p.Send
}

// file is a terminal that is a file and read by a Reader.
type file struct {
	*os.File
	reader *Reader
}

// Read implements [io.Reader].
func (f file) Read(p []byte) (int, error) { return f.reader.Read(p) }

// Read implements [io.Reader]. It reads the terminal, sends events to the program and returns no bytes, because
// Bubble Tea's parser panics on some input in a goroutine without recovery.
func (r *Reader) Read([]byte) (int, error) {
	n, err := r.source.Read(r.buffer)
	if !r.isRead {
		// Before raw mode the terminal turns the enter of what is typed ahead into a line feed, which is ctrl+j.
		copy(r.buffer, bytes.ReplaceAll(r.buffer[:n], []byte("\n"), []byte("\r")))
	}
	r.isRead = r.isRead || n > 0
	if n > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.decode(func(d *Decoder) { d.Feed(r.buffer[:n]) })
	}
	return 0, err
}

// decode calls work with the decoder. After a panic it drops the current input.
func (r *Reader) decode(work func(*Decoder)) {
	defer safego.Recover(r.log, "terminal input", func(error) { r.reset() })
	r.expiry++
	if r.timer != nil {
		r.timer.Stop()
	}
	work(r.decoder)
	r.limitBurst()
	if wait := r.decoder.Wait(); wait > 0 {
		expiry := r.expiry
		r.timer = time.AfterFunc(wait, func() { r.expire(expiry) })
	}
}

// limitBurst emits the text of a long burst if the budget allows it. Otherwise continuous text, from a repeating key
// or a slow line, would not appear.
func (r *Reader) limitBurst() {
	switch {
	case r.decoder.mode != readingKeys || len(r.decoder.text) == 0:
		r.burstAt = time.Time{}
	case r.burstAt.IsZero():
		r.burstAt = time.Now()
	case time.Since(r.burstAt) >= burstLasts && r.budget.allow():
		r.decoder.emitUnfinishedBurst()
		r.burstAt = time.Time{}
	}
}

// expire calls Expire unless bytes arrived since the timer with this number was set.
func (r *Reader) expire(expiry int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.expiry == expiry {
		r.decode((*Decoder).Expire)
	}
}

// emit sends an event to the program and waits until it handles the previous one.
func (r *Reader) emit(e uv.Event) {
	if isAnswer(e) && time.Since(r.began) > answerTime {
		return
	}
	began := time.Now()
	r.send(e)
	r.budget.spend(time.Since(began))
}

// The budget of a terminal's events.
const (
	fullBudget = 50 * time.Millisecond  // also the maximum debt
	leastCost  = 100 * time.Microsecond // of one event
	typedAhead = 50                     // events accepted without budget while the program is busy
	typedRate  = 10                     // how many of those are restored per second
)

// budget bounds the time that input can take from a program: each event costs twice its handling time, and idle time
// restores the budget. A flood is dropped as it arrives, and a later key is handled at once.
type budget struct {
	left  time.Duration
	at    time.Time
	typed *rate.Limiter
}

func newBudget() *budget {
	return &budget{left: fullBudget, at: time.Now(), typed: rate.NewLimiter(typedRate, typedAhead)}
}

// allow reports whether the budget allows another event. Without budget it allows a few that the user may have typed
// while the program was busy.
func (b *budget) allow() bool {
	b.refill()
	return b.left > 0 || b.typed.Allow()
}

// spend subtracts the cost of an event with a handling time.
func (b *budget) spend(took time.Duration) {
	b.refill()
	b.left = max(b.left-max(2*took, leastCost), -fullBudget)
}

func (b *budget) refill() {
	now := time.Now()
	b.left = min(b.left+now.Sub(b.at), fullBudget)
	b.at = now
}

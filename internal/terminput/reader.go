package terminput

import (
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

// answerTime is how long after its start a terminal may answer the questions of the start. Later such bytes are text
// that somebody pasted, which must not change how the screen is drawn.
const answerTime = 30 * time.Second

// Reader reads a terminal for a Bubble Tea program: it is the program's input, but it decodes the bytes by itself and
// sends the events to the program.
type Reader struct {
	source io.Reader
	log    *slog.Logger

	mu      sync.Mutex
	send    func(tea.Msg)
	decoder *Decoder
	budget  *budget
	began   time.Time
	burstAt time.Time // when the text of the burst that is being gathered began; zero when there is none
	timer   *time.Timer
	expiry  int // counts what was decoded, so that a timer that was stopped too late does nothing
	buffer  []byte
}

// New returns a reader of a terminal. A nil log discards faults.
func New(source io.Reader, log *slog.Logger) *Reader {
	r := &Reader{source: source, log: log, began: time.Now(), budget: newBudget(), buffer: make([]byte, 4<<10)}
	r.reset()
	return r
}

// reset forgets what the decoder was in the middle of.
func (r *Reader) reset() { r.decoder = &Decoder{Emit: r.emit, Allow: r.budget.allow} }

// Input returns the option that makes a program read this terminal. Bubble Tea switches a file to raw mode and stops
// reading it while another program has the terminal.
func (r *Reader) Input() tea.ProgramOption {
	if f, ok := r.source.(*os.File); ok {
		return tea.WithInput(file{f, r})
	}
	return tea.WithInput(r)
}

// SendTo says where events go. It is called once, before the program runs.
func (r *Reader) SendTo(p *tea.Program) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.send = p.Send
}

// file is a terminal that is a file, read by a Reader.
type file struct {
	*os.File
	reader *Reader
}

// Read implements [io.Reader].
func (f file) Read(p []byte) (int, error) { return f.reader.Read(p) }

// Read implements [io.Reader]. It reads from the terminal, sends the events to the program and returns no bytes: Bubble
// Tea's own parser panics on some input, in a goroutine where nothing can recover it.
func (r *Reader) Read([]byte) (int, error) {
	n, err := r.source.Read(r.buffer)
	if n > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.decode(func(d *Decoder) { d.Feed(r.buffer[:n]) })
	}
	return 0, err
}

// decode lets the decoder work. A fault ends only what was decoded then.
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

// limitBurst emits the text of a burst that has been gathered for long, if there is budget for it. Otherwise nothing
// would be shown while text keeps coming without a pause, as from a key that repeats quickly or a slow line.
func (r *Reader) limitBurst() {
	switch {
	case !r.decoder.isGatheringBurst():
		r.burstAt = time.Time{}
	case r.burstAt.IsZero():
		r.burstAt = time.Now()
	case time.Since(r.burstAt) >= burstLasts && r.budget.allow():
		r.decoder.emitUnfinishedBurst()
		r.burstAt = time.Time{}
	}
}

// expire tells the decoder that nothing more has come since the expiry with this number was set.
func (r *Reader) expire(expiry int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.expiry == expiry {
		r.decode((*Decoder).Expire)
	}
}

// emit sends an event to the program, which takes it when it has handled the one before.
func (r *Reader) emit(e uv.Event) {
	if isAnswer(e) && time.Since(r.began) > answerTime {
		return
	}
	began := time.Now()
	r.send(e)
	r.budget.spend(time.Since(began))
}

// The budget of the events of a terminal.
const (
	fullBudget = 50 * time.Millisecond  // also the most that is owed
	leastCost  = 100 * time.Microsecond // of one event
	typedAhead = 50                     // events that are taken from a busy program's terminal anyway
	typedRate  = 10                     // how many of those are given back in a second
)

// budget limits how long input can keep a program busy: each event costs twice the time that the program needs for it,
// and time gives it back. A flood is dropped as fast as it comes, and a key that is pressed after it is handled at
// once.
type budget struct {
	left  time.Duration
	at    time.Time
	typed *rate.Limiter
}

func newBudget() *budget {
	return &budget{left: fullBudget, at: time.Now(), typed: rate.NewLimiter(typedRate, typedAhead)}
}

// allow tells whether there is budget for another event. Where there is none, a few are allowed that somebody may have
// typed while the program was busy.
func (b *budget) allow() bool {
	b.refill()
	return b.left > 0 || b.typed.Allow()
}

// spend takes what an event has cost that the program needed so much time for.
func (b *budget) spend(took time.Duration) {
	b.refill()
	b.left = max(b.left-max(2*took, leastCost), -fullBudget)
}

func (b *budget) refill() {
	now := time.Now()
	b.left = min(b.left+now.Sub(b.at), fullBudget)
	b.at = now
}

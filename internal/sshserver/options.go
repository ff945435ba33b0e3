package sshserver

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/metrics"
)

// Options is what a [Server] is made of. House, Keys and HostKey are required.
type Options struct {
	House House
	Keys  string // a file of authorised keys, or a folder with one for each user
	// HasData tells whether something is kept for a user of that name. It only helps to tell the operator about keys
	// that named a user by their comment, as they did once. Nil means that nothing is kept for anybody.
	HasData func(name string) bool
	HostKey string // a file; made when it is not there
	Limits  Limits
	// Commands are what may be executed, by their first word.
	Commands []string
	Log      *slog.Logger // whoever builds it is in charge of masking; nil discards
	Metrics  *metrics.Registry
}

// Limits bound what a client can use. A zero is that of [DefaultLimits].
type Limits struct {
	Connections int           // of users who are in, at once
	PerAddress  int           // of one address (of IPv6: 64 bits) at once, of users and of nobody yet each
	PerMinute   int           // new connections of one address
	PerUser     int           // connections of one user at once
	Handshake   time.Duration // until keys are exchanged
	Offer       time.Duration // from then until a key is offered that could log in
	Login       time.Duration // from then until the key has signed, and until its user asks for something
	Tries       int           // keys offered in one connection
	// Unauthenticated is how many connections of nobody yet there may be at once. From a tenth of it on some are dropped.
	Unauthenticated int
	Idle            time.Duration // without a key pressed
	Longest         time.Duration // of a login
	Warning         time.Duration // how long before either the user is told
	Write           time.Duration // for a client to take 16 KiB
	Farewell        time.Duration // to read that the server ends, or that the key was taken away
	Recheck         time.Duration // from one look at the authorised keys to the next
	Patience        time.Duration // with authorised keys that cannot be read, before everybody has to leave
	Columns         int
	Rows            int
	Resizes         int // a second
	Burst           int // bytes typed or pasted at once
	Rate            int // bytes a second after that
}

// DefaultLimits returns the limits for a server nobody has told otherwise.
func DefaultLimits() Limits {
	return Limits{
		Connections: 32, PerAddress: 4, PerMinute: 10, PerUser: 4,
		Handshake: 10 * time.Second, Offer: 10 * time.Second, Login: 30 * time.Second, Tries: 6,
		Unauthenticated: 100,
		Idle:            30 * time.Minute, Longest: 24 * time.Hour, Warning: time.Minute,
		Write: 10 * time.Second, Farewell: 1500 * time.Millisecond,
		Recheck: 3 * time.Second, Patience: time.Minute,
		Columns: 500, Rows: 200, Resizes: 20, Burst: 2 << 20, Rate: 64 << 10,
	}
}

// filled returns the limits with defaults in the place of zeros.
func (l Limits) filled() Limits {
	d := DefaultLimits()
	for _, n := range []struct {
		have *int
		or   int
	}{
		{&l.Connections, d.Connections}, {&l.PerAddress, d.PerAddress}, {&l.PerMinute, d.PerMinute}, {&l.PerUser, d.PerUser},
		{&l.Tries, d.Tries}, {&l.Unauthenticated, d.Unauthenticated},
		{&l.Columns, d.Columns}, {&l.Rows, d.Rows}, {&l.Resizes, d.Resizes}, {&l.Burst, d.Burst}, {&l.Rate, d.Rate},
	} {
		if *n.have <= 0 {
			*n.have = n.or
		}
	}
	for _, t := range []struct {
		have *time.Duration
		or   time.Duration
	}{
		{&l.Handshake, d.Handshake}, {&l.Offer, d.Offer}, {&l.Login, d.Login}, {&l.Idle, d.Idle}, {&l.Longest, d.Longest},
		{&l.Warning, d.Warning}, {&l.Write, d.Write}, {&l.Farewell, d.Farewell}, {&l.Recheck, d.Recheck}, {&l.Patience, d.Patience},
	} {
		if *t.have <= 0 {
			*t.have = t.or
		}
	}
	return l
}

// House makes what a login gets. Its methods are called from many goroutines.
type House interface {
	// Screen makes the program of a login. The context is the login's. The
	// error is told to the user, so it must be a sentence for people.
	Screen(ctx context.Context, v Visit) (Screen, error)
	// Run carries out an allowed command and returns its exit code. The end of
	// the context means that the client is gone or the server ends.
	Run(ctx context.Context, v Visit, words []string, s Streams) int
}

// Visit is a login.
type Visit struct {
	User    User
	Environ []string // how to draw, as far as the client told: nothing else gets in
	Remote  net.Addr
	Local   net.Addr
	Window  Window // of a terminal; zero without one
}

// Window is the size of a terminal in cells.
type Window struct{ Columns, Rows int }

// Streams are those of a command.
type Streams struct {
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
	Signals <-chan os.Signal
}

// Screen is the program of a login.
type Screen struct {
	Model   tea.Model
	Options []tea.ProgramOption // these win over the server's own
	// Started is called with the program before it runs.
	Started func(p *tea.Program)
	// Left is called once when the program has ended and tells what is printed
	// to the user then, in lines, and whether a fault ended it.
	Left func(why Leaving) (say string, failed bool)
}

// Leaving says why a screen ended.
type Leaving string

// The ways to leave.
const (
	ByUser    Leaving = "user"
	ByLine    Leaving = "line"    // the connection was lost
	ByIdling  Leaving = "idle"    // nothing was typed for long
	ByTime    Leaving = "time"    // the login was as long as one may be
	ByServer  Leaving = "server"  // the server ends
	ByKey     Leaving = "key"     // the key is not authorised any more
	ByFailure Leaving = "failure" // the program broke
)

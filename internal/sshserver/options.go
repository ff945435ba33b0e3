package sshserver

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Options configures a [Server]. Handler and HostKey are required. Keys must be there unless TrustedUserCAKeys is set.
type Options struct {
	Handler Handler
	Keys    string // a file of authorised keys, or a folder with one for each user
	HostKey string // a file, which is created when it does not exist
	// TrustedUserCAKeys is a file with the public keys of those who sign certificates of users; empty: there are none.
	TrustedUserCAKeys string
	Limits            Limits
	// Ready returns why no logins should be sent here now, in a sentence; nil: they always should.
	Ready func() error
	// Commands are the commands that may be run, by their first word.
	Commands []string
	Log      *slog.Logger // must mask secrets itself; nil discards
}

// Limits limits what a client can use. Change those of [DefaultLimits]: a zero here is a limit of zero.
type Limits struct {
	MaxConnections      int           // of logged-in users, at the same time
	MaxPerAddress       int           // unauthenticated connections of one address (of IPv6: 64 bits)
	MaxPerUser          int           // connections of one user at the same time
	HandshakeTimeout    time.Duration // until keys are exchanged
	KeyOfferTimeout     time.Duration // from then until an authorised key is offered
	LoginTimeout        time.Duration // from then until the key has signed, and from then until a session is opened
	MaxAuthTries        int           // keys that one connection may offer
	MaxUnauthenticated  int           // connections; a new one takes the place of another
	IdleTimeout         time.Duration // a screen closes after this time without input
	WarningTime         time.Duration // how long before that the user is warned
	WriteTimeout        time.Duration // for a client to read 16 KiB
	FarewellTime        time.Duration // to read why the screen closes
	KeyCheckInterval    time.Duration // between two checks of the authorised keys
	UnreadableKeysGrace time.Duration // how long the authorised keys may be unreadable before all sessions end
	MaxColumns          int
	MaxRows             int
	ResizesPerSecond    int
	InputBurst          int // bytes of input at once
	InputRate           int // bytes of input a second after that
}

// DefaultLimits returns the limits of a server that sets none.
func DefaultLimits() Limits {
	return Limits{
		MaxConnections: 32, MaxPerAddress: 20, MaxPerUser: 4,
		HandshakeTimeout: 10 * time.Second, KeyOfferTimeout: 10 * time.Second, LoginTimeout: 30 * time.Second,
		MaxAuthTries: 6, MaxUnauthenticated: 100,
		IdleTimeout: 30 * time.Minute, WarningTime: time.Minute,
		WriteTimeout: 10 * time.Second, FarewellTime: 1500 * time.Millisecond,
		KeyCheckInterval: 3 * time.Second, UnreadableKeysGrace: time.Minute,
		MaxColumns: 500, MaxRows: 200, ResizesPerSecond: 20, InputBurst: 2 << 20, InputRate: 64 << 10,
	}
}

// Handler provides what a login gets: a screen or a command. Its methods are called from many goroutines.
type Handler interface {
	// OpenScreen returns the program of a login. The context is that of the login. The error is shown to the user, so
	// it must be a sentence for people.
	OpenScreen(ctx context.Context, v Session) (Program, error)
	// RunCommand runs an allowed command and returns its exit code. The context ends when the client disconnects or the
	// server stops.
	RunCommand(ctx context.Context, v Session, words []string, s Streams) int
}

// Session is a login.
type Session struct {
	User       User
	Environ    []string // the client's variables that say how to draw; all others are removed
	RemoteAddr net.Addr
	LocalAddr  net.Addr
	Window     Window // size of the terminal; zero without one
}

// Window is the size of a terminal in cells.
type Window struct{ Columns, Rows int }

// Streams are the streams and signals of a command.
type Streams struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Signals <-chan os.Signal
}

// Program is the Bubble Tea program of a login.
type Program struct {
	Model   tea.Model
	Options []tea.ProgramOption // these override the options of the server
	// OnStart is called with the program before it runs.
	OnStart func(p *tea.Program)
	// OnExit is called once when the program has ended. It returns the lines to print to the user, and whether a fault
	// ended the program.
	OnExit func(why ExitReason) (say string, failed bool)
}

// ExitReason says why a screen ended.
type ExitReason string

// The reasons why a screen ends.
const (
	ExitByUser         ExitReason = "user"
	ExitConnectionLost ExitReason = "line"    // the connection was lost
	ExitIdle           ExitReason = "idle"    // nothing was typed for IdleTimeout
	ExitServerStopped  ExitReason = "server"  // the server stops
	ExitKeyRevoked     ExitReason = "key"     // the key is no longer authorised
	ExitFault          ExitReason = "failure" // a fault in the program
)

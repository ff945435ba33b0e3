package sshserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"time"

	"confab/internal/metrics"
	"confab/internal/safego"
)

// facts are what the operator can read of the server.
type facts struct {
	refused, closed, failures, logins, commands, denied *metrics.Vec
	sent                                                *metrics.Vec
	panics                                              *metrics.Vec
	open, unauthenticated, screens, users               *metrics.Vec
	keys                                                *metrics.Vec
	lasted                                              *metrics.Histogram
}

func newFacts(r *metrics.Registry) *facts {
	r.Func("confab_goroutines", "Goroutines of the process.", nil, func() []metrics.Sample {
		return []metrics.Sample{{Value: float64(runtime.NumGoroutine())}}
	})
	r.Func("confab_heap_bytes", "Bytes of live memory.", nil, func() []metrics.Sample {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return []metrics.Sample{{Value: float64(m.HeapAlloc)}}
	})
	return &facts{
		refused:         r.Counter("confab_ssh_refused_total", "Connections and logins refused, by the limit that was reached.", "limit"),
		closed:          r.Counter("confab_ssh_closed_total", "Connections the server closed, by reason.", "reason"),
		failures:        r.Counter("confab_ssh_auth_failures_total", "Attempts to log in that failed.", "method"),
		logins:          r.Counter("confab_ssh_logins_total", "Screens that were opened."),
		commands:        r.Counter("confab_ssh_commands_total", "Commands that were run, by exit status.", "status"),
		denied:          r.Counter("confab_ssh_denied_requests_total", "What clients asked for and is not served.", "request"),
		sent:            r.Counter("confab_ssh_sent_bytes_total", "Bytes sent over connections that have ended."),
		panics:          r.Counter("confab_ssh_panics_total", "Faults that ended one login."),
		open:            r.Gauge("confab_ssh_connections", "Open connections."),
		unauthenticated: r.Gauge("confab_ssh_unauthenticated_connections", "Open connections of nobody yet."),
		screens:         r.Gauge("confab_ssh_screens", "Open screens."),
		users:           r.Gauge("confab_ssh_users", "Different users who are logged in."),
		keys:            r.Counter("confab_ssh_input_bytes_total", "Bytes typed and pasted."),
		lasted:          r.Histogram("confab_ssh_login_seconds", "How long logins last.", []float64{1, 10, 60, 600, 3600, 14400, 86400}),
	}
}

// Times of the small HTTP server for the facts.
const (
	factsTimeout = 5 * time.Second
	factsHeader  = 8 << 10 // bytes
)

// ServeFacts answers /metrics and /healthz on l, which should be on loopback:
// there is no password, until the context ends. Health is 200 while logins are
// taken and 503 from the moment the server is told to end.
func (s *Server) ServeFacts(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !metrics.NamesThisMachine(r.Host) {
			http.NotFound(w, r)
			return
		}
		connections, unauthenticated, users := s.limiter.count()
		s.facts.unauthenticated.Set(float64(unauthenticated))
		s.facts.open.Set(float64(connections))
		s.facts.users.Set(float64(users))
		s.facts.screens.Set(float64(s.count()))
		s.metrics.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if s.isClosing() {
			http.Error(w, "closing", http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
	srv := &http.Server{
		Handler: mux, ReadTimeout: factsTimeout, WriteTimeout: factsTimeout, IdleTimeout: factsTimeout, MaxHeaderBytes: factsHeader,
	}
	stop := context.AfterFunc(ctx, func() {
		defer safego.Recover(s.log, "metrics", nil)
		_ = srv.Close() // its requests are short
	})
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}

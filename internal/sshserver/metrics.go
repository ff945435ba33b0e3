package sshserver

import (
	"fmt"
	"net/http"

	"confab/internal/metrics"
	"confab/internal/netaddr"
)

// serverMetrics are the numbers of a server that Prometheus reads.
type serverMetrics struct {
	refusals, closings, authFailures, logins, commands, deniedRequests, panics *metrics.Vec
	connections, unauthenticated, screens, users                               *metrics.Vec
	inputBytes, sentBytes, loginSeconds                                        *metrics.Vec
}

func newServerMetrics(r *metrics.Registry) *serverMetrics {
	r.RegisterProcess()
	return &serverMetrics{
		refusals: r.Counter("confab_ssh_refused_total",
			"Connections and logins refused, by the limit that was reached.", "limit"),
		closings:     r.Counter("confab_ssh_closed_total", "Connections the server closed, by reason.", "reason"),
		authFailures: r.Counter("confab_ssh_auth_failures_total", "Attempts to log in that failed.", "method"),
		logins:       r.Counter("confab_ssh_logins_total", "Screens that were opened."),
		commands:     r.Counter("confab_ssh_commands_total", "Commands that were run, by exit status.", "status"),
		deniedRequests: r.Counter("confab_ssh_denied_requests_total",
			"What clients asked for and is not served.", "request"),
		sentBytes:       r.Counter("confab_ssh_sent_bytes_total", "Bytes sent over connections that have ended."),
		panics:          r.Counter("confab_ssh_panics_total", "Faults that ended one login."),
		connections:     r.Gauge("confab_ssh_connections", "Open connections."),
		unauthenticated: r.Gauge("confab_ssh_unauthenticated_connections", "Open connections of nobody yet."),
		screens:         r.Gauge("confab_ssh_screens", "Open screens."),
		users:           r.Gauge("confab_ssh_users", "Different users who are logged in."),
		inputBytes:      r.Counter("confab_ssh_input_bytes_total", "Bytes typed and pasted."),
		loginSeconds: r.Histogram("confab_ssh_login_seconds", "How long logins last.",
			[]float64{1, 10, 60, 600, 3600, 14400, 86400}),
	}
}

// MetricsHandler answers /metrics, /healthz and /readyz. It should be served on loopback, because it asks for no
// password. Health is 200 until the server is told to end, and 503 from then on; /readyz is 503 as soon as the server
// drains.
func (s *Server) MetricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !netaddr.NamesThisMachine(r.Host) {
			http.NotFound(w, r)
			return
		}
		connections, unauthenticated, users := s.limiter.counts()
		s.metrics.unauthenticated.Set(float64(unauthenticated))
		s.metrics.connections.Set(float64(connections))
		s.metrics.users.Set(float64(users))
		s.registry.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { s.writeState(w, false) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { s.writeState(w, s.isDraining()) })
	return mux
}

// writeState answers whether the server is well.
func (s *Server) writeState(w http.ResponseWriter, isDraining bool) {
	switch {
	case s.closing.Err() != nil:
		http.Error(w, "closing", http.StatusServiceUnavailable)
	case isDraining:
		http.Error(w, "draining", http.StatusServiceUnavailable)
	default:
		_, _ = fmt.Fprintln(w, "ok") // the reader may have gone
	}
}

package server

import (
	"net"
	"net/http"
	"net/netip"
	"slices"

	"confab/internal/metrics"
	"confab/service/api"
)

// serveOperations answers the paths for those who run the server; ok is false for all others.
func (s *Server) serveOperations(w http.ResponseWriter, r *http.Request) (ok bool, err error) {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/openapi.json":
	case "/metrics":
		if s.metrics == nil || !s.localMetrics || !isLocal(r) || !metrics.NamesThisMachine(r.Host) {
			return true, notFound()
		}
	default:
		return false, nil
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return true,
			&refusal{status: 405, code: string(api.CodeBadRequest), message: "This path takes GET only.",
				allow: http.MethodGet}
	}
	switch r.URL.Path {
	case "/metrics":
		s.metrics.ServeHTTP(w, r)
	case "/openapi.json":
		send(w, http.StatusOK, "application/json", s.description)
	case "/readyz":
		if s.draining.Load() {
			return true,
				&refusal{status: 503, code: string(api.CodeService), message: "The service is going down.", retry: 1}
		}
		if err := s.ready(); err != nil {
			return true, &refusal{status: 503, code: string(api.CodeService), message: err.Error(), retry: 5}
		}
		fallthrough
	default:
		send(w, http.StatusOK, "application/json", []byte("{\"status\":200}\n"))
	}
	return true, nil
}

// isLocal tells whether a request comes from this machine itself, and was not passed on by a proxy that runs on it.
func isLocal(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback() && !viaProxy(r)
}

// viaProxy tells whether a request says that a proxy passed it on.
func viaProxy(r *http.Request) bool {
	return slices.ContainsFunc([]string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"},
		func(name string) bool { return r.Header.Get(name) != "" })
}

// reachedByLoopback tells whether a request came to a loopback address of this machine.
func reachedByLoopback(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && Loopback(local.String())
}

// Operations serves /metrics, /healthz and /readyz only, for an address of its own that operators alone reach. On
// loopback it answers to the names of this machine only: a web page can have its own name resolve to a loopback
// address.
func (s *Server) Operations() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		foreign := reachedByLoopback(r) && !metrics.NamesThisMachine(r.Host)
		if r.URL.Path == "/metrics" && s.metrics != nil && r.Method == http.MethodGet && !foreign {
			s.metrics.ServeHTTP(w, r)
			return
		}
		ok, err := false, error(nil)
		if !foreign {
			ok, err = s.serveOperations(w, r)
		}
		if !ok {
			err = notFound()
		}
		if err != nil {
			if refused := refusalOf(r.Context(), err); refused != nil {
				refused.write(w)
			}
		}
	})
}

// Loopback tells whether an address, as "host:port", can be reached from this machine only.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && loopbackHost(host)
}

package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"confab/internal/netaddr"
	"confab/service/api"
)

// openAPI describes the service; [describe] adds the models of the catalogue.
//
//go:embed openapi.json
var openAPI []byte

// describe returns the OpenAPI description for a catalogue.
func describe(c api.Catalogue) ([]byte, error) {
	var doc struct {
		OpenAPI    string                    `json:"openapi"`
		Info       json.RawMessage           `json:"info"`
		Paths      map[string]map[string]any `json:"paths"`
		Components json.RawMessage           `json:"components"`
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	for path, isText := range map[string]bool{"/api/llm/{slug}": true, "/api/generative/{slug}": false} {
		slugs := []string{}
		for _, m := range c.Models() {
			if (m.Kind == api.Text) == isText {
				slugs = append(slugs, m.Slug)
			}
		}
		doc.Paths[path]["parameters"] = []any{map[string]any{"name": "slug", "in": "path", "required": true,
			"schema": map[string]any{"type": "string", "enum": slugs}}}
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the description: %w", err)
	}
	return append(b, '\n'), nil
}

// isOperationsPath reports whether a path is for those who run the server.
func isOperationsPath(path string) bool {
	return slices.Contains([]string{"/healthz", "/readyz", "/openapi.json"}, path)
}

// serveOperations answers a path of [isOperationsPath].
func (s *Server) serveOperations(w http.ResponseWriter, r *http.Request) error {
	if err := requireMethod(w, r, http.MethodGet, http.MethodHead); err != nil {
		return err
	}
	switch r.URL.Path {
	case "/openapi.json":
		description, err := describe(s.Catalogue())
		if err == nil {
			send(w, http.StatusOK, "application/json", description)
		}
		return err
	case "/readyz":
		if s.draining.Load() {
			return goingDown()
		}
		if err := s.Ready(); err != nil {
			return refuseFor(5*time.Second, http.StatusServiceUnavailable, api.CodeService, "%s", err.Error())
		}
	}
	send(w, http.StatusOK, "application/json", []byte("{\"status\":200}\n"))
	return nil
}

// IsLoopbackAddress reports whether an address, as "host:port", can be reached from this machine only.
func IsLoopbackAddress(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && netaddr.IsLoopback(host)
}

// isProxied reports whether a request says that a proxy passed it on.
func isProxied(r *http.Request) bool {
	return slices.ContainsFunc([]string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"},
		func(name string) bool { return r.Header.Get(name) != "" })
}

// clientAddr returns the address of the client. What a trusted proxy says of it is believed, back to the first address
// that is no trusted proxy's. isProxied is false where the client is connected itself. The address is not valid where
// the connection has none.
func (s *Server) clientAddr(r *http.Request) (client netip.Addr, isProxied bool) {
	isTrusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(s.Access.Proxies, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	client = peer.Addr().Unmap().WithZone("")
	if !isTrusted(client) {
		return client, false
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		a, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		if client = a.Unmap().WithZone(""); !isTrusted(client) {
			break
		}
	}
	return client, true
}

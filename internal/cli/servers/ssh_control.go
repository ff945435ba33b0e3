package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/service/api"
)

// sshSocket is the socket in the data folder on which a running server takes requests of its operator.
const sshSocket = "ssh.sock"

// Limits of a request on the socket.
const (
	controlTimeout    = 5 * time.Second
	maxControlRequest = 64 << 10 // bytes
)

// controlRequest asks a running server for something: "sessions", "message", "kick", "forget", or
// "disabled" to read anew who is kept out.
type controlRequest struct {
	Do   string `json:"do"`
	User string `json:"user,omitempty"`
	Text string `json:"text,omitempty"`
}

// controlResponse is the answer to a request.
type controlResponse struct {
	Sessions []sshserver.OpenSession `json:"sessions,omitempty"`
	Count    int                     `json:"count"`
}

// serveControl takes requests of the operator until stop is called. A socket that cannot be made is logged: users are
// served without it.
func (h *sshHandler) serveControl(ctx context.Context, srv *sshserver.Server) (stop func()) {
	log := h.app.Log
	path := filepath.Join(h.app.Config.Paths.Data, sshSocket)
	_ = os.Remove(path) // of a server that was killed; the lock of the folder says that none runs
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600) // the folder is for the account alone already
	}
	if err != nil {
		log.Warn("There is no control socket, so confab ssh users cannot reach this server", "error", err)
		return func() {}
	}
	ended := make(chan struct{})
	safego.Go(log, "control socket", func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return // it was closed
			}
			h.handleControl(c, srv)
		}
	}, nil)
	return func() {
		_ = l.Close() // which removes the socket
		<-ended
	}
}

// handleControl answers one request.
func (h *sshHandler) handleControl(c net.Conn, srv *sshserver.Server) {
	defer c.Close()                                   //nolint:errcheck // the answer was written or not
	_ = c.SetDeadline(time.Now().Add(controlTimeout)) // without one it is only slower to end
	var q controlRequest
	if json.NewDecoder(io.LimitReader(c, maxControlRequest)).Decode(&q) != nil {
		return
	}
	var r controlResponse
	switch q.Do {
	case "sessions":
		r.Sessions = srv.Sessions()
		r.Count = len(r.Sessions)
	case "message":
		r.Count = srv.Notify(q.User, q.Text)
	case "kick":
		r.Count = srv.Kick(q.User)
	case "disabled":
		h.readDisabled(context.Background())
	case "forget":
		h.mu.Lock()
		delete(h.users, q.User)
		h.mu.Unlock()
	}
	if err := json.NewEncoder(c).Encode(r); err != nil {
		h.app.Log.Warn("Could not answer the operator", "error", err)
	}
}

// askServer sends a request to the running server. Without one, running is false.
func (a commands) askServer(ctx context.Context, q controlRequest) (r controlResponse, running bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, controlTimeout)
	defer cancel()
	if !isLocked(filepath.Join(a.Config.Paths.Data, sshLockFile)) {
		return r, false, nil
	}
	failed := func(err error) error {
		return &api.Error{Code: api.CodeService, Message: "the running confab ssh cannot be asked", Err: err}
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(a.Config.Paths.Data, sshSocket))
	if err != nil {
		return r, true, failed(err)
	}
	defer c.Close()                                   //nolint:errcheck // everything was read
	_ = c.SetDeadline(time.Now().Add(controlTimeout)) // ctx ends the dialing
	if err = json.NewEncoder(c).Encode(q); err == nil {
		err = json.NewDecoder(c).Decode(&r)
	}
	if err != nil {
		return r, true, failed(fmt.Errorf("ask on the control socket: %w", err))
	}
	return r, true, nil
}

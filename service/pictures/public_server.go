package pictures

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// Limits of the public server: it talks to strangers.
const (
	headerTimeout = 5 * time.Second
	wholeTimeout  = 2 * time.Minute
	idleTimeout   = 10 * time.Second
	maxHeader     = 16 << 10
	maxConns      = 32
)

// PublicServerOptions is what a [PublicServer] is made of.
type PublicServerOptions struct {
	// PublicURL is where the outside reaches Listen, such as https://pictures.example/confab.
	PublicURL string
	// Listen is the address to listen on, such as :8080 or 127.0.0.1:8080 behind a reverse proxy.
	Listen string
	Log    *slog.Logger
}

// PublicServer publishes pictures by serving exactly the chosen ones under names that cannot be guessed. It listens
// only while something is published.
type PublicServer struct {
	base *url.URL
	o    PublicServerOptions

	mu     sync.Mutex
	files  map[string]picture // by name
	server *http.Server       // nil while nothing is published
}

// picture is what is served: the bytes as they were when it was published, whatever becomes of the file.
type picture struct {
	bytes       []byte
	contentType string
}

// NewPublicServer returns a publisher that serves pictures itself. The error is an [api.Error] of code config.
func NewPublicServer(o PublicServerOptions) (*PublicServer, error) {
	base, err := url.Parse(strings.TrimRight(o.PublicURL, "/"))
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") || base.RawQuery != "" ||
		base.Fragment != "" || base.User != nil {
		return nil, problem.New(api.CodeConfig, err,
			"the setting public_url must be an http or https address at which others reach this machine")
	}
	if o.Listen == "" {
		return nil, problem.New(api.CodeConfig, nil,
			"the setting public_url needs the address to listen on; set it as well")
	}
	return &PublicServer{base: base, o: o, files: map[string]picture{}}, nil
}

// Plan says what Publish would put where.
func (s *PublicServer) Plan(path string) string {
	return fmt.Sprintf("%s will be served by confab itself at %s under a name nobody can guess, only while the "+
		"request lasts.", filepath.Base(path), s.base.Host)
}

// Publish serves the picture until it is released.
func (s *PublicServer) Publish(ctx context.Context, path string) (string, func(), error) {
	b, err := fileio.Read(path, maxPicture)
	if err != nil {
		return "", nil, problem.Disk("read the source picture", err)
	}
	p := picture{bytes: b, contentType: "image/png"}
	ext := ".png"
	if bytes.HasPrefix(b, []byte("\xff\xd8\xff")) {
		p.contentType, ext = "image/jpeg", ".jpg"
	}
	name := strings.ToLower(rand.Text()) + ext

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		if err := s.listen(ctx); err != nil {
			return "", nil, err
		}
	}
	s.files[name] = p
	release := sync.OnceFunc(func() { s.release(name) })
	return s.base.JoinPath(name).String(), release, nil
}

// listen begins to serve; the caller holds the lock.
func (s *PublicServer) listen(ctx context.Context) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", s.o.Listen)
	if err != nil {
		return problem.New(api.CodeConfig, err, "the address %s could not be listened on to publish the picture; "+
			"another program may be there", s.o.Listen)
	}
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: wholeTimeout,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // strangers would fill it
	}
	s.server = server
	listener = netutil.LimitListener(listener, maxConns)
	safego.Go(s.o.Log, "publish", func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) && s.o.Log != nil {
			s.o.Log.Error("The server of published pictures ended", "error", err)
		}
	}, nil)
	return nil
}

// release takes a picture back; with the last one the server ends.
func (s *PublicServer) release(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, name)
	if len(s.files) == 0 && s.server != nil {
		_ = s.server.Close() // nobody is owed an answer any more
		s.server = nil
	}
}

// ServeHTTP serves the published pictures and nothing else.
func (s *PublicServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	s.mu.Lock()
	p, ok := s.files[name]
	s.mu.Unlock()
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if !ok || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	h.Set("Content-Type", p.contentType)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.bytes))
}

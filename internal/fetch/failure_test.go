package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestFailuresAreToldApart fetches from a server with every kind of failure, and follows allowed redirects.
func TestFailuresAreToldApart(t *testing.T) {
	outer := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" {
			t.Errorf("%s was told where it came from: %s", r.URL, r.Header.Get("Referer"))
		}
		refuse := func(status int, body string) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
		switch r.URL.Path {
		case "/ok":
			_, _ = io.WriteString(w, "a picture")
		case "/302":
			http.Redirect(w, r, "http://other.example/ok?secret", http.StatusFound)
		case "/308":
			http.Redirect(w, r, "/302", http.StatusPermanentRedirect)
		case "/inward":
			http.Redirect(w, r, "http://inward.example/", http.StatusFound)
		case "/loopback":
			http.Redirect(w, r, "http://127.0.0.1:"+r.URL.Query().Get("port")+"/", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/nowhere":
			w.WriteHeader(http.StatusFound)
		case "/401":
			refuse(401, "log in")
		case "/403":
			refuse(403, "<Error><Code>AccessDenied</Code></Error>")
		case "/expired":
			refuse(403, "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>")
		case "/token":
			refuse(400, "<Error><Code>ExpiredToken</Code></Error>")
		case "/azure":
			refuse(403, "<AuthenticationErrorDetail>Signature not valid in the specified time frame")
		case "/410":
			refuse(410, "")
		case "/404":
			refuse(404, "")
		case "/503":
			refuse(503, "")
		case "/slow":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/silent":
			<-r.Context().Done()
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	outer.Config.ErrorLog = log.New(io.Discard, "", 0)
	outer.Start()
	defer outer.Close()
	for path, want := range map[string]string{
		"/ok": "", "/302": "", "/308": "", "/inward": "not a public", "/loopback?port=80": "not a public",
		"/file": "not a public", "/loop": "redirects more than 5 times", "/nowhere": "redirects nowhere (HTTP 302)",
		"/401": "asks for a login (HTTP 401)", "/403": "refuses to hand it out (HTTP 403)",
		"/expired": "link has expired (HTTP 403)", "/token": "link has expired", "/azure": "link has expired",
		"/410": "link has expired", "/404": "nothing at its address", "/503": "cannot answer now (HTTP 503)",
		"/slow": "was not whole within", "/silent": "did not answer within", "/cut": "broke off after 4 bytes",
	} {
		for _, allowsLoopback := range []bool{false, true} {
			f := New(Options{Lookup: names(map[string][]string{"good.example": {"93.184.216.34"},
				"other.example": {"93.184.216.35"}, "inward.example": {"10.0.0.1"}}), AllowsLoopback: allowsLoopback,
				Timeout: 200 * time.Millisecond,
				Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, network, outer.Listener.Addr().String())
				}})
			b, err := f.Get(t.Context(), "http://good.example"+path, 1<<20, io.ReadAll)
			var failure *Error
			switch {
			case want == "" && (err != nil || string(b) != "a picture"):
				t.Errorf("%s: %q, %v", path, b, err)
			case want != "" && (!errors.As(err, &failure) || !strings.Contains(failure.OwnerClause, want)):
				t.Errorf("%s: %v, want %q", path, err, want)
			case want == "not a public" && failure.Clause != "":
				t.Errorf("%s: everybody reads %q", path, failure.Clause)
			}
		}
	}
}

// TestConnectionsAreToldApart fetches without a connection.
func TestConnectionsAreToldApart(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	f := New(Options{AllowsLoopback: true, TLS: &tls.Config{MinVersion: tls.VersionTLS12}})
	for raw, want := range map[string]string{
		secure.URL: "issued by someone", "http://" + closed.Addr().String(): "nothing listens at its address",
		"https://nowhere.invalid/": "", "http://" + secure.Listener.Addr().String(): "HTTP 400",
	} {
		var failure *Error
		if _, err := f.Get(t.Context(), raw, 1<<20, io.ReadAll); !errors.As(err, &failure) ||
			!strings.Contains(failure.OwnerClause, want) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
}

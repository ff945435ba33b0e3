package cli

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"confab/internal/config"
	"confab/internal/fetch"
	"confab/internal/httpclient"
	"confab/internal/netaddr"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/server"
)

// endpoint returns the configured service.
func (a *app) endpoint() service.Endpoint {
	if a.isEmbedded() {
		engines := a.engineNames()
		return service.Endpoint{IsEmbedded: true, IsSimulated: slices.Equal(engines, []string{config.Offline}),
			Engines: engines}
	}
	u, _ := url.Parse(a.config.Service.BaseURL) // it has a host
	return service.Endpoint{Host: u.Host, BaseURL: a.config.Service.BaseURL}
}

// isEmbedded reports whether the embedded service answers.
func (a *app) isEmbedded() bool {
	u, err := url.Parse(a.config.Service.BaseURL)
	return err != nil || u.Host == ""
}

func (a *app) limits() api.Limits {
	s := a.config.Service
	l := api.DefaultLimits()
	l.Connect, l.FirstByte = s.ConnectTimeout.Duration, s.FirstByteTimeout.Duration
	l.Silence, l.Whole = s.SilenceTimeout.Duration, s.RequestTimeout.Duration
	l.SlowFirstByte, l.SlowWhole = s.SlowRequestTimeout.Duration/2, s.SlowRequestTimeout.Duration
	l.JSON, l.Image = int64(s.MaxAnswerBytes), int64(s.MaxPictureBytes)
	return l
}

// learnKey asks for the key of a remote service, so that it is masked before a prompt is stored.
func (a *app) learnKey(ctx context.Context) error {
	if a.isEmbedded() {
		return nil
	}
	key, _, err := a.config.APIKey(ctx)
	a.secrets.Add(key)
	return err
}

// serviceTLS returns how to verify the remote service. Its error is an [api.Error].
func (a *app) serviceTLS() (*tls.Config, error) {
	verify, err := httpclient.TLS(a.config.Service.CAFile)
	if err != nil {
		return nil, problem.New(api.CodeConfig, err, "service.ca_file cannot be used; give a file with "+
			"certificates in PEM form")
	}
	return verify, nil
}

// connect connects to the remote service, or to an embedded one without a base URL.
func (a *app) connect(ctx context.Context) (service.Connection, error) {
	if a.isEmbedded() {
		return a.embed(ctx)
	}
	key, _, err := a.config.APIKey(ctx)
	if err != nil {
		return service.Connection{}, err
	}
	a.secrets.Add(key)
	verify, err := a.serviceTLS()
	if err != nil {
		return service.Connection{}, err
	}
	client, err := api.NewClient(api.Options{
		BaseURL: a.config.Service.BaseURL, APIKey: key, AllowsPlainHTTP: a.config.Service.AllowPlainHTTP,
		TLS: verify, Limits: a.limits(),
	})
	if err != nil {
		return service.Connection{}, err
	}
	return service.Connection{Client: client}, nil
}

// embeddedPartInterval is the time between two parts of an answer from the embedded service.
const embeddedPartInterval = time.Second / 30

// embeddedURL is the default address of confab serve, for other programs. This process reaches its embedded service
// in memory.
const embeddedURL = "http://127.0.0.1:4141"

// embed starts the embedded service, which only this process can reach.
func (a *app) embed(ctx context.Context) (service.Connection, error) {
	router, err := a.router()
	if err != nil {
		return service.Connection{}, err
	}
	var local server.LocalPictures
	srv, err := server.New(server.Options{
		Engine: router, Catalogue: a.catalogue, Log: a.log, LocalPictures: &local,
		Access: server.Access{IsOwnerOnly: true}, TellsEngineErrors: !a.servesOthers,
		TakesExtra:   !a.servesOthers,
		Fetch:        fetch.Options{AllowsLoopback: !a.servesOthers}, // others must not reach this machine
		PartInterval: embeddedPartInterval,
	})
	if err != nil {
		return service.Connection{}, fmt.Errorf("start the embedded service: %w", err)
	}
	l := netaddr.ListenPipe()
	client, err := api.NewClient(api.Options{
		BaseURL: embeddedURL, APIKey: rand.Text(), // the contract requires a key; this one occurs in no answer
		Limits: a.limits(), Dial: l.Dial, Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
	})
	if err != nil {
		return service.Connection{}, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	safego.Go(a.log, "embedded service", func() {
		defer close(ended)
		if err := srv.Serve(serving, l); err != nil {
			a.log.Error("The embedded service ended", "error", err)
		}
	}, nil)
	return service.Connection{
		Client: client, PublishLocal: local.Add,
		Close: func(ctx context.Context) error {
			stop()
			select {
			case <-ended:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		},
	}, nil
}

// listenTCP listens for connections, also from the given balancers. Its errors are [*api.Error].
func listenTCP(ctx context.Context, address string, balancers ...string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &api.Error{Code: api.CodeNetwork, Err: err, Message: fmt.Sprintf(
			"cannot listen on %s; it may be taken already, or not be of this machine", termtext.Line(address))}
	}
	return netaddr.BehindBalancers(l, netaddr.Networks(balancers)), nil
}

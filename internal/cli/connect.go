package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"confab/internal/safego"
	"confab/service"
	"confab/service/api"
	"confab/service/server"
)

// endpoint says who will answer, as far as the configuration tells.
func (a *app) endpoint() service.Endpoint {
	u, err := url.Parse(a.cfg.Service.BaseURL)
	if err != nil || u.Host == "" {
		engines := a.engineNames()
		return service.Endpoint{IsEmbedded: true, IsSimulated: len(engines) > 0 && areAllSimulated(engines),
			Engines: engines}
	}
	return service.Endpoint{Host: u.Host, BaseURL: a.cfg.Service.BaseURL}
}

// limits are the client's, as configured.
func (a *app) limits() api.Limits {
	s := a.cfg.Service
	return api.Limits{
		Connect: s.ConnectTimeout, FirstByte: s.FirstByteTimeout, Silence: s.SilenceTimeout,
		Whole:         s.RequestTimeout,
		SlowFirstByte: s.SlowRequestTimeout / 2, SlowWhole: s.SlowRequestTimeout,
		JSON: s.MaxAnswerBytes, Image: s.MaxPictureBytes,
	}
}

// learnKey asks for the key of a remote service before anything is stored, so that the key is masked also where a
// prompt holds it.
func (a *app) learnKey(ctx context.Context) error {
	if a.endpoint().IsEmbedded {
		return nil
	}
	key, _, err := a.cfg.APIKey(ctx)
	a.secrets.Add(key)
	return err
}

// connect returns the connection to the remote service when there is a base URL, else to one within this process,
// through the same client.
func (a *app) connect(ctx context.Context) (service.Connection, error) {
	if a.endpoint().IsEmbedded {
		return a.embed(ctx)
	}
	key, _, err := a.cfg.APIKey(ctx)
	if err != nil {
		return service.Connection{}, err
	}
	a.secrets.Add(key)
	client, err := api.NewClient(api.Options{
		BaseURL: a.cfg.Service.BaseURL, APIKey: key, AllowsPlainHTTP: a.cfg.Service.AllowPlainHTTP,
		Limits: a.limits(),
	})
	if err != nil {
		return service.Connection{}, err
	}
	return service.Connection{Client: client, Endpoint: service.Endpoint{Host: client.Host()}}, nil
}

// embeddedPartInterval is how far apart the embedded service writes parts of an answer: the screen shows no more.
const embeddedPartInterval = time.Second / 30

// embed starts the embedded service on a loopback port that only this process has the key of.
func (a *app) embed(ctx context.Context) (service.Connection, error) {
	key := rand.Text()
	a.secrets.Add(key)
	files := server.NewFiles()
	router, err := a.router()
	if err != nil {
		return service.Connection{}, err
	}
	srv, err := server.New(server.Options{
		Engine:    router,
		Catalogue: a.catalogue, Keys: []string{key}, Log: a.log, Files: files,
		Fetch: server.Fetch{AllowsLoopback: !a.serving}, // others must not reach what only this machine can

		PartInterval: embeddedPartInterval,
	})
	if err != nil {
		return service.Connection{}, fmt.Errorf("start the embedded service: %w", err)
	}
	l, err := listenTCP(ctx, "127.0.0.1:0")
	if err != nil {
		return service.Connection{}, err
	}
	base := "http://" + l.Addr().String()
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	safego.Go(a.log, "embedded service", func() {
		defer close(ended)
		if err := srv.Serve(serving, l); err != nil {
			a.log.Error("The embedded service ended", "error", err)
		}
	}, nil)
	client, err := api.NewClient(api.Options{
		BaseURL: base, APIKey: key, Limits: a.limits(),
		Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
	})
	if err != nil {
		stop()
		return service.Connection{}, err
	}
	return service.Connection{
		Client: client, Endpoint: a.endpoint(),
		PublishLocal: func(path string) (string, func(), error) {
			at, release, err := files.Publish(path)
			if err != nil {
				return "", nil, err
			}
			return base + at, release, nil
		},
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

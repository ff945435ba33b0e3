package cli

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"confab/internal/config"
	"confab/service/api"
)

// reachWait is how long the service may take to say anything at all.
const reachWait = 10 * time.Second

// examineService tells who answers and where the key would come from, and, when
// asked to, whether the service can be reached.
func (a *app) examineService(ctx context.Context, f *findings, online bool) {
	if a.endpoint().Embedded {
		a.examineEngines(ctx, f, online)
		return
	}
	f.ok("service", "%s (%s)", a.cfg.Service.BaseURL, a.cfg.Origin("service.base_url"))
	// A client that cannot be made says why; no key is needed for that.
	if _, err := api.NewClient(api.Options{BaseURL: a.cfg.Service.BaseURL, APIKey: "none",
		AllowPlainHTTP: a.cfg.Service.AllowPlainHTTP}); err != nil {
		f.fail("service", sentence(err), "correct service.base_url")
		return
	}
	if a.cfg.Service.AllowPlainHTTP {
		f.warn("service", "http to other machines is allowed, by which the key travels readable",
			"use https and remove service.allow_plain_http")
	}
	switch from := a.cfg.KeySource(); from.Source {
	case "":
		f.fail("key", "there is none", "set CONFAB_API_KEY, or service.api_key_command, keyring or api_key_file")
	case config.FromFile, config.FromEnv:
		if _, _, err := a.cfg.APIKey(ctx); err != nil {
			f.fail("key", sentence(err), "see to it, or choose another way")
			break
		}
		f.ok("key", "from %s", from)
	default:
		f.ok("key", "from %s, which is not asked now", from)
	}
	if online {
		a.reach(ctx, f)
	}
}

// examineEngines tells what answers behind the embedded service and, when asked
// to, whether it is up.
func (a *app) examineEngines(ctx context.Context, f *findings, online bool) {
	switch e := a.endpoint(); {
	case e.Simulated:
		f.ok("service", "the embedded one, offline and simulated; no key is needed")
		return
	case len(e.Engines) == 0:
		f.fail("service", "the embedded one, and no engine answers",
			"see to engines and routes in the configuration, or set service.unrouted to \"offline\"")
	default:
		f.ok("service", "the embedded one, answered by %s; no key is needed", strings.Join(engineLabels(e.Engines), ", "))
	}
	router, err := a.router()
	if err != nil {
		f.fail("engines", sentence(err), "correct the configuration")
		return
	}
	if !online {
		return
	}
	a.answers.check(ctx)
	for _, s := range router.States() {
		switch {
		case s.Engine == config.Offline:
		case s.Up:
			f.ok("engine", "%s is up at %s", s.Engine, s.Address)
		default:
			f.warn("engine", fmt.Sprintf("%s is down at %s: %s", s.Engine, s.Address, s.Why),
				"start it, or take it out of the configuration")
		}
	}
}

// told returns the names of engines for people: the offline one says what it is.
func engineLabels(engines []string) []string {
	out := slices.Clone(engines)
	for i, name := range out {
		if name == config.Offline {
			out[i] += " (simulated)"
		}
	}
	return out
}

// reach asks the service for its front page, without the key.
func (a *app) reach(ctx context.Context, f *findings) {
	ctx, cancel := context.WithTimeout(ctx, reachWait)
	defer cancel()
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, a.cfg.Service.BaseURL, nil)
	if err != nil {
		f.fail("online", "the address cannot be asked", "correct service.base_url")
		return
	}
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}
	defer t.CloseIdleConnections()
	resp, err := (&http.Client{Transport: t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(req)
	if err != nil {
		a.log.Warn("Could not reach the service", "error", err)
		f.fail("online", fmt.Sprintf("%s did not answer", a.endpoint().Host),
			"see to the network, the proxy and service.base_url; the log says more")
		return
	}
	_ = resp.Body.Close() // a HEAD has none
	f.ok("online", "%s answered in %d ms", a.endpoint().Host, time.Since(began).Milliseconds())
}

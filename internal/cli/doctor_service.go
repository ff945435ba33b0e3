package cli

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/httpclient"
	"confab/service/api"
	"confab/service/pictures"
)

// checkEngines lists the engines of the embedded service and, online, whether they are up.
func (d *doctorReport) checkEngines(ctx context.Context, online bool) {
	e := d.app.endpoint()
	switch {
	case e.IsSimulated:
		d.ok("service", "the embedded one, offline and simulated; no key is needed")
		return
	case len(e.Engines) == 0:
		d.fail("service", "the embedded one, and no engine answers",
			"add an engine to the configuration, or set offline.models to true")
	default:
		names := slices.Clone(e.Engines)
		if i := slices.Index(names, config.Offline); i >= 0 {
			names[i] += " (simulated)"
		}
		d.ok("service", "the embedded one, answered by %s; no key is needed", strings.Join(names, ", "))
	}
	router, err := d.app.router()
	if d.failOn(err, "engines", "correct the configuration") || !online {
		return
	}
	d.app.checkEngines(ctx)
	for _, s := range router.Statuses() {
		switch {
		case s.Engine == config.Offline:
		case s.IsUp:
			d.ok("engine", "%s is up at %s", s.Engine, s.Address)
		default:
			d.warn("engine", fmt.Sprintf("%s is down at %s: %s", s.Engine, s.Address, s.Problem),
				"start it, or remove it from the configuration")
		}
	}
}

// checkService checks the address and the key of the remote service and, online, whether it answers.
func (d *doctorReport) checkService(ctx context.Context, online bool) {
	cfg := d.app.config
	d.ok("service", "%s", cfg.Service.BaseURL)
	// A client that cannot be made says why; no key is needed for that.
	_, err := api.NewClient(api.Options{BaseURL: cfg.Service.BaseURL, APIKey: "none",
		AllowsPlainHTTP: cfg.Service.AllowPlainHTTP})
	if d.failOn(err, "service", "correct service.base_url") {
		return
	}
	if cfg.Service.AllowPlainHTTP {
		d.warn("service", "http to other machines is allowed, which sends the key unencrypted",
			"use https and remove service.allow_plain_http")
	}
	switch cfg.KeySource().Source {
	case "":
		d.fail("key", "there is none", "set CONFAB_API_KEY, or service.api_key_command, keyring or api_key_file")
	case config.FromFile, config.FromEnv: // others are not asked now
		_, _, err := cfg.APIKey(ctx)
		d.failOn(err, "key", "correct it, or choose another source of the key")
	}
	if online {
		d.reach(ctx)
	}
}

// checkExtensions lists the known extensions of the service. It does not ask the service.
func (d *doctorReport) checkExtensions(ctx context.Context) {
	a := d.app
	if a.config.Service.Extensions == "off" {
		return
	}
	svc, err := a.service(readsHistory)
	if d.failOn(err, "extensions", "correct the configuration") {
		return
	}
	defer a.closeService(ctx, svc)
	models := map[string]int{} // by what is offered for them
	for _, m := range a.catalogue().Models() {
		if offered := svc.Extensions(ctx, m).String(); offered != "" {
			models[offered]++
		}
	}
	if len(models) == 0 {
		d.ok("extensions", "none is known; a service that has them says so with its answers")
	}
	for _, offered := range slices.Sorted(maps.Keys(models)) {
		d.ok("extensions", "%s (%s)", offered, format.Count(models[offered], "text model"))
	}
}

const reachTimeout = 10 * time.Second

// reach sends the service a HEAD request without the key.
func (d *doctorReport) reach(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, d.app.config.Service.BaseURL, nil)
	if err != nil {
		d.fail("online", "the address is wrong", "correct service.base_url")
		return
	}
	verify, err := d.app.serviceTLS()
	if d.failOn(err, "online", "correct service.ca_file") {
		return
	}
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, TLSClientConfig: verify}
	resp, err := t.RoundTrip(req) // it follows no redirect
	if err != nil {
		d.app.log.Warn("Could not reach the service", "error", err)
		why := ""
		if clause := httpclient.FaultOf(err).String(); clause != "" {
			why = ": " + clause
		}
		d.fail("online", fmt.Sprintf("%s did not answer%s", d.app.endpoint().Host, why),
			"check the network, the proxy and service.base_url; the log has details")
		return
	}
	_ = resp.Body.Close() // a HEAD has none
	d.ok("online", "%s answered in %d ms", d.app.endpoint().Host, time.Since(began).Milliseconds())
}

const bucketCheckTimeout = 10 * time.Second

// checkBucket reads from and writes to the bucket of the pictures, if there is one.
func (d *doctorReport) checkBucket(ctx context.Context) {
	a := d.app
	const todo = "check pictures.url and its key"
	if a.config.Pictures.URL == "" || d.failOn(a.openBucket(), "bucket", todo) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, bucketCheckTimeout)
	defer cancel()
	if !d.failOn(pictures.CheckBucket(ctx, a.bucket), "bucket", todo) {
		d.ok("bucket", "%s can be read and written", a.bucket.Address(""))
	}
}

package testserver

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Names lists the behaviours. Besides, every status-<number> is one.
func Names() []string {
	names := slices.Collect(maps.Keys(onAccept()))
	names = append(names, slices.Collect(maps.Keys(acts()))...)
	slices.Sort(names)
	return slices.Compact(names)
}

func groups() []func() map[string]act {
	images := func() map[string]act {
		all := map[string]act{
			"png-giant": func(c *conn) { c.reply(200, "image/png", string(Giant(8000, 8000))) },
			"png-giant-cut": func(c *conn) {
				c.reply(200, "image/png", strings.TrimSuffix(string(Giant(8000, 8000)), "IEND\xaeB`\x82"))
			},
		}
		for name, it := range pictures() {
			all[name] = func(c *conn) { c.reply(200, it[0], it[1]) }
		}
		return all
	}
	return []func() map[string]act{drops, floods, framing, encodings, bodies, echoes, statuses, redirects, images}
}

// acts returns every behaviour that answers a request; it is worked out once.
var acts = sync.OnceValue(table)

func table() map[string]act {
	all := map[string]act{}
	for _, group := range groups() {
		maps.Copy(all, group())
	}
	return all
}

// find returns the behaviour of a name, nil when there is none.
func find(name string) act {
	if a, ok := acts()[name]; ok {
		return a
	}
	number, ok := strings.CutPrefix(name, "status-")
	if status, err := strconv.Atoi(number); ok && err == nil {
		return func(c *conn) { c.reply(status, "application/json", `{"error":{"message":"no, because"}}`) }
	}
	return nil
}

// statuses are the behaviours that refuse.
func statuses() map[string]act {
	flaky := func(status, times int, lines ...string) act {
		return func(c *conn) {
			if c.nth <= times {
				c.reply(status, "text/plain", "try later", lines...)
				return
			}
			kind, body := c.right()
			c.reply(200, kind, body)
		}
	}
	return map[string]act{
		"status-401-auth": func(c *conn) { c.reply(401, "", "", `WWW-Authenticate: Basic realm="x"`) },
		"status-502-html": func(c *conn) {
			c.reply(502, "text/html", "<html><title>502</title><h1>nginx</h1></html>")
		},
		"status-503-empty":  func(c *conn) { c.reply(503, "", "") },
		"status-429-ra1":    flaky(429, 1, "Retry-After: 1"),
		"status-429-ra0":    flaky(429, 1, "Retry-After: 0"),
		"status-503-rahuge": flaky(503, 1000, "Retry-After: 99999999999999999999"),
		"status-503-ra100":  flaky(503, 1000, "Retry-After: 100"),
		"status-429-radate": flaky(429, 1, "Retry-After: Mon, 02 Jan 2006 15:04:05 GMT"),
		"flaky-2":           flaky(429, 2),
		"flaky-503-2":       flaky(503, 2),
		"flaky-9":           flaky(429, 9),
		"flaky-503-9":       flaky(503, 9),
	}
}

// redirects are the behaviours that want the request elsewhere.
func redirects() map[string]act {
	all := map[string]act{
		"redirect-308-http": func(c *conn) { c.reply(308, "", "", "Location: "+c.server.URL+c.request.URL.Path) },
		"redirect-loop":     func(c *conn) { c.reply(307, "", "", "Location: "+c.request.URL.Path) },
		"redirect-esc": func(c *conn) {
			c.reply(302, "", "", "Location: http://\u009b31mevil.example/\u202e")
		},
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		all[fmt.Sprintf("redirect-%d-other-host", status)] = func(c *conn) {
			c.reply(status, "", "", "Location: "+c.server.Other.URL+c.request.URL.Path)
		}
		all[fmt.Sprintf("redirect-%d-same-host", status)] = func(c *conn) {
			c.reply(status, "", "", "Location: /elsewhere")
		}
	}
	return all
}

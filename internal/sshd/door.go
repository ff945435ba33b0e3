package sshd

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// maxAddresses bounds how many addresses are remembered.
const maxAddresses = 4096

// door counts connections and logins and says who may come in.
type door struct {
	limits Limits
	mu     sync.Mutex
	open   int
	from   map[netip.Prefix]*caller
	logins map[string]int // by the user's id
}

// caller is what is known of an address.
type caller struct {
	open int
	came []time.Time // within the last minute
}

func newDoor(l Limits) *door {
	return &door{limits: l, from: map[netip.Prefix]*caller{}, logins: map[string]int{}}
}

// network returns what counts as one address.
func network(a net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap().WithZone(""), 32
	if ip.Is6() {
		bits = 64
	}
	p, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}

// The reasons to refuse, for the metrics, each with what the client is told.
const (
	tooMany     = "connections"
	tooManyFrom = "address"
	tooOften    = "rate"
	tooManyOf   = "user"
)

// sentences says why somebody has to wait.
func sentence(reason string) string {
	switch reason {
	case tooMany:
		return "confab has as many visitors as it can take; try again in a while"
	case tooManyFrom:
		return "there are as many connections from your address as may be; close one first"
	case tooOften:
		return "your address connects too often; wait a minute"
	case tooManyOf:
		return "you are logged in as often as you may be; leave one of your screens first"
	}
	return ""
}

// enter lets a connection in, or says why not.
func (d *door) enter(from netip.Prefix, now time.Time) (refused string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.from[from]
	if c == nil {
		if len(d.from) >= maxAddresses {
			d.forget(now)
		}
		if len(d.from) >= maxAddresses {
			return tooMany
		}
		c = &caller{}
		d.from[from] = c
	}
	c.drop(now)
	switch {
	case d.open >= d.limits.Connections:
		return tooMany
	case c.open >= d.limits.PerAddress:
		return tooManyFrom
	case len(c.came) >= d.limits.PerMinute:
		return tooOften
	}
	c.came = append(c.came, now)
	c.open++
	d.open++
	return ""
}

// leave counts a connection out.
func (d *door) leave(from netip.Prefix) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	if c := d.from[from]; c != nil {
		c.open--
	}
}

// login lets a user have one more screen or command.
func (d *door) login(id string) (refused string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.logins[id] >= d.limits.PerUser {
		return tooManyOf
	}
	d.logins[id]++
	return ""
}

// logout counts a login out.
func (d *door) logout(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.logins[id]--; d.logins[id] <= 0 {
		delete(d.logins, id)
	}
}

// count returns how many connections, and how many different users, there are.
func (d *door) count() (connections, users int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open, len(d.logins)
}

// forget drops the addresses that have not come for a minute.
func (d *door) forget(now time.Time) {
	for from, c := range d.from {
		if c.drop(now); c.open == 0 && len(c.came) == 0 {
			delete(d.from, from)
		}
	}
}

// drop forgets what is older than a minute.
func (c *caller) drop(now time.Time) {
	for len(c.came) > 0 && now.Sub(c.came[0]) >= time.Minute {
		c.came = c.came[1:]
	}
}

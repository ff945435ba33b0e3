package sshserver

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// maxAddresses bounds how many addresses are remembered.
const maxAddresses = 4096

// Unauthenticated connections are dropped at random like those of OpenSSH's MaxStartups 10:30:100: from a tenth of
// the limit on, each new one ends another with a chance of 30 percent, which rises to certainty at the limit. Unlike
// there it is not the new one that has to go, but the one that has waited longest without offering a key that could
// log in: silent connections cannot keep anybody out.
const (
	dropsFrom   = 10              // the limit divided by this many connections are left in peace
	dropPercent = 30              // the chance from there on
	spared      = 2 * time.Second // a connection this young is dropped at the limit only
)

// admission is how far a connection has come.
type admission int

const (
	unauthenticated admission = iota // nobody has proved yet that a key is theirs
	admitted                         // somebody is in
	gone
)

// limiter counts connections and says who may come in. Those of users who are in and those of nobody yet are counted
// apart, so that strangers take no place from users.
type limiter struct {
	random func(n int) int // a number below n

	mu        sync.Mutex
	limits    Limits
	waiting   []*conn // unauthenticated, the oldest first
	admitted  int
	users     map[string]int // connections, by the user's id
	addresses map[netip.Prefix]*address
}

// address is what is known of an address.
type address struct {
	waiting, admitted int
	arrivals          []time.Time // within the last minute
}

func newLimiter(l Limits) *limiter {
	return &limiter{random: rand.IntN, limits: l, users: map[string]int{}, addresses: map[netip.Prefix]*address{}}
}

// current returns the limits as they are now; the operator may change some while the server runs.
func (l *limiter) current() Limits {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limits
}

// change sets other limits. Whoever is in stays.
func (l *limiter) change(limits Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = limits
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

// refusal is a limit that was reached, as the metrics call it.
type refusal string

const (
	notRefused       refusal = ""
	tooManyInside    refusal = "connections"
	tooManyWaiting   refusal = "unauthenticated"
	tooManyOfAddress refusal = "address"
	tooOften         refusal = "rate"
	tooManyOfUser    refusal = "user"
)

// sentence says why somebody has to wait.
func (r refusal) sentence() string {
	switch r {
	case tooManyInside:
		return "confab has as many visitors as it can take; try again in a while"
	case tooManyWaiting:
		return "as many others are just logging in as confab can take; try again in a moment"
	case tooManyOfAddress:
		return "there are as many connections from your address as may be; close one first"
	case tooOften:
		return "your address connects too often; wait a minute"
	case tooManyOfUser:
		return "you are logged in as often as you may be; leave one of your screens first"
	}
	return ""
}

// enter lets a connection begin, or says why not. It may return another connection, which the caller has to close.
func (l *limiter) enter(c *conn, now time.Time) (dropped *conn, refused refusal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.address(c.from, now)
	switch {
	case l.admitted >= l.limits.Connections:
		return nil, tooManyInside
	case a.admitted >= l.limits.PerAddress:
		return nil, tooManyOfAddress
	case len(a.arrivals) >= l.limits.PerMinute:
		return nil, tooOften
	case a.waiting >= l.limits.PerAddress:
		dropped = l.longestWaiting(func(w *conn) bool { return w.from == c.from && now.Sub(w.began) >= spared })
		if dropped == nil {
			return nil, tooManyOfAddress
		}
	case len(l.waiting) >= l.limits.Unauthenticated:
		if dropped = l.longestWaiting(func(*conn) bool { return true }); dropped == nil {
			return nil, tooManyWaiting
		}
	case l.random(100) < l.dropChance():
		dropped = l.longestWaiting(func(w *conn) bool { return now.Sub(w.began) >= spared })
	}
	if dropped != nil {
		l.remove(dropped)
	}
	c.began = now
	a.arrivals = append(a.arrivals, now)
	a.waiting++
	l.waiting = append(l.waiting, c)
	return dropped, notRefused
}

// dropChance returns the chance, in percent, that one more connection ends another.
func (l *limiter) dropChance() int {
	limit := l.limits.Unauthenticated
	from := limit / dropsFrom
	if over := len(l.waiting) - from; over >= 0 {
		return dropPercent + (100-dropPercent)*over/max(1, limit-from)
	}
	return 0
}

// longestWaiting returns the oldest unauthenticated connection that may be dropped: one that has offered a key which
// could log in is waited for, because its user may be typing a passphrase.
func (l *limiter) longestWaiting(candidate func(*conn) bool) *conn {
	for _, c := range l.waiting {
		if !c.hasOffered && candidate(c) {
			return c
		}
	}
	return nil
}

// offer notes that a connection has offered a key that could log in, and tells whether it is the first time.
func (l *limiter) offer(c *conn) (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first = !c.hasOffered
	c.hasOffered = true
	return first
}

// admit lets a user in who has proved to be one, or says why not. The connection then counts as unauthenticated
// until it is closed, so that its user can be told the reason.
func (l *limiter) admit(c *conn, userID string) refusal {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, refused := l.addresses[c.from], notRefused
	switch {
	case c.admission != unauthenticated:
		return tooManyWaiting // it was dropped at this moment
	case l.users[userID] >= l.limits.PerUser:
		refused = tooManyOfUser
	case l.admitted >= l.limits.Connections:
		refused = tooManyInside
	case a.admitted >= l.limits.PerAddress:
		refused = tooManyOfAddress
	}
	if refused != notRefused {
		c.hasOffered = false // it may be dropped again
		return refused
	}
	l.remove(c)
	c.admission, c.userID = admitted, userID
	l.admitted++
	l.users[userID]++
	a.admitted++
	return notRefused
}

// isAdmitted tells whether a connection was let in for a user, who may have become another since.
func (l *limiter) isAdmitted(c *conn, userID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return c.admission == admitted && c.userID == userID
}

// leave counts a connection out.
func (l *limiter) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(c)
}

// remove takes a connection out of all counts, once.
func (l *limiter) remove(c *conn) {
	a := l.addresses[c.from]
	switch c.admission {
	case unauthenticated:
		l.waiting = slices.DeleteFunc(l.waiting, func(w *conn) bool { return w == c })
		a.waiting--
	case admitted:
		l.admitted--
		a.admitted--
		if l.users[c.userID]--; l.users[c.userID] <= 0 {
			delete(l.users, c.userID)
		}
	}
	c.admission = gone
}

// count returns how many connections there are, how many of them are of nobody yet, and how many users are in.
func (l *limiter) count() (connections, unauthenticated, users int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.admitted + len(l.waiting), len(l.waiting), len(l.users)
}

// address returns what is known of an address, of which only the last minute counts.
func (l *limiter) address(from netip.Prefix, now time.Time) *address {
	a := l.addresses[from]
	if a == nil {
		if len(l.addresses) >= maxAddresses {
			l.forget(now)
		}
		a = &address{}
		l.addresses[from] = a
	}
	a.forgetBefore(now.Add(-time.Minute))
	return a
}

// forget drops the addresses that did not come within the last minute. When that is not enough it drops any without
// a connection: whoever owns many addresses must not lock out the others by filling the table.
func (l *limiter) forget(now time.Time) {
	for from, a := range l.addresses {
		if a.forgetBefore(now.Add(-time.Minute)); a.isUnused() && len(a.arrivals) == 0 {
			delete(l.addresses, from)
		}
	}
	for from, a := range l.addresses {
		if len(l.addresses) < maxAddresses {
			return
		}
		if a.isUnused() {
			delete(l.addresses, from)
		}
	}
}

func (a *address) isUnused() bool { return a.waiting+a.admitted == 0 }

func (a *address) forgetBefore(t time.Time) {
	a.arrivals = slices.DeleteFunc(a.arrivals, func(at time.Time) bool { return !at.After(t) })
}

package sshserver

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

// minDropAge is how long an unauthenticated connection is left in peace while its address alone has too many.
const minDropAge = 2 * time.Second

// admission is the state of a connection in the limiter.
type admission int

const (
	unauthenticated admission = iota // nobody has proved yet to own a key
	admitted                         // a user is logged in
	departed
)

// limiter counts connections and decides which are accepted. Those of users and unauthenticated ones are counted apart,
// so that strangers take no place from users. Limits by address hold for unauthenticated connections alone: many users
// may share one address. At a limit a new one takes the place of the one that has waited longest, first of those that
// have offered no authorised key, whose users cannot be typing a passphrase. An offered key proves nothing.
type limiter struct {
	mu        sync.Mutex
	limits    Limits
	waiting   []*conn // unauthenticated connections, the oldest first
	admitted  int
	users     map[string]int       // how many connections each user has, by the user's id
	addresses map[netip.Prefix]int // how many unauthenticated connections each address has
}

func newLimiter(l Limits) *limiter {
	return &limiter{limits: l, users: map[string]int{}, addresses: map[netip.Prefix]int{}}
}

// currentLimits returns the limits as they are now. A reload may change some.
func (l *limiter) currentLimits() Limits {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limits
}

// setLimits replaces the limits. Accepted connections stay.
func (l *limiter) setLimits(limits Limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limits = limits
}

// refusal names the limit for which a connection is refused.
type refusal string

const (
	notRefused             refusal = ""
	tooManyConnections     refusal = "connections"
	tooManyUnauthenticated refusal = "unauthenticated"
	tooManyPerAddress      refusal = "address"
	tooManyPerUser         refusal = "user"
	serverDrains           refusal = "drain"
)

// sentence returns the refusal in words for the user.
func (r refusal) sentence() string {
	return map[refusal]string{
		tooManyConnections:     "confab has as many visitors as it can take; try again in a while",
		tooManyUnauthenticated: "as many others are just logging in as confab can take; try again in a moment",
		tooManyPerAddress:      "too many others are just logging in from your address; try again in a moment",
		tooManyPerUser:         "you are logged in as often as you may be; leave one of your screens first",
		serverDrains:           "this host takes no new logins, because it is about to be stopped; connect once more",
	}[r]
}

// addConn counts a new connection, or returns the limit that it exceeds. It may return another connection, which the
// caller has to close.
func (l *limiter) addConn(c *conn, now time.Time) (dropped *conn, refused refusal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.admitted >= l.limits.MaxConnections:
		return nil, tooManyConnections
	case l.addresses[c.addressPrefix] >= l.limits.MaxPerAddress:
		dropped = l.longestWaiting(func(w *conn) bool {
			return w.addressPrefix == c.addressPrefix && now.Sub(w.connectedAt) >= minDropAge
		})
		if dropped == nil {
			return nil, tooManyPerAddress
		}
	case len(l.waiting) >= l.limits.MaxUnauthenticated:
		dropped = l.longestWaiting(func(*conn) bool { return true })
	}
	if dropped != nil {
		l.uncount(dropped)
	}
	c.connectedAt = now
	l.addresses[c.addressPrefix]++
	l.waiting = append(l.waiting, c)
	return dropped, notRefused
}

// longestWaiting returns the oldest unauthenticated connection that may be dropped, of those that have offered no
// authorised key if there are any.
func (l *limiter) longestWaiting(candidate func(*conn) bool) *conn {
	i := slices.IndexFunc(l.waiting, func(c *conn) bool { return c.offeredKey == "" && candidate(c) })
	if i < 0 {
		i = slices.IndexFunc(l.waiting, candidate)
	}
	if i < 0 {
		return nil
	}
	return l.waiting[i]
}

// noteKeyOffer records the authorised key that a connection has offered, and reports whether that was the first time.
func (l *limiter) noteKeyOffer(c *conn, key string) (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first = c.offeredKey == ""
	c.offeredKey = key
	return first
}

// offeredKeyOf returns the fingerprint of the authorised key that a connection has offered, "" for none.
func (l *limiter) offeredKeyOf(c *conn) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return c.offeredKey
}

// admit counts a connection as that of a user who has proved to own a key, unless the user is refused already or has
// reached a limit, and returns the refusal. A refused connection stays unauthenticated until it is closed, so that its
// user can read the reason.
func (l *limiter) admit(c *conn, userID string, refused refusal) refusal {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case c.admission != unauthenticated:
		return tooManyUnauthenticated // the connection was dropped at this moment
	case refused != notRefused:
	case l.users[userID] >= l.limits.MaxPerUser:
		refused = tooManyPerUser
	case l.admitted >= l.limits.MaxConnections:
		refused = tooManyConnections
	}
	if refused != notRefused {
		c.offeredKey = "" // its user need only read why, so it may be dropped first
		return refused
	}
	l.uncount(c)
	c.admission, c.userID = admitted, userID
	l.admitted++
	l.users[userID]++
	return notRefused
}

// isAdmitted reports whether a connection was admitted for a user. The key may belong to another user by now.
func (l *limiter) isAdmitted(c *conn, userID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return c.admission == admitted && c.userID == userID
}

// removeConn removes a connection that has ended.
func (l *limiter) removeConn(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.uncount(c)
}

// uncount removes a connection from all counts, once.
func (l *limiter) uncount(c *conn) {
	switch c.admission {
	case unauthenticated:
		l.waiting = slices.DeleteFunc(l.waiting, func(w *conn) bool { return w == c })
		if l.addresses[c.addressPrefix]--; l.addresses[c.addressPrefix] <= 0 {
			delete(l.addresses, c.addressPrefix)
		}
	case admitted:
		l.admitted--
		if l.users[c.userID]--; l.users[c.userID] <= 0 {
			delete(l.users, c.userID)
		}
	}
	c.admission = departed
}

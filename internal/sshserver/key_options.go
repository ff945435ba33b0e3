package sshserver

import (
	"fmt"
	"net/netip"
	"path"
	"slices"
	"strings"
	"time"
)

// keyOptions are the options of a key in a file of authorised keys, as far as they decide about logins.
type keyOptions struct {
	user    string    // names the user of the key; empty without the option
	group   string    // of the user, for quotas; empty without the option
	from    string    // patterns of the addresses that may use the key, separated by commas; empty: all
	expires time.Time // zero: never
}

// allow reports whether the key may be used from an address at a time.
func (o keyOptions) allow(from netip.Addr, now time.Time) bool {
	return (o.from == "" || matchesAddress(o.from, from)) && (o.expires.IsZero() || now.Before(o.expires))
}

// harmlessOptions returns the options that change nothing here, because confab allows none of what they restrict.
func harmlessOptions() []string {
	return []string{
		"restrict", "pty", "agent-forwarding", "port-forwarding", "user-rc", "x11-forwarding", "no-agent-forwarding",
		"no-port-forwarding", "no-pty", "no-touch-required", "no-user-rc", "no-x11-forwarding",
	}
}

// readKeyOptions returns the options of a key, or the problem for which the key is skipped: an option that restricts a
// key must not be ignored.
func readKeyOptions(options []string) (o keyOptions, problem string) {
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		name, value = strings.ToLower(name), strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`)
		switch {
		case slices.Contains(harmlessOptions(), name):
		case name == "environment":
			problem = o.setVariable(value)
		case name == "from":
			if problem = checkAddressPatterns(value); o.from != "" {
				problem = "from is given twice"
			}
			o.from = value
		case name == "expiry-time":
			o.expires, problem = earlierExpiry(o.expires, value)
		default:
			problem = "the option " + name + " is not understood here"
		}
		if problem != "" {
			return keyOptions{}, problem
		}
	}
	return o, ""
}

// setVariable takes the user or group from the value of the option environment.
func (o *keyOptions) setVariable(value string) (problem string) {
	variable, name, _ := strings.Cut(value, "=")
	field := map[string]*string{userVariable: &o.user, groupVariable: &o.group}[variable]
	switch {
	case field == nil:
		return "of the option environment only " + userVariable + " and " + groupVariable + " are understood here"
	case !isUserName(name):
		return variable + " must be a name of small letters, digits and . _ -"
	case *field != "" && *field != name:
		return variable + " is given twice"
	}
	*field = name
	return ""
}

// earlierExpiry reads a time as OpenSSH writes it, YYYYMMDD[HHMM[SS]][Z], and returns the earlier of two times.
func earlierExpiry(before time.Time, value string) (expires time.Time, problem string) {
	digits, isUTC := strings.CutSuffix(value, "Z")
	zone := time.Local
	if isUTC {
		zone = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if t, err := time.ParseInLocation(layout, digits, zone); err == nil {
			if !before.IsZero() && before.Before(t) {
				t = before
			}
			return t, ""
		}
	}
	return time.Time{}, "expiry-time must be a time such as 20271231 or 202712312359Z"
}

// checkAddressPatterns returns what is wrong with the patterns of the option from. Names of hosts are refused: nothing
// is looked up here.
func checkAddressPatterns(patterns string) (problem string) {
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern = strings.TrimPrefix(pattern, "!")
		_, err := netip.ParsePrefix(pattern)
		isText := pattern != "" && strings.Trim(pattern, "0123456789abcdefABCDEF.:*?") == "" &&
			strings.ContainsAny(pattern, ".:*")
		if err != nil && !isText {
			return fmt.Sprintf("from must be addresses such as 192.0.2.7, 192.0.2.* or 192.0.2.0/24, and %q is none",
				pattern)
		}
	}
	return ""
}

// matchesAddress reports whether an address matches a list of patterns. As with OpenSSH, a pattern with ! before it
// excludes what it matches, whatever else the list says.
func matchesAddress(patterns string, address netip.Addr) bool {
	matched := false
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern, excludes := strings.CutPrefix(pattern, "!")
		prefix, err := netip.ParsePrefix(pattern)
		is := err == nil && prefix.Contains(address)
		if err != nil {
			is, _ = path.Match(strings.ToLower(pattern), address.String()) // the pattern was checked
		}
		if is && excludes {
			return false
		}
		matched = matched || is
	}
	return matched
}

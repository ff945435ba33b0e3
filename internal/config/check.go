package config

import (
	"net"
	"net/netip"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/netaddr"
	"confab/internal/termtext"
)

// checkWith runs one of the checks that settings.toml names. It returns what is wrong with a text as "must …", or "",
// and never repeats the text, which may hold a secret that was put in the wrong place.
func checkWith(check, s string) string {
	switch check {
	case "name":
		return checkName(s)
	case "line":
		return checkLine(s)
	case "program":
		if s == "" || checkLine(s) != "" || strings.ContainsRune(s, filepath.Separator) && !filepath.IsAbs(s) {
			return "must begin with the name of a program, or its absolute path"
		}
	case "pattern":
		if _, err := path.Match(s, ""); err != nil || checkName(s) != "" {
			return `must be slugs or globs such as "alpha*"`
		}
	case "network":
		network, err := netip.ParsePrefix(s)
		if _, notAddress := netip.ParseAddr(s); err != nil && notAddress != nil || network.Addr().Is4In6() {
			return `must be addresses or networks such as "10.0.0.0/8"`
		}
	case "picture_size":
		if !regexp.MustCompile(`^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$`).MatchString(s) {
			return `must be sizes such as "1024x1024"`
		}
	case "name_template":
		return checkNameTemplate(s)
	case "currency":
		if !regexp.MustCompile(`^[A-Z]{3}$`).MatchString(s) {
			return `must be three capital letters such as "USD"`
		}
	}
	if s == "" { // the other checks are of texts that may be empty
		return ""
	}
	switch check {
	case "url":
		return checkURL(s)
	case "database_url":
		return CheckDatabaseURL(s)
	case "bucket":
		return checkBucket(s)
	case "listen":
		return checkListen(s)
	case "variable":
		if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`).MatchString(s) {
			return "must be the name of a variable, not the key itself"
		}
	case "engine":
		if !regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`).MatchString(s) {
			return "must be a name of small letters, digits, - and _"
		}
	}
	return ""
}

func checkURL(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || checkLine(s) != "" ||
		strings.Contains(s, " "):
		return "must be an address that begins with https:// (or http://)"
	case u.User != nil:
		return "must not hold a name or a password"
	case strings.ContainsAny(s, "?#"):
		return "must not hold ? or #"
	}
	return ""
}

// CheckDatabaseURL returns what is wrong with the URL of a database as "must …", or "". It never repeats a part of it.
func CheckDatabaseURL(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || checkLine(s) != "" ||
		strings.Contains(s, " ") {
		return "must be an address that begins with postgres://"
	}
	_, hasPassword := u.User.Password()
	for name := range u.Query() {
		hasPassword = hasPassword || strings.Contains(strings.ToLower(name), "password")
	}
	if hasPassword {
		return "must not hold a password; history.password_command, history.password_file or ~/.pgpass tell it"
	}
	return ""
}

func checkBucket(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "s3" || u.Hostname() == "" || u.Hostname() != u.Host || checkLine(s) != "" {
		return "must be an address that begins with s3:// and the name of a bucket"
	}
	if u.User != nil {
		return "must not hold a key"
	}
	query, err := url.ParseQuery(u.RawQuery)
	for name := range query {
		if name != "endpoint" && name != "region" || err != nil {
			return "must have no other parts behind ? than endpoint=URL and region=NAME"
		}
	}
	if endpoint := query.Get("endpoint"); endpoint != "" {
		if wrong := checkURL(endpoint); wrong != "" {
			return "has an endpoint that " + wrong
		}
	}
	return ""
}

// bucketEndpoint returns the endpoint in the address of a bucket, "" without one.
func bucketEndpoint(s string) string {
	if u, err := url.Parse(s); err == nil {
		return u.Query().Get("endpoint")
	}
	return ""
}

// isPlainHTTP reports whether the address is http to anything but loopback.
func isPlainHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "http" && !netaddr.IsLoopback(strings.TrimSuffix(u.Hostname(), "."))
}

func checkListen(s string) string {
	_, port, err := net.SplitHostPort(s)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || checkLine(s) != "" {
		return `must be host:port, such as "127.0.0.1:8089"`
	}
	return ""
}

func checkName(s string) string {
	if s == "" || len(s) > 100 || checkLine(s) != "" || strings.ContainsAny(s, " \"'\\") {
		return "must be a name of 1 to 100 characters without spaces or quotes"
	}
	return ""
}

func checkLine(s string) string {
	if len(s) > 500 || strings.ContainsFunc(s, func(r rune) bool { return !termtext.IsVisible(r) }) {
		return "must be a text of one line, without invisible characters"
	}
	return ""
}

func checkNameTemplate(s string) string {
	rest := regexp.MustCompile(`\{(counter|model|slug|nonce)\}`).ReplaceAllString(s, "")
	if s == "" || len(s) > 100 || checkLine(s) != "" || strings.ContainsAny(rest, `{}/\:*?"<>|`) ||
		strings.HasPrefix(s, ".") {
		return "must be made of {counter}, {model}, {slug}, {nonce} and characters that file names may have"
	}
	return ""
}

// checkKeys reads the keys of an entry of [keys].
func checkKeys(v any) (keys []string, wrong string) {
	list, ok := textsOf(v)
	isWrong := func(s string) bool { return s == "" || len(s) > 40 || checkLine(s) != "" || strings.Contains(s, " ") }
	if !ok || len(list) > 16 || slices.ContainsFunc(list, isWrong) {
		return nil, `must be a key or a list of keys: ["ctrl+k", "f3"]`
	}
	return list, ""
}

func isInHome(path string) bool { return path == "~" || strings.HasPrefix(path, "~/") }

// clean makes a foreign text fit to stand in a sentence: one line, printable, bounded.
func clean(s string) string {
	const maxCells = 300
	return ansi.Truncate(termtext.Line(s), maxCells, "…")
}

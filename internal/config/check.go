package config

import (
	"fmt"
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

	"confab/internal/chat"
	"confab/internal/netaddr"
	"confab/internal/termtext"
)

// The checks return what is wrong with a text as "must …", or "". They never repeat the text, which may hold a
// secret.

func checkProgram(s string) string {
	isRelative := strings.ContainsRune(s, filepath.Separator) && !filepath.IsAbs(s)
	if s == "" || checkLine(s) != "" || s[0] == '[' || isRelative {
		return "must begin with the name of a program, or its absolute path"
	}
	return ""
}

func checkPattern(s string) string {
	if _, err := path.Match(s, ""); err != nil || checkName(s) != "" {
		return `must be slugs or globs such as "alpha*"`
	}
	return ""
}

func checkNetwork(s string) string {
	network, err := netip.ParsePrefix(s)
	if _, notAddress := netip.ParseAddr(s); err != nil && notAddress != nil || network.Addr().Is4In6() {
		return `must be addresses or networks such as "10.0.0.0/8"`
	}
	return ""
}

func matches(pattern, must string) func(string) string {
	return func(s string) string {
		if regexp.MustCompile(pattern).MatchString(s) {
			return ""
		}
		return must
	}
}

func checkEngine(s string) string {
	return matches(`^([a-z0-9][a-z0-9_-]{0,39})?$`, "must be a name of small letters, digits, - and _")(s)
}

func checkURL(s string) string {
	u, err := url.Parse(s)
	switch {
	case s == "":
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

// CheckDatabaseURL returns what is wrong with the URL of a database as "must …", or "". It never repeats a part of
// it.
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
	if s == "" {
		return ""
	}
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

// bucketEndpoint returns the endpoint in the URL of a bucket, "" without one.
func bucketEndpoint(s string) string {
	if u, err := url.Parse(s); err == nil {
		return u.Query().Get("endpoint")
	}
	return ""
}

// isPlainHTTP reports whether s is an http URL of another machine.
func isPlainHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "http" && !netaddr.IsLoopback(strings.TrimSuffix(u.Hostname(), "."))
}

func checkListen(s string) string {
	if s == "" {
		return ""
	}
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

const mustBeKeys = `must be a key or a list of keys: ["ctrl+k", "f3"]`

func checkKeys(keys []string) string {
	isWrong := func(s string) bool { return s == "" || len(s) > 40 || checkLine(s) != "" || strings.Contains(s, " ") }
	if len(keys) > 16 || slices.ContainsFunc(keys, isWrong) {
		return mustBeKeys
	}
	return ""
}

// problem returns what is wrong with an engine, or "".
func (e *Engine) problem() string {
	isCommand := e.Kind == "command"
	switch {
	case e.Name == "" || checkEngine(e.Name) != "":
		return "must have a name of small letters, digits, - and _"
	case e.Name == Offline:
		return "is the engine that is always there; take another name"
	case isCommand && len(e.Command) == 0:
		return "needs a command"
	case isCommand && len(e.Makes) == 0:
		return "makes nothing"
	case !isCommand && e.URL == "":
		return "needs a url"
	case !isCommand && len(e.Command) > 0:
		return `has a command, but is not of kind "command"`
	case len(e.ReasoningTags)%2 != 0:
		return "has reasoning_tags of which one has no closing tag"
	case !e.AllowPlainHTTP && isPlainHTTP(e.URL):
		return "names a server on another machine by http, by which prompts and the key travel readable; use " +
			"https, or set allow_plain_http"
	}
	if e.Kind == "openai" {
		if _, err := chat.CheckParams(e.Params); err != nil {
			return "has wrong params: " + err.Error()
		}
	}
	return checkParams(e.Params)
}

// recordProblem returns the first wrong table of those that may occur several times, and what is wrong with it.
func (s *Settings) recordProblem() (record, wrong string) {
	engines := map[string]bool{Offline: true}
	for _, e := range s.Engines {
		if wrong := e.problem(); wrong != "" {
			return "engines." + e.Name, wrong
		}
		engines[e.Name] = true
	}
	for i, r := range s.Routes {
		record = fmt.Sprintf("routes[%d]", i)
		switch {
		case len(r.Models) == 0:
			return record, "names no models"
		case r.Engine == "":
			return record, "names no engine"
		case !engines[r.Engine]:
			return record, "names the engine " + r.Engine + ", which is not there"
		}
		if wrong := checkParams(r.Params); wrong != "" {
			return record, wrong
		}
	}
	for i, p := range s.Prices {
		if len(p.Models) == 0 {
			return fmt.Sprintf("prices[%d]", i), "names no models"
		}
	}
	slugs := map[string]bool{}
	for i, m := range s.Models.Custom {
		if slugs[m.Slug] {
			return fmt.Sprintf("models.custom[%d]", i), "names " + m.Slug + " a second time"
		}
		slugs[m.Slug] = true
	}
	return "", ""
}

// checkParams checks the parameters of a route or an engine.
func checkParams(params map[string]any) string {
	for _, value := range params {
		switch v := value.(type) {
		case string, bool, int64, float64:
		case map[string]any:
			if wrong := checkParams(v); wrong != "" {
				return wrong
			}
		case []any:
			for _, element := range v {
				if _, isTable := element.(map[string]any); isTable {
					return "has params that hold lists of tables"
				}
			}
		default:
			return "has params that are not made of texts, numbers, switches and lists of them"
		}
	}
	return ""
}

func isInHome(path string) bool { return path == "~" || strings.HasPrefix(path, "~/") }

// clean makes a foreign text one short printable line.
func clean(s string) string {
	const maxCells = 300
	return ansi.Truncate(termtext.Line(s), maxCells, "…")
}

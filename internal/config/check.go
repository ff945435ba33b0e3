package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"confab/internal/errtext"
)

// The checks return what is wrong with a text as "must …", or "". None of them
// repeats the text, which may hold a secret that was put in the wrong place.

func checkBaseURL(s string) string {
	if s == "" {
		return ""
	}
	return checkPublicURL(s)
}

func checkPublicURL(s string) string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || checkLine(s) != "" ||
		strings.Contains(s, " "):
		return "must be an address that begins with https:// (or http://)"
	case u.User != nil:
		return "must not hold a name or a password"
	case u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(s, "?#"):
		return "must not hold ? or #"
	}
	return ""
}

// plainHTTP tells whether the address is http to anything but loopback.
func plainHTTP(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "localhost" {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || !ip.IsLoopback()
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
	if len(s) > 500 || strings.ContainsFunc(s, func(r rune) bool { return !errtext.IsVisible(r) }) {
		return "must be a text of one line, without invisible characters"
	}
	return ""
}

func home(s string) bool { return s == "~" || strings.HasPrefix(s, "~/") }

func checkPath(s string) string {
	if s == "" || (checkLine(s) == "" && (filepath.IsAbs(s) || home(s))) {
		return ""
	}
	return "must be an absolute path, or one that begins with ~/"
}

func checkProgram(s string) string {
	if s == "" || checkLine(s) != "" {
		return "must begin with the name of a program"
	}
	if strings.ContainsRune(s, filepath.Separator) && !filepath.IsAbs(s) {
		return "must begin with the name of a program, or its absolute path"
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

// keyNames reads the keys of an entry of [keys].
func keyNames(v any) (keys []string, wrong string) {
	list, ok := v.([]any)
	if !ok || len(list) > 16 {
		return nil, `must be a key or a list of keys: ["ctrl+k", "f3"]`
	}
	keys = []string{}
	for _, el := range list {
		s, ok := el.(string)
		if !ok || s == "" || len(s) > 40 || checkLine(s) != "" || strings.Contains(s, " ") {
			return nil, `must be a key or a list of keys: ["ctrl+k", "f3"]`
		}
		keys = append(keys, s)
	}
	return keys, ""
}

// clean makes a foreign text fit to stand in a sentence: one line, printable,
// bounded.
func clean(s string) string {
	const most = 300
	var b strings.Builder
	for _, r := range s {
		if b.Len() >= most {
			b.WriteString("…")
			break
		}
		switch {
		case errtext.IsVisible(r):
			b.WriteRune(r)
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		default:
			b.WriteRune('\uFFFD')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// quote writes a text as TOML has it, with everything invisible escaped.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case errtext.IsVisible(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return quoted
}

func envName(setting string) string {
	return strings.ToUpper(strings.ReplaceAll(setting, ".", "_"))
}

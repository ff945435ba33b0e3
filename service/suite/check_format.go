package suite

import (
	"context"
	"encoding/base64"
	"math/big"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"confab/internal/javascript"
)

// schemaFormat is a format of JSON Schema: what a text must be, or a bound of whole numbers.
type schemaFormat struct {
	text func(string) bool
	bits uint // of a whole number
}

func (f *schemaFormat) fitsText(s string) bool { return f == nil || f.text == nil || f.text(s) }

func (f *schemaFormat) fitsNumber(n *big.Rat, isExact bool) bool {
	if f == nil || f.bits == 0 {
		return true
	}
	limit := new(big.Int).Lsh(big.NewInt(1), f.bits-1)
	return isExact && n.IsInt() && n.Num().Cmp(limit) < 0 && n.Num().Cmp(limit.Neg(limit)) >= 0
}

// schemaFormats returns the formats that promptfoo knows, by their names.
var schemaFormats = sync.OnceValue(func() map[string]*schemaFormat {
	all := map[string]*schemaFormat{"int32": {bits: 32}, "int64": {bits: 64}}
	for _, name := range []string{"binary", "double", "float", "password"} { // anything
		all[name] = &schemaFormat{}
	}
	for name, holds := range map[string]func(string) bool{
		"byte": func(s string) bool {
			_, err := base64.StdEncoding.DecodeString(s)
			return err == nil && !strings.ContainsAny(s, "\r\n")
		},
		"date": func(s string) bool {
			_, err := time.Parse(time.DateOnly, s)
			return err == nil
		},
		"date-time": func(s string) bool { // with a blank for the T as well
			_, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(s), " ", "T", 1))
			return err == nil
		},
		"time": isTime,
		"ipv4": func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err == nil && a.Is4()
		},
		"ipv6": func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err == nil && a.Is6() && a.Zone() == ""
		},
		"regex": func(s string) bool {
			_, err := javascript.MatchRegexp(context.Background(), s, "u", "")
			return err == nil
		},
		"uri": func(s string) bool {
			u, err := url.Parse(s)
			return err == nil && u.IsAbs() && !strings.ContainsAny(s, " \\<>^`{|}")
		},
		"uri-reference": func(s string) bool {
			_, err := url.Parse(s)
			return err == nil && !strings.ContainsAny(s, " \\<>^`{|}")
		},
		"url": func(s string) bool {
			u, err := url.Parse(s)
			return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ftp") &&
				strings.Contains(u.Host, ".") && !strings.ContainsAny(s, " \t\n")
		},
	} {
		all[name] = &schemaFormat{text: holds}
	}
	for name, holds := range patternFormats() {
		all[name] = &schemaFormat{text: holds}
	}
	return all
})

// patternFormats returns the formats that regular expressions describe.
func patternFormats() map[string]func(string) bool {
	all := map[string]func(string) bool{}
	const (
		label   = `[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?`
		pointer = `(/([^~/]|~[01])*)*`
		unit    = `([^\x00-\x20"'<>%\\^\x60{|}]|%[0-9a-f]{2})`
		term    = `([a-z0-9_.]|%[0-9a-f]{2})+(:[1-9][0-9]{0,3}|\*)?`
	)
	for name, expression := range map[string]string{
		"duration":              `P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)`,
		"hostname":              label + `(\.` + label + `)*\.?`,
		"json-pointer":          pointer,
		"relative-json-pointer": `(0|[1-9]\d*)(#|` + pointer + `)`,
		"uri-template":          `(` + unit + `|\{[+#./;?&=,!@|]?` + term + `(,` + term + `)*\})*`,
		"email": `[a-z0-9!#$%&'*+/=?^_{|}~\x60-]+(\.[a-z0-9!#$%&'*+/=?^_{|}~\x60-]+)*` +
			`@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?`,
		"uuid": `(urn:uuid:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`,
	} {
		matches := regexp.MustCompile(`(?i)^(` + expression + `)$`).MatchString
		all[name] = func(s string) bool {
			switch name {
			case "duration":
				return matches(s) && !strings.HasSuffix(s, "T") && s != "P" && s == strings.ToUpper(s)
			case "hostname":
				return matches(s) && len(s) <= 254
			}
			return matches(s)
		}
	}
	return all
}

// isTime reports whether a text is a time of a day with its offset. The last minute of a day in UTC may have 61
// seconds.
func isTime(s string) bool {
	s = strings.ToUpper(s)
	if len(s) < 9 || s[2] != ':' || strings.Contains(s, ",") {
		return false // which time.Parse takes
	}
	isLeap := s[6:8] == "60"
	if isLeap {
		s = s[:6] + "59" + s[8:]
	}
	t, err := time.Parse("15:04:05Z07:00", s)
	utc := t.UTC()
	return err == nil && (!isLeap || utc.Hour() == 23 && utc.Minute() == 59)
}

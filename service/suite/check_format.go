package suite

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// libraryFormats returns the formats of strings that the library judges as promptfoo does.
func libraryFormats() []string {
	return []string{"date", "duration", "ipv4", "ipv6", "hostname", "json-pointer", "regex",
		"relative-json-pointer", "time", "uri", "uri-template"}
}

// formats returns the formats of promptfoo that the library does not have or judges otherwise.
var formats = sync.OnceValue(func() []*jsonschema.Format {
	matches := func(expression string) func(string) bool {
		return regexp.MustCompile(expression).MatchString
	}
	texts := map[string]func(string) bool{
		"binary":   func(string) bool { return true },
		"password": func(string) bool { return true },
		"byte": func(s string) bool {
			_, err := base64.StdEncoding.DecodeString(s)
			return err == nil && !strings.ContainsAny(s, "\r\n")
		},
		"date-time": func(s string) bool { // with a blank for the T as well
			_, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(s), " ", "T", 1))
			return err == nil
		},
		"uri-reference": func(s string) bool {
			_, err := url.Parse(s)
			return err == nil && !strings.ContainsAny(s, " \\<>^`{|}")
		},
		"email": matches(`(?i)^[a-z0-9!#$%&'*+/=?^_{|}~\x60-]+(\.[a-z0-9!#$%&'*+/=?^_{|}~\x60-]+)*` +
			`@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$`),
		"uuid": matches(`(?i)^(urn:uuid:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
		"url": func(s string) bool {
			u, err := url.Parse(s)
			return err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ftp") &&
				strings.Contains(u.Host, ".") && !strings.ContainsAny(s, " \t\n")
		},
	}
	whole := func(limit float64) func(any) error {
		return func(v any) error {
			number, isNumber := v.(json.Number)
			n, _ := number.Float64()
			if isNumber && (n != math.Trunc(n) || n < -limit || n >= limit) {
				return errors.New("no whole number of this size")
			}
			return nil
		}
	}
	all := []*jsonschema.Format{
		{Name: "int32", Validate: whole(1 << 31)}, {Name: "int64", Validate: whole(1 << 63)},
		{Name: "float", Validate: func(any) error { return nil }},
		{Name: "double", Validate: func(any) error { return nil }},
	}
	for name, holds := range texts {
		all = append(all, &jsonschema.Format{Name: name, Validate: func(v any) error {
			if s, ok := v.(string); ok && !holds(s) {
				return errors.New("not of this format")
			}
			return nil
		}})
	}
	return all
})

package service

import (
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"confab/history"
	"confab/internal/errtext"
)

// urlScheme matches the beginning of an address, but no Windows path, whose drive is one letter.
func urlScheme() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):(//)?`) }

// ParseSource returns the source that a person names by a path or an address: http and https addresses are fetched
// by the service, file addresses are files of this machine. Anything else that looks like an address is refused.
func ParseSource(text string) (history.Source, error) {
	match := urlScheme().FindStringSubmatch(text)
	if match == nil {
		return history.Source{Path: text}, nil
	}
	switch scheme := strings.ToLower(match[1]); {
	case scheme == "http", scheme == "https":
		return history.Source{URL: text}, nil
	case scheme == "data":
		return history.Source{}, usage("a data: address cannot be the source, because the service fetches the picture " +
			"itself; " +
			"save the picture to a file and give its path")
	case scheme == "file":
		path, ok := filePath(text)
		if !ok {
			return history.Source{},
				usage("the address %s does not name a file of this machine; write file:///, then the whole path",
					errtext.Quote(text))
		}
		return history.Source{Path: path}, nil
	case match[2] != "":
		return history.Source{}, usage("the source %s is neither a file nor an http or https address", errtext.Quote(text))
	}
	return history.Source{Path: text}, nil // a file may have a colon in its name
}

// filePath returns the path that a file address names, if it is one of this machine.
func filePath(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.RawQuery != "" || u.Fragment != "" || u.Host != "" &&
		!strings.EqualFold(u.Host, "localhost") {
		return "", false
	}
	path := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, `\`)
	}
	return path, filepath.IsAbs(path)
}

package httpclient

import (
	"html"
	"regexp"
)

// PageTitle returns the title of a web page that came in place of an answer, "" for other bodies. It is foreign text.
func PageTitle(body []byte) string {
	found := regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`).FindSubmatch(body[:min(len(body), 64<<10)])
	if found == nil {
		return ""
	}
	return html.UnescapeString(string(found[1]))
}

package pictures_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/service/pictures"
)

func TestParseSource(t *testing.T) {
	for text, want := range map[string]history.Source{
		"light.png":                       {Path: "light.png"},
		"/tmp/a b.png":                    {Path: "/tmp/a b.png"},
		"a:b.png":                         {Path: "a:b.png"},
		"note:b.png":                      {Path: "note:b.png"},
		"https://example.com/a.png":       {URL: "https://example.com/a.png"},
		"HTTP://example.com/a.png":        {URL: "HTTP://example.com/a.png"},
		"file:///tmp/a%20b.png":           {Path: "/tmp/a b.png"},
		"FILE://localhost/tmp/%C3%BC.png": {Path: "/tmp/ü.png"},
		"file:/tmp/a.png":                 {Path: "/tmp/a.png"},
	} {
		if got, err := pictures.ParseSource(text); err != nil || got != want {
			t.Errorf("ParseSource(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"data:image/png;base64,AAAA":           "save the picture to a file",
		"file://server/share/a.png":            "does not name a file of this machine",
		"file:a.png":                           "does not name a file of this machine",
		"file://" + strings.Repeat("x", 1<<16): "x…",
		"ftp://example.com/a.png":              "neither a file nor an http",
		"s3://bucket/a\u3164.png":              `a\u3164.png`,
	} {
		got, err := pictures.ParseSource(text)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 400 {
			t.Errorf("ParseSource(%.40q) = %+v, %v, want %q", text, got, err, want)
		}
	}
}

package testserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// echoes are the behaviours that repeat the key they were given.
func echoes() map[string]act {
	refuse := func(form func(c *conn) (contentType, body string), lines ...string) act {
		return func(c *conn) { kind, body := form(c); c.reply(401, kind, body, lines...) }
	}
	say := func(c *conn, text string) {
		if c.picture {
			c.reply(200, "image/png", string(Notes("parameters", text)))
			return
		}
		c.reply(200, "application/json", answerOf(text, c.slug()))
	}
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return map[string]act{
		"echo-key": refuse(func(c *conn) (string, string) {
			return "application/json",
				`{"error":{"message":` + quoted("Incorrect API key provided: "+c.key()+".") + `}}`
		}),
		"echo-key-html": refuse(func(c *conn) (string, string) {
			return "text/html", "<html><title>key " + html.EscapeString(c.key()) + "</title></html>"
		}),
		"echo-key-plain": refuse(func(c *conn) (string, string) { return "text/plain", "bad key " + c.key() }),
		"echo-key-base64": refuse(func(c *conn) (string, string) {
			return "text/plain", "Basic " + base64.StdEncoding.EncodeToString([]byte("u:"+c.key()))
		}),
		"echo-key-url": refuse(func(c *conn) (string, string) {
			return "text/plain", "at /?apikey=" + url.QueryEscape(c.key())
		}),
		"echo-request": refuse(func(c *conn) (string, string) {
			return "application/json", `{"message":` + quoted(c.seen.Body) + `}`
		}),
		"echo-key-late": refuse(func(c *conn) (string, string) {
			return "text/plain", strings.Repeat("x", 2048-10) + c.key()
		}),
		"echo-key-hidden": refuse(func(c *conn) (string, string) { // characters between that no screen shows
			return "text/plain", strings.Join(strings.Split(c.key(), ""), "\u200b")
		}),
		"echo-key-reason":  func(c *conn) { c.raw("HTTP/1.1 401 bad " + c.key() + "\r\nContent-Length: 0\r\n\r\n") },
		"echo-key-garbage": func(c *conn) { c.raw(c.key() + "\r\n\r\n") },
		"echo-key-title": func(c *conn) {
			c.reply(200, "text/html", "<html><title>key "+html.EscapeString(c.key())+"</title></html>")
		},
		"echo-key-header": func(c *conn) {
			kind, body := c.right()
			c.reply(200, kind, body, "X-Debug: key="+c.key(), "Set-Cookie: k="+url.QueryEscape(c.key()))
		},
		"echo-key-location": func(c *conn) {
			c.reply(307, "", "", "Location: "+c.server.Other.URL+"/"+url.PathEscape(c.key()))
		},
		"echo-key-text":     func(c *conn) { say(c, "Your key is "+c.key()+", keep it safe.") },
		"echo-key-model":    func(c *conn) { c.reply(200, "application/json", answerOf("x", c.key())) },
		"echo-request-text": func(c *conn) { say(c, fmt.Sprintf("You sent %s", c.seen.Body)) },
	}
}

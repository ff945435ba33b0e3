package testserver

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode/utf16"
)

// behaviourTable describes its own format.
//
//go:embed behaviours.txt
var behaviourTable string

// behaviour is a line of the table.
type behaviour struct {
	action   string // a status, or raw, flood or drip
	failures int    // failed requests per path before a right answer; 0 means all
	next     string // what to do after the answer
	texts    []string
}

// responder answers a request.
type responder func(c *conn)

// onAccept returns the behaviours that do not wait for a request. Only [Server.SetBehaviour] selects them.
func onAccept() map[string]responder {
	return map[string]responder{
		"accept-close": func(*conn) {},
		"accept-rst":   func(c *conn) { c.reset() },
		"accept-stall": func(c *conn) {
			for b := make([]byte, 4096); ; { // reading detects the end of the connection
				if _, err := c.Read(b); err != nil {
					return
				}
			}
		},
		"banner": func(c *conn) { c.raw("220 mail.example ESMTP ready\r\n"); _, _ = c.Read(make([]byte, 1)) },
	}
}

// behaviours returns every behaviour that answers a request.
var behaviours = sync.OnceValue(func() map[string]responder {
	all := map[string]responder{
		"late":    func(c *conn) { c.answerAfter(c.server.Late) },
		"late-60": func(c *conn) { c.answerAfter(time.Minute) },
	}
	for line := range strings.Lines(behaviourTable) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || name == "#" {
			continue
		}
		b, err := parseBehaviour(rest)
		if err != nil {
			panic(fmt.Sprintf("behaviour %s: %v", name, err))
		}
		all[name] = b.answer
	}
	return all
})

// Names returns the sorted names of the behaviours, without those of the form status-<number>.
func Names() []string {
	all := maps.Clone(behaviours())
	maps.Copy(all, onAccept())
	return slices.Sorted(maps.Keys(all))
}

// find returns the behaviour of a name, nil if there is none.
func find(name string) responder {
	if a, ok := behaviours()[name]; ok {
		return a
	}
	number, ok := strings.CutPrefix(name, "status-")
	if status, err := strconv.Atoi(number); ok && err == nil {
		return func(c *conn) { c.reply(status, "application/json", `{"error":{"message":"no, because"}}`) }
	}
	return nil
}

func parseBehaviour(line string) (behaviour, error) {
	var b behaviour
	b.action, line, _ = strings.Cut(strings.TrimSpace(line), " ")
	b.action, b.next, _ = strings.Cut(b.action, "+")
	var failures string
	if b.action, failures, _ = strings.Cut(b.action, "*"); failures != "" {
		b.failures, _ = strconv.Atoi(failures)
	}
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return b, fmt.Errorf("read %q: %w", line, err)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return b, fmt.Errorf("read %s: %w", quoted, err)
		}
		b.texts = append(b.texts, text)
		line = line[len(quoted):]
	}
	return b, nil
}

func (b behaviour) answer(c *conn) {
	if b.failures > 0 && c.nth > b.failures {
		c.reply(200, c.contentType(), c.body())
		return
	}
	var texts []string
	for _, text := range b.texts {
		texts = append(texts, c.render(text))
	}
	switch b.action {
	case "raw":
		c.raw(strings.Join(texts, ""))
	case "flood":
		for ok := c.raw(texts[0]); ok; ok = c.raw(texts[1]) {
		}
	case "drip":
		pause, _ := time.ParseDuration(texts[2])
		c.raw(texts[0])
		for i := 0; i < len(texts[1]) && c.raw(texts[1][i:i+1]); i++ {
			time.Sleep(pause)
		}
	default:
		status, _ := strconv.Atoi(b.action)
		c.reply(status, texts[0], texts[1], texts[2:]...)
	}
	switch b.next {
	case "wait":
		c.wait()
	case "reset":
		time.Sleep(20 * time.Millisecond) // lets the data arrive before the reset
		c.reset()
	case "pause":
		time.Sleep(200 * time.Millisecond)
	}
}

// page is a web page like those of captive portals.
const page = "<!DOCTYPE html>\n<html><head><title>Sign in &amp; \x1b]0;PWNED\x07 " +
	"<b>pay</b></title></head><body><form>password</form></body></html>"

// render expands a text of the table.
func (c *conn) render(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"body": c.body, "type": c.contentType, "key": c.key, "page": func() string { return page },
		"request": func() string { return c.seen.Body }, "path": func() string { return c.request.URL.Path },
		"self": func() string { return c.server.URL }, "other": func() string { return c.server.Other.URL },
		"answer": answerOf,
		"say": func(text string) string {
			if c.picture {
				return notes("parameters", text)
			}
			return answerOf(text, c.slug())
		},
		"json":       func(s string) string { b, _ := json.Marshal(s); return string(b) },
		"base64":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"pathescape": url.PathEscape,
		"repeat":     func(n int, s string) string { return strings.Repeat(s, n) },
		"join":       func(sep, s string) string { return strings.Join(strings.Split(s, ""), sep) },
		"half":       func(s string) string { return s[:len(s)/2] },
		"drop":       func(n int, s string) string { return s[:len(s)-n] },
		"invert": func(fromEnd int, s string) string {
			at := len(s) - fromEnd
			return s[:at] + string([]byte{^s[at]}) + s[at+1:]
		},
		"gzip": zipped, "utf16": encodeUTF16,
		"png": func() string { return string(PNG(32, 16)) }, "jpeg": func() string { return string(JPEG(32, 16)) },
		"bomb":  func(w, h uint32) string { return string(Bomb(w, h)) },
		"giant": func(w, h uint32) string { return string(Giant(w, h)) }, "gif": gifPicture, "jpegbomb": jpegBomb,
	}).Funcs(streamFunctions()).Parse(text))
	var out strings.Builder
	if err := t.Execute(&out, nil); err != nil {
		panic(err)
	}
	return out.String()
}

// answerAfter answers correctly after d, unless the client disconnects.
func (c *conn) answerAfter(d time.Duration) {
	done := make(chan struct{})
	timer := time.AfterFunc(d, func() { close(done); _ = c.SetReadDeadline(time.Now()) })
	defer timer.Stop()
	_, _ = c.in.Peek(1)
	select {
	case <-done:
		c.reply(200, c.contentType(), c.body())
	default:
		c.wait()
	}
}

func zipped(s string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return out.String()
}

// encodeUTF16 returns a text as little-endian UTF-16 with a byte order mark.
func encodeUTF16(s string) string {
	out := []byte("\xff\xfe")
	for _, unit := range utf16.Encode([]rune(s)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

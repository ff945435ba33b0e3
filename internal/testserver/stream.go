package testserver

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
)

// streamFunctions returns the template functions for streamed answers.
func streamFunctions() template.FuncMap {
	return template.FuncMap{
		"event": event, "delta": delta, "done": done,
		"stream": func(parts ...string) string {
			var b strings.Builder
			for _, part := range parts {
				b.WriteString(delta(part))
			}
			return b.String() + done(strings.Join(parts, ""))
		},
		"each": func(s string) string {
			var b strings.Builder
			for _, r := range s {
				b.WriteString(delta(string(r)))
			}
			return b.String()
		},
		"replace": strings.ReplaceAll,
		"list":    func(all ...int) []int { return all },
		"byte":    func(b int) string { return string([]byte{byte(b)}) },
	}
}

// event returns an event of a streamed answer.
func event(kind, data string) string { return "event: " + kind + "\ndata: " + data + "\n\n" }

// delta returns the event of a part of a text.
func delta(text string) string {
	t, _ := json.Marshal(text)
	return event("delta", fmt.Sprintf(`{"text":%s}`, t))
}

// done returns the event that ends an answer of this text.
func done(text string) string {
	return event("done", fmt.Sprintf(`{"status":200,"data":{"model":"m","length":%d,"sha256":"%x","finish":"stop"}}`,
		len(text), sha256.Sum256([]byte(text))))
}

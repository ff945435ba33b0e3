package testserver

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"text/template"
)

// streamFunctions are the functions of templates that write streamed answers.
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

// CheckContract says what of a request the service contract does not know: a service that offers no extensions must
// never see anything of it.
func CheckContract(seen Seen) error {
	if seen.Method != http.MethodPost {
		return fmt.Errorf("the method %s", seen.Method)
	}
	for name, values := range seen.Header {
		allowed := map[string][]string{
			"Content-Type": {"application/json"}, "User-Agent": {"confab"}, "Connection": {"close"},
			"Content-Length": {fmt.Sprint(len(seen.Body))}, "Accept": {"application/json", "image/png, image/jpeg"},
		}[name]
		if len(values) != 1 || !slices.Contains(allowed, values[0]) {
			return fmt.Errorf("the header %s: %q", name, values)
		}
	}
	var fields map[string]string
	if err := json.Unmarshal([]byte(seen.Body), &fields); err != nil {
		return fmt.Errorf("a body that is not an object of strings: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains([]string{"apikey", "prompt", "systemprompt", "aspect_ratio", "nonce", "imageUrl"}, name) {
			return fmt.Errorf("the field %s", name)
		}
	}
	return nil
}

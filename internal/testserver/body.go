package testserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
)

// page is a web page such as a hotel's network shows to everyone.
const page = "<!DOCTYPE html>\n<html><head><title>Sign in &amp; \x1b]0;PWNED\x07 " +
	"<b>pay</b></title></head><body><form>password</form></body></html>"

// jsons are bodies that are almost what the contract says; they are sent with
// status 200, whatever was asked for.
func jsons() map[string]string {
	wide := utf16.Encode([]rune(answerOf("wide", "m")))
	var utf16le bytes.Buffer
	utf16le.WriteString("\xff\xfe")
	for _, u := range wide {
		utf16le.WriteByte(byte(u))
		utf16le.WriteByte(byte(u >> 8))
	}
	return map[string]string{
		"json-status-500":    `{"status":500,"error":{"code":"x","message":"the model fell over"}}`,
		"json-status-401":    `{"status":401,"message":"who are you"}`,
		"json-status-402":    `{"status":402,"data":{"text":"no credit left"}}`,
		"json-status-429":    `{"status":429,"detail":"slow down"}`,
		"json-status-302":    `{"status":302,"location":"http://elsewhere.example"}`,
		"json-status-string": `{"status":"200","data":{"text":"x","model":"m"}}`,
		"json-status-float":  `{"status":200.0,"data":{"text":"x","model":"m"}}`,
		"json-status-exp":    `{"status":2e2,"data":{"text":"x","model":"m"}}`,
		"json-status-huge":   `{"status":99999999999999999999,"data":{"text":"x","model":"m"}}`,
		"json-status-none":   `{"data":{"text":"x","model":"m"}}`,
		"json-status-null":   `{"status":null,"data":{"text":"x","model":"m"}}`,
		"json-case":          `{"STATUS":200,"Data":{"TEXT":"x","model":"m"}}`,
		"json-data-null":     `{"status":200,"data":null}`,
		"json-data-none":     `{"status":200}`,
		"json-data-array":    `{"status":200,"data":["x"]}`,
		"json-data-string":   `{"status":200,"data":"x"}`,
		"json-text-null":     `{"status":200,"data":{"text":null,"model":"m"}}`,
		"json-text-number":   `{"status":200,"data":{"text":7,"model":"m"}}`,
		"json-text-object":   `{"status":200,"data":{"text":{"a":1},"model":"m"}}`,
		"json-text-none":     `{"status":200,"data":{"model":"m"}}`,
		"json-text-empty":    `{"status":200,"data":{"text":"","model":"m"}}`,
		"json-text-space":    `{"status":200,"data":{"text":" \n\t ","model":"m"}}`,
		"json-model-other":   `{"status":200,"data":{"text":"x","model":"another-model"}}`,
		"json-model-none":    `{"status":200,"data":{"text":"x"}}`,
		"json-model-number":  `{"status":200,"data":{"text":"x","model":7}}`,
		"json-extra":         `{"id":[1,{"a":2}],"status":200,"usage":{"tokens":7},"data":{"extra":null,"text":"x","model":"m"}}`,
		"json-null":          `null`,
		"json-array":         `[200]`,
		"json-string":        `"text"`,
		"json-empty":         `{}`,
		"json-trailing":      answerOf("x", "m") + " and more",
		"json-two":           answerOf("x", "m") + answerOf("y", "m"),
		"json-bom":           "\xef\xbb\xbf" + answerOf("x", "m"),
		"json-cut":           `{"status":200,"data":{"text":"x`,
		"json-nan":           `{"status":NaN,"data":{"text":"x","model":"m"}}`,
		"json-utf16":         utf16le.String(),
		"uni-invalid": "{\"status\":200,\"data\":{\"text\":\"BEGIN \xff\xfe\xc0\xed\xa0\x80 " +
			"END\",\"model\":\"m\"}}",
		"uni-surrogate": `{"status":200,"data":{"text":"BEGIN \ud800 END","model":"m"}}`,
		"uni-emoji":     answerOf("👩‍👩‍👧 é 中文 العربية", "m"),
		"esc-c1-raw":    "{\"status\":200,\"data\":{\"text\":\"BEGIN \x9b31m END\",\"model\":\"m\"}}",
		"esc-overlong":  "{\"status\":200,\"data\":{\"text\":\"BEGIN \xc0\x9b[31m END\",\"model\":\"m\"}}",
		"esc-text":      answerOf("BEGIN \x1b]0;PWNED\x07\x1b[2J\u009b31m\u009d0;PWNED\u009c\u202e END", "m"),
		"esc-literal":   answerOf(`BEGIN \x1b[31m ^[[31m END`, "m"),
		"esc-model":     answerOf("x", "\x1b]0;PWNED\x07model"),
	}
}

// costly are texts that are much work to read or to draw; they are made when
// asked for.
func costly() map[string]func() string {
	return map[string]func() string{
		"json-model-long": func() string {
			return `{"status":200,"data":{"text":"x","model":"` + strings.Repeat("m", 1<<20) + `"}}`
		},
		"json-deep": func() string { return strings.Repeat("[", 20000) },
		"json-deep-whole": func() string {
			return `{"status":200,"x":` + strings.Repeat("[", 20000) + strings.Repeat("]",
				20000) + `,"data":{"text":"x"}}`
		},
		"md-links": func() string {
			return answerOf("[https://good.example](https://evil.example) [x](javascript:alert(1)) "+
				"[f](file:///etc/passwd)", "m")
		},
		"md-quote": func() string { return answerOf(strings.Repeat("> ", 100)+"deep", "m") },
		"md-mixed": func() string { return answerOf(strings.Repeat("> - ", 40)+"deep", "m") },
		"md-list":  func() string { return answerOf(strings.Repeat("- ", 1000)+"deep", "m") },
		"md-table": func() string {
			return answerOf(strings.Repeat("|a", 500)+"|\n"+strings.Repeat("|-",
				500)+"|\n"+strings.Repeat(strings.Repeat("|x", 500)+"|\n", 50), "m")
		},
		"md-fence": func() string {
			return answerOf("```go\n"+strings.Repeat("func f() { return 1 }\n", 50000)+"```", "m")
		},
		"long-word": func() string { return answerOf(strings.Repeat("w", 1<<20), "m") },
		"newlines":  func() string { return answerOf(strings.Repeat("\n", 1<<20), "m") },
		"huge-text": func() string { return answerOf(strings.Repeat("a line of a huge text\n", 300000), "m") },
		"zalgo":     func() string { return answerOf(strings.Repeat("a"+strings.Repeat("\u0301", 200), 500), "m") },
		"zwj":       func() string { return answerOf(strings.Repeat("👩\u200d", 20000), "m") },
	}
}

// bodies are the behaviours that are right in everything but their content.
func bodies() map[string]act {
	all := map[string]act{
		"ok":           func(c *conn) { kind, body := c.right(); c.reply(200, kind, body) },
		"cached":       func(c *conn) { kind, body := c.right(); c.reply(200, kind, body, "X-Cache: HIT") },
		"html-200":     func(c *conn) { c.reply(200, "text/html; charset=utf-8", page) },
		"html-as-json": func(c *conn) { c.reply(200, "application/json", page) },
		"html-as-png":  func(c *conn) { c.reply(200, "image/png", page) },
		"no-type":      func(c *conn) { _, body := c.right(); c.reply(200, "", body) },
		"json-as-text": func(c *conn) { _, body := c.right(); c.reply(200, "text/plain", body) },
		"plain-200":    func(c *conn) { c.reply(200, "text/plain", "It works!") },
		"esc-plain":    func(c *conn) { c.reply(200, "text/plain", "BEGIN \x1b]0;PWNED\x07 END") },
		"esc-error": func(c *conn) {
			body, _ := json.Marshal(
				map[string]any{
					"error": map[string]string{"message": "BEGIN \x1b]0;PWNED\x07\x1b[31m\u009b2J\u202e END"},
				},
			)
			c.reply(500, "application/json", string(body))
		},
		"esc-in200": func(c *conn) {
			c.reply(200, "application/json",
				`{"status":500,"message":"BEGIN \u001b]0;PWNED\u0007\u009d0;PWNED\u009c END"}`)
		},
		"esc-reason": func(c *conn) {
			c.raw("HTTP/1.1 500 BEGIN \x1b]0;PWNED\x07 END\r\nContent-Length: 0\r\n\r\n")
		},
		"esc-ctype": func(c *conn) { c.reply(200, "BEGIN \u009b31m END", "neither") },
		"name-traversal": func(c *conn) {
			kind, body := c.right()
			c.reply(200, kind, body, `Content-Disposition: attachment; filename="../../../../tmp/pwned.png"`)
		},
		"esc-file": func(c *conn) {
			kind, body := c.right()
			c.reply(200, kind, body, "Content-Disposition: attachment; filename=\"\u009b31mpwned.png\"")
		},
		"image-unreachable": func(c *conn) {
			c.reply(422, "application/json",
				`{"status":422,"error":{"code":"image_unreachable","message":"The picture could not be fetched."}}`)
		},
	}
	for name, body := range costly() {
		all[name] = func(c *conn) { c.reply(200, "application/json", body()) }
	}
	for name, body := range jsons() {
		all[name] = func(c *conn) { c.reply(200, "application/json", body) }
	}
	return all
}

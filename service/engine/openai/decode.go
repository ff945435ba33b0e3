package openai

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object from a server. A field of an unexpected type counts as absent, so that an odd count or name
// never loses an answer.
type object map[string]json.RawMessage

// objectOf decodes an object, nil for other values.
func objectOf(raw json.RawMessage) object {
	var o object
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// listOf returns the elements of a list, another value as the only element, and nothing for null.
func listOf(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	switch {
	case len(raw) == 0, string(raw) == "null":
		return nil
	case raw[0] != '[':
		return []json.RawMessage{raw}
	}
	_ = json.Unmarshal(raw, &list) // it is valid JSON
	return list
}

// elementsOf returns the elements of a list, and the values of an object.
func elementsOf(raw json.RawMessage) []json.RawMessage {
	if raw[0] == '{' {
		return slices.Collect(maps.Values(objectOf(raw)))
	}
	return listOf(raw)
}

// text returns a string field, or "".
func (o object) text(name string) string {
	var s string
	if raw := o[name]; len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// count returns the first named field that is a count, also written as 3.0 or "3"; 0 for none.
func (o object) count(names ...string) int {
	for _, name := range names {
		if n, ok := numberOf(o[name]); ok && n > 0 && n <= math.MaxInt32 && n == math.Trunc(n) {
			return int(n)
		}
	}
	return 0
}

func numberOf(raw json.RawMessage) (float64, bool) {
	n, err := strconv.ParseFloat(string(bytes.Trim(raw, `"`)), 64)
	return n, err == nil
}

// isBlank reports whether a value is null, false, 0, an empty text, list or object, or a list or object of only such
// values.
func isBlank(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0, string(raw) == "null", string(raw) == "false", string(raw) == "0", string(raw) == `""`:
		return true
	case isContainer(raw):
		return !slices.ContainsFunc(elementsOf(raw), func(value json.RawMessage) bool { return !isBlank(value) })
	}
	return false
}

// literalOf returns the JSON text between the quotation marks of a string, nil for other values. It does not decode
// it: a server may split a character.
func literalOf(raw json.RawMessage) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	return raw[1 : len(raw)-1]
}

// content is the decoded content of a message.
type content struct {
	text, reasoning []byte // JSON strings without quotation marks
	pictures        []string
	tool            string
}

// add decodes content: a string, a part, or a list of parts.
func (c *content) add(raw json.RawMessage) {
	if literal := literalOf(raw); literal != nil {
		c.text = append(c.text, literal...)
		return
	}
	if isBlank(raw) {
		return
	}
	if raw[0] == '[' {
		for _, part := range listOf(raw) {
			c.addPart(part)
		}
		return
	}
	if o := objectOf(raw); o != nil && (o["text"] != nil || o["type"] != nil || o["parts"] != nil) {
		c.addPart(raw)
		return
	}
	// The model was asked for JSON, and the server sends it as a value and not as text.
	literal, _ := json.Marshal(string(raw)) // strings always marshal
	c.text = append(c.text, literalOf(literal)...)
}

func (c *content) addPart(raw json.RawMessage) {
	o := objectOf(raw)
	kind := o.text("type")
	switch {
	case o == nil:
		c.text = append(c.text, literalOf(raw)...)
	case o["parts"] != nil:
		c.add(o["parts"])
	case strings.Contains(kind, "thinking"), strings.Contains(kind, "reasoning"), string(o["thought"]) == "true":
		c.reasoning = append(c.reasoning, reasoningOf(raw, 0)...)
	case strings.HasPrefix(kind, "tool"), strings.HasPrefix(kind, "function"):
		c.tool = cmp.Or(c.tool, toolName(o), "?")
	default:
		if at := pictureIn(raw, 0); at != "" {
			c.pictures = append(c.pictures, at)
			return
		}
		for _, name := range []string{"text", "refusal", "content"} {
			if literal := literalOf(o[name]); literal != nil {
				c.text = append(c.text, literal...)
				return
			}
			if inner := objectOf(o[name]); inner != nil { // {"text": {"value": …}}
				c.text = append(c.text, literalOf(inner["value"])...)
			}
		}
	}
}

// reasoningOf returns the literal of reasoning: a string, or one in a list or object.
func reasoningOf(raw json.RawMessage, depth int) []byte {
	if literal := literalOf(raw); literal != nil || len(raw) == 0 || depth > 4 {
		return literal
	}
	if raw[0] == '[' {
		var all []byte
		for _, part := range listOf(raw) {
			all = append(all, reasoningOf(part, depth+1)...)
		}
		return all
	}
	o := objectOf(raw)
	for _, name := range []string{"thinking", "text", "summary", "content", "reasoning", "reasoning_content"} {
		if found := reasoningOf(o[name], depth+1); len(found) > 0 {
			return found
		}
	}
	return nil
}

// toolName returns the name of the tool of a call.
func toolName(o object) string {
	return cmp.Or(objectOf(o["function"]).text("name"), o.text("name"))
}

// pictureIn returns the address or base64 of a picture in a value, "" for none.
func pictureIn(raw json.RawMessage, depth int) string {
	if len(raw) == 0 || depth > 6 {
		return ""
	}
	switch raw[0] {
	case '"':
		var s string
		_ = json.Unmarshal(raw, &s) // it is valid JSON
		return s
	case '[':
		for _, one := range listOf(raw) {
			if at := pictureIn(one, depth+1); at != "" {
				return at
			}
		}
	case '{':
		o := objectOf(raw)
		for _, name := range []string{"b64_json", "image_url", "url", "image", "images", "image_base64", "source",
			"inline_data", "inlineData", "data"} {
			if at := pictureIn(o[name], depth+1); at != "" {
				return at
			}
		}
	}
	return ""
}

// decodePicture decodes a picture from any kind of base64, also in a data URL. ok is false for other texts.
func decodePicture(text string) (b []byte, ok bool) {
	if strings.HasPrefix(text, "data:") {
		_, text, ok = strings.Cut(text, ",")
		if !ok {
			return nil, false
		}
	}
	text = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	b, err := base64.RawStdEncoding.DecodeString(text)
	return b, err == nil && len(b) > 0
}

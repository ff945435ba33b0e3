package httpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"confab/internal/termtext"
)

// Message returns what the JSON of a refusal says to people: OpenAI's {"error":{"message"}}, {"error":"…"},
// {"message"}, FastAPI's {"detail"} with the location in the request, lists of these, and a text that holds one of
// them, as gateways pass it on. It returns "" for other bodies. It is foreign text.
func Message(body []byte) string {
	var value any
	if json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &value) != nil {
		return ""
	}
	return messageIn(value, 0)
}

func messageIn(value any, depth int) string {
	const maxDepth = 5
	if depth > maxDepth {
		return ""
	}
	switch v := value.(type) {
	case string:
		if text := strings.TrimSpace(v); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			var inner any
			if json.Unmarshal([]byte(text), &inner) == nil {
				if said := messageIn(inner, depth+1); said != "" {
					return said
				}
			}
		}
		if termtext.Line(v) != "" {
			return v
		}
	case []any:
		for _, one := range v {
			if said := messageIn(one, depth+1); said != "" {
				return said
			}
		}
	case map[string]any:
		place, names := "", []string{"error", "message", "detail", "msg", "errors", "error_msg", "error_message",
			"error_description", "description", "title", "reason", "text", "data"}
		if location, isList := v["loc"].([]any); isList {
			for _, one := range location {
				place += fmt.Sprint(one) + ": "
			}
		}
		if depth > 0 {
			names = append(names, "type", "code")
		}
		name, _ := v["error"].(string)
		text, _ := v["message"].(string)
		switch { // as Spring and NestJS have it, beside the status
		case termtext.Line(name) == "" || termtext.Line(text) == "":
		case strings.Contains(text, name):
			return place + text
		default:
			return place + name + ": " + text
		}
		for _, name := range names {
			if said := messageIn(v[name], depth+1); said != "" {
				return place + said
			}
		}
	}
	return ""
}

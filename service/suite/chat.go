package suite

import (
	"encoding/json"
	"maps"
	"strings"

	"confab/history"
	"confab/service/variable"
)

// Chat is a prompt that is written as the messages of a conversation: a JSON list of objects with role and content.
type Chat struct {
	System   string            // the texts of the messages with the role system, or developer
	Messages []history.Message // before the prompt
	Prompt   string            // the last message, which is the user's
}

// ParseChat reads a prompt that is written as messages; ok is false for any other text.
func ParseChat(prompt string) (c Chat, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(prompt), "[") {
		return Chat{}, false
	}
	var written []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	if json.Unmarshal([]byte(prompt), &written) != nil || len(written) == 0 {
		return Chat{}, false
	}
	var system []string
	for _, m := range written {
		switch m.Role {
		case "system", "developer":
			system = append(system, m.Content)
		case string(history.RoleUser), string(history.RoleAssistant):
			c.Messages = append(c.Messages, history.Message{Role: history.Role(m.Role), Content: m.Content})
		default:
			return Chat{}, false
		}
	}
	last := len(c.Messages) - 1
	if last < 0 || c.Messages[last].Role != history.RoleUser {
		return Chat{}, false
	}
	c.System, c.Prompt, c.Messages = strings.Join(system, "\n\n"), c.Messages[last].Content, c.Messages[:last]
	return c, true
}

// expandPrompt fills a template in. In one that is written as messages the values stand as JSON writes them.
func expandPrompt(template string, vars map[string]string) (text string, chat Chat, err error) {
	if strings.HasPrefix(strings.TrimSpace(template), "[") {
		escaped := maps.Clone(vars)
		for name, value := range vars {
			b, _ := json.Marshal(value) // texts always marshal
			escaped[name] = string(b[1 : len(b)-1])
		}
		if text, err = variable.Expand(template, escaped); err != nil {
			return "", Chat{}, err
		}
		if chat, ok := ParseChat(text); ok {
			return text, chat, nil
		}
	}
	text, err = variable.Expand(template, vars)
	return text, Chat{}, err
}

// paramFields reads the parameters of text models that a configuration holds.
func (d *decoder) paramFields(to *history.Params) map[string]field {
	fields := map[string]field{}
	for _, name := range []string{"temperature", "top_p", "max_tokens", "seed", "stop", "response_format",
		"reasoning_effort"} {
		fields[name] = func(e entry) error {
			value, err := decodeValue(e.value, e.name)
			if err == nil {
				err = refuseTemplatesIn(e.value)
			}
			if err != nil {
				return err
			}
			p, err := paramOf(name, value)
			if err != nil {
				return errorAt(e.value.Line, "%s has a value of another kind: write such as temperature: 0.2, "+
					"max_tokens: 300, stop: [END]", e.name)
			}
			*to = to.With(p)
			return nil
		}
	}
	return fields
}

// paramOf returns the parameter of a name with a value as JSON has it. A single stop stands for a list of one, and an
// object that says what an answer is to look like for its text.
func paramOf(name string, value any) (p history.Params, err error) {
	if text, ok := value.(string); ok && name == "stop" {
		value = []string{text}
	}
	if object, ok := value.(map[string]any); ok && name == "response_format" {
		b, err := json.Marshal(object)
		if err != nil {
			return p, err
		}
		value = string(b)
	}
	b, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(b, &p)
}

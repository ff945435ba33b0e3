package suite

import (
	"encoding/json"
	"strings"

	"confab/internal/chat"
	"confab/service/variable"
)

// Chat is a prompt that is written as the messages of a conversation: a JSON list of objects with role and content.
type Chat struct {
	System   string         // the texts of the messages with the role system, or developer
	Messages []chat.Message // before the prompt
	Prompt   string         // the last message, which is the user's
}

// ParseChat reads a prompt that is written as messages; ok is false for any other text.
func ParseChat(prompt string) (c Chat, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(prompt), "[") {
		return Chat{}, false
	}
	var written []chat.Message
	if json.Unmarshal([]byte(prompt), &written) != nil || len(written) == 0 {
		return Chat{}, false
	}
	var system []string
	for _, m := range written {
		switch m.Role {
		case "system", "developer":
			system = append(system, m.Content)
		case chat.RoleUser, chat.RoleAssistant:
			c.Messages = append(c.Messages, m)
		default:
			return Chat{}, false
		}
	}
	last := len(c.Messages) - 1
	if last < 0 || c.Messages[last].Role != chat.RoleUser {
		return Chat{}, false
	}
	c.System, c.Prompt, c.Messages = strings.Join(system, "\n\n"), c.Messages[last].Content, c.Messages[:last]
	return c, true
}

// expandPrompt fills a template in. In one that is written as messages the values stand as JSON writes them.
func expandPrompt(template string, vars map[string]string) (text string, c Chat, err error) {
	if strings.HasPrefix(strings.TrimSpace(template), "[") {
		if text, err = variable.Expand(template, escapedForJSON(vars)); err != nil {
			return "", Chat{}, err
		}
		if c, ok := ParseChat(text); ok {
			return text, c, nil
		}
	}
	text, err = variable.Expand(template, vars)
	return text, Chat{}, err
}

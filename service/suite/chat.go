package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"confab/internal/chat"
)

// Chat is a prompt written as the messages of a conversation: a list of objects with role and content in JSON or
// YAML.
type Chat struct {
	System   string         // texts of the messages with the role system or developer
	Messages []chat.Message // before the prompt
	Prompt   string         // the last message, which has the role user
}

// chatForms match the beginnings of texts that promptfoo sends as messages.
type chatForms struct{ yaml, list, object *regexp.Regexp }

var chatBeginnings = sync.OnceValue(func() chatForms {
	const role = `["']?role["']?\s*:`
	const first = `["']?(role["']?\s*:|content["']?\s*:(?s:.*)[\s,]` + role + `)` // of a message in YAML
	return chatForms{
		yaml:   regexp.MustCompile(`^\s*(?:(?:#[^\n]*|---)\s*\n\s*)*-\s+\{?\s*` + first),
		list:   regexp.MustCompile(`(?s)^\s*\[\s*\{.*` + role),
		object: regexp.MustCompile(`^\s*\{\s*["']?(role|messages)["']?\s*:`),
	}
})

// isChat reports whether a template begins like messages.
func isChat(template string) bool {
	forms := chatBeginnings()
	return forms.yaml.MatchString(template) || forms.list.MatchString(template)
}

// ParseChat parses a prompt written as messages in JSON; it returns nil for any other text. The error tells why
// messages cannot be sent.
func ParseChat(prompt string) (*Chat, error) {
	switch forms := chatBeginnings(); {
	case forms.object.MatchString(prompt):
		return nil, errors.New("it begins like a message: write a list of messages, [{\"role\": …, \"content\": …}]")
	case !forms.list.MatchString(prompt):
		return nil, nil
	}
	var written []any
	if err := json.Unmarshal([]byte(prompt), &written); err != nil {
		return nil, fmt.Errorf("it begins like a list of messages and is not JSON (%w)", err)
	}
	return newChat(written)
}

// newChat converts a decoded list of messages to a conversation.
func newChat(written []any) (*Chat, error) {
	var c Chat
	var system []string
	for i, item := range written {
		m, err := messageOf(item)
		if err != nil {
			return nil, fmt.Errorf("message %d %w", i+1, err)
		}
		switch m.Role {
		case "system", "developer":
			system = append(system, m.Content)
		case chat.RoleUser, chat.RoleAssistant:
			c.Messages = append(c.Messages, m)
		default:
			return nil, fmt.Errorf("message %d has the role %s; confab sends system, user and assistant", i+1,
				quote(string(m.Role)))
		}
	}
	last := len(c.Messages) - 1
	if last < 0 || c.Messages[last].Role != chat.RoleUser {
		return nil, errors.New("its last message must be the user's: confab does not send a begun answer")
	}
	c.System, c.Prompt, c.Messages = strings.Join(system, "\n\n"), c.Messages[last].Content, c.Messages[:last]
	return &c, nil
}

// messageOf converts one message. It refuses unsupported content.
func messageOf(item any) (m chat.Message, err error) {
	object, ok := item.(map[string]any)
	if !ok {
		return m, errors.New("is no object with role and content")
	}
	for name := range object {
		if name != "role" && name != "content" {
			return m, fmt.Errorf("has %s, which confab does not send", quote(name))
		}
	}
	role, ok := object["role"].(string)
	if m.Role = chat.Role(role); !ok {
		return m, errors.New("has no role")
	}
	m.Content, err = contentOf(object["content"])
	return m, err
}

// contentOf returns the content of a message: a text, or the joined texts of a list of parts.
func contentOf(content any) (string, error) {
	if text, ok := content.(string); ok {
		return text, nil
	}
	parts, ok := content.([]any)
	if !ok || len(parts) == 0 {
		return "", errors.New("has no text as its content")
	}
	var texts []string
	for _, part := range parts {
		object, _ := part.(map[string]any)
		text, ok := object["text"].(string)
		if !ok || object["type"] != "text" || len(object) != 2 {
			return "", errors.New("has a part that is no text, and confab sends texts only")
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n"), nil
}

// expandPrompt expands a template. In messages it escapes the values, and it converts messages in YAML to JSON.
func expandPrompt(template string, vars map[string]string) (text string, c *Chat, err error) {
	switch forms := chatBeginnings(); {
	case forms.yaml.MatchString(template):
		text, err = expandYAMLChat(template, vars)
	case forms.list.MatchString(template):
		text, err = expandJSON(template, vars)
	default:
		text, err = expandTemplate(template, vars)
	}
	if err == nil {
		c, err = ParseChat(text)
	}
	return text, c, err
}

// expandJSON expands a template of JSON. It escapes values for strings of JSON; where expressions and tags stand
// outside of strings, dump is what does that, as in promptfoo.
func expandJSON(template string, vars map[string]string) (string, error) {
	if len(foreignTemplates(template)) == 0 {
		return Expand(template, escapedForJSON(vars))
	}
	if !json.Valid([]byte(template)) {
		return expandTemplate(template, vars)
	}
	value, err := mapTexts(typed(template), func(s string) (any, error) { return expandTemplate(s, vars) })
	if err != nil {
		return "", err
	}
	return jsonText(value, 0)
}

// expandYAMLChat expands messages in YAML and returns them in JSON. It parses the YAML with marks in place of the
// templates, because braces and values would change its meaning.
func expandYAMLChat(template string, vars map[string]string) (string, error) {
	const begin, end = "\uE000", "\uE001"
	if strings.ContainsAny(template, begin+end) {
		return "", errors.New("its messages hold characters of the private use area")
	}
	var marks []string
	var marked strings.Builder
	mark := func(template string) string {
		mark := fmt.Sprint(begin, len(marks)/2, end)
		marks = append(marks, mark, template)
		return mark
	}
	walkTemplate(template, func(s string) { marked.WriteString(templateTag().ReplaceAllStringFunc(s, mark)) },
		func(name string) { marked.WriteString(mark("{{" + name + "}}")) })
	root, err := parseYAML(marked.String())
	if err != nil {
		return "", fmt.Errorf("it begins like a list of messages: %w", err)
	}
	value, err := decodeValue(root, "a message")
	if err != nil {
		return "", err
	}
	templates := strings.NewReplacer(marks...)
	value, err = mapTexts(value, func(s string) (any, error) {
		return expandTemplate(templates.Replace(escapeTemplate(s)), vars)
	})
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(value)
	return string(b), err
}

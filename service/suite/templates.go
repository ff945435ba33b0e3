package suite

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/internal/chat"
	"confab/service/variable"
)

// refuseTemplates returns an error about the first template of promptfoo's in a text that begins at a line: confab puts
// in variables and nothing else, so that it would be sent or compared as it is written.
func refuseTemplates(text string, line int) error {
	found := variable.ForeignTemplates(text)
	if len(found) == 0 {
		return nil
	}
	how := "write {{{{ and }}}} for braces that are to be sent"
	if !strings.HasPrefix(found[0].Text, "{{") {
		how = "to send it, make it the value of a variable"
	}
	return errorAt(line+found[0].Line, "confab does not do the template %s, only {{name}}; %s", quote(found[0].Text),
		how)
}

// refuseTemplatesIn refuses templates of promptfoo's in the texts of a node, but for the names of files.
func refuseTemplatesIn(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		for i, child := range n.Content {
			if isName := n.Kind == yaml.MappingNode && i%2 == 0; isName {
				continue
			}
			if err := refuseTemplatesIn(child); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := fileRef(n.Value); ok || n.ShortTag() != "!!str" {
		return nil
	}
	if n.Style&yaml.LiteralStyle != 0 { // the text begins below the mark
		return refuseTemplates(n.Value, n.Line+1)
	}
	return refuseTemplates(strings.ReplaceAll(n.Value, "\n", " "), n.Line)
}

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

package importer

import (
	"encoding/json"
	"strings"

	"confab/internal/chat"
)

// claude reads a conversation of Claude's export. Messages name the one that they follow, or follow each other.
func (s *Source) claude(b []byte) (conversation, error) {
	var in struct {
		UUID, Name, Model string
		Updated           string `json:"updated_at"`
		Current           string `json:"current_leaf_message_uuid"`
		Messages          []struct {
			UUID, Sender, Text string
			Parent             string `json:"parent_message_uuid"`
			Created            string `json:"created_at"`
			Finish             string `json:"stop_reason"`
			Content            []struct{ Type, Text, Thinking string }
			Attachments        []struct {
				Name string `json:"file_name"`
				Text string `json:"extracted_content"`
			}
			Files []json.RawMessage
		} `json:"chat_messages"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return conversation{}, err
	}
	c := conversation{program: "Claude", id: in.UUID, name: in.Name, model: in.Model, updated: parseTime(in.Updated),
		current: in.Current}
	last := ""
	for _, from := range in.Messages {
		m := message{id: from.UUID, parent: from.Parent, at: parseTime(from.Created), finish: from.Finish}
		if m.parent == "" {
			m.parent = last
		}
		last = m.id
		var texts, thoughts []string
		for _, part := range from.Content {
			switch part.Type {
			case "text":
				texts = append(texts, part.Text)
			case "thinking":
				thoughts = append(thoughts, part.Thinking)
			case "tool_use":
				s.Skipped[toolCall]++
			case "tool_result":
				s.Skipped[toolResult]++
			}
		}
		if m.text, m.reasoning = joinTexts(texts), joinTexts(thoughts); m.text == "" {
			m.text = from.Text
		}
		switch from.Sender {
		case "human":
			m.role = chat.RoleUser
		case "assistant":
			m.role = chat.RoleAssistant
		}
		for _, a := range from.Attachments {
			if a.Text == "" {
				s.Skipped[missingFile]++
			} else if m.role == chat.RoleUser {
				name := a.Name
				if strings.TrimSpace(name) == "" {
					name = "pasted.txt"
				}
				m.files = append(m.files, content(name, []byte(a.Text)))
			}
		}
		s.Skipped[missingFile] += len(from.Files) // the export never has them
		c.messages = append(c.messages, m)
	}
	return c, nil
}

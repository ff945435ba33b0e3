package importer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"confab/internal/chat"
)

// chatGPTMessage is a message of ChatGPT's export.
type chatGPTMessage struct {
	Author    struct{ Role string }
	Time      float64 `json:"create_time"`
	Recipient string
	Content   struct {
		Type     string            `json:"content_type"`
		Parts    []json.RawMessage `json:"parts"`
		Text     string            `json:"text"`
		Thoughts []struct{ Content string }
	}
	Metadata struct {
		Model       string                      `json:"model_slug"`
		IsHidden    bool                        `json:"is_visually_hidden_from_conversation"`
		Finish      struct{ Type string }       `json:"finish_details"`
		Attachments []struct{ ID, Name string } `json:"attachments"`
	}
}

// chatGPT reads a conversation of ChatGPT's export, whose messages form a tree.
func (s *Source) chatGPT(b []byte) (conversation, error) {
	var in struct {
		ID             string
		ConversationID string `json:"conversation_id"`
		Title          string
		Updated        float64 `json:"update_time"`
		Current        string  `json:"current_node"`
		Model          string  `json:"default_model_slug"`
		Mapping        map[string]struct {
			Parent  string
			Message json.RawMessage
		}
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return conversation{}, err
	}
	c := conversation{program: "ChatGPT", id: cmp.Or(in.ConversationID, in.ID), name: in.Title, model: in.Model,
		updated: unixTime(in.Updated), current: in.Current}
	for id, node := range in.Mapping {
		m := message{id: id, parent: node.Parent}
		var from chatGPTMessage
		switch err := json.Unmarshal(node.Message, &from); {
		case len(node.Message) == 0 || string(node.Message) == "null": // the root
		case err != nil:
			s.Skipped[unreadableMessage]++
		default:
			s.chatGPTMessage(&m, from)
		}
		c.messages = append(c.messages, m)
	}
	slices.SortFunc(c.messages, func(x, y message) int { return cmp.Or(x.at.Compare(y.at), cmp.Compare(x.id, y.id)) })
	return c, nil
}

// chatGPTMessage fills in a message.
func (s *Source) chatGPTMessage(m *message, from chatGPTMessage) {
	m.at, m.model, m.finish = unixTime(from.Time), from.Metadata.Model, from.Metadata.Finish.Type
	text, pictures := s.chatGPTParts(from)
	switch role := from.Author.Role; {
	case from.Metadata.IsHidden || role == "system" || strings.HasSuffix(from.Content.Type, "_editable_context"):
		if strings.TrimSpace(text) != "" {
			s.Skipped[hiddenMessage]++
		}
	case role == "user":
		m.role, m.text, m.files = chat.RoleUser, text, pictures
		for _, a := range from.Metadata.Attachments {
			isPicture := func(p json.RawMessage) bool { return strings.Contains(string(p), a.ID) }
			if slices.ContainsFunc(from.Content.Parts, isPicture) {
				continue
			}
			if f, ok := s.asset(a.ID, a.Name); ok {
				m.files = append(m.files, f)
			}
		}
	case role == "assistant" && from.Recipient != "" && from.Recipient != "all":
		s.Skipped[toolCall]++
	case role == "assistant" && from.Content.Type != "reasoning_recap":
		m.role, m.text, m.files = chat.RoleAssistant, text, pictures
		for _, t := range from.Content.Thoughts {
			m.reasoning += strings.Repeat("\n\n", min(len(m.reasoning), 1)) + t.Content
		}
	case len(pictures) > 0: // a tool has painted them
		m.role, m.files = chat.RoleAssistant, pictures
	case role == "tool":
		s.Skipped[toolResult]++
	}
}

// chatGPTParts returns the text and the files of a message.
func (s *Source) chatGPTParts(from chatGPTMessage) (text string, files []File) {
	texts := []string{from.Content.Text}
	for _, raw := range from.Content.Parts {
		var part struct {
			Type    string `json:"content_type"`
			Pointer string `json:"asset_pointer"`
			Text    string
		}
		switch {
		case json.Unmarshal(raw, &part.Text) == nil:
			texts = append(texts, part.Text)
		case json.Unmarshal(raw, &part) != nil:
		case part.Type == "image_asset_pointer":
			_, id, _ := strings.Cut(part.Pointer, "://")
			id, _, _ = strings.Cut(id, "#")
			name := ""
			for _, a := range from.Metadata.Attachments {
				if a.ID == id {
					name = a.Name
				}
			}
			if f, ok := s.asset(id, name); ok {
				files = append(files, f)
			}
		case part.Text != "": // what was said
			texts = append(texts, part.Text)
		case part.Type != "":
			s.Skipped[recording]++
		}
	}
	return joinTexts(texts), files
}

package importer

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"confab/internal/chat"
)

// crush reads the sessions of crush's database. Those that its tools have opened are left out.
func (s *Source) crush(q *queries, give func(conversation) bool) {
	s.Skipped[toolSession] += q.number(`select count(*) from sessions where coalesce(parent_session_id, '') <> ''`)
	for _, id := range q.texts(`select id from sessions where coalesce(parent_session_id, '') = '' order by created_at`) {
		c := conversation{program: "crush", id: id, name: q.text(`select title from sessions where id = ?`, id)}
		var m message
		var role, parts string
		var at float64
		q.each(`select id, role, cast(parts as text), coalesce(model, ''), created_at from messages where session_id = ?
			order by created_at, rowid`, []any{id}, func() {
			m.at = unixTime(at)
			c.messages = append(c.messages, s.crushMessage(m, role, parts))
			m.parent = m.id
		}, &m.id, &role, &parts, &m.model, &at)
		s.offer(q, c, give)
	}
}

// crushMessage returns a message with what its parts hold.
func (s *Source) crushMessage(m message, role, list string) message {
	var parts []struct {
		Type string
		Data json.RawMessage
	}
	if json.Unmarshal([]byte(list), &parts) != nil {
		s.Skipped[unreadableMessage]++
		return m
	}
	if m.role = chat.Role(role); !m.role.IsKnown() {
		m.role = ""
	}
	var texts, thoughts []string
	for _, p := range parts {
		var d struct {
			Text, Thinking  string
			Reason, Message string
			Command, Output string
			ExitCode        int `json:"exit_code"`
			Path, MIMEType  string
			Data            []byte
		}
		if p.Type == "tool_result" {
			s.Skipped[toolResult]++
			continue
		}
		if json.Unmarshal(p.Data, &d) != nil {
			s.Skipped[unreadableMessage]++
			continue
		}
		switch p.Type {
		case "text":
			texts = append(texts, d.Text)
		case "reasoning":
			thoughts = append(thoughts, d.Thinking)
		case "binary":
			if m.role == chat.RoleUser {
				m.files = append(m.files, content(path.Base(strings.ReplaceAll(d.Path, `\`, "/")), d.Data))
			}
		case "image_url":
			s.Skipped[missingFile]++
		case "shell_command":
			texts = append(texts, "$ "+d.Command+"\n"+d.Output+"\n(exit code "+strconv.Itoa(d.ExitCode)+")")
		case "tool_call":
			s.Skipped[toolCall]++
		case "finish":
			if m.finish = d.Reason; d.Reason == "error" {
				m.failure = d.Message
			}
		}
	}
	m.text, m.reasoning = joinTexts(texts), joinTexts(thoughts)
	return m
}

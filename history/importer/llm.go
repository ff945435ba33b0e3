package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"time"

	"confab/internal/chat"
)

// llm reads the conversations of llm's log: the tables of its first releases, and those of the later ones, which share
// messages between threads.
func (s *Source) llm(q *queries, give func(conversation) bool) {
	if q.has("responses", "conversation_id") {
		for _, id := range q.texts(`select distinct coalesce(conversation_id, id) from responses order by 1`) {
			s.offer(q, s.llmResponses(q, id), give)
		}
	}
	if q.has("turns", "tip_message_hash") {
		for _, id := range q.texts(`select id from threads order by 1`) {
			s.offer(q, s.llmThread(q, id), give)
		}
	}
}

// llmResponses reads a conversation of the first releases: a row is a prompt with its response.
func (s *Source) llmResponses(q *queries, id string) conversation {
	c := conversation{program: "llm", id: id, name: q.text(`select name from conversations where id = ?`, id)}
	optional := func(column string) string {
		if q.has("responses", column) {
			return "coalesce(" + column + ", '')"
		}
		return "''"
	}
	var response, prompt, system, text, model, at, reasoning string
	var elapsed, in, out int
	last := ""
	add := func(m message) {
		m.parent, m.at = last, parseTime(at)
		last = m.id
		c.messages = append(c.messages, m)
	}
	q.each(`select id, coalesce(prompt, ''), coalesce(system, ''), coalesce(response, ''), coalesce(model, ''),
		coalesce(datetime_utc, ''), coalesce(duration_ms, 0), `+optional("reasoning")+`, 0 + `+optional("input_tokens")+
		`, 0 + `+optional("output_tokens")+` from responses where coalesce(conversation_id, id) = ? order by id`,
		[]any{id}, func() {
			add(message{id: response + " system", isSystem: true, text: system})
			add(message{id: response, role: chat.RoleUser, text: prompt})
			add(message{id: response + " reply", role: chat.RoleAssistant, text: text, reasoning: reasoning,
				model: model, elapsed: time.Duration(elapsed) * time.Millisecond,
				usage: chat.Usage{InputTokens: in, OutputTokens: out}})
		}, &response, &prompt, &system, &text, &model, &at, &elapsed, &reasoning, &in, &out)
	for i := range c.messages {
		if m := &c.messages[i]; m.role == chat.RoleUser {
			m.files = append(s.llmFiles(q, "prompt_attachments", "response_id", m.id), llmFragments(q, m.id)...)
			if m.text == "" && len(m.files) == 0 { // llm went on by itself with the results of tools
				m.role = ""
			}
		}
	}
	if q.has("tool_calls", "response_id") {
		s.Skipped[toolCall] += q.number(`select count(*) from tool_calls c join responses r on r.id = c.response_id
			where coalesce(r.conversation_id, r.id) = ?`, id)
	}
	return c
}

// llmThread reads a thread: the messages from its newest one back to the first.
func (s *Source) llmThread(q *queries, id string) conversation {
	c := conversation{program: "llm", id: id, name: q.text(`select name from threads where id = ?`, id)}
	hash := q.text(`select tip_message_hash from threads where id = ?`, id)
	for hash != "" && len(c.messages) <= maxMessages && q.err == nil {
		m := message{id: hash}
		var role, at string
		var elapsed int
		q.each(`select coalesce(m.role, ''), coalesce(m.parent_hash, '') from messages m where m.hash = ?`, []any{hash},
			func() {}, &role, &m.parent)
		q.each(`select coalesce(model, ''), coalesce(datetime_utc, ''), coalesce(duration_ms, 0),
			coalesce(input_tokens, 0), coalesce(output_tokens, 0) from turns
			where ? in (tip_message_hash, parent_message_hash) order by thread_id <> ?, id limit 1`, []any{hash, id},
			func() {}, &m.model, &at, &elapsed, &m.usage.InputTokens, &m.usage.OutputTokens)
		m.at = parseTime(at)
		switch role {
		case "system":
			m.isSystem = true
		case "user":
			m.role = chat.RoleUser
		case "assistant":
			m.role, m.elapsed = chat.RoleAssistant, time.Duration(elapsed)*time.Millisecond
		}
		s.llmParts(q, &m)
		if m.role == chat.RoleUser && m.text == "" && len(m.files) == 0 {
			m.role = ""
		}
		c.messages, hash = append(c.messages, m), m.parent
	}
	slices.Reverse(c.messages)
	return c
}

// llmParts reads the parts of a message. A text is stored as it is, or as a list of fragments and literals.
func (s *Source) llmParts(q *queries, m *message) {
	var part int
	var kind, text, payload string
	var attached []int
	var texts, thoughts []string
	borrowed := map[int]string{} // lists by indexes of texts
	q.each(`select id, coalesce(type, ''), coalesce(text, ''), coalesce(payload, '') from parts where message_hash = ?
		order by position`, []any{m.id}, func() {
		switch kind {
		case "text":
			if text == "" {
				borrowed[len(texts)] = payload
			}
			texts = append(texts, text)
		case "reasoning":
			thoughts = append(thoughts, text)
		case "tool_call":
			s.Skipped[toolCall]++
		case "tool_result":
			s.Skipped[toolResult]++
		case "attachment":
			attached = append(attached, part)
		}
	}, &part, &kind, &text, &payload)
	for i, list := range borrowed {
		var from struct {
			Parts []struct {
				Fragment *int
				Literal  string
			} `json:"text_ref"`
		}
		_ = json.Unmarshal([]byte(list), &from) // a part without a text has none
		for _, p := range from.Parts {
			if texts[i] += p.Literal; p.Fragment != nil {
				texts[i] += q.text(`select content from fragments where id = ?`, *p.Fragment)
			}
		}
	}
	m.text, m.reasoning = joinTexts(texts), joinTexts(thoughts)
	for _, part := range attached {
		m.files = append(m.files, s.llmFiles(q, "part_attachments", "part_id", part)...)
	}
}

// llmFiles returns the attachments that a table names. Those outside the log count as missing: whoever made the log
// could name any file.
func (s *Source) llmFiles(q *queries, table, column string, id any) (files []File) {
	if !q.has(table, column) {
		return nil
	}
	var attachment, name string
	var size int
	q.each(`select a.id, coalesce(a.path, a.url, a.id), coalesce(length(a.content), 0) from `+table+` p
		join attachments a on a.id = p.attachment_id where p.`+column+` = ? order by p."order"`, []any{id}, func() {
		if size == 0 {
			s.Skipped[missingFile]++
			return
		}
		key := attachment
		files = append(files, File{Name: path.Base(name), Read: func(ctx context.Context) (b []byte, err error) {
			err = q.db.QueryRowContext(ctx, `select content from attachments where id = ?`, key).Scan(&b)
			return b, err
		}})
	}, &attachment, &name, &size)
	return files
}

// llmFragments returns the texts that went with a prompt.
func llmFragments(q *queries, response string) (files []File) {
	if !q.has("prompt_fragments", "order") {
		return nil
	}
	var number int
	var name, text string
	q.each(`select f.id, coalesce(f.source, ''), coalesce(f.content, '') from prompt_fragments p
		join fragments f on f.id = p.fragment_id where p.response_id = ? order by p."order"`, []any{response}, func() {
		files = append(files, content(cmp.Or(name, "fragment-"+strconv.Itoa(number)+".txt"), []byte(text)))
	}, &number, &name, &text)
	return files
}

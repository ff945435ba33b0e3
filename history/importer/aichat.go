package importer

import (
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/internal/chat"
)

// aichatContent is a text, or a list of texts and pictures.
type aichatContent struct {
	text     string
	pictures []string // data: and other URLs
	calls    int
}

// UnmarshalYAML implements [yaml.Unmarshaler].
func (c *aichatContent) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode {
		c.calls = 1 // a mapping tells of the use of tools
		if node.Kind == yaml.ScalarNode {
			c.text, c.calls = node.Value, 0
		}
		return nil
	}
	var parts []struct {
		Text     string
		ImageURL struct{ URL string } `yaml:"image_url"`
	}
	if err := node.Decode(&parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range parts {
		if texts = append(texts, p.Text); p.ImageURL.URL != "" {
			c.pictures = append(c.pictures, p.ImageURL.URL)
		}
	}
	c.text = joinTexts(texts)
	return nil
}

// readSession reads a session of aichat. It has no times but that of its file.
func (s *Source) readSession(r io.Reader, file fs.File, name string, give func(conversation) bool) error {
	b, err := readAll(r)
	if err != nil {
		return err
	}
	type messages []struct {
		Role    string
		Content aichatContent
	}
	var in struct {
		Model    string
		Earlier  messages `yaml:"compressed_messages"`
		Messages messages
	}
	if yaml.Unmarshal(b, &in) != nil || in.Model == "" || in.Messages == nil {
		return ErrUnknown
	}
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	c := conversation{program: "aichat", id: base, name: base, model: in.Model}
	if info, err := file.Stat(); err == nil {
		c.updated = info.ModTime().UTC()
	}
	last, number := "", 0
	for _, from := range append(in.Earlier, in.Messages...) {
		m := message{parent: last, text: from.Content.text}
		if m.role = chat.Role(from.Role); m.role.IsKnown() {
			number++ // a summary that aichat puts in later counts for nothing
		} else {
			m.role, m.isSystem = "", from.Role == "system"
		}
		m.id = from.Role + " " + strconv.Itoa(number)
		last = m.id
		s.Skipped[toolCall] += from.Content.calls
		for _, url := range from.Content.pictures {
			if b, err := decodeDataURL(url); err == nil {
				m.files = append(m.files, content("picture", b))
			} else {
				s.Skipped[missingFile]++
			}
		}
		c.messages = append(c.messages, m)
	}
	give(c)
	return nil
}

// decodeDataURL returns the content of a data: URL.
func decodeDataURL(url string) ([]byte, error) {
	head, data, ok := strings.Cut(url, ",")
	if !ok || !strings.HasPrefix(head, "data:") || !strings.HasSuffix(head, ";base64") {
		return nil, errors.New("no data: URL")
	}
	return base64.StdEncoding.DecodeString(data)
}

package server

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"confab/service/api"
)

// openapi describes the service; the models are filled in from the catalogue.
//
//go:embed openapi.json
var openapi []byte

// describe returns the OpenAPI description for a catalogue.
func describe(c api.Catalogue) ([]byte, error) {
	var doc struct {
		OpenAPI    string                     `json:"openapi"`
		Info       json.RawMessage            `json:"info"`
		Paths      map[string]json.RawMessage `json:"paths"`
		Components json.RawMessage            `json:"components"`
	}
	if err := json.Unmarshal(openapi, &doc); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	for path, text := range map[string]bool{"/api/llm/{slug}": true, "/api/generative/{slug}": false} {
		var item map[string]any
		if err := json.Unmarshal(doc.Paths[path], &item); err != nil {
			return nil, fmt.Errorf("read the description of %s: %w", path, err)
		}
		slugs := []string{}
		for _, m := range c.Models() {
			if (m.Kind == api.Text) == text {
				slugs = append(slugs, m.Slug)
			}
		}
		item["parameters"] = []any{map[string]any{"name": "slug", "in": "path", "required": true,
			"schema": map[string]any{"type": "string", "enum": slugs}}}
		b, err := json.Marshal(item)
		if err != nil {
			return nil, fmt.Errorf("write the description of %s: %w", path, err)
		}
		doc.Paths[path] = b
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the description: %w", err)
	}
	return append(b, '\n'), nil
}

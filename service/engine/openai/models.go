package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
)

// Models returns the names of the models that the server at a url has, sorted.
// A nil client is one that follows no redirect. The error says why there are
// none; what it holds is for a log.
func Models(ctx context.Context, client *http.Client, url, key string) ([]string, error) {
	res, err := list(ctx, client, url, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // it is read below, or not wanted
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("list models: HTTP %d", res.StatusCode)
	}
	var found struct {
		Object string `json:"object"`
		Data   []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 4<<20)).Decode(&found); err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	if found.Data == nil && found.Object != "list" { // Ollama without models says null
		return nil, errors.New("list models: not a list of models")
	}
	names := []string{}
	for _, m := range found.Data {
		if m.ID != "" && len(m.ID) <= 200 && plain(m.ID) == m.ID && len(names) < 500 {
			names = append(names, m.ID)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func list(ctx context.Context, client *http.Client, url, key string) (*http.Response, error) {
	if client == nil {
		t := newTransport()
		t.DisableKeepAlives = true
		client = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/models", nil)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	req.Header.Set("User-Agent", "confab")
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	return res, nil
}

// check asks for the list of models. A server without one is there as well.
func (s *server) check(ctx context.Context) error {
	key, err := s.key(ctx)
	if err != nil {
		return s.failure(ctx, err)
	}
	res, err := list(ctx, s.http, s.base[:len(s.base)-1], key)
	if err != nil {
		return s.failure(ctx, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)) // so that the connection can be used again
	_ = res.Body.Close()
	switch code := res.StatusCode; {
	case code == 401 || code == 403 || code == 429 || code >= 500:
		return s.refused(code, res.Header, nil, "")
	}
	return nil
}

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"confab/service/engine"
)

// Models returns the sorted names of the models that the server at url lists. A nil client means one that follows no
// redirects. The error is meant for a log, not for users.
func Models(ctx context.Context, client *http.Client, url, key string) ([]string, error) {
	res, err := listModels(ctx, client, url, key)
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
		if m.ID != "" && len(m.ID) <= 200 && engine.CleanLine(m.ID) == m.ID && len(names) < 500 {
			names = append(names, m.ID)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func listModels(ctx context.Context, client *http.Client, url, key string) (*http.Response, error) {
	if client == nil {
		t := newTransport()
		t.DisableKeepAlives = true
		client = &http.Client{Transport: t, CheckRedirect: refuseRedirect}
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

// Check returns an error when the server does not answer or refuses the key. A server that has no list of models counts
// as reachable.
func (c *client) Check(ctx context.Context) error {
	key, err := c.options.Key(ctx)
	if err != nil {
		return c.failure(ctx, err)
	}
	res, err := listModels(ctx, c.http, strings.TrimRight(c.baseURL, "/"), key)
	if err != nil {
		return c.failure(ctx, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)) // so that the connection can be used again
	_ = res.Body.Close()
	if code := res.StatusCode; code == 401 || code == 403 || code == 429 || code >= 500 {
		return c.refused(code, res.Header, nil, "")
	}
	return nil
}

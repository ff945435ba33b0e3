package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"confab/internal/httpclient"
	"confab/service/engine"
)

// Models returns the sorted names of the models of the server at url. A nil client means one that follows no
// redirects. The error is for a log, not for users.
func Models(ctx context.Context, client *http.Client, url, key string) ([]string, error) {
	res, err := listModels(ctx, client, url, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // it is read below or not needed
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("list models: HTTP %d", res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(httpclient.Decompress(res.Body), 4<<20))
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	found := objectOf(bytes.TrimSpace(body))
	list := listOf(found["data"])
	if list == nil && found.text("object") != "list" { // Ollama without models says null
		return nil, errors.New("list models: not a list of models")
	}
	names := []string{}
	for _, one := range list {
		id := objectOf(one).text("id")
		if id != "" && len(id) <= 200 && engine.CleanLine(id) == id && len(names) < 500 {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func listModels(ctx context.Context, client *http.Client, url, key string) (*http.Response, error) {
	if client == nil {
		t := newTransport(nil)
		t.DisableKeepAlives = true
		client = &http.Client{Transport: t, CheckRedirect: refuseRedirect}
	}
	req, err := newRequest(ctx, http.MethodGet, url+"/models", key, nil)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	return res, nil
}

// Check checks that the server responds and accepts the key. A server without a list of models counts as up.
func (c *client) Check(ctx context.Context) error {
	key, err := c.options.Key(ctx)
	if err != nil {
		return c.failure(ctx, err)
	}
	res, err := listModels(ctx, c.http, strings.TrimRight(c.baseURL, "/"), key)
	if err != nil {
		return c.failure(ctx, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)) // allows reusing the connection
	_ = res.Body.Close()
	if code := res.StatusCode; code == 401 || code == 403 || code == 429 || code >= 500 {
		return c.refused(code, res.Header, nil, "", "")
	}
	return nil
}

// LocalServer is a server found on this machine.
type LocalServer struct {
	Name   string   `json:"name"`   // name in a configuration: ollama, llamacpp, lmstudio, vllm
	URL    string   `json:"url"`    // including the version
	Models []string `json:"models"` // sorted; may be empty
}

// LocalPort is the usual port of a kind of server.
type LocalPort struct {
	Name string
	Port string
}

// UsualLocalPorts returns the default ports of the programs.
func UsualLocalPorts() []LocalPort {
	return []LocalPort{{"ollama", "11434"}, {"llamacpp", "8080"}, {"lmstudio", "1234"}, {"vllm", "8000"}}
}

// localTimeout bounds the response time of one server. A port without a server refuses at once.
const localTimeout = 700 * time.Millisecond

// FindLocal queries ports on 127.0.0.1 in parallel and returns the servers with a list of models in the order of the
// ports. It takes at most 700 ms.
func FindLocal(ctx context.Context, ports ...LocalPort) []LocalServer {
	ctx, cancel := context.WithTimeout(ctx, localTimeout)
	defer cancel()
	found := make([]*LocalServer, len(ports))
	var all sync.WaitGroup
	for i, p := range ports {
		all.Go(func() {
			address := net.JoinHostPort("127.0.0.1", p.Port)
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
			if err != nil {
				return // nothing listens
			}
			defer func() { _ = conn.Close() }() // it was read
			url := "http://" + address + "/v1"
			models, err := Models(ctx, clientOn(conn), url, "")
			if err != nil {
				return // no such server
			}
			found[i] = &LocalServer{p.Name, url, models}
		})
	}
	all.Wait()
	var list []LocalServer
	for _, s := range found {
		if s != nil {
			list = append(list, *s)
		}
	}
	return list
}

// clientOn returns a client for one request on a connection. Creating it only for open ports saves most of a megabyte
// at the start.
func clientOn(conn net.Conn) *http.Client {
	t := &http.Transport{
		Proxy:             nil, // the server is on this machine
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
	}
	return &http.Client{Transport: t,
		CheckRedirect: refuseRedirect}
}

// ModelSlug converts a server's name of a model to a slug: letters, digits and . _ : @ + - with a letter or digit
// first, at most 100 characters.
func ModelSlug(model string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._:@+-", r):
			return r
		}
		return '-'
	}, strings.TrimSuffix(model[strings.LastIndexAny(model, `/\`)+1:], ".gguf"))
	s = strings.TrimLeft(s, "._:@+-")
	return s[:min(len(s), 100)]
}

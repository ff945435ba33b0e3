package openai

import (
	"bytes"
	"context"
	"encoding/json"
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

// maxModels and maxListBytes bound the list of a server.
const (
	maxModels    = 1000
	maxListBytes = 8 << 20
)

// listAt returns the models of the server at a base URL, sorted by name. ok is false for a response that is no list.
func listAt(res *http.Response) (models []listedModel, ok bool) {
	body, err := io.ReadAll(io.LimitReader(httpclient.Decompress(res.Body), maxListBytes))
	if err != nil || res.StatusCode != http.StatusOK {
		return nil, false
	}
	found := objectOf(bytes.TrimSpace(body))
	list := listOf(found["data"])
	if list == nil && found.text("object") != "list" { // Ollama without models says null
		return nil, false
	}
	capabilities := map[string][]json.RawMessage{} // of llama.cpp, which lists models twice
	for _, one := range listOf(found["models"]) {
		capabilities[objectOf(one).text("name")] = listOf(objectOf(one)["capabilities"])
	}
	for _, one := range list {
		o := objectOf(one)
		id := o.text("id")
		if id != "" && len(id) <= 200 && engine.CleanLine(id) == id && len(models) < maxModels {
			m := describe(o)
			m.addCapabilities(capabilities[id])
			models = append(models, m)
		}
	}
	slices.SortStableFunc(models, func(x, y listedModel) int { return strings.Compare(x.Name, y.Name) })
	return slices.CompactFunc(models, func(x, y listedModel) bool { return x.Name == y.Name }), true
}

// get sends a GET request to an address of the server.
func (c *client) get(ctx context.Context, url string) (*http.Response, error) {
	key, err := c.options.Key(ctx)
	if err != nil {
		return nil, err
	}
	req, err := newRequest(ctx, http.MethodGet, url, key, nil)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	return c.http.Do(req) //nolint:wrapcheck // client.failure converts it
}

// list checks that the server responds and accepts the key, and returns the models of a kind. A server without a list
// of models counts as up; it has none.
func (c *client) list(ctx context.Context, kind engine.ModelKind) ([]engine.Model, error) {
	res, err := c.get(ctx, c.baseURL+"models")
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	defer func() { _ = res.Body.Close() }() // it is read below or not needed
	if code := res.StatusCode; code == 401 || code == 403 || code == 429 || code >= 500 {
		return nil, c.refused(code, res.Header, nil, "", "")
	}
	found, ok := listAt(res)
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)) // allows reusing the connection
	if !ok {
		return nil, nil
	}
	models := []engine.Model{}
	for _, m := range c.withDetails(ctx, found) {
		if m.Kind == kind {
			models = append(models, m.Model)
		}
	}
	return models, nil
}

// List implements [engine.Lister] with the models that write texts.
func (c *Chat) List(ctx context.Context) ([]engine.Model, error) { return c.list(ctx, engine.KindText) }

// List implements [engine.Lister] with the models that make pictures.
func (c *Images) List(ctx context.Context) ([]engine.Model, error) {
	return c.list(ctx, engine.KindImage)
}

// LocalServer is a server found on this machine.
type LocalServer struct {
	Name   string   `json:"name"`             // name in a configuration: ollama, llamacpp, lmstudio, vllm
	URL    string   `json:"url"`              // including the version
	Models []string `json:"models"`           // those that write texts, sorted; may be empty
	Others []string `json:"others,omitempty"` // those for pictures, speech and embeddings
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
			found[i] = localServer(ctx, clientOn(conn), p.Name, url)
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

// localServer returns the server at a base URL, nil where none lists models.
func localServer(ctx context.Context, client *http.Client, name, url string) *LocalServer {
	req, err := newRequest(ctx, http.MethodGet, url+"/models", "", nil)
	if err != nil {
		return nil
	}
	res, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = res.Body.Close() }() // it was read
	models, ok := listAt(res)
	if !ok {
		return nil
	}
	s := &LocalServer{Name: name, URL: url, Models: []string{}}
	for _, m := range models {
		if m.Kind == engine.KindText {
			s.Models = append(s.Models, m.Name)
		} else {
			s.Others = append(s.Others, m.Name)
		}
	}
	return s
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

package openai

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// LocalServer is a server that was found.
type LocalServer struct {
	Name   string   `json:"name"`   // what it is called in a configuration: ollama, llamacpp, lmstudio, vllm
	URL    string   `json:"url"`    // up to and with the version
	Models []string `json:"models"` // sorted; empty when it has none
}

// LocalPort is where a kind of server usually listens.
type LocalPort struct {
	Name string
	Port string
}

// UsualLocalPorts returns the ports at which the programs listen unless they are configured otherwise.
func UsualLocalPorts() []LocalPort {
	return []LocalPort{{"ollama", "11434"}, {"llamacpp", "8080"}, {"lmstudio", "1234"}, {"vllm", "8000"}}
}

// localTimeout is how long one server has to answer. A port where nothing listens refuses at once.
const localTimeout = 700 * time.Millisecond

// FindLocal asks the ports on 127.0.0.1, all at the same time, and returns what answers with a list of models, in the
// order of the ports. It takes at most 700 ms, and less when ctx ends earlier.
func FindLocal(ctx context.Context, ports ...LocalPort) []LocalServer {
	ctx, cancel := context.WithTimeout(ctx, localTimeout)
	defer cancel()
	t := &http.Transport{
		Proxy:             nil, // it is this machine
		DialContext:       (&net.Dialer{Timeout: localTimeout}).DialContext,
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
	}
	client := &http.Client{Transport: t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	found := make([]*LocalServer, len(ports))
	var all sync.WaitGroup
	for i, p := range ports {
		all.Go(func() {
			url := "http://" + net.JoinHostPort("127.0.0.1", p.Port) + "/v1"
			models, err := Models(ctx, client, url, "")
			if err != nil {
				return // nothing there, or nothing of use
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

// ModelSlug makes a slug of a server's name for a model: only letters, digits and . _ : @ + - with a letter or digit
// first, at most 100.
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

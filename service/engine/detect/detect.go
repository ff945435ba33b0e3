// Package detect notices servers of models that run on this machine: at the usual ports of Ollama, llama.cpp, LM Studio
// and vLLM, on loopback only.
package detect

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"confab/service/engine/openai"
)

// Server is a server that was found.
type Server struct {
	Name   string   // what it is called in a configuration: ollama, llamacpp, lmstudio, vllm
	URL    string   // up to and with the version
	Models []string // sorted; empty when it has none
}

// Port is where a kind of server usually listens.
type Port struct {
	Name string
	Port string
}

// UsualPorts returns the ports at which the programs listen unless they are configured otherwise.
func UsualPorts() []Port {
	return []Port{{"ollama", "11434"}, {"llamacpp", "8080"}, {"lmstudio", "1234"}, {"vllm", "8000"}}
}

// wait is how long one server has to answer. A port where nothing listens refuses at once.
const wait = 700 * time.Millisecond

// Loopback asks the ports on 127.0.0.1, all at the same time, and returns what answers with a list of models, in the
// order of the ports. It takes at most 700 ms, and less when ctx ends earlier.
func Loopback(ctx context.Context, ports ...Port) []Server {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	t := &http.Transport{
		Proxy:             nil, // it is this machine
		DialContext:       (&net.Dialer{Timeout: wait}).DialContext,
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
	}
	client := &http.Client{Transport: t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	found := make([]*Server, len(ports))
	var all sync.WaitGroup
	for i, p := range ports {
		all.Go(func() {
			url := "http://" + net.JoinHostPort("127.0.0.1", p.Port) + "/v1"
			models, err := openai.Models(ctx, client, url, "")
			if err != nil {
				return // nothing there, or nothing of use
			}
			found[i] = &Server{p.Name, url, models}
		})
	}
	all.Wait()
	var list []Server
	for _, s := range found {
		if s != nil {
			list = append(list, *s)
		}
	}
	return list
}

// Slug makes a slug of a server's name for a model: only letters, digits and . _ : @ + - with a letter or digit first,
// at most 100.
func Slug(model string) string {
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

package testserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"confab/internal/testserver"
)

// failures is a test that records its failures.
type failures struct {
	testing.TB
	mu  sync.Mutex
	all []string
}

func (f *failures) Helper() {}

func (f *failures) Errorf(_ string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, args[0].(error).Error())
}

// take returns the failures since the last call.
func (f *failures) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.all
	f.all = nil
	return strings.Join(all, "\n")
}

// plain returns a valid request.
func plain(t *testing.T, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	accept := "application/json"
	if strings.Contains(url, "/generative/") {
		accept = "image/png, image/jpeg"
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {"confab"}, "Accept": {accept}}
	r.Close = true
	return r
}

// statusOf sends a request without further headers and returns the status of the response.
func statusOf(t *testing.T, r *http.Request) int {
	t.Helper()
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	return answer.StatusCode
}

// TestWhatTheContractDoesNotKnowIsRefused changes valid requests in every part.
func TestWhatTheContractDoesNotKnowIsRefused(t *testing.T) {
	const text, picture = `{"apikey":"k","prompt":"p"`, `{"apikey":"k","prompt":"p"`
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for _, tt := range []struct {
		path, body string
		change     func(*http.Request)
		says       string   // "" means accepted
		offered    []string // extensions with which it is accepted
	}{
		{"/api/llm/ok", text + `}`, nil, "", nil},
		{"/base/api/llm/ok", text + `,"systemprompt":"s"}`, nil, "", nil},
		{"/api/generative/ok", picture + `,"aspect_ratio":"1:1","nonce":"n"}`, nil, "", nil},
		{"/api/generative/ok", picture + `,"imageUrl":"u"}`, nil, "", nil},
		{"/api/llm/ok", text + `}`, func(r *http.Request) { r.Method = "PUT" }, "the method PUT", nil},
		{"/v1/llm/ok", text + `}`, nil, "the path /v1/llm/ok", nil},
		{"/api/llm/ok/x", text + `}`, nil, "the path", nil},
		{"/api/llm/ok?stream=1", text + `}`, nil, "the query", nil},
		{"/api/llm/ok", text + `}`, header("X-Confab-Version", "1"), "the header X-Confab-Version", nil},
		{"/api/llm/ok", text + `}`, header("Accept-Encoding", "gzip"), "the header Accept-Encoding", nil},
		{"/api/llm/ok", text + `}`, header("Authorization", "Bearer k"), "the header Authorization", nil},
		{"/api/llm/ok", text + `}`, header("Content-Type", "text/plain"), "the header Content-Type", nil},
		{"/api/llm/ok", text + `}`, func(r *http.Request) { r.Header.Del("Content-Type") }, "no Content-Type", nil},
		{"/api/llm/ok", text + `}`, func(r *http.Request) { r.ContentLength = -1 }, "the transfer encoding", nil},
		{"/api/llm/ok", text + `}`, header("Accept", "text/event-stream, application/json"), "the header Accept",
			[]string{"stream"}},
		{"/api/generative/ok", picture + `}`, header("Accept", "text/event-stream, application/json"),
			"the header Accept", nil},
		{"/api/llm/ok", text + `,"messages":[]}`, nil, "the field messages", []string{"messages"}},
		{"/api/llm/ok", text + `,"params":{}}`, nil, "the field params", []string{"params", "images"}},
		{"/api/llm/ok", text + `,"images":[]}`, nil, "the field images", []string{"images"}},
		{"/api/llm/ok", text + `,"stream":true}`, nil, "the field stream", nil},
		{"/api/llm/ok", text + `,"nonce":"n"}`, nil, "the field nonce", nil},
		{"/api/generative/ok", picture + `,"systemprompt":"s"}`, nil, "the field systemprompt", nil},
		{"/api/generative/ok", picture + `,"imageUrl":"u","nonce":"n"}`, nil, "an edit and of a new picture", nil},
		{"/api/llm/ok", text + `,"systemprompt":""}`, nil, "the field systemprompt empty", nil},
		{"/api/llm/ok", text + `,"systemprompt":7}`, nil, "the field systemprompt as 7", nil},
		{"/api/llm/ok", text + `,"prompt":"q"}`, nil, "the field prompt twice", nil},
		{"/api/llm/ok", `{"prompt":"p"}`, nil, "without apikey", nil},
		{"/api/llm/ok", `{"apikey":"k"}`, nil, "without apikey or prompt", nil},
		{"/api/llm/ok", text + `}{}`, nil, "something after", nil},
		{"/api/llm/ok", text, nil, "not JSON", nil},
		{"/api/llm/ok", `[]`, nil, "no object", nil},
	} {
		for _, offered := range [][]string{nil, tt.offered, {"stream", "messages", "params", "images"}} {
			says := tt.says
			if len(offered) > 0 && tt.offered != nil {
				says = ""
			}
			test := &failures{TB: t}
			s := testserver.New(test)
			s.Offer(offered...)
			other := httptest.NewServer(testserver.Strict(test, http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }), offered...))
			for _, base := range []string{s.URL, other.URL} {
				r := plain(t, base+tt.path, tt.body)
				if tt.change != nil {
					tt.change(r)
				}
				status := statusOf(t, r)
				said := test.take()
				if isRefused := status == http.StatusBadRequest; isRefused != (says != "") ||
					!strings.Contains(said, says) || isRefused == (said == "") {
					t.Errorf("%s %s with %q offered: got %d, %q, want %q", tt.path, tt.body, offered, status, said,
						says)
				}
			}
			other.Close()
		}
	}
}

// TestThePipeIsAsStrict sends an accepted and a refused request in memory.
func TestThePipeIsAsStrict(t *testing.T) {
	test := &failures{TB: t}
	transport := &http.Transport{DisableCompression: true, DialContext: testserver.Pipe(test, "params")}
	for body, want := range map[string]string{
		`{"apikey":"k","prompt":"p","params":{}}`:   "",
		`{"apikey":"k","prompt":"p","messages":[]}`: "the field messages",
	} {
		answer, err := transport.RoundTrip(plain(t, "http://service.example/api/llm/m", body))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if said := test.take(); said != want || (answer.StatusCode == http.StatusOK) != (want == "") || len(b) == 0 {
			t.Errorf("%s: got %d, %s, %q", body, answer.StatusCode, b, said)
		}
	}
}

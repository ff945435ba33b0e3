package api_test

import (
	"context"
	"encoding/base64"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/chat"
	"confab/internal/testserver"
	"confab/service/api"
)

// extended is a request with every extension.
func extended() api.Request {
	r := streamTo("ok")
	r.Messages = []chat.Message{{Role: "user", Content: "Hello."}, {Role: "assistant", Content: "Hi <you>."}}
	r.Params = map[string]any{"temperature": 0.2, "stop": []string{"END"}, "seed": int64(1 << 60)}
	r.Images = [][]byte{testserver.PNG(2, 2), testserver.JPEG(2, 2)}
	return r
}

func TestExtensionsAreSentWhereTheyAreSet(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	want := `{"apikey":"k","prompt":"What is a CRDT?","systemprompt":"Be short.","messages":[{"role":"user","content":` +
		`"Hello."},{"role":"assistant","content":"Hi <you>."}],"params":{"seed":1152921504606846976,"stop":["END"],` +
		`"temperature":0.2},"images":["data:image/png;base64,` + b64(testserver.PNG(2, 2)) +
		`","data:image/jpeg;base64,` + b64(testserver.JPEG(2, 2)) + `"]}`
	r := extended()
	if got, err := r.Body("k"); err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	picture := imageTo("ok")
	picture.IsStreamed, picture.Messages, picture.Params, picture.Images = true, r.Messages, r.Params, r.Images
	if got, err := picture.Body("k"); err != nil || strings.Contains(string(got), "messages") {
		t.Errorf("a picture: got %s, %v", got, err)
	}
	s := testserver.New(t)
	s.Offer("stream", "messages", "params", "images")
	c := newClient(t, s.URL, nil)
	_, e, err := c.Do(t.Context(), r, nil)
	if seen := s.Seen()[0]; err != nil || seen.Body != strings.Replace(want, `"k"`, `"sk-Sentinel/9+\"<&>=key-of-the-test"`, 1) {
		t.Errorf("the service saw %s, %v", seen.Body, err)
	}
	if strings.Contains(e.RequestBody, b64(testserver.PNG(2, 2))) ||
		!strings.Contains(e.RequestBody, `"data:image/png;base64,… (`) {
		t.Errorf("the record has %s", e.RequestBody)
	}
	if _, _, err = c.Do(t.Context(), picture, nil); err != nil { // strictly a request for a picture
		t.Error(err)
	}
}

func TestWhatCannotBeSentIsAMisuse(t *testing.T) {
	s := testserver.New(t)
	for name, change := range map[string]func(*api.Request){
		"a parameter that JSON does not know": func(r *api.Request) { r.Params = map[string]any{"seed": math.NaN()} },
		"an image that is none":               func(r *api.Request) { r.Images = [][]byte{[]byte("GIF89a")} },
	} {
		r := extended()
		change(&r)
		_, _, err := newClient(t, s.URL, nil).Do(t.Context(), r, nil)
		if api.CodeOf(err) != api.CodeUsage || len(s.Seen()) != 0 {
			t.Errorf("%s: got %v, %d requests", name, err, len(s.Seen()))
			continue
		}
		judgeSentence(t, err.(*api.Error).Message)
	}
}

func TestTheCurlOfAStreamAsksForOne(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	r := extended()
	run := exec.Command(shell, "-c", `curl() { cat; for a in "$@"; do printf '\n%s' "$a"; done; }
`+newClient(t, "http://127.0.0.1:9", nil).Curl(r))
	run.Env = []string{"CONFAB_API_KEY=the-key"}
	out, err := run.Output()
	body, _ := r.Body("the-key")
	want := string(body) + "\n-sS\n-H\nContent-Type: application/json\n-N\n-H\nAccept: text/event-stream, " +
		"application/json\n--data-binary\n@-\nhttp://127.0.0.1:9/api/llm/ok"
	if err != nil || string(out) != want {
		t.Errorf("got %s, %v, want %s", out, err, want)
	}
	plain := newClient(t, "http://127.0.0.1:9", nil).Curl(textTo("ok"))
	if strings.Contains(plain, "Accept") {
		t.Errorf("got %s", plain)
	}
}

func TestExtensionsAreReadFromEveryAnswer(t *testing.T) {
	all := api.Extensions{Streams: true, TakesMessages: true, TakesParams: true, TakesImages: true, CountsTokens: true,
		ContextTokens: 8192}
	if got := all.String(); got != "stream, messages, params, images, usage, context=8192" {
		t.Errorf("got %q", got)
	}
	for _, tt := range []struct {
		header string // as sent; empty is not sent
		want   api.Extensions
	}{
		{"", api.Extensions{}},
		{all.String(), all},
		{"stream,usage", api.Extensions{Streams: true, CountsTokens: true}},
		{" usage ,, teleport, Stream, streams, context=-1", api.Extensions{CountsTokens: true}},
		{"context=99999999999999999999, context, messages=no", api.Extensions{TakesMessages: true}},
	} {
		for _, status := range []int{200, 400, 500} {
			s := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if tt.header != "" {
					w.Header().Set("X-Confab-Extensions", tt.header)
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, good)
			})))
			r, _, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("m"), nil)
			s.Close()
			if r.Extensions != tt.want || (err == nil) != (status == 200) {
				t.Errorf("%q with %d: got %+v, %v", tt.header, status, r.Extensions, err)
			}
		}
	}
}

func TestAWholeAnswerMayHoldReasoningAndUsage(t *testing.T) {
	for body, want := range map[string]api.Response{
		`{"status":200,"data":{"text":"x","model":"m","reasoning":"Hm.","finish":"length",` +
			`"usage":{"input_tokens":3,"output_tokens":4}}}`: {Reasoning: "Hm.", Finish: "length",
			Usage: chat.Usage{InputTokens: 3, OutputTokens: 4}},
		`{"status":200,"data":{"text":"x","model":"m","reasoning":7,"finish":"tired","usage":[1]}}`: {Finish: "tired"},
		`{"status":200,"data":{"text":"x","model":7,"finish":{},"usage":null}}`:                     {},
		good: {},
	} {
		s := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, body)
		}), "stream"))
		r, _, err := newClient(t, s.URL, nil).Do(t.Context(), streamTo("m"), nil)
		s.Close()
		if err != nil || r.Text != "x" || r.Reasoning != want.Reasoning || r.Finish != want.Finish ||
			r.Usage != want.Usage {
			t.Errorf("%s: got %+v, %v", body, r, err)
		}
	}
}

const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

// every sends a text every d, for ever.
func every(d time.Duration, text string) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, streamHead+"event: delta\ndata: {\"text\":\"An \"}\n\n")
		for err == nil {
			time.Sleep(d)
			_, err = io.WriteString(c, text)
		}
	}
}

// everyByte sends a text for ever, a byte every d.
func everyByte(d time.Duration, text string) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, streamHead+"event: delta\ndata: {\"text\":\"An \"}\n\n")
		for i := 0; err == nil; i++ {
			time.Sleep(d)
			_, err = io.WriteString(c, text[i%len(text):][:1])
		}
	}
}

// TestStreamsAreBoundedInTime holds the limits of DefaultLimits on streams that do not end.
func TestStreamsAreBoundedInTime(t *testing.T) {
	for _, tt := range []struct {
		name  string
		serve func(net.Conn)
		slow  bool
		code  api.Code
		took  time.Duration
		text  string
	}{
		{"nothing after a part", every(time.Hour, ""), false, api.CodeTimeout, 2 * time.Minute, "An "},
		{"nothing of a slow model", every(time.Hour, ""), true, api.CodeTimeout, 5 * time.Minute, "An "},
		{"comments for ever", every(15*time.Second, ": keep-alive\n\n"), false, api.CodeTimeout, 5 * time.Minute,
			"An "},
		{"comments, a byte a second", everyByte(time.Second, ": keep-alive\n\n"), false, api.CodeTimeout,
			5 * time.Minute,
			"An "},
		{"the same of a slow model", everyByte(time.Second, ": keep-alive\n\n"), true, api.CodeTimeout,
			10 * time.Minute,
			"An "},
		{"a byte a second", every(time.Second, "x"), false, api.CodeTimeout, 5 * time.Minute, "An "},
		{"parts for ever", every(70*time.Second, "event: delta\ndata: {\"text\":\"x\"}\n\n"), false, api.CodeTimeout,
			5 * time.Minute, "An xxxx"},
		{"no header", sendNothing, false, api.CodeTimeout, 2 * time.Minute, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var requests atomic.Int64
				c, err := api.NewClient(api.Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey,
					Dial: script{tt.serve}.dialler(t, &requests, "stream")})
				must(t, err)
				r := streamTo("m")
				r.Model.IsSlow = tt.slow
				begun := time.Now()
				response, _, err := c.Do(t.Context(), r, nil)
				took := time.Since(begun)
				if api.CodeOf(err) != tt.code || took != tt.took || response.Text != tt.text {
					t.Errorf("got %q, %v after %v", response.Text, err, took)
				}
				time.Sleep(2 * time.Hour) // the service notices that nobody waits
			})
		})
	}
}

// TestAPartIsNotHeldBackForTheNext holds that a part is reported when it comes, but for what may be the key.
func TestAPartIsNotHeldBackForTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		serve := func(c net.Conn) {
			_, _ = io.WriteString(c, streamHead)
			for _, part := range []string{"One ", "two sk-Sent", "ry."} {
				time.Sleep(time.Second)
				_, _ = io.WriteString(c, `event: delta`+"\n"+`data: {"text":"`+part+"\"}\n\n")
			}
			time.Sleep(time.Second)
		}
		c, err := api.NewClient(api.Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey,
			Dial: script{serve}.dialler(t, &requests, "stream")})
		must(t, err)
		begun, got := time.Now(), map[time.Duration]string{}
		_, _, err = c.Do(context.Background(), streamTo("m"), func(p api.Progress) {
			if p.Text != "" {
				got[time.Since(begun)] += p.Text
			}
		})
		if api.CodeOf(err) != api.CodeBadResponse || len(got) != 3 || got[time.Second] != "One " ||
			got[2*time.Second] != "two " || got[3*time.Second] != "sk-Sentry." {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

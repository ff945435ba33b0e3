package api_test

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"confab/internal/testserver"
	"confab/service/api"
)

// testKey has characters that URLs, JSON and HTML write in other ways.
const testKey = `sk-Sentinel/9+"<&>=key-of-the-test`

// TestMain fails when goroutines or descriptors are left.
func TestMain(m *testing.M) {
	flag.Parse()
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		_ = l.Close() // the runtime opens its own descriptors with the first socket
	}
	goroutines, files := runtime.NumGoroutine(), descriptors()
	code := m.Run()
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	if code == 0 && !fuzzing && !haveSettled(goroutines, files) {
		stacks := make([]byte, 1<<20)
		fmt.Printf("goroutines: %d before, %d after; descriptors: %d before, %d after\n%s\n",
			goroutines, runtime.NumGoroutine(), files, descriptors(), stacks[:runtime.Stack(stacks, true)])
		code = 1
	}
	os.Exit(code)
}

func haveSettled(goroutines, files int) bool {
	over := time.After(3 * time.Second)
	for {
		if runtime.NumGoroutine() <= goroutines && descriptors() <= files {
			return true
		}
		select {
		case <-over:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// limits are small ones, but patient: the machine may be busy.
func limits() api.Limits {
	l := api.DefaultLimits()
	l.JSON, l.Image, l.Backoff, l.MaxWait = 1<<20, 1<<20, 5*time.Millisecond, 3*time.Second
	return l
}

func newClient(t testing.TB, base string, change func(*api.Options)) *api.Client {
	t.Helper()
	o := api.Options{BaseURL: base, APIKey: testKey, Limits: limits()}
	if change != nil {
		change(&o)
	}
	c, err := api.NewClient(o)
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	return c
}

func textTo(slug string) api.Request {
	return api.Request{Model: api.Model{Slug: slug, Kind: api.Text, TakesSystem: true}, Prompt: "What is a CRDT?",
		System: "Be short."}
}

func streamTo(slug string) api.Request {
	r := textTo(slug)
	r.IsStreamed = true
	return r
}

func imageTo(slug string) api.Request {
	return api.Request{Model: api.Model{Slug: slug, Kind: api.Image}, Prompt: "a lighthouse", Aspect: "16:9",
		Nonce: "n1"}
}

// row is one behaviour and what has to come of it.
type row struct {
	name     string
	code     api.Code // "" is done
	says     string   // part of the sentence, or of the text of an answer
	requests int      // seen by the service, 1 unless said
	patient  bool     // takes a second or more of waiting
	check    func(t *testing.T, r api.Response, e api.Exchange, err *api.Error)
}

// outcome is what came of a row.
type outcome struct {
	row
	server   *testserver.Server
	client   *api.Client
	request  api.Request
	response api.Response
	exchange api.Exchange
	err      error
}

func (w row) run(t *testing.T, request api.Request) outcome {
	s := testserver.New(t)
	s.Late = 100 * time.Millisecond
	if request.IsStreamed {
		s.Offer("stream")
	}
	if w.name == "banner" || strings.HasPrefix(w.name, "accept-") {
		s.SetBehaviour(w.name)
	}
	o := outcome{row: w, server: s, request: request}
	o.client = newClient(t, s.URL+"/base/", func(o *api.Options) {
		if w.patient {
			o.Limits.FirstByte, o.Limits.Silence = time.Second, time.Second
		}
	})
	o.response, o.exchange, o.err = o.client.Do(t.Context(), request, nil)
	return o
}

func (o outcome) judge(t *testing.T) {
	t.Helper()
	var failure *api.Error
	if o.err != nil && !errors.As(o.err, &failure) {
		t.Fatalf("got error %T, want *api.Error", o.err)
	}
	if api.CodeOf(o.err) != o.code {
		t.Fatalf("got code %q (%v, from %v), want %q", api.CodeOf(o.err), o.err, errors.Unwrap(failure), o.code)
	}
	said := o.response.Text
	if failure != nil {
		said = failure.Message
		judgeSentence(t, said)
	}
	if !strings.Contains(said, o.says) {
		t.Errorf("got %q, want it to contain %q", said, o.says)
	}
	judgeTraffic(t, o.server, o.row, o.request)
	judgeKey(t, o.response, o.exchange, failure)
	if len(o.exchange.Head) > 2<<10 || !utf8.ValidString(o.exchange.Head) {
		t.Errorf("head of %d bytes, valid: %v", len(o.exchange.Head), utf8.ValidString(o.exchange.Head))
	}
	if o.check != nil {
		o.check(t, o.response, o.exchange, failure)
	}
	o.server.SetBehaviour("")
	again := o.request
	again.Model.Slug = "ok"
	if _, _, err := o.client.Do(t.Context(), again, nil); err != nil {
		t.Errorf("right after: got %v, want an answer", err)
	}
}

// runRows runs those that take their time side by side, and the others in turn.
func runRows(t *testing.T, rows []row, request func(slug string) api.Request) {
	patient := map[string]chan outcome{}
	for _, w := range rows {
		if w.patient {
			done := make(chan outcome, 1)
			patient[w.name] = done
			go func() { done <- w.run(t, request(w.name)) }()
		}
	}
	for _, w := range rows {
		if patient[w.name] == nil {
			t.Run(w.name, func(t *testing.T) { w.run(t, request(w.name)).judge(t) })
		}
	}
	for name, done := range patient {
		o := <-done
		t.Run(name, func(t *testing.T) { o.judge(t) })
	}
}

var second = regexp.MustCompile(`[.!?]["”]?\s+\p{Lu}`)

// judgeSentence holds that a message is one clean sentence without the words
// of a library.
func judgeSentence(t testing.TB, s string) {
	t.Helper()
	bare := regexp.MustCompile(`“[^”]*”`).ReplaceAllString(s, "“”") // quoted texts may hold sentences
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") || second.MatchString(bare) ||
		!unicode.IsUpper([]rune(s)[0]) {
		t.Errorf("not one sentence: %q", s)
	}
	for _, word := range []string{"EOF", "goroutine", "http: ", "net/http", "tcp", "dial", "write:", "tls:", "x509",
		"json:", "png:", "jpeg:", "gzip:", "%!", "invalid character", "context"} {
		if strings.Contains(bare, word) {
			t.Errorf("%q in %q", word, s)
		}
	}
	for _, r := range s {
		if r != ' ' && !unicode.IsPrint(r) || r == utf8.RuneError {
			t.Errorf("%U in %q", r, s)
		}
	}
	if strings.Contains(s, "PWNED") || len([]rune(s)) > 550 {
		t.Errorf("unclean or %d long: %q", len(s), s)
	}
}

func judgeTraffic(t *testing.T, s *testserver.Server, w row, r api.Request) {
	t.Helper()
	want := w.requests
	if want == 0 {
		want = 1
	}
	seen := s.Seen()
	if strings.HasPrefix(w.name, "accept-") || w.name == "banner" {
		want = len(seen)
	}
	if len(seen) != want {
		t.Errorf("the service saw %d requests, want %d", len(seen), want)
	}
	for _, one := range seen {
		for _, place := range []string{one.Path, fmt.Sprint(one.Header)} {
			if strings.Contains(place, testKey) || strings.Contains(place, url.QueryEscape(testKey)) {
				t.Errorf("the key is in %q", place)
			}
		}
		if r.IsStreamed {
			if got := one.Header.Get("Accept"); got != "text/event-stream, application/json" {
				t.Errorf("a stream was not asked for: %q", got)
			}
		}
	}
	if n := s.Other.Connections(); n != 0 {
		t.Errorf("another host saw %d connections", n)
	}
}

// judgeKey holds that the key is nowhere in what a call returns.
func judgeKey(t testing.TB, parts ...any) {
	t.Helper()
	all := ""
	for _, p := range parts {
		all += fmt.Sprintf("%+v\n%#v\n%s\n", p, p, p)
		if e, ok := p.(*api.Error); ok && e != nil && e.Err != nil {
			all += e.Err.Error()
		}
	}
	for _, form := range []string{testKey, url.QueryEscape(testKey), url.PathEscape(testKey), `sk-Sentinel/9+\"`,
		"sk-Sentinel/9+&#34;", "c2stU2VudGluZWw", "NrLVNlbnRpbmVs", "zay1TZW50aW5lb"} {
		if at := strings.Index(all, form); at >= 0 {
			t.Errorf("the key survives as %q: …%q", form, all[max(0, at-60):min(len(all), at+60)])
		}
	}
}

func TestTextAgainstAHostileService(t *testing.T) {
	runRows(t, append(bothRows(), textRows()...), textTo)
}

func TestStreamAgainstAHostileService(t *testing.T) {
	runRows(t, slices.Concat(bothRows(), textRows(), streamRows()), streamTo)
}

func TestPictureAgainstAHostileService(t *testing.T) {
	runRows(t, append(bothRows(), pictureRows()...), imageTo)
}

// TestEveryBehaviourIsSurvived runs what no row names.
func TestEveryBehaviourIsSurvived(t *testing.T) {
	for _, name := range testserver.Names() {
		if name == "late-60" {
			continue // waits by the clock; see TestAnAnswerAfterAMinuteIsAnAnswer
		}
		named := func(w row) bool { return w.name == name }
		for kind, rows := range map[api.ModelKind][]row{api.Text: textRows(), api.Image: pictureRows()} {
			if slices.ContainsFunc(rows, named) || slices.ContainsFunc(bothRows(), named) {
				continue
			}
			request := textTo(name)
			if kind == api.Image {
				request = imageTo(name)
			}
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				o := row{name: name, patient: strings.HasPrefix(name, "stream-")}.run(t, request)
				var failure *api.Error
				if errors.As(o.err, &failure) {
					judgeSentence(t, failure.Message)
				} else if o.err != nil {
					t.Errorf("got %T, want *api.Error", o.err)
				}
				judgeKey(t, o.response, o.exchange, failure)
			})
		}
	}
}

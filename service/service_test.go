package service_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/redact"
	"confab/internal/testserver"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

// sentinel is the key that must be found nowhere.
const sentinel = "sk-sentinel-0123456789abcdef"

// fakeClient answers by a function. Before, each request is sent to a strict service, which knows no more than what
// was offered.
type fakeClient struct {
	t       testing.TB
	mu      sync.Mutex
	asked   []api.Request
	offered map[string]api.Extensions // what was answered last, by model
	do      func(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange, error)
	// extensions is what the embedded service offers; nil for what the answers say.
	extensions func(model string) api.Extensions
}

func (f *fakeClient) Do(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
	error) {
	f.mu.Lock()
	f.asked = append(f.asked, r)
	offered := f.offered[r.Model.Slug]
	f.mu.Unlock()
	if f.extensions != nil {
		offered = f.extensions(r.Model.Slug)
	}
	f.sendStrictly(ctx, r, offered)
	if f.do == nil {
		return answerTo(r), api.Exchange{Method: "POST", Status: 200, Total: time.Second}, nil
	}
	response, exchange, err := f.do(ctx, r, observe)
	f.offer(r.Model.Slug, response.Extensions)
	return response, exchange, err
}

// sendStrictly sends a request as the real client does.
func (f *fakeClient) sendStrictly(ctx context.Context, r api.Request, offered api.Extensions) {
	c, err := api.NewClient(api.Options{BaseURL: "http://127.0.0.1:1/base", APIKey: sentinel,
		Dial: testserver.Pipe(f.t, strings.Split(offered.String(), ", ")...)})
	if err == nil {
		_, _, err = c.Do(context.WithoutCancel(ctx), r, nil)
	}
	if err != nil {
		f.t.Errorf("%s: a strict service would not answer: %v", r.Model.Slug, err)
	}
}

// offer notes what was answered that there is for a model.
func (f *fakeClient) offer(model string, e api.Extensions) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.offered == nil {
		f.offered = map[string]api.Extensions{}
	}
	f.offered[model] = e
}

func (f *fakeClient) Curl(r api.Request) string { return "curl " + r.Model.Slug + " " + r.Prompt }

func (f *fakeClient) requests() []api.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]api.Request(nil), f.asked...)
}

// takes lets each answer take a time.
func (f *fakeClient) takes(d time.Duration) {
	f.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		return answerTo(r), api.Exchange{}, sleep(ctx, d)
	}
}

// fails lets the service fail at some requests.
func (f *fakeClient) fails(at func(api.Request) bool) {
	f.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		if at(r) {
			return api.Response{}, api.Exchange{}, problem.New(api.CodeService, nil, "the service is not well today")
		}
		return answerTo(r), api.Exchange{Method: "POST", Status: 200}, nil
	}
}

// hold lets no answer end, stopped or not, before goOn is called. Each request is told.
func (f *fakeClient) hold() (asked <-chan struct{}, goOn func()) {
	requests, held := make(chan struct{}, 100), make(chan struct{})
	f.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		requests <- struct{}{}
		<-held
		return answerTo(r), api.Exchange{}, nil
	}
	return requests, sync.OnceFunc(func() { close(held) })
}

// answerTo is what a friendly service answers.
func answerTo(r api.Request) api.Response {
	if r.Model.Kind == api.Text {
		return api.Response{Text: r.Model.Slug + " says: " + r.Prompt, ServedModel: r.Model.Slug, Status: 200}
	}
	return pictureResponse(samplePNG(r.Prompt + r.Nonce))
}

func pictureResponse(b []byte) api.Response {
	return api.Response{Image: b, ContentType: "image/png", Width: 8, Height: 4, SHA256: pictures.SHA256(b),
		Status: 200}
}

// samplePNG is a small picture that depends on the text.
func samplePNG(text string) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for i, r := range text {
		m.Set(i%8, i/8%4, color.NRGBA{R: uint8(r), G: uint8(i), A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// world is a service with its surroundings.
type world struct {
	*service.Service
	client *fakeClient
	dir    string
	path   string     // of the store
	store  *openStore // opened last
}

// openStore is the store that a service has opened. A test may put another one around it.
type openStore struct{ history.Store }

// newWorld returns a service on a new store. change may alter its options.
func newWorld(t testing.TB, change ...func(*service.Options)) *world {
	t.Helper()
	return worldIn(t, t.TempDir(), change...)
}

func worldIn(t testing.TB, dir string, change ...func(*service.Options)) *world {
	t.Helper()
	w := &world{client: &fakeClient{t: t}, dir: dir, path: filepath.Join(dir, "history.db")}
	o := service.Options{
		History: service.HistoryOptions{OpenMemory: openMemory, Saves: true,
			Open: func(ctx context.Context) (history.Store, error) {
				return sqlite.Open(ctx, w.path, sqlite.Options{})
			}},
		Backend: service.BackendOptions{
			Catalogue: api.Default,
			Connect: func(context.Context) (service.Connection, error) {
				return service.Connection{Client: w.client}, nil
			},
		},
		Pictures:    pictures.Options{Folder: filepath.Join(dir, "pictures")},
		DraftFolder: filepath.Join(dir, "drafts"),
		Mask:        redact.NewMasker(sentinel),
	}
	for _, c := range change {
		c(&o)
	}
	for _, open := range []*func(context.Context) (history.Store, error){&o.History.Open, &o.History.OpenMemory} {
		opens := *open
		*open = func(ctx context.Context) (history.Store, error) {
			store, err := opens(ctx)
			if err != nil {
				return nil, err
			}
			w.store = &openStore{store}
			return w.store, nil
		}
	}
	if w.client.extensions = o.Backend.Extensions; o.Backend.IgnoresExtensions {
		w.client.extensions = func(string) api.Extensions { return api.Extensions{} }
	}
	w.Service = service.New(o)
	t.Cleanup(func() {
		if err := w.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return w
}

// inMemory keeps the store out of the file system.
func inMemory(o *service.Options) { o.History.Open = openMemory }

func openMemory(ctx context.Context) (history.Store, error) {
	return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
}

// send sends a prompt and returns the turn when all its answers have ended.
func (w *world) send(t testing.TB, p service.Prompt) history.Turn {
	t.Helper()
	return follow(w.begin(t, p))
}

// begin sends a prompt.
func (w *world) begin(t testing.TB, p service.Prompt) (history.Turn, <-chan history.Event) {
	t.Helper()
	turn, events, err := w.Send(t.Context(), p)
	must(t, err)
	return turn, events
}

// again asks for an answer again and returns the turn when it has ended.
func (w *world) again(t testing.TB, answer int64, isFresh bool) history.Turn {
	t.Helper()
	turn, events, err := w.Again(t.Context(), answer, isFresh)
	must(t, err)
	return follow(turn, events)
}

// follow applies all events.
func follow(t history.Turn, events <-chan history.Event) history.Turn {
	for e := range events {
		t = history.Apply(t, e)
	}
	return t
}

// states returns what became of each answer, by model.
func states(t history.Turn) map[string]string {
	got := map[string]string{}
	for _, a := range t.Answers {
		s := string(a.State)
		if a.Failure != nil {
			s += " " + a.Failure.Code
		}
		got[a.Model] = s
	}
	return got
}

// stored returns the turn as the store has it.
func (w *world) stored(t testing.TB, id int64) history.Turn {
	t.Helper()
	store := w.openedStore(t)
	turn, err := store.Turn(t.Context(), id)
	must(t, err)
	return turn
}

// wantCode checks the code of an error and that it speaks to people.
func wantCode(t testing.TB, err error, code api.Code) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got error %v, want one of code %s", err, code)
	}
	if strings.Contains(e.Message, sentinel) || strings.Contains(e.Message, "\n") || len(e.Message) < 15 {
		t.Errorf("the sentence %q is not fit for people", e.Message)
	}
}

// wantPicture checks that the picture of an answer can be read as it was received.
func (w *world) wantPicture(t testing.TB, a history.Answer) {
	t.Helper()
	if b, err := w.Files().CleanCopy(t.Context(), a.ID); err != nil || pictures.SHA256(b) != a.Picture.SHA256 {
		t.Errorf("answer %d does not show its picture, but %d bytes, %v", a.ID, len(b), err)
	}
}

// grep returns the files below dir that hold the text.
func grep(t testing.TB, dir, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			found = append(found, path)
		}
		return err
	})
	must(t, err)
	return found
}

// failingStore is a store that refuses while it is told to.
type failingStore struct {
	history.Store
	mu    sync.Mutex
	cause error
	calls []string
}

func (f *failingStore) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cause = err
}

func (f *failingStore) check(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
	if f.cause != nil {
		return fmt.Errorf("%s: %w", call, f.cause)
	}
	return nil
}

func (f *failingStore) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	if err := f.check("add turn"); err != nil {
		return history.Turn{}, err
	}
	return f.Store.AddTurn(ctx, t)
}

func (f *failingStore) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	if err := f.check("add turn"); err != nil {
		return history.Turn{}, err
	}
	return f.Store.AddTurnToSession(ctx, name, t)
}

func (f *failingStore) AddCell(ctx context.Context, c history.Cell, t history.Turn) (history.Cell, history.Turn,
	error) {
	if err := f.check("add cell"); err != nil {
		return history.Cell{}, history.Turn{}, err
	}
	return f.Store.AddCell(ctx, c, t)
}

func (f *failingStore) SaveAnswer(ctx context.Context, a history.Answer) error {
	if err := f.check("save answer"); err != nil {
		return err
	}
	return f.Store.SaveAnswer(ctx, a)
}

func (f *failingStore) SaveExchange(ctx context.Context, id int64, e history.Exchange) error {
	if err := f.check("save exchange"); err != nil {
		return err
	}
	return f.Store.SaveExchange(ctx, id, e)
}

// newFailingStore makes a service's store refuse on demand.
func newFailingStore(t testing.TB, w *world) *failingStore {
	f := &failingStore{}
	w.wrapStore(t, func(store history.Store) history.Store {
		f.Store = store
		return f
	})
	return f
}

// openedStore returns the store of the service, which it opens.
func (w *world) openedStore(t testing.TB) history.Store {
	t.Helper()
	must(t, errorOf(w.StoreInfo(t.Context())))
	return w.store.Store
}

// wrapStore puts another store around the one of the service, which it opens.
func (w *world) wrapStore(t testing.TB, wrap func(history.Store) history.Store) {
	t.Helper()
	w.store.Store = wrap(w.openedStore(t))
}

// isReceived tells whether a file holds the picture with that sha256, with or
// without the text added to it.
func isReceived(b []byte, sum string) bool {
	return pictures.SHA256(pictures.CleanCopy(b)) == sum || pictures.SHA256(b) == sum
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// errorOf returns the error of a call whose result does not matter.
func errorOf[T any](_ T, err error) error { return err }

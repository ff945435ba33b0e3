package service_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/problem"
)

// fakeQuota allows a number of answers and bytes.
type fakeQuota struct {
	mu    sync.Mutex
	left  int // answers
	bytes int64
	ended int // number of released turns and calls
}

func newFakeQuota(answers int) *fakeQuota {
	return &fakeQuota{left: answers, bytes: 1 << 20}
}

func (q *fakeQuota) CheckAnswers(answers int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if answers > q.left {
		return problem.New(api.CodeRateLimited, nil, "%d are left, not %d", q.left, answers)
	}
	return nil
}

func (q *fakeQuota) ReserveAnswers(answers int) (func(int64), error) {
	if err := q.CheckAnswers(answers); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.left -= answers
	return func(turn int64) {
		q.mu.Lock()
		defer q.mu.Unlock()
		if turn == 0 {
			q.left += answers
		}
	}, nil
}

func (q *fakeQuota) Release(unasked int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended++
	q.left += unasked
}

func (q *fakeQuota) ReserveBytes(bytes int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bytes <= 0 || bytes > q.bytes {
		return problem.New(api.CodeDisk, nil, "your space is used up")
	}
	q.bytes -= bytes
	return nil
}

// remaining returns the number of allowed answers.
func (q *fakeQuota) remaining() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.left
}

// wantQuotaError checks that the quota refused a request.
func wantQuotaError(t *testing.T, what string, err error) {
	t.Helper()
	if api.CodeOf(err) != api.CodeRateLimited {
		t.Errorf("%s: %v, want %s", what, err, api.CodeRateLimited)
	}
}

// TestAQuotaCountsAnswers sends many requests: each model and sample counts, and requests beyond the quota are
// refused before recording and sending.
func TestAQuotaCountsAnswers(t *testing.T) {
	q := newFakeQuota(10)
	w := newWorld(t, func(o *service.Options) { o.Limits.Quota = q })
	turn := w.send(t, service.Prompt{Text: "hi", Models: []string{"alpha3.1-8b", "delta"}, Samples: 3})
	if got := q.remaining(); got != 4 {
		t.Errorf("after two models with three samples each %d of 10 are left", got)
	}
	_, _, err := w.Send(t.Context(), service.Prompt{Text: "no", Models: []string{"alpha3.1-8b"}, Samples: 5})
	wantQuotaError(t, "five samples of four", err)
	w.again(t, turn.Answers[0].ID, false)

	prompts, err := service.Combine(service.Prompt{Text: "{{n}}", Models: []string{"delta"}, Samples: 1},
		service.Axes{Values: map[string][]string{"n": {"1", "2", "3", "4"}}})
	must(t, err)
	_, err = w.SendAll(t.Context(), prompts)
	wantQuotaError(t, "four combinations of three", err)
	w.sendAll(t, prompts[1:])
	if got := q.remaining(); got != 0 {
		t.Errorf("%d are left", got)
	}
	_, _, err = w.Again(t.Context(), turn.Answers[0].ID, false)
	wantQuotaError(t, "again", err)

	hits, total, err := w.Sessions(t.Context(), "", 10)
	if err != nil || total != 2 || hits[len(hits)-1].Turns != 1 {
		t.Errorf("what was refused left something: %d sessions, %v, %v", total, hits, err)
	}
	if n := len(w.client.requests()); n != 10 {
		t.Errorf("%d requests were made, want 10", n)
	}
	must(t, w.Close(t.Context()))
	if q.ended != 5 {
		t.Errorf("%d ended", q.ended)
	}
}

// TestARunThatIsTooLargeSendsNothing runs a suite with more calls than allowed, and one with exactly as many.
func TestARunThatIsTooLargeSendsNothing(t *testing.T) {
	q := newFakeQuota(7)
	w := newWorld(t, func(o *service.Options) { o.Limits.Quota = q })
	o := w.suiteIn(t, "tones.yaml", tones) // eight calls
	_, _, err := startRun(t.Context(), w.Runner(), o)
	wantQuotaError(t, "eight calls of seven", err)
	if n, left := len(w.client.requests()), q.remaining(); n != 0 || left != 7 {
		t.Errorf("%d requests were made and %d of 7 are left", n, left)
	}
	if runs, err := w.Runner().List(t.Context(), "", 10); err != nil || len(runs) != 0 {
		t.Errorf("recorded %v, %v", runs, err)
	}
	q.left = 8
	if r, _ := w.run(t, t.Context(), o); r.Err() != nil || q.remaining() != 0 {
		t.Errorf("eight calls of eight: %v, %d left", r.Err(), q.remaining())
	}
	_, _, err = startRun(t.Context(), w.Runner(), o)
	wantQuotaError(t, "once more", err)
}

// TestAnswersThatWereNotAskedForDoNotCount stops queued answers.
func TestAnswersThatWereNotAskedForDoNotCount(t *testing.T) {
	q := newFakeQuota(10)
	w := newWorld(t, func(o *service.Options) { o.Limits.Quota, o.Limits.Concurrency = q, 1 })
	asked := make(chan struct{})
	w.client.do = func(ctx context.Context, _ api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		close(asked)
		<-ctx.Done()
		return api.Response{}, api.Exchange{}, context.Cause(ctx)
	}
	ctx, cancel := context.WithCancel(t.Context())
	turn, events, err := w.Send(ctx, service.Prompt{Text: "hi", Models: []string{"delta"}, Samples: 4})
	must(t, err)
	<-asked
	cancel()
	follow(turn, events)
	must(t, w.Close(t.Context()))
	if got := q.remaining(); got != 9 {
		t.Errorf("one of four answers was asked for, and %d of 10 are left", got)
	}
}

// TestSamplesAreBounded requests more samples than allowed.
func TestSamplesAreBounded(t *testing.T) {
	w := newWorld(t, func(o *service.Options) { o.Limits.MaxSamples = 3 })
	w.send(t, service.Prompt{Text: "hi", Models: []string{"delta"}, Samples: 3})
	if _, _, err := w.Send(t.Context(),
		service.Prompt{Text: "hi", Models: []string{"delta"}, Samples: 4}); api.CodeOf(err) != api.CodeUsage ||
		!strings.Contains(fmt.Sprint(err), "1 to 3") {
		t.Errorf("four samples: %v", err)
	}
	o := w.suiteIn(t, "tones.yaml", tones)
	o.Repeat = 4
	if _, err := w.Runner().Plan(t.Context(), o); api.CodeOf(err) != api.CodeUsage {
		t.Errorf("a suite with four of each: %v", err)
	}
}

// TestEachAnswerNeedsRoom receives answers that do not all fit.
func TestEachAnswerNeedsRoom(t *testing.T) {
	q := newFakeQuota(10)
	w := newWorld(t, func(o *service.Options) { o.Limits.Quota = q })
	q.bytes = int64(len(samplePNG("a tree"))) + 20
	turn := w.send(t, service.Prompt{Text: "a tree", Models: []string{"sim-image"}, Samples: 3})
	unsaved := 0
	for _, a := range turn.Answers {
		if a.Failure != nil && a.Failure.Code == string(api.CodeDisk) && a.State == history.Done {
			unsaved++
		}
	}
	pictureStore, err := filepath.Glob(filepath.Join(w.dir, "pictures", "*.png"))
	if err != nil || unsaved != 2 || w.Unsaved() != 2 || len(pictureStore) != 1 {
		t.Errorf("%d answers are told not to be saved, %d are not, and the folder holds %v, %v", unsaved, w.Unsaved(),
			pictureStore, err)
	}
	q.bytes = 1 << 20 // as after a deletion
	if events, err := w.SaveAgain(t.Context()); err != nil || len(events) != 2 {
		t.Errorf("saved again: %v, %v", events, err)
	}
}

func TestWithoutRoomNothingGrows(t *testing.T) {
	q := newFakeQuota(9)
	w := newWorld(t, func(o *service.Options) { o.Limits.Quota = q })
	turn := w.send(t, service.Prompt{Text: "hi", Models: []string{"alpha3.1-8b"}, Samples: 1})
	q.bytes = 0
	if _, err := w.Exporter().Write(t.Context(), export.Request{Turn: turn.ID}); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("Write: %v", err)
	}
	if _, err := w.ForkSession(t.Context(), turn.Session, 0, "copy"); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("ForkSession: %v", err)
	}
	if _, err := w.SavePersona(t.Context(), history.Persona{Name: "a", Text: "b"}); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("SavePersona: %v", err)
	}
}

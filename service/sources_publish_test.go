package service_test

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

// A source is not published before its plan was requested.
func TestNothingIsPublishedUntold(t *testing.T) {
	path := localPicture(t)
	publisher := &fakePublisher{}
	w := newWorld(t, func(o *service.Options) { o.Pictures.Publisher = publisher })
	edit := service.Prompt{Text: "grey", Models: []string{"imageedit"}, Source: &history.Source{Path: path}}
	turn := w.send(t, edit)
	if a := turn.Answers[0]; a.Failure == nil || a.Failure.Code != string(api.CodeUsage) || len(publisher.given) != 0 {
		t.Errorf("got %s %+v, published %d times", a.State, a.Failure, len(publisher.given))
	}
	other := localPicture(t)
	w.plannedUploads(t, history.Source{Path: other})
	if a := w.send(t, edit).Answers[0]; a.State != history.Failed || len(publisher.given) != 0 {
		t.Errorf("the plan of another picture was enough: %s", a.State)
	}
	w.plannedUploads(t, *edit.Source)
	if a := w.again(t, turn.Answers[0].ID, false).Answers[1]; a.State != history.Done || len(publisher.given) != 1 {
		t.Errorf("told: %s %+v, published %d times", a.State, a.Failure, len(publisher.given))
	}
}

// A file replaced since the user was asked is not published.
func TestWhatIsPublishedIsAPicture(t *testing.T) {
	path := localPicture(t)
	publisher := &fakePublisher{}
	w := newWorld(t, func(o *service.Options) {
		o.Pictures.Publisher = publisher
		connect := o.Backend.Connect
		o.Backend.Connect = func(ctx context.Context) (service.Connection, error) { // after the source was checked
			if err := os.WriteFile(path, []byte("root:x:0:0"), 0o600); err != nil {
				t.Error(err)
			}
			return connect(ctx)
		}
	})
	w.plannedUploads(t, history.Source{Path: path})
	turn := w.send(t, service.Prompt{Text: "grey", Models: []string{"imageedit"}, Source: &history.Source{Path: path}})
	if a := turn.Answers[0]; a.Failure == nil || a.Failure.Code != string(api.CodeBadImage) ||
		len(publisher.given) != 0 {
		t.Errorf("got %s %+v, published %d times", a.State, a.Failure, len(publisher.given))
	}
}

// The picture is withdrawn after the last edit, without waiting for the other answers.
func TestPublishedOnlyWhileEditsRun(t *testing.T) {
	path := localPicture(t)
	synctest.Test(t, func(t *testing.T) {
		publisher := &fakePublisher{}
		w := newWorld(t, inMemory, func(o *service.Options) { o.Pictures.Publisher = publisher })
		w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
			if r.Model.Kind == api.Text {
				time.Sleep(time.Hour)
			} else {
				time.Sleep(time.Minute)
			}
			return answerTo(r), api.Exchange{}, nil
		}
		w.plannedUploads(t, history.Source{Path: path})
		turn, events := w.begin(t, service.Prompt{Text: "grey", Models: []string{"delta", "imageedit"},
			Source: &history.Source{Path: path}})
		for _, moment := range []struct {
			after    time.Duration
			released int
		}{{time.Second, 0}, {2 * time.Minute, 1}} {
			time.Sleep(moment.after)
			synctest.Wait()
			publisher.mu.Lock()
			if len(publisher.given) != 1 || publisher.released != moment.released {
				t.Errorf("after %s: published %d times, taken back %d times", moment.after, len(publisher.given),
					publisher.released)
			}
			publisher.mu.Unlock()
		}
		if got := states(follow(turn, events)); got["delta"] != "done" || got["imageedit"] != "done" ||
			publisher.released != 1 {
			t.Errorf("got %v, taken back %d times", got, publisher.released)
		}
	})
}

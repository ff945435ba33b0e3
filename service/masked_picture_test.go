package service_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"confab/history"
	"confab/internal/s3test"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
)

// sendMasked sends a prompt to a service that quotes the key in its picture: the sum is of bytes that are not stored.
func (w *world) sendMasked(t *testing.T) history.Answer {
	t.Helper()
	w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		resp := answerTo(r)
		resp.SHA256, resp.IsMasked = "of the bytes with the key", true
		return resp, api.Exchange{Status: 200}, nil
	}
	return w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}}).Answers[0]
}

// TestMaskedPicturesAreRead while they are in memory only, and once they are saved.
func TestMaskedPicturesAreRead(t *testing.T) {
	w := newWorld(t)
	blocked := filepath.Join(w.dir, "pictures")
	must(t, os.WriteFile(blocked, []byte("in the way"), 0o600))
	a := w.sendMasked(t)
	if !history.IsUnsavedPicture(a.Picture.Path) {
		t.Fatalf("it is saved as %s", a.Picture.Path)
	}
	must(t, errorOf(w.Files().ReadPicture(t.Context(), *a.Picture)))
	must(t, os.Remove(blocked))
	must(t, errorOf(w.SaveAgain(t.Context())))
	a = w.stored(t, a.Turn).Answers[0]
	must(t, errorOf(w.Files().ReadPicture(t.Context(), *a.Picture)))
}

// TestMaskedPicturesAreReadFromABucket on another host, and by another user whom they are shared with.
func TestMaskedPicturesAreReadFromABucket(t *testing.T) {
	server, shared := s3test.Start(t), t.TempDir()
	first, second := newHost(t, server, shared), newHost(t, server, shared)
	a := first.sendMasked(t)
	first.upload(t)
	must(t, os.RemoveAll(filepath.Dir(a.Picture.Path))) // as on another machine
	must(t, errorOf(second.Files().ReadPicture(t.Context(), *a.Picture)))

	bob := newHost(t, server, t.TempDir(), func(o *service.Options) {
		o.Pictures.SharedBucket = func(string) pictures.Bucket { return newBucket(t, server.URL("team")) }
	})
	for i, isMasked := range []bool{true, false} {
		copied := *a.Picture
		copied.Path = history.SharedPicturePath("anna", int64(i+1), copied.Path)
		turn, err := bob.openedStore(t).AddTurnToSession(t.Context(), "copy", history.Turn{Prompt: "a fox",
			Answers: []history.Answer{{Model: "sim-image", Kind: history.KindImage, State: history.Done,
				Picture: &copied, IsMasked: isMasked}}})
		must(t, err)
		if _, err := bob.Files().ReadPicture(t.Context(), *turn.Answers[0].Picture); (err == nil) != isMasked {
			t.Errorf("shared, masked %v: %v", isMasked, err)
		}
	}
}

package service_test

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/pictures"
)

// folderBucket is a bucket in a folder.
type folderBucket struct{ pictures.Folder }

func (b folderBucket) Remove(_ context.Context, name string) error {
	if err := os.Remove(filepath.Join(string(b.Folder), name)); !os.IsNotExist(err) {
		return err
	}
	return nil
}

func (folderBucket) List(context.Context, string) iter.Seq2[pictures.Object, error] {
	return func(func(pictures.Object, error) bool) {}
}

func (folderBucket) RemoveUnfinished(context.Context, string) error { return nil }

func (folderBucket) Link(_ context.Context, name string, _ time.Duration) (string, error) {
	return name, nil
}

func (folderBucket) Address(name string) string { return "folder:" + name }

// addShared records a turn whose answer has the picture of another user, as the copy of a shared session has.
func (w *world) addShared(t *testing.T, picture history.Picture) history.Turn {
	t.Helper()
	store := w.openedStore(t)
	picture.Path = history.SharedPicturePath("anna", 1, picture.Path)
	answer := history.Answer{Model: "sim-image", Kind: history.KindImage, State: history.Done, Picture: &picture}
	turn, err := store.AddTurnToSession(t.Context(), "copy",
		history.Turn{Prompt: "a fox", Samples: 1, Answers: []history.Answer{answer}})
	must(t, err)
	return turn
}

// TestPicturesOfOthersStay deletes the copy of a shared session for good. The picture in it is another user's.
func TestPicturesOfOthersStay(t *testing.T) {
	bucket := folderBucket{pictures.Folder(t.TempDir())}
	useBucket := func(o *service.Options) { o.Pictures.Bucket, o.Pictures.CacheBytes = bucket, 1<<20 }
	anna, bob := newWorld(t, useBucket), newWorld(t, useBucket)
	fox := anna.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}})
	anna.upload(t)
	bob.send(t, service.Prompt{Text: "other ids", Models: []string{"delta"}})
	copied := bob.addShared(t, *fox.Answers[0].Picture)
	if link, err := bob.Files().Link(t.Context(), copied.Answers[0].Picture.Path); err == nil {
		t.Errorf("a link to it: %s", link)
	}
	must(t, errorOf(bob.DeleteTurn(t.Context(), copied.ID)))
	if n, err := bob.Purge(t.Context(), 0); n != 0 || err != nil {
		t.Errorf("purged %d pictures, %v", n, err)
	}
	if left, err := os.ReadDir(string(bucket.Folder)); len(left) != 2 || err != nil {
		t.Errorf("%v are left of a picture and its provenance, %v", left, err)
	}
}

// TestPicturesOfOthersAreNotMistaken has two users with a picture of the same name.
func TestPicturesOfOthersAreNotMistaken(t *testing.T) {
	w := newWorld(t)
	own := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}}).Answers[0].Picture
	copied := w.addShared(t, history.Picture{Path: filepath.Join("/home/anna/pictures", filepath.Base(own.Path)),
		ContentType: own.ContentType})
	content, err := os.ReadFile(own.Path)
	must(t, err)
	b, err := w.Files().Read(t.Context(), copied.Answers[0].Picture.Path)
	if err == nil || bytes.Equal(b, content) || !strings.Contains(err.Error(), "is on a machine of anna") {
		t.Errorf("read %d bytes, %v", len(b), err)
	}
}

package service_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/internal/s3test"
	"confab/service"
)

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
	server := s3test.Start(t)
	anna, bob := newHost(t, server, t.TempDir()), newHost(t, server, t.TempDir())
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
	if left := server.Objects("team"); len(left) != 2 {
		t.Errorf("%d objects are left of a picture and its provenance", len(left))
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

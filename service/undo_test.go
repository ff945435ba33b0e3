package service_test

import (
	"testing"

	"confab/service"
)

// A deletion can be undone on its screen even after another screen of the same process, as over SSH, or another
// process has purged and closed.
func TestUndoWhileOthersPurge(t *testing.T) {
	dir := t.TempDir()
	screen, other := worldIn(t, dir), worldIn(t, dir)
	kept := screen.send(t, service.Prompt{Text: "kept", Models: []string{"sim-image"}})
	gone := other.send(t, service.Prompt{Text: "gone", Models: []string{"sim-image"}})
	undo, err := screen.DeleteSession(t.Context(), kept.Session)
	must(t, err)
	must(t, errorOf(other.DeleteSession(t.Context(), gone.Session)))
	if n, err := other.Purge(t.Context(), 0); n != 1 || err != nil {
		t.Errorf("purged %d pictures, %v, want 1", n, err)
	}
	must(t, other.Close(t.Context()))
	must(t, screen.Undelete(t.Context(), undo))
	screen.wantPicture(t, screen.stored(t, kept.ID).Answers[0])
}

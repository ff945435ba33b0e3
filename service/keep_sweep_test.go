package service_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
)

// makeFilesOld sets the times of files an hour back.
func makeFilesOld(t *testing.T, paths ...string) {
	t.Helper()
	at := time.Now().Add(-time.Hour)
	for _, path := range paths {
		must(t, os.Chtimes(path, at, at))
	}
}

func TestOrphanFilesAreFoundAndSwept(t *testing.T) {
	dir := t.TempDir()
	folder, facts := filepath.Join(dir, "pictures"), provenanceOf
	// Another, lost history saved pictures in the same folder.
	other := worldIn(t, dir, func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, filepath.Join(t.TempDir(), "history.db"), sqlite.Options{})
		}
	})
	var lost []string
	for _, prompt := range []string{"lost", "lost and changed", "lost, its facts left"} {
		lost = append(
			lost,
			other.send(t, service.Prompt{Text: prompt, Models: []string{"sim-image"}}).Answers[0].Picture.Path,
		)
	}
	w := worldIn(t, dir)
	kept := w.send(t, service.Prompt{Text: "kept", Models: []string{"sim-image"}}).Answers[0].Picture.Path
	gone := w.send(t, service.Prompt{Text: "gone", Models: []string{"sim-image"}}).Answers[0]
	fresh := other.send(t, service.Prompt{Text: "just saved", Models: []string{"sim-image"}}).Answers[0].Picture.Path

	own := filepath.Join(folder, "holiday.png")
	copied := filepath.Join(folder, "copy.png")
	ownFacts := filepath.Join(folder, "notes.json")
	temp := filepath.Join(folder, ".confab-"+deadOwner(t)+"-x.tmp")
	changed := samplePNG("changed by hand, and as long")
	for path, content := range map[string][]byte{own: samplePNG("holiday"), copied: samplePNG("x"),
		ownFacts: []byte(`{"my":"notes"}`), temp: []byte("half"), lost[1]: changed} {
		must(t, os.WriteFile(path, content, 0o600))
	}
	b, err := os.ReadFile(facts(lost[0]))
	must(t, errors.Join(err, os.WriteFile(facts(copied), b, 0o600), os.Remove(lost[2]),
		os.Remove(gone.Picture.Path)))
	makeFilesOld(t, lost[0], lost[1], facts(lost[0]), facts(lost[1]), facts(lost[2]), kept, facts(kept),
		facts(gone.Picture.Path), own, copied, facts(copied), ownFacts, temp)

	l, err := w.Files().FindOrphans(t.Context())
	must(t, err)
	slices.Sort(l.Foreign)
	foreign := []string{lost[1], copied, own, ownFacts}
	slices.Sort(foreign)
	if !slices.Equal(l.Temporary, []string{temp}) || !slices.Equal(l.Provenance, []string{facts(lost[2])}) ||
		!slices.Equal(l.Pictures, []string{lost[0]}) || !slices.Equal(l.Foreign, foreign) || l.Bytes == 0 {
		t.Errorf("found %+v\nwant foreign %v", l, foreign)
	}
	if len(l.Missing) != 1 || l.Missing[0].Answer.ID != gone.ID {
		t.Errorf("missing %+v", l.Missing)
	}

	before := w.files(t)
	swept, err := w.Files().Sweep(t.Context(), l, false)
	if err != nil || swept.Files != 2 {
		t.Errorf("swept %+v, %v", swept, err)
	}
	wantGone(t, before, w.files(t), temp, facts(lost[2]))
	before = w.files(t)
	// Changed since the report: confab must not delete it.
	again := l
	again.Pictures = append(again.Pictures, lost[1])
	if swept, err = w.Files().Sweep(t.Context(), again, true); err != nil || swept.Files != 2 || swept.Bytes == 0 {
		t.Errorf("swept %+v, %v", swept, err)
	}
	wantGone(t, before, w.files(t), lost[0], facts(lost[0]))
	if _, err := os.Stat(fresh); err != nil {
		t.Error("what another process had just saved went:", err)
	}
	if l, err := w.Files().FindOrphans(t.Context()); err != nil ||
		len(l.Temporary)+len(l.Provenance)+len(l.Pictures) > 0 || l.Bytes != 0 || len(l.Foreign) != 4 {
		t.Errorf("left over afterwards: %+v, %v", l, err)
	}
}

// wantGone checks that exactly these files were deleted.
func wantGone(t *testing.T, before, after []string, gone ...string) {
	t.Helper()
	var missing []string
	for _, name := range before {
		if !slices.Contains(after, name) {
			missing = append(missing, name)
		}
	}
	var want []string
	for _, path := range gone {
		want = append(want, filepath.Base(path))
	}
	slices.Sort(want)
	slices.Sort(missing)
	if !slices.Equal(missing, want) {
		t.Errorf("gone are %v, want %v", missing, want)
	}
}

// Deleting removes pictures with their provenance in the current and an earlier folder; it keeps a person's file with
// the name of one.
func TestDeletingTakesTheFiles(t *testing.T) {
	dir := t.TempDir()
	former := worldIn(t, dir, func(o *service.Options) { o.Pictures.Folder = filepath.Join(dir, "former") })
	one := former.send(t, service.Prompt{Text: "one", Models: []string{"sim-image"}})
	two := former.send(t, service.Prompt{Text: "two", Models: []string{"sim-image"}}).Answers[0]
	must(t, os.Remove(provenanceOf(two.Picture.Path)))
	w := worldIn(t, dir)
	here := w.send(
		t,
		service.Prompt{Session: one.Session, Text: "three", Models: []string{"sim-image", "diffusion-xl"}},
	)
	answer := w.send(t, service.Prompt{Text: "four", Models: []string{"sim-image"}}).Answers[0]
	must(t, errorOf(w.DeleteAnswer(t.Context(), answer.ID)))
	must(t, errorOf(w.DeleteTurn(t.Context(), here.ID)))
	if n := len(w.files(t)); n != 6 {
		t.Errorf("%d files before it is committed, want 6", n)
	}
	if n, err := w.Purge(t.Context(), 0); err != nil || n != 3 {
		t.Errorf("purged %d, %v", n, err)
	}
	if names := w.files(t); len(names) != 0 {
		t.Errorf("left %v", names)
	}
	must(t, errorOf(w.DeleteSession(t.Context(), one.Session)))
	must(t, errorOf(w.DeleteAnswer(t.Context(), two.ID)))
	_, err := w.Purge(t.Context(), 0)
	wantCode(t, err, api.CodeDisk)
	if !strings.Contains(err.Error(), filepath.Base(two.Picture.Path)) {
		t.Errorf("it does not say what was left: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "former", "[0-9]*"))
	if err != nil || !slices.Equal(left, []string{two.Picture.Path}) {
		t.Errorf("left %v, %v; want the file nothing shows to be confab's", left, err)
	}
}

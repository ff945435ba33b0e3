package service_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/s3test"
	"confab/internal/testserver"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
)

// newBucket returns the bucket at an address.
func newBucket(t testing.TB, url string) s3.Bucket {
	t.Helper()
	b, err := s3.New(s3.Options{URL: url, Key: func(context.Context) (string, error) { return s3test.Key, nil }})
	must(t, err)
	return b
}

// newHost returns a service on a new host. Hosts with the same folder share the history.
func newHost(t testing.TB, server *s3test.Server, shared string, change ...func(*service.Options)) *world {
	t.Helper()
	return newWorld(t, append([]func(*service.Options){func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, filepath.Join(shared, "history.db"), sqlite.Options{})
		}
		o.Pictures.Bucket, o.Pictures.CacheBytes = newBucket(t, server.URL("team")), 1<<20
		o.Now = func() time.Time { return time.Now().Add(2 * time.Minute) } // recent files may be orphans
	}}, change...)...)
}

func (w *world) upload(t testing.TB) {
	t.Helper()
	if left, err := w.Files().Upload(t.Context()); left != 0 || err != nil {
		t.Fatalf("%d pictures were not uploaded: %v", left, err)
	}
}

// copies returns the names of the pictures in the folder of a host.
func (w *world) copies(t testing.TB) []string {
	t.Helper()
	return slices.DeleteFunc(w.files(t), func(name string) bool { return filepath.Ext(name) != ".png" })
}

func TestTwoHostsShareABucket(t *testing.T) {
	server := s3test.Start(t)
	shared := t.TempDir()
	first, second := newHost(t, server, shared), newHost(t, server, shared)
	draw := service.Prompt{Text: "a fox", Models: []string{"sim-image"}}
	fox := first.send(t, draw)
	hen := second.send(t, draw) // the same words, on a host with its own counter
	picture := *fox.Answers[0].Picture
	if got := server.Objects("team"); len(got) != 0 {
		t.Errorf("%d objects before the upload", len(got))
	}
	first.upload(t)
	first.upload(t)
	second.upload(t)
	objects := server.Objects("team")
	if len(objects) != 4 || !bytes.Contains(objects[filepath.Base(picture.Path)], []byte("a fox")) {
		t.Errorf("%d objects after the uploads", len(objects))
	}
	if _, err := os.Stat(picture.Path); err != nil { // programs may use the path
		t.Error(err)
	}

	if err := os.Rename(picture.Path, picture.Path+".away"); err != nil { // as on another machine
		t.Fatal(err)
	}
	for range 2 { // from the bucket, then from the copy
		second.wantPicture(t, fox.Answers[0])
		server.Stop()
	}
	server.Up()
	if orphans, err := second.Files().FindOrphans(t.Context()); err != nil || len(orphans.Missing) != 0 ||
		len(orphans.Pictures)+len(orphans.Provenance)+len(orphans.Temporary)+len(orphans.Foreign) != 0 {
		t.Errorf("found %+v, %v", orphans, err)
	}

	must(t, errorOf(second.DeleteTurn(t.Context(), fox.ID)))
	if n, err := second.Purge(t.Context(), 0); n != 1 || err != nil {
		t.Errorf("purged %d pictures, %v", n, err)
	}
	must(t, os.Rename(picture.Path+".away", picture.Path))
	if found, err := first.Files().Recover(t.Context()); err != nil || len(found.Orphans) != 0 {
		t.Errorf("recovered %+v, %v", found, err)
	}
	if got := first.copies(t); len(got) != 0 {
		t.Errorf("the other host still has copies %q", got)
	}
	left := filepath.Base(hen.Answers[0].Picture.Path)
	if objects := server.Objects("team"); len(objects) != 2 || objects[left] == nil {
		t.Errorf("%d objects after the deletion", len(objects))
	}
	if got := second.copies(t); !slices.Equal(got, []string{left}) {
		t.Errorf("copies %q after the deletion", got)
	}
}

// Hosts with separate counters never use a name twice. For those of earlier releases, an uploaded picture gets
// another name, and each answer shows its own.
func TestPicturesOfOneNameAreToldApart(t *testing.T) {
	server := s3test.Start(t)
	shared := t.TempDir()
	first, second := newHost(t, server, shared), newHost(t, server, shared)
	draw := service.Prompt{Text: "a fox", Models: []string{"sim-image"}}
	fox := first.send(t, draw).Answers[0]
	draw.Nonce = history.Nonce{Mode: history.NonceFixed, Value: "n"}
	hen := second.send(t, draw).Answers[0]
	if other := second.send(t, draw).Answers[0]; filepath.Base(other.Picture.Path) == filepath.Base(hen.Picture.Path) {
		t.Error("two pictures of one name")
	}
	first.upload(t)
	second.giveName(t, shared, hen, filepath.Base(fox.Picture.Path))
	if err := os.Rename(fox.Picture.Path, fox.Picture.Path+".away"); err != nil { // as on another machine
		t.Fatal(err)
	}
	if _, err := second.Files().ReadPicture(t.Context(), *fox.Picture); api.CodeOf(err) != api.CodeBadImage {
		t.Errorf("another picture of the name was read: %v", err)
	}
	second.upload(t)
	for _, a := range []history.Answer{fox, hen} {
		second.wantPicture(t, a)
	}
	if objects := server.Objects("team"); len(objects) != 6 {
		t.Errorf("%d objects, want three pictures and their facts", len(objects))
	}
}

// giveName gives a saved picture a name that another host may use too.
func (w *world) giveName(t *testing.T, shared string, a history.Answer, name string) {
	t.Helper()
	former := a.Picture.Path
	picture := *a.Picture
	picture.Path = filepath.Join(filepath.Dir(former), name)
	b, err := os.ReadFile(provenanceOf(former))
	must(t, err)
	b = bytes.ReplaceAll(b, []byte(filepath.Base(former)), []byte(name))
	db, err := sqlite.Open(t.Context(), filepath.Join(shared, "history.db"), sqlite.Options{})
	must(t, err)
	a.Picture, a.Version = &picture, a.Version+1
	for _, err := range []error{os.Rename(former, picture.Path), os.Remove(provenanceOf(former)),
		os.WriteFile(provenanceOf(picture.Path), b, 0o600), db.SaveAnswer(t.Context(), a), db.Close()} {
		must(t, err)
	}
}

func TestPicturesWaitForABucketThatIsDown(t *testing.T) {
	server := s3test.Start(t)
	w := newHost(t, server, t.TempDir())
	server.Stop()
	fox := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}})
	left, err := w.Files().Upload(t.Context())
	wantCode(t, err, api.CodeStore)
	if left != 1 {
		t.Errorf("%d pictures wait", left)
	}
	if states := states(w.stored(t, fox.ID)); states["sim-image"] != "done" {
		t.Errorf("the answer is %q", states)
	}
	if _, err := w.Files().Link(t.Context(), fox.Answers[0].Picture.Path); err == nil {
		t.Error("there is a link to what was not uploaded")
	}
	w.wantPicture(t, fox.Answers[0])
	server.Up()
	w.upload(t)
	link, err := w.Files().Link(t.Context(), fox.Answers[0].Picture.Path)
	must(t, err)
	if body := fetch(t, link); !isReceived(body, fox.Answers[0].Picture.SHA256) {
		t.Errorf("the link gives %d bytes", len(body))
	}
}

func fetch(t testing.TB, url string) []byte {
	t.Helper()
	response, err := http.Get(url)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", response.StatusCode, err)
	}
	return body
}

func TestTheUploaderUploadsWhatIsSaved(t *testing.T) {
	server := s3test.Start(t)
	w := newHost(t, server, t.TempDir())
	must(t, errorOf(w.Start(t.Context())))
	w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image", "diffusion-xl"}})
	must(t, w.Close(t.Context()))
	if n := len(server.Objects("team")); n != 4 || w.NotUploaded() != 0 {
		t.Errorf("%d objects when the service was closed, %d wait", n, w.NotUploaded())
	}

	server.Stop()
	down := newHost(t, server, t.TempDir())
	must(t, errorOf(down.Start(t.Context())))
	down.send(t, service.Prompt{Text: "a hen", Models: []string{"sim-image"}})
	if err := down.Close(t.Context()); err != nil || down.NotUploaded() != 1 {
		t.Errorf("%d wait for the next start, %v", down.NotUploaded(), err)
	}
}

func TestCopiesAreBounded(t *testing.T) {
	server := s3test.Start(t)
	w := newHost(t, server, t.TempDir(), func(o *service.Options) { o.Pictures.CacheBytes = 300 })
	turn := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}, Samples: 4})
	w.upload(t)
	for _, a := range turn.Answers {
		w.wantPicture(t, a)
		if got := w.copies(t); len(got) != 1 {
			t.Errorf("copies %q are kept", got)
		}
	}
}

func TestAnEditIsSentALinkToTheBucket(t *testing.T) {
	server := s3test.Start(t)
	var fetched []byte
	w := newHost(t, server, t.TempDir(),
		func(o *service.Options) { o.Pictures.Publisher = pictures.BucketPublisher{Bucket: o.Pictures.Bucket} })
	fox := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}})
	w.upload(t)
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		fetched = fetch(t, r.ImageURL)
		return answerTo(r), api.Exchange{}, nil
	}
	source := history.Source{Answer: fox.Answers[0].ID}
	if plan, err := w.Files().
		PublishPlan(t.Context(), source); err != nil || !strings.Contains(plan, "s3://bucket/team/") {
		t.Fatalf("the plan is %q, %v", plan, err)
	}
	edit := w.send(t, service.Prompt{Text: "in snow", Models: []string{"imageedit"}, Source: &source})
	if s := states(edit); s["imageedit"] != "done" {
		t.Errorf("the edit is %q", s)
	}
	if pictures.SHA256(fetched) != fox.Answers[0].Picture.SHA256 { // without the prompt in it
		t.Errorf("the service fetched %d bytes", len(fetched))
	}
	if got := server.Objects("team/published"); len(got) != 0 {
		t.Errorf("%d published copies stayed", len(got))
	}
}

func TestSweepFindsWhatTheBucketHoldsTooMuch(t *testing.T) {
	server := s3test.Start(t)
	shared := t.TempDir()
	w := newHost(t, server, shared)
	kept := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}})
	lost := w.send(t, service.Prompt{Text: "a hen", Models: []string{"sim-image", "diffusion-xl"}})
	w.upload(t)
	objects := server.Objects("team")
	must(t, errorOf(w.DeleteTurn(t.Context(), lost.ID)))
	must(t, errorOf(w.Purge(t.Context(), 0)))
	// As if uploads had ended after the deletion.
	bucket := newBucket(t, server.URL("team"))
	first, second := filepath.Base(lost.Answers[0].Picture.Path), filepath.Base(lost.Answers[1].Picture.Path)
	lone := provenanceOf(second)
	for _, name := range []string{first, provenanceOf(first), lone} {
		must(t, bucket.Put(t.Context(), name, objects[name]))
	}
	must(t, bucket.Put(t.Context(), "own.png", []byte("a person's own")))
	orphans, err := w.Files().FindOrphans(t.Context())
	if err != nil || !slices.Equal(orphans.Pictures, []string{bucket.Address(first)}) ||
		!slices.Equal(orphans.Provenance, []string{bucket.Address(lone)}) ||
		!slices.Equal(orphans.Foreign, []string{bucket.Address("own.png")}) {
		t.Fatalf("found %+v, %v", orphans, err)
	}
	if swept, err := w.Files().Sweep(t.Context(), orphans, true); err != nil || swept.Files != 3 {
		t.Errorf("swept %+v, %v", swept, err)
	}
	if got := server.Objects("team"); len(got) != 3 || got[filepath.Base(kept.Answers[0].Picture.Path)] == nil {
		t.Errorf("%d objects are left", len(got))
	}
}

// childUploads draws pictures, prints those that it would show as done, and uploads them.
func childUploads(t *testing.T, s *service.Service, _ string) {
	must(t, errorOf(s.Start(t.Context())))
	for n := range 1000 { // until it is killed
		turn, events, err := s.Send(t.Context(), service.Prompt{SessionName: "kills",
			Text: fmt.Sprintf("p%d-%d", os.Getpid(), n), Models: []string{"sim-image"}})
		must(t, err)
		if turn = follow(turn, events); turn.Answers[0].State == history.Done {
			fmt.Println(turn.Answers[0].ID)
		}
	}
}

// Killing an uploading process or the server loses and duplicates nothing.
func TestKilledWhileItUploads(t *testing.T) {
	server := s3test.Start(t)
	dir, bucket := t.TempDir(), server.URL("team")
	answers := httptest.NewServer(testserver.Strict(t, &slowService{seen: map[string]int{}}))
	defer answers.Close()
	n := kills()
	shown := 0
	for i := range n {
		c := startChild(t, "upload", dir, answers.URL, bucket)
		<-c.first
		if i%3 == 1 {
			server.Stop()
		}
		<-time.After(rand.N(150 * time.Millisecond))
		shown += len(c.kill(t))
		if i%3 == 1 {
			server.Up()
		}
	}
	after, _ := recoverKilled(t, dir, answers.URL, 2*time.Hour, bucket)
	defer after.Close(context.WithoutCancel(t.Context()))
	if left, err := after.Files().Upload(t.Context()); left != 0 || err != nil {
		t.Fatalf("%d pictures were not uploaded: %v", left, err)
	}
	orphans, err := after.Files().FindOrphans(t.Context())
	must(t, err)
	must(t, errorOf(after.Files().Sweep(t.Context(), orphans, true)))
	if orphans, err = after.Files().FindOrphans(t.Context()); err != nil || len(orphans.Missing)+len(orphans.Foreign)+
		len(orphans.Pictures)+len(orphans.Provenance)+len(orphans.Temporary) != 0 {
		t.Errorf("after the sweep there are %+v, %v", orphans, err)
	}
	session, err := after.SessionNamed(t.Context(), "kills")
	must(t, err)
	objects, done := server.Objects("team"), 0
	must(t, after.EachTurn(t.Context(), session.ID, func(turn history.Turn) error {
		if p := turn.Answers[0].Picture; p != nil {
			done++
			if !isReceived(objects[filepath.Base(p.Path)], p.SHA256) {
				t.Errorf("answer %d has no object %s", turn.Answers[0].ID, filepath.Base(p.Path))
			}
		}
		return nil
	}))
	t.Logf("%d pictures shown as done, %d in the history, %d objects", shown, done, len(objects))
	if shown == 0 || done < shown || len(objects) != 2*done {
		t.Errorf("%d pictures were shown as done, the history has %d, the bucket %d objects", shown, done, len(objects))
	}
}

// TestPicturesOfOthers reads shared pictures of another user from that user's part of the bucket.
func TestPicturesOfOthers(t *testing.T) {
	server := s3test.Start(t)
	folder := func(owner string) pictures.Bucket { return newBucket(t, server.URL("team")).Within("users/" + owner) }
	w := newHost(t, server, t.TempDir(), func(o *service.Options) { o.Pictures.SharedBucket = folder })
	visible := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}}).Answers[0]
	ctx := t.Context()
	must(t, folder("anna").Put(ctx, "fox.png", []byte("of anna")))
	path := history.SharedPicturePath("anna", visible.ID, "/home/anna/fox.png")
	if b, err := w.Files().Read(ctx, path); string(b) != "of anna" || err != nil {
		t.Errorf("a shared picture: %q, %v", b, err)
	}
	for _, path := range []string{
		history.SharedPicturePath("anna", visible.ID+1, "/home/anna/fox.png"), // no longer shared
		history.SharedPicturePath("anna", visible.ID, "/home/anna/hen.png"),   // not in the bucket
		history.SharedPicturePath("anna", 0, "/home/anna/fox.png"),            // no picture of an answer
	} {
		_, err := w.Files().Read(ctx, path)
		wantCode(t, err, api.CodeUsage)
	}
	n, err := w.Files().Remove(ctx, []string{path})
	if n != 0 || err != nil || server.Objects("team")["users/anna/fox.png"] == nil {
		t.Errorf("removed %d pictures of another user, %v", n, err)
	}
}

// TestAttachedPicturesReachOtherHosts attaches the same picture on two hosts: each finds what the other has uploaded.
func TestAttachedPicturesReachOtherHosts(t *testing.T) {
	server := s3test.Start(t)
	shared := t.TempDir()
	first, second := newHost(t, server, shared, seeing), newHost(t, server, shared, seeing)
	attach := func(w *world) history.File {
		t.Helper()
		f, err := w.NewFile(t.Context(), "fox.png", samplePNG("fox"))
		must(t, err)
		w.send(t, service.Prompt{Text: "What is @fox.png?", Models: []string{"delta"}, Files: []history.File{f}})
		return f
	}
	unsent, err := first.NewFile(t.Context(), "hen.png", samplePNG("hen"))
	must(t, err)
	file := attach(first)
	first.upload(t)
	if objects := server.Objects("team"); len(objects) != 2 || objects[filepath.Base(unsent.Path)] != nil {
		t.Errorf("%d objects, want the picture that was sent with its description", len(objects))
	}
	if got, err := second.Files().Read(t.Context(), file.Path); err != nil || !bytes.Equal(got, samplePNG("fox")) {
		t.Errorf("another host reads %d bytes, %v", len(got), err)
	}
	attach(second)
	second.upload(t)
	if objects := server.Objects("team"); len(objects) != 2 {
		t.Errorf("%d objects after the same picture of another host", len(objects))
	}
}

package service_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
)

// seeing lets text models take messages and pictures.
func seeing(o *service.Options) {
	withExtensions(api.Extensions{TakesImages: true, TakesMessages: true})(o)
}

// readFiles writes files into a new folder and reads them as those of a prompt.
func (w *world) readFiles(t *testing.T, contents ...string) (files []history.File, paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, content := range contents {
		name := fmt.Sprintf("file%d.md", i)
		if strings.HasPrefix(content, "\x89PNG") {
			name = fmt.Sprintf("file%d.png", i)
		}
		paths = append(paths, filepath.Join(dir, name))
		must(t, os.WriteFile(paths[i], []byte(content), 0o600))
	}
	files, err := w.ReadFiles(t.Context(), paths...)
	must(t, err)
	return files, paths
}

func TestFilesGoWithAPrompt(t *testing.T) {
	w := newWorld(t, seeing)
	files, paths := w.readFiles(t, "# one\n```\ncode\n```", string(samplePNG("a")), "key "+sentinel,
		string(samplePNG(strings.Repeat("z", 32))))
	turn := w.send(t, service.Prompt{Text: "compare @file0.md", Models: []string{"delta"}, Files: files})
	r := w.client.requests()[0]
	want := "File " + paths[0] + ":\n````md\n# one\n```\ncode\n```\n````\n\nFile " + paths[2] + ":\n```md\nkey "
	if !strings.HasPrefix(r.Prompt, want) || !strings.HasSuffix(r.Prompt, "```\n\ncompare @file0.md") ||
		strings.Contains(r.Prompt, sentinel) || len(r.Images) != 2 || bytes.Equal(r.Images[0], r.Images[1]) {
		t.Errorf("sent %q with %d pictures", r.Prompt, len(r.Images))
	}
	if turn.Prompt != "compare @file0.md" || len(turn.Files) != 4 || strings.Contains(turn.Files[2].Text, sentinel) {
		t.Errorf("kept %+v", turn)
	}

	// What was sent is sent again, also by a fork, when the files are gone; a later turn takes it along.
	for _, path := range paths {
		must(t, os.Remove(path))
	}
	w.again(t, turn.Answers[0].ID, false)
	fork, err := w.ForkSession(t.Context(), turn.Session, 0, "")
	must(t, err)
	copied, err := w.Turns(t.Context(), fork.ID, history.Page{})
	must(t, err)
	w.again(t, copied[0].Answers[0].ID, false)
	more := service.Prompt{Session: fork.ID, Text: "more", Models: []string{"delta"}, HasContext: true}
	if m, err := w.Memories(t.Context(), more); err != nil || m[0].Turns != 1 || m[0].Pictures != 2 {
		t.Errorf("counted %+v, %v", m, err)
	}
	later := w.send(t, more)
	for i, again := range w.client.requests()[1:3] {
		if again.Prompt != r.Prompt || !slices.EqualFunc(again.Images, r.Images, bytes.Equal) {
			t.Errorf("repetition %d sent %q with %d pictures", i, again.Prompt, len(again.Images))
		}
	}
	last := w.client.requests()[3]
	if len(last.Images) != 2 || len(last.Messages) != 2 || !strings.HasSuffix(last.Messages[0].Content, r.Prompt) {
		t.Errorf("a later turn sent %+v with %d pictures", last.Messages, len(last.Images))
	}
	e, isWhole, err := w.Exchange(t.Context(), later.Answers[0].ID)
	if body := string(e.RequestBody); err != nil || !isWhole || !strings.Contains(body, "# one") ||
		strings.Count(body, "data:image/jpeg;base64,…") != 2 {
		t.Errorf("the request is shown as %s, whole: %v, %v", body, isWhole, err)
	}
}

func TestFilesThatCannotGo(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	for name, content := range map[string]string{"binary": "a\x00b", "latin": "caf\xe9",
		"large.txt": strings.Repeat("x", 1<<20+1), "half.png": string(samplePNG("a")[:40]),
		"a.txt": "a", "b.txt": "b"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, want := range map[string]string{
		at("binary"): "neither UTF-8 text nor a picture", at("latin"): "neither UTF-8 text nor a picture",
		at("large.txt"): "at most 1 MiB", at("half.png"): "cut off", at("gone"): "does not exist",
		dir: "is a folder", at("*.go"): "No file matches", at("[a"): "is not one", "ftp://x/y": "neither a file nor",
		"http://169.254.169.254/x": "not a public",
	} {
		if files, err := w.ReadFiles(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: read %+v, %v, want %q", name, files, err, want)
		}
	}
	files, err := w.ReadFiles(t.Context(), at("?.txt"))
	if err != nil || len(files) != 2 || files[0].Text != "a" || files[1].Name != at("b.txt") {
		t.Errorf("a pattern gives %+v, %v", files, err)
	}

	// Nothing is sent when a prompt has too much.
	pictures, _ := w.readFiles(t, string(samplePNG("a")), string(samplePNG("b")))
	large := history.File{Name: "x", Kind: history.TextFile, Text: strings.Repeat("x", 1<<20)}
	for _, tt := range []struct {
		model string
		files []history.File
		want  string
	}{
		{"delta", pictures, "set vision = true in its [[routes]]"}, {"imageedit", pictures, "take one picture, and 2"},
		{"sim-image", pictures, "No vision: "},
		{"delta", []history.File{large, large, large}, "at most 2 MiB"},
		{"delta", slices.Repeat(pictures, 5), "10 pictures"}, {"delta", slices.Repeat(files, 51), "102 files"},
	} {
		_, _, err := w.Send(t.Context(), service.Prompt{Text: "x", Models: []string{tt.model}, Files: tt.files})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %d files: %v, want %q", tt.model, len(tt.files), err, tt.want)
		}
	}
	if n := len(w.client.requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestFilesOfAddresses(t *testing.T) {
	w := newWorld(t)
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/notes.md" {
			http.NotFound(out, r)
			return
		}
		_, _ = out.Write([]byte("# notes"))
	}))
	defer s.Close()
	files, err := w.ReadFiles(t.Context(), s.URL+"/notes.md")
	if err != nil || files[0].Text != "# notes" || files[0].Name != s.URL+"/notes.md" {
		t.Errorf("read %+v, %v", files, err)
	}
	_, err = w.ReadFiles(t.Context(), s.URL+"/gone")
	if err == nil || !strings.Contains(err.Error(), "nothing at its address") {
		t.Error(err)
	}
	served := newWorld(t, func(o *service.Options) { o.Limits.IsServed = true })
	if files, err := served.ReadFiles(t.Context(), s.URL+"/notes.md"); err == nil {
		t.Errorf("a user of a server reads what is around it: %+v", files)
	}
}

func TestFilesAreConfined(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.md")
	must(t, os.WriteFile(secret, []byte("secret"), 0o600))
	root := t.TempDir()
	must(t, os.WriteFile(filepath.Join(root, "mine.md"), []byte("mine"), 0o600))
	must(t, os.Symlink(secret, filepath.Join(root, "link.md")))
	w := newWorld(t, func(o *service.Options) {
		o.Limits.Root, o.Pictures.Folder = root, filepath.Join(root, "pictures")
	})
	for _, name := range []string{secret, "link.md", filepath.Dir(secret) + "/*.md", "../*/secret.md",
		"file://" + secret} {
		if files, err := w.ReadFiles(t.Context(), name); err == nil {
			t.Errorf("%s: read %+v", name, files)
		}
	}
	files, err := w.ReadFiles(t.Context(), "mi*.md", "~/mine.md")
	if err != nil || len(files) != 2 || files[0].Name != "mine.md" || files[1].Text != "mine" {
		t.Errorf("read %+v, %v", files, err)
	}
	if files, err = w.ReadFiles(t.Context(), "*.md"); err == nil {
		t.Errorf("a pattern follows a link out of the folder: %+v", files)
	}
}

// An edit model starts from the only picture among the files.
func TestAPictureFileIsEdited(t *testing.T) {
	w := newWorld(t, func(o *service.Options) { o.Pictures.Publisher = &fakePublisher{} })
	files, _ := w.readFiles(t, string(samplePNG("a")))
	w.plannedUploads(t, *w.SourceOf(service.Prompt{Models: []string{"imageedit"}, Files: files}))
	turn := w.send(t, service.Prompt{Text: "winter", Models: []string{"imageedit"}, Files: files})
	if turn.Source == nil || turn.Source.Path != files[0].Path || turn.Answers[0].State != history.Done {
		t.Errorf("sent %+v, %+v", turn.Source, turn.Answers[0].Failure)
	}
}

// TestDeletedFilesLeaveNothing deletes a turn for good, with the copy of its picture.
func TestDeletedFilesLeaveNothing(t *testing.T) {
	w := newWorld(t, seeing)
	ctx := t.Context()
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		body, err := r.Body("")
		return api.Response{Text: "Fine.", Status: 200}, api.Exchange{Status: 200, RequestBody: string(body)}, err
	}
	files, _ := w.readFiles(t, "vanishing text", string(samplePNG("a")))
	first := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}, Files: files})
	w.send(t, service.Prompt{Session: first.Session, Text: "stays", Models: []string{"delta"}, HasContext: true})
	if len(grep(t, w.dir, "vanishing")) == 0 {
		t.Error("nothing is found before")
	}
	must(t, errorOf(w.DeleteTurn(ctx, first.ID)))
	must(t, errorOf(w.Purge(ctx, 0)))
	if found := grep(t, w.dir, "vanishing"); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
	if _, err := os.Stat(files[1].Path); !os.IsNotExist(err) {
		t.Errorf("the copy of the picture is there: %v", err)
	}
}

// A copy of a picture that no prompt was sent with goes after a week.
func TestUnsentPicturesGo(t *testing.T) {
	now := time.Now()
	w := newWorld(t, func(o *service.Options) { o.Now = func() time.Time { return now } })
	files, _ := w.readFiles(t, string(samplePNG("a")), string(samplePNG("b")))
	w.send(t, service.Prompt{Text: "x", Models: []string{"sim-image"}})
	for _, age := range []time.Duration{0, 8 * 24 * time.Hour} {
		now = now.Add(age)
		found, err := w.Start(t.Context())
		_, gone := os.Stat(files[0].Path)
		if err != nil || len(found.Orphans) > 0 || os.IsNotExist(gone) != (age > 0) {
			t.Errorf("after %s: %v, orphans %v, %v", age, gone, found.Orphans, err)
		}
	}
}

func TestFilesAreExported(t *testing.T) {
	w := newWorld(t, seeing)
	files, _ := w.readFiles(t, "exported ``` text", string(samplePNG("a")))
	turn := w.send(t, service.Prompt{Text: "x", Models: []string{"delta"}, Files: files})
	name := filepath.Base(files[1].Path)
	for format, want := range map[export.Format][]string{
		export.FormatText: {"exported ``` text", name}, export.FormatMarkdown: {"````md\nexported", "](", name},
		export.FormatJSON: {`"text": "exported`, `"sha256": "` + files[1].SHA256}, export.FormatJSONL: {`"text":"exported`},
		export.FormatHTML: {"exported ``` text", "data:image/png"}, export.FormatCSV: {"file0.md"},
	} {
		path := filepath.Join(t.TempDir(), "x."+string(format))
		must(t, errorOf(w.Exporter().Write(t.Context(), export.Request{Turn: turn.ID, As: format, Path: path})))
		b, err := os.ReadFile(path)
		must(t, err)
		for _, text := range want {
			if !strings.Contains(string(b), text) {
				t.Errorf("%s lacks %q:\n%s", format, text, b)
			}
		}
	}
}

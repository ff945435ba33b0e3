package service_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/pictures"
)

// exportFixture is a world with a session to export.
type exportFixture struct {
	*world
	first         history.Turn // the first turn of the session
	text, picture history.Answer
	link          string // from a folder beside the pictures
}

func newWritten(t *testing.T, more int, change ...func(*service.Options)) exportFixture {
	t.Helper()
	w := exportFixture{world: newWorld(t, change...)}
	w.first = w.send(t,
		service.Prompt{SessionName: "Fox & friends", Text: "A fox\n\twith `ticks` " + sentinel, System: "Be brief",
			Models: []string{"delta", "sim-image"}, Aspect: "16:9"})
	for range more {
		w.send(t, service.Prompt{Session: w.first.Session, Text: "shorter", Models: []string{"zeta"}})
	}
	w.text, w.picture = w.first.Answers[0], w.first.Answers[1]
	w.link = "../pictures/" + filepath.Base(w.picture.Picture.Path)
	t.Cleanup(func() {
		if temps, err := filepath.Glob(filepath.Join(w.dir, "*", ".confab-*")); err != nil || len(temps) > 0 {
			t.Errorf("left %v", temps)
		}
	})
	return w
}

// read writes an export and returns its content and path.
func (w exportFixture) read(t *testing.T, wr export.Request) (content, path string) {
	t.Helper()
	paths, err := w.Exporter().Write(t.Context(), wr)
	if err != nil || len(paths) != 1 {
		t.Fatalf("wrote %v, %v", paths, err)
	}
	b, err := os.ReadFile(paths[0])
	must(t, err)
	if info, err := os.Stat(paths[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if bytes.Contains(b, []byte(sentinel)) {
		t.Error("the key is in it")
	}
	return string(b), paths[0]
}

func TestWriteAnswerAsExactText(t *testing.T) {
	w := newWritten(t, 0)
	got, path := w.read(t, export.Request{Answer: w.text.ID, As: export.FormatText})
	if want := "delta says: " + w.first.Prompt; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := filepath.Join(w.dir, "exports", "delta-a-fox-with-ticks.txt"); path != want {
		t.Errorf("written to %s, want %s", path, want)
	}
	_, second := w.read(t, export.Request{Answer: w.text.ID, As: export.FormatText})
	if filepath.Base(second) != "delta-a-fox-with-ticks-2.txt" {
		t.Errorf("the second one is %s", second)
	}
}

func TestWriteTurnAsMarkdown(t *testing.T) {
	w := newWritten(t, 0)
	got, path := w.read(t, export.Request{Turn: w.first.ID})
	for _, want := range []string{w.first.Prompt, "**System prompt**\n\nBe brief", "aspect ratio 16:9",
		"### delta · 1.0 s · 6 words\n\ndelta says: ", "![sim-image](" + w.link + ")"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(w.link))); err != nil {
		t.Errorf("the link leads nowhere: %v", err)
	}
}

// TestBranchesOfAWrittenSession writes a session with a branch that it does not show. JSON has all turns, what is for
// reading has those that are shown and says how many it leaves out.
func TestBranchesOfAWrittenSession(t *testing.T) {
	w := newWritten(t, 2)
	edited := w.send(t, service.Prompt{Session: w.first.Session, Beside: w.first.ID + 1, Text: "longer",
		Models: []string{"zeta"}})
	request := export.Request{Session: w.first.Session}
	for _, request.As = range []export.Format{export.FormatMarkdown, export.FormatText, export.FormatHTML,
		export.FormatCSV} {
		got, _ := w.read(t, request)
		for _, want := range []string{"longer", "branch 2 of 2", "2 turns on other branches left out"} {
			if !strings.Contains(got, want) && (request.As != export.FormatCSV || !strings.Contains(want, "left out")) {
				t.Errorf("%s has no %q:\n%s", request.As, want, got)
			}
		}
		if strings.Contains(got, "shorter") {
			t.Errorf("%s has a hidden turn:\n%s", request.As, got)
		}
	}
	type turn struct {
		Turn, Parent int64
		Branches     []int64
		Hidden       bool
	}
	first, second := w.first.ID, w.first.ID+1
	beside := []int64{second, edited.ID}
	want := []turn{{Turn: first}, {second, first, beside, true}, {Turn: second + 1, Parent: second, Hidden: true},
		{edited.ID, first, beside, false}}
	var doc struct{ Turns []turn }
	request.As = export.FormatJSON
	got, _ := w.read(t, request)
	must(t, json.Unmarshal([]byte(got), &doc))
	if !reflect.DeepEqual(doc.Turns, want) {
		t.Errorf("JSON has %+v, want %+v", doc.Turns, want)
	}
	request.As = export.FormatJSONL
	got, _ = w.read(t, request)
	var lines []turn
	for text := range strings.Lines(got) {
		var line turn
		must(t, json.Unmarshal([]byte(text), &line))
		if len(lines) == 0 || lines[len(lines)-1].Turn != line.Turn {
			lines = append(lines, line)
		}
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("JSON lines have %+v, want %+v", lines, want)
	}
}

func TestWriteSession(t *testing.T) {
	w := newWritten(t, 120)
	got, path := w.read(t,
		export.Request{Session: w.first.Session, As: export.FormatJSON, Path: filepath.Join(w.dir, "out") + "/"})
	var doc struct {
		Session int64
		Name    string
		Turns   []struct {
			Turn    int64
			Prompt  string
			System  string
			Answers []struct {
				Answer int64
				Text   *string
				File   string
			}
		}
	}
	must(t, json.Unmarshal([]byte(got), &doc))
	if doc.Session != w.first.Session || doc.Name != "Fox & friends" || len(doc.Turns) != 121 ||
		filepath.Base(path) != "fox-friends.json" {
		t.Fatalf("got session %d %q with %d turns in %s", doc.Session, doc.Name, len(doc.Turns), path)
	}
	head := doc.Turns[0]
	if head.Turn != w.first.ID || head.Prompt != w.first.Prompt || len(head.Answers) != 2 ||
		*head.Answers[0].Text != w.text.Text || head.Answers[1].File != w.link {
		t.Errorf("the first turn is %+v", head)
	}
	got, _ = w.read(t, export.Request{Session: w.first.Session, As: export.FormatJSONL})
	n := 0
	for text := range strings.Lines(got) {
		n++
		var line struct{ Model, State, Prompt string }
		if err := json.Unmarshal([]byte(text), &line); err != nil || line.State != "done" || line.Prompt == "" {
			t.Fatalf("line %q: %v", text, err)
		}
	}
	if n != 122 {
		t.Errorf("%d lines, want one for each of 122 answers", n)
	}
	for _, as := range []export.Format{export.FormatText, export.FormatMarkdown} {
		got, _ := w.read(t, export.Request{Session: w.first.Session, As: as})
		if strings.Count(got, "zeta says: shorter") != 120 || !strings.Contains(got, "Fox & friends") {
			t.Errorf("as %s it is incomplete", as)
		}
	}
}

func TestWriteNeverOverAFile(t *testing.T) {
	w := newWritten(t, 0)
	path := filepath.Join(w.dir, "precious.md")
	put(t, path, "precious")
	_, err := w.Exporter().Write(t.Context(), export.Request{Turn: w.first.ID, Path: path})
	wantCode(t, err, api.CodeUsage)
	if b, err := os.ReadFile(path); err != nil || string(b) != "precious" {
		t.Errorf("it holds %q, %v", b, err)
	}
}

func TestWriteRefuses(t *testing.T) {
	w := newWritten(t, 0)
	for name, wr := range map[string]export.Request{
		"nothing":               {},
		"two things":            {Turn: w.first.ID, Answer: w.text.ID},
		"another format":        {Turn: w.first.ID, As: "docx"},
		"a turn as a picture":   {Turn: w.first.ID, As: export.FormatPicture},
		"a text as a picture":   {Answer: w.text.ID, As: export.FormatPicture},
		"an answer that is not": {Answer: 9999},
		"a session that is not": {Session: 9999},
	} {
		_, err := w.Exporter().Write(t.Context(), wr)
		if api.CodeOf(err) != api.CodeUsage {
			t.Errorf("%s: got %v", name, err)
		}
	}
	put(t, filepath.Join(w.dir, "file"), "")
	_, err := w.Exporter().Write(t.Context(),
		export.Request{Turn: w.first.ID, Path: filepath.Join(w.dir, "file", "x.md")})
	wantCode(t, err, api.CodeDisk)
}

func TestFindAgain(t *testing.T) {
	w := newWorld(t)
	turn := w.send(
		t,
		service.Prompt{Text: "Write about refunds", System: "a shop", Models: []string{"delta", "sim-image"}},
	)
	ctx := t.Context()
	if hits, total, err := w.Sessions(ctx, "refund", 5); err != nil || total != 1 || hits[0].ID != turn.Session {
		t.Errorf("sessions %+v %d %v", hits, total, err)
	}
	if hits, err := w.Search(ctx, "refunds model:delta", 5); err != nil || len(hits) == 0 {
		t.Errorf("search %+v %v", hits, err)
	}
	if hits, err := w.Prompts(ctx, 0, "", 5); err != nil || len(hits) != 1 || hits[0].Prompt != turn.Prompt {
		t.Errorf("prompts %+v %v", hits, err)
	}
	if hits, err := w.Pictures(ctx, 0, "", 5); err != nil || len(hits) != 1 || hits[0].Answer.Model != "sim-image" {
		t.Errorf("pictures %+v %v", hits, err)
	}
	if ids, err := w.FindInSession(ctx, turn.Session, "REFUNDS"); err != nil || len(ids) != 1 {
		t.Errorf("found %v %v", ids, err)
	}
	if fork, err := w.ForkSession(ctx, turn.Session, 0, "copy"); err != nil || fork.ForkedFrom != turn.Session {
		t.Errorf("fork %+v %v", fork, err)
	}
	if p, err := w.SavePersona(ctx, history.Persona{Name: "teacher", Text: "Be patient"}); err != nil || p.ID == 0 {
		t.Errorf("persona %+v %v", p, err)
	}
	must(t, w.SetSetting(ctx, "theme", "dark"))
	if v, err := w.Setting(ctx, "theme"); err != nil || v != "dark" {
		t.Errorf("setting %q %v", v, err)
	}
	if c, err := w.Curl(ctx, turn.Answers[0].ID); err != nil || c != "curl delta Write about refunds" {
		t.Errorf("curl %q %v", c, err)
	}
	models, err := w.Models(ctx)
	if err != nil || len(models) != 19 {
		t.Fatalf("%d models, %v", len(models), err)
	}
	for _, m := range models {
		if m.Slug == "delta" && (m.Answers != 1 || m.MedianTime != time.Second) {
			t.Errorf("delta is known by %+v", m)
		}
	}
	for name, err := range map[string]error{
		"session": errorOf(w.Session(ctx, 99)), "turn": errorOf(w.Turn(ctx, 99)), "answer": errorOf(w.Answer(ctx, 99)),
		"exchange": exchangeError(w.Exchange(ctx, 99)), "curl": errorOf(w.Curl(ctx, 99)),
		"named": errorOf(w.SessionNamed(ctx, "nobody")),
	} {
		if api.CodeOf(err) != api.CodeUsage {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func exchangeError(_ history.Exchange, _ bool, err error) error { return err }

// A selection keeps its order, also across turns.
func TestWriteSelection(t *testing.T) {
	w := newWritten(t, 1)
	drawn := service.Prompt{Session: w.first.Session, Text: "An owl", Models: []string{"sim-image"}}
	later := w.send(t, drawn).Answers[0]
	ids := []int64{later.ID, w.picture.ID}
	got, _ := w.read(t, export.Request{Answers: ids, As: export.FormatCSV})
	owl, fox := strings.Index(got, "an-owl"), strings.Index(got, "a-fox")
	if owl < 0 || fox < owl || strings.Contains(got, "shorter") {
		t.Errorf("the rows are not the selection in its order:\n%s", got)
	}
	path := filepath.Join(w.dir, "mine.png")
	got, at := w.read(t, export.Request{Answer: w.picture.ID, As: export.FormatPicture, Path: path})
	if pictures.SHA256([]byte(got)) != w.picture.Picture.SHA256 || at != path {
		t.Errorf("%s is not what was received", at)
	}
	for _, folder := range []string{"", filepath.Join(w.dir, "picked")} {
		paths, err := w.Exporter().Write(t.Context(),
			export.Request{Answers: ids, As: export.FormatPicture, Path: folder})
		if err != nil || len(paths) != 2 {
			t.Fatalf("wrote %v, %v", paths, err)
		}
		for i, want := range []history.Answer{later, w.picture} {
			if b, err := os.ReadFile(paths[i]); err != nil || pictures.SHA256(b) != want.Picture.SHA256 {
				t.Errorf("%s is not the picture as received (%v)", paths[i], err)
			}
		}
	}
	for name, wr := range map[string]export.Request{
		"as markdown":       {Answers: ids},
		"with a turn":       {Answers: ids, Turn: w.first.ID, As: export.FormatHTML},
		"too many":          {Answers: make([]int64, export.MaxSelection+1), As: export.FormatHTML},
		"too many pictures": {Answers: make([]int64, export.MaxSelection+1), As: export.FormatPicture},
		"a text's picture":  {Answers: []int64{w.text.ID}, As: export.FormatPicture},
		"unknown":           {Answers: []int64{99999}, As: export.FormatHTML},
	} {
		if paths, err := w.Exporter().Write(t.Context(), wr); api.CodeOf(err) != api.CodeUsage || len(paths) > 0 {
			t.Errorf("%s: wrote %v, %v", name, paths, err)
		}
	}
}

// TestASessionIsWrittenAsOne checks that its number is not that of a run, that HTML reveals nothing of the machine,
// and that a CSV has the prompts and winners.
func TestASessionIsWrittenAsOne(t *testing.T) {
	w := newWritten(t, 1)
	for _, write := range []export.Request{{Session: w.first.Session}, {Turn: w.first.ID},
		{Answers: []int64{w.picture.ID}}} {
		write.As = export.FormatHTML
		page, _ := w.read(t, write)
		if strings.Contains(page, ", run ") {
			t.Errorf("%+v is headed as a run", write)
		}
		if dir := filepath.Dir(w.picture.Picture.Path); strings.Contains(page, dir) || strings.Contains(page, "../") ||
			!strings.Contains(page, filepath.Base(w.picture.Picture.Path)) {
			t.Errorf("%+v names folders of this machine, or not the file", write)
		}
	}
	rows, _ := w.read(t, export.Request{Answer: w.text.ID, As: export.FormatCSV})
	if strings.Count(rows, "\n") < 2 || !strings.Contains(rows, w.text.Model) {
		t.Errorf("an answer is %q", rows)
	}
	rows, _ = w.read(t, export.Request{Session: w.first.Session, As: export.FormatCSV})
	for _, want := range []string{"prompt,", "winner,", "shorter", w.link} {
		if !strings.Contains(rows, want) {
			t.Errorf("%q is not in\n%s", want, rows)
		}
	}
	if strings.Contains(rows, filepath.Dir(w.picture.Picture.Path)) {
		t.Errorf("the CSV has absolute paths:\n%s", rows)
	}
}

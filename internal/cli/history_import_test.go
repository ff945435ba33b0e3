package cli_test

import (
	"archive/zip"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// exportOf makes a copy of the files of a program below testdata/import, with the sample picture in the place of the
// word PICTURE. A script becomes a database.
func exportOf(t *testing.T, name string) string {
	t.Helper()
	picture := clitest.SamplePicture(t)
	encoded := base64.StdEncoding.EncodeToString(picture)
	from := filepath.Join("testdata", "import", name)
	text := clitest.ReadFile(t, from)
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if !strings.HasSuffix(name, ".sql") {
		clitest.WriteFile(t, path, strings.ReplaceAll(text, "PICTURE", encoded), 0o600)
		return path
	}
	path = strings.TrimSuffix(path, ".sql") + ".db"
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	text = strings.ReplaceAll(text, "x'PICTURE'", "x'"+hex.EncodeToString(picture)+"'")
	text = strings.ReplaceAll(text, "PICTURE", encoded)
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	return path
}

// chatGPTFolder is an unpacked export with the files that its conversations name.
func chatGPTFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Dir(exportOf(t, "chatgpt/conversations.json"))
	clitest.WriteFile(t, filepath.Join(folder, "file-AbC123-boat.png"), clitest.SamplePicture(t), 0o600)
	clitest.WriteFile(t, filepath.Join(folder, "file-Notes9-notes.txt"), "It is blue.", 0o600)
	clitest.WriteFile(t, filepath.Join(folder, "user.json"), `{"id": "nobody"}`, 0o600)
	if err := os.Mkdir(filepath.Join(folder, "dalle-generations"), 0o700); err != nil {
		t.Fatal(err)
	}
	heron := filepath.Join(folder, "dalle-generations", "file_00001-heron.dat")
	clitest.WriteFile(t, heron, clitest.SamplePicture(t), 0o600)
	return folder
}

func TestImportChatGPT(t *testing.T) {
	w := clitest.NewWorld(t)
	folder := chatGPTFolder(t)
	r := w.Must(0, "history", "import", folder, "--dry-run")
	clitest.WantTexts(t, r.Out+r.Err, "\tNames for a boat\tChatGPT\t3\t5",
		"Would add 4 turns and 6 answers to 2 sessions.",
		"Left out: 1 hidden message, 1 missing file, 1 tool call, 1 unreadable conversation.")
	if _, err := os.Stat(filepath.Join(w.Home, ".local")); err == nil {
		t.Error("a dry run made a folder")
	}
	w.Must(0, "ask", "my own")
	r = w.Must(0, "history", "import", folder, "--json")
	clitest.WantTexts(t, r.Out, `{"from":"ChatGPT","name":"Names for a boat","session":2,"new":true,"turns":3,"answers":5}`)
	clitest.WantTexts(t, r.Err, "Added 4 turns and 6 answers to 2 sessions.")
	list := strings.Split(w.Must(0, "history", "list").Out, "\n")
	for i, want := range []string{"s1\tmy own\t", "s3\tOnly a question\t1\t1\t0\t2024-03-06T18:33:21Z",
		"s2\tNames for a boat\t3\t5\t1\t2024-03-05T17:33:20Z"} {
		if !strings.HasPrefix(list[i], want) {
			t.Errorf("list: %q, want %q", list[i], want)
		}
	}
	shown := w.Must(0, "history", "show", "s2").Out
	clitest.WantTexts(t, shown, "Name this boat.", "file boat.png 87 B", "file notes.txt 11 B",
		"a2 gpt-4o by ChatGPT, cut",
		"The Heron.\n==> a3 gpt-4 by ChatGPT <==\nThe Gull.", "Paint it.", "branch 2 of 2", "12×9", "a6 o3 by ChatGPT",
		"Here it is.", "2024-03-05 14:46")
	clitest.WantNoTexts(t, shown, "Another.", "A sailor.")
	clitest.WantTexts(t, w.Must(0, "history", "show", "t3").Out, "Another.", "branch 1 of 2", "The Tern.")
	clitest.WantTexts(t, w.Must(0, "history", "show", "s3").Out, "Is anybody there?", "gpt", "stopped")
	for _, again := range []string{folder, filepath.Join(folder, "conversations.json"), zipped(t, folder)} {
		r = w.Must(0, "history", "import", again)
		if r.Out != "" || !strings.Contains(r.Err, " answers to 0 sessions; 2 sessions were there already.") {
			t.Errorf("again from %s: %q, %q", filepath.Base(again), r.Out, r.Err)
		}
	}
	if got := clitest.Files(t, filepath.Join(w.Home, ".local", "share", "confab", "pictures")); len(got) != 2 {
		t.Errorf("the picture folder holds %q, want one picture with its facts", got)
	}
	other := t.TempDir()
	clitest.WantTexts(t, w.Must(0, "history", "import", zipped(t, folder), "--data-dir", other).Err,
		"Added 4 turns and 6 answers to 2 sessions.", "1 missing file,")
	w.Must(0, "ask", "--session", "Names for a boat", "-m", "delta", "Thank you.")
	clitest.WantTexts(t, w.Must(0, "history", "list", "--limit", "1").Out, "s2\tNames for a boat\t4\t6\t1")
}

// zipped packs a folder as an archive.
func zipped(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(f)
	if err := errors.Join(archive.AddFS(os.DirFS(folder)), archive.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImportOthers(t *testing.T) {
	for name, want := range map[string]struct {
		summary string
		shown   []string
	}{
		"claude.json": {"4 turns and 4 answers to 2 sessions.\nLeft out: 1 missing file, 1 tool call, 1 tool result.",
			[]string{"==> t1 you 2024-05-01 10:00 <==\nWhat makes tides?", "file table.csv 16 B", "a1 claude by Claude",
				"Let me look.\n\nThe moon.", "And the sun?", "A little.", "One word for rain?", "branch 1 of 2",
				"a3 claude-elsewhere by Claude <==\nDrizzle."}},
		"aichat/sailing.yaml": {"Added 2 turns and 2 answers to 1 session.\nLeft out: 1 missing file, 1 tool call.",
			[]string{"What is a reef?", "a1 ollama:elsewhere by aichat <==\nA shortened sail.", "What is this?",
				"system prompt <==\nBe brief.", "file picture 87 B", "A knot."}},
		"llm.sql": {"Added 4 turns and 4 answers to 3 sessions.\nLeft out: 1 missing file, 2 tool calls.",
			[]string{"==> t1 you 2024-02-03 04:05 <==\nWhich knot is this?", "Be kind.", "file f1 87 B",
				"file rope.txt 20 B",
				"a1 elsewhere-mini 2.0 s, by llm, 16 → 5 tokens", "A bowline.\n\nIt holds.", "Alone", "Yes.",
				"A rope has two ends.\nIs it so?", "Be exact.", `{"not": "parsed"}`, "And a ring?", "t4 file f1 87 B",
				"a4 elsewhere-2 0.8 s", "None."}},
		"crush.sql": {"2 turns and 2 answers to 1 session.\nLeft out: 1 tool call, 1 tool result, 1 tool session.",
			[]string{"==> t1 you 2025-08-12 12:00 <==\nWhy does it leak?", "file pump.png 87 B",
				"a1 elsewhere-coder by crush", "The seal is worn.", "Mend it.", "a2 elsewhere-coder failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := clitest.NewWorld(t)
			path := exportOf(t, name)
			before := clitest.ReadFile(t, path)
			clitest.WantTexts(t, w.Must(0, "history", "import", path).Err, want.summary)
			shown := ""
			for _, session := range []string{"s1", "s2", "s3"} {
				shown += w.Run("history", "show", session).Out
			}
			clitest.WantTexts(t, shown, want.shown...)
			clitest.WantTexts(t, w.Must(0, "history", "import", filepath.Dir(path)).Err, "to 0 sessions")
			if clitest.ReadFile(t, path) != before {
				t.Error("the file was changed")
			}
		})
	}
}

func TestImportOfBadFiles(t *testing.T) {
	w := clitest.NewWorld(t)
	whole := clitest.ReadFile(t, filepath.Join("testdata", "import", "claude.json"))
	deep := `[{"mapping":` + strings.Repeat(`{"a":`, 20_000) + `1` + strings.Repeat("}", 20_000) + `}]`
	messages := strings.Repeat(`,{"uuid":"m","sender":"human","text":"x"}`, 20_001)
	for name, file := range map[string]struct {
		text string
		code int
		want string
	}{
		"cut.json":      {whole[:len(whole)-200], 1, "Would add 2 turns and 2 answers to 1 session"},
		"deep.json":     {deep, 2, "holds no conversations"},
		"long.json":     {`[{"uuid":"c","chat_messages":[` + messages[1:] + `]}]`, 0, "1 oversized conversation"},
		"other.json":    {`{"name": "x"}`, 2, "holds no conversations"},
		"empty.json":    {"", 2, "holds no conversations"},
		"list.json":     {"[]", 2, "holds no conversations"},
		"not.db":        {"SQLite format 3\x00" + strings.Repeat("x", 4096), 1, "not all could be read"},
		"settings.yaml": {"a: 1", 2, "holds no conversations"},
	} {
		path := filepath.Join(t.TempDir(), name)
		clitest.WriteFile(t, path, file.text, 0o600)
		r := w.Run("history", "import", path, "--dry-run")
		if r.Code != file.code || !strings.Contains(r.Err, file.want) {
			t.Errorf("%s: %d, %.300q", name, r.Code, r.Err)
		}
	}
	clitest.WantTexts(t, w.Must(2, "history", "import", "/none/there").Err, "there is no file or folder")
	w.Configure("[history]\nsave = false\n")
	clitest.WantTexts(t, w.Must(2, "history", "import", w.Home).Err, "history.save is off")
}

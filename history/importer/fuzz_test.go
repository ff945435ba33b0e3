package importer_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"confab/history/importer"
	"confab/history/sqlite"
)

const fixtures = "../../internal/cli/testdata/import/"

// FuzzExport reads any content as a file of every program that keeps texts.
func FuzzExport(f *testing.F) {
	for _, name := range []string{"chatgpt/conversations.json", "claude.json", "aichat/sailing.yaml"} {
		b, err := os.ReadFile(fixtures + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, odd := range []string{`[{"mapping":{"a":{"parent":"b"},"b":{"parent":"a"}}}]`, `{"chat_messages":[{}]}`, `[[]]`,
		"model: m\nmessages: &a\n- role: user\n  content: *a\n", `[{"mapping":{"":{"message":{"author":{"role":"user"}}}}}]`} {
		f.Add([]byte(odd))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := importer.OpenFS(fstest.MapFS{"conversations.json": {Data: b}, "session.yaml": {Data: b},
			"file-AbC123-boat.png": {Data: b}})
		if err != nil {
			t.Fatal(err)
		}
		check(t, s)
	})
}

// FuzzDatabase reads any content as a database, with what a script makes of it.
func FuzzDatabase(f *testing.F) {
	for _, name := range []string{"llm.sql", "crush.sql"} {
		script, err := os.ReadFile(fixtures + name)
		if err != nil {
			f.Fatal(err)
		}
		path := filepath.Join(f.TempDir(), "a.db")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			f.Fatal(err)
		}
		filled := strings.ReplaceAll(string(script), "x'PICTURE'", "x'00'")
		_, err = db.ExecContext(f.Context(), "pragma page_size = 512;"+filled)
		if err != nil || db.Close() != nil {
			f.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	path := filepath.Join(f.TempDir(), "fuzzed.db")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := importer.Open(path, sqlite.OpenForeign)
		if err != nil {
			return // an archive that cannot be read
		}
		check(t, s)
	})
}

// check reads a source to its end and compares the sessions with what a store relies on.
func check(t *testing.T, s *importer.Source) {
	t.Helper()
	defer s.Close()
	for c, err := range s.Conversations(t.Context()) {
		if err != nil {
			continue
		}
		turns, origins, bytes := c.Session.Turns, map[string]bool{}, 0
		if len(turns) == 0 || c.Session.Shown < 0 || c.Session.Shown >= len(turns) || c.Program == "" {
			t.Fatalf("%q shows turn %d of %d", c.Program, c.Session.Shown, len(turns))
		}
		for i, turn := range turns {
			if turn.Origin == "" || origins[turn.Origin] || turn.Follows >= i || len(turn.Answers) == 0 ||
				turn.Created.IsZero() && !c.Session.Updated.IsZero() {
				t.Fatalf("turn %d of %d: %+v", i, len(turns), turn)
			}
			origins[turn.Origin] = true
			for _, a := range turn.Answers {
				if a.Model == "" || !a.State.HasEnded() || a.Sample < 1 {
					t.Fatalf("answer: %+v", a)
				}
				bytes += len(a.Text)
			}
			bytes += len(turn.Prompt)
		}
		for _, f := range c.Files {
			if f.Answer >= len(turns[f.Turn].Answers) {
				t.Fatalf("file: %+v", f)
			}
			_, _ = f.Read(t.Context()) // it may be none
		}
		if bytes > importer.MaxBytes {
			t.Fatalf("%d bytes", bytes)
		}
	}
}

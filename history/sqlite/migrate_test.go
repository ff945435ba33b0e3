package sqlite_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
)

// schema returns the schema of a store without the internals of FTS5.
func schema(t *testing.T, path string) string {
	t.Helper()
	db, err := rawOpen(path)
	must(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(),
		`select sql from sqlite_schema where sql is not null and name not glob '*_words_*_*'`)
	must(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var sql string
		must(t, rows.Scan(&sql))
		all = append(all, strings.Join(strings.Fields(sql), " "))
	}
	must(t, rows.Err())
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestFirstReleaseOpens migrates a store of the first release. Its file testdata/0001.sql, with that release's schema
// and some rows, never changes.
func TestFirstReleaseOpens(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/0001.sql")
	must(t, err)
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, "old.db"), filepath.Join(dir, "fresh.db")
	do(t, old, string(script))
	for range 2 { // nothing to do the second time
		s, err := sqlite.Open(t.Context(), old, sqlite.Options{})
		must(t, err)
		must(t, s.Check(t.Context()))
		readFirstRelease(t, s)
		must(t, s.Close())
	}
	fillStore(t, fresh, 1)
	if got, want := schema(t, old), schema(t, fresh); got != want {
		t.Errorf("the schema of an old store\n got %s\nwant %s", got, want)
	}
}

// readFirstRelease reads the rows of the frozen file.
func readFirstRelease(t *testing.T, s *sqlite.Store) {
	t.Helper()
	ctx := t.Context()
	in, err := s.SessionNamed(ctx, "refund wording")
	must(t, err)
	turns, err := s.Turns(ctx, in.ID, history.Page{})
	if err != nil || len(turns) != 1 {
		t.Fatalf("got %d turns, %v, want 1", len(turns), err)
	}
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	want := history.Turn{ID: 1, Session: 1, Created: at, Prompt: "please refund", System: "be polite",
		Nonce: history.Nonce{Mode: history.NonceNone}, Samples: 1,
		Answers: []history.Answer{{ID: 1, Turn: 1, Model: "alpha", Kind: history.KindText, Sample: 1,
			State:   history.Done,
			Version: 2, Text: "Gladly refunded.",
			HTTPStatus: 200, Queued: at, Started: at, Ended: at.Add(
				time.Second,
			), Elapsed: time.Second, Rating: history.Good, Note: "short"}}}
	if got := fmt.Sprintf("%+v", turns[0]); got != fmt.Sprintf("%+v", want) {
		t.Errorf("turn\n got %s\nwant %+v", got, want)
	}
	for _, text := range []string{"gladly", "polite", "short"} {
		if hits, err := s.Search(ctx, history.Query{Text: text}); err != nil || len(hits) != 1 {
			t.Errorf("search %s: got %d hits, %v, want 1", text, len(hits), err)
		}
	}
}

// Released migrations do not change; a new one is added to the list.
func TestMigrationsAreNotEdited(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"0001_first.sql":                 "e823cdf7ead80f9d7dde74c8a6a6664b6cc3e888144663920c05fc7fa1a1f247",
		"0002_runs_and_votes.sql":        "dca0f03443b1e67655c064973e145b6153c9a0d59b659af05a4bbf3e4e658089",
		"0003_variables.sql":             "c30e7b71511059db4f4e993809ce408f00f0c90dd6fc9341fd4a1300e02b2951",
		"0004_how_runs_are_asked.sql":    "9167d34d0e0e00cebb65caee49928549db3e049ea86aede6884ec1b9a2023add",
		"0005_who_answered.sql":          "59c39e6ce3da94d482fad36876c7195ca3a819ce0cdcfb494e3ff09e7b384fb9",
		"0006_who_deleted.sql":           "d0b3d8315df353c4a1e6bbf698e587502137890dc907cf945f362d133a7c6f03",
		"0007_descriptions_of_cells.sql": "92a4daae32c613d1be6f0a0eec4fcfc8141122c39c2eece0bde6b0b47ac05365",
		"0008_first_token.sql":           "19641ecf17b679e7a16629ba683fd54689a7cce48743a6e0779df825043bdad3",
		"0009_streams.sql":               "5f4adea900ea831e0cdc126a525713a8c67b28b6d71b9db94596c143acf3398b",
		"0010_params_of_personas.sql":    "a2786fab14505678b17d5617e301c023cd07c73f6b3c58ec8e59bd3d51b465db",
		"0011_omitted_turns.sql":         "4d26c977641790ff465339226f28948bd6c13e21792af1e5b382061bf5ad2e4a",
		"0012_sharing.sql":               "de6d27e7068be49b93fe9425996a1f53d4c8d5f755f472da8a698313b7a23631",
		"0013_age.sql":                   "19391a2d6a9db169885835fde6fc15041baee5c4adc6c0e29af8b7d1e50f55df",
		"0015_queue_wait.sql":            "c3cb1295a95c51e2c82bff6e5858ac2cd33c0c70c420f298f6caeb30f54e4da7",
		"0016_no_ages.sql":               "8ae437c89c64d15a95e565105081303640868aeefa98da142cb18df4c8499939",
		"0017_earlier_checks.sql":        "0612d04e7de1a0301da02b1cabbfc0151895585a03b2cf935164db0edde8116c",
		"0018_turn_files.sql":            "1631232c96ecf261f7f87c35f23d4e9f97e1eaa5fc12d74456a7e28a2b864cfa",
		"0019_branches.sql":              "6a9258c364d3397911672c9142803d4f9264905251f9ab97f9412379f71d9c65",
		"0020_models_of_personas.sql":    "ba40d0e36c97fccc80a30c2a48da50369279f75bf949656a327f1671153535f9",
		"0021_setup.sql":                 "1e272d090a22b59430374d7562b10b7fbcc325e7467ea9125f7caac66e2cf5c3",
		"0014_text_once.sql":             "69f6d1c017f8fc15cb7cc04d92ff883d32bcfaa4def66b59cfeed720063e3558",
		"0022_origins.sql":               "e580cbed85f27ac14e650478956b52dfe51f03dbafbc402b68942c36fff988b2",
	}
	files, err := os.ReadDir("migrations")
	must(t, err)
	for i, f := range files {
		if !strings.HasPrefix(f.Name(), fmt.Sprintf("%04d_", i+1)) {
			t.Errorf("%s: want number %d", f.Name(), i+1)
		}
		b, err := os.ReadFile(filepath.Join("migrations", f.Name()))
		must(t, err)
		if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != known[f.Name()] {
			t.Errorf("%s: got sum %s want %s", f.Name(), got, known[f.Name()])
		}
	}
}

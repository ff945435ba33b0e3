package postgres_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/sqlstore"
)

// The history that the measurement fills is so large: answers of all users, of which one has half, and how many other
// users share the rest. CONFAB_BENCH_ANSWERS and CONFAB_BENCH_USERS ask for more. CONFAB_BENCH_URL and
// CONFAB_BENCH_OWNER_URL name a database that is kept, and filled once.
func benchNumber(name string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return otherwise
	}
	return n
}

// benchWords makes texts whose words are spread as those of a language are.
type benchWords struct {
	zipf *rand.Zipf
	all  []string
}

func newBenchWords() *benchWords {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("com pa re in ter pro con ti on al de ment ing un ly st ra mo ne sy")
	w := &benchWords{all: make([]string, 30000)}
	for i := range w.all {
		for range 1 + r.IntN(4) {
			w.all[i] += syllables[r.IntN(len(syllables))]
		}
	}
	w.zipf = rand.NewZipf(r, 1.1, 4, uint64(len(w.all)-1))
	return w
}

func (w *benchWords) text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(w.all[w.zipf.Uint64()] + " ")
	}
	return b.String()
}

// fillBench fills the database: some turns through the store, the others as copies of them by statements.
func fillBench(b *testing.B, program, owner string) *postgres.Server {
	b.Helper()
	ctx := b.Context()
	if _, err := postgres.Migrate(ctx, postgres.Options{URL: owner}, pgtest.Program, false); err != nil {
		b.Fatal(err)
	}
	s, err := postgres.Connect(ctx, postgres.Options{URL: program})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	answers, users := benchNumber("CONFAB_BENCH_ANSWERS", 20_000), benchNumber("CONFAB_BENCH_USERS", 50)
	if store := openBench(b, s, "anna"); cmp.Or(infoOf(b, store).Answers, 0) >= answers/2 {
		return s
	}
	templates := min(20_000, answers/2)
	store, w := openBench(b, s, "template"), newBenchWords()
	in, err := store.AddTurnToSession(ctx, "template", history.Turn{Prompt: "first"})
	if err != nil {
		b.Fatal(err)
	}
	for done := 0; done < templates; {
		err := store.Write(ctx, "fill", func(tx *sqlstore.Tx) {
			for range min(1000, templates-done) {
				done++
				tx.AddTurn(history.Turn{Session: in.Session, Prompt: w.text(12), Answers: []history.Answer{{
					Model: fmt.Sprintf("model-%d", done%15), Kind: history.KindText, State: history.Done, Version: 1,
					Text: w.text(60), Elapsed: time.Second}}})
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	conn, err := pgx.Connect(ctx, strings.Replace(owner, pgtest.Owner, pgtest.Superuser, 1))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	text, err := os.ReadFile("testdata/bench.sql")
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	for statement := range strings.SplitSeq(string(text), "\n\n") {
		statement = strings.NewReplacer("$answers", strconv.Itoa(answers), "$users", strconv.Itoa(users), "$templates",
			strconv.Itoa(templates)).Replace(statement)
		_, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			b.Fatalf("%v in %s", err, statement)
		}
		b.Logf("%5.1f s: %.60q", time.Since(began).Seconds(), statement)
	}
	return s
}

func openBench(b *testing.B, s *postgres.Server, user string) *postgres.Store {
	b.Helper()
	store, err := s.Store(user, postgres.StoreOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	return store
}

func infoOf(b *testing.B, store *postgres.Store) history.StoreInfo {
	b.Helper()
	info, err := store.Info(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return info
}

// BenchmarkHistory measures what a user waits for, in a database of many. It prints the 50th and 95th percentile in
// milliseconds.
func BenchmarkHistory(b *testing.B) {
	program, owner := os.Getenv("CONFAB_BENCH_URL"), os.Getenv("CONFAB_BENCH_OWNER_URL")
	if program == "" {
		pgtest.SkipWithout(b)
		own, err := pgtest.Start("fsync=on", "synchronous_commit=on", "full_page_writes=on", "shared_buffers=1GB",
			"max_wal_size=4GB")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(own.Remove)
		program, owner = own.URL(pgtest.Program, "confab"), own.URL(pgtest.Owner, "confab")
	}
	s := fillBench(b, program, owner)
	store, w := openBench(b, s, "anna"), newBenchWords()
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(from, to int) string { return w.all[from+rng.IntN(to-from)] + " " }
	search := func(text func() string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := store.Search(ctx, history.Query{Text: text()})
			return err
		}
	}
	sessions := func(text func() string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := store.Sessions(ctx, history.Query{Text: text(), Limit: 200})
			return err
		}
	}
	letters := func(n int) func() string {
		return func() string { return (strings.TrimSpace(pick(0, 5000)) + "aaaa")[:n] }
	}
	last, err := store.LastSession(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, measured := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"open newest", func(ctx context.Context) error {
			in, err := store.LastSession(ctx)
			if err == nil {
				_, err = store.Turns(ctx, in.ID, history.Page{Limit: 40})
			}
			return err
		}},
		{"list sessions", sessions(func() string { return "" })},
		{"1 letter", search(letters(1))}, {"2 letters", search(letters(2))}, {"3 letters", search(letters(3))},
		{"word many", search(func() string { return pick(0, 20) })},
		{"word some", search(func() string { return pick(100, 2000) })},
		{"word few", search(func() string { return pick(10000, 30000) })},
		{"two words some", search(func() string { return pick(20, 400) + pick(20, 400) })},
		{"two words few", search(func() string { return pick(20, 400) + pick(2000, 10000) })},
		{"word and begun", search(func() string { return pick(20, 400) + letters(2)() })},
		{"phrase", search(func() string { return `"` + pick(0, 100) + pick(0, 100) + `"` })},
		{"sessions many", sessions(func() string { return pick(0, 20) })},
		{"sessions some", sessions(func() string { return pick(100, 2000) })},
		{"sessions few", sessions(func() string { return pick(10000, 30000) })},
		{"sessions 2 letters", sessions(letters(2))},
		{"record", func(ctx context.Context) error {
			_, err := store.AddTurn(ctx, history.Turn{Session: last.ID, Prompt: w.text(12),
				Answers: []history.Answer{{Model: "model-1", Kind: history.KindText}}})
			return err
		}},
		{"record and end", func(ctx context.Context) error {
			t, err := store.AddTurn(ctx, history.Turn{Session: last.ID, Prompt: w.text(12),
				Answers: []history.Answer{{Model: "model-1", Kind: history.KindText}}})
			if err != nil {
				return err
			}
			a := t.Answers[0]
			a.Version, a.State, a.Text = 1, history.Done, w.text(60)
			return store.SaveAnswer(ctx, a)
		}},
	} {
		b.Run(measured.name, func(b *testing.B) {
			var took []float64
			for b.Loop() {
				began := time.Now()
				if err := measured.do(b.Context()); err != nil {
					b.Fatal(err)
				}
				took = append(took, float64(time.Since(began).Microseconds())/1000)
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2], "p50-ms")
			b.ReportMetric(took[min(len(took)-1, len(took)*95/100)], "p95-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

package postgres_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/storetest"
)

// The size of the benchmarked history: the answers of all users, every how many belong to one user, and the number of
// other users. CONFAB_BENCH_ANSWERS, CONFAB_BENCH_EVERY and CONFAB_BENCH_USERS change it. CONFAB_BENCH_URL and
// CONFAB_BENCH_OWNER_URL name a permanent database, which is filled only if it is empty.
func benchNumber(name string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return otherwise
	}
	return n
}

// fillBench fills the database: some turns by the store, the others as copies of them by statements.
func fillBench(b *testing.B, program, owner string) *postgres.Server {
	b.Helper()
	ctx := b.Context()
	must(b, errorOf(postgres.Migrate(ctx, postgres.Options{URL: owner}, pgtest.Program, false)))
	s, err := postgres.Connect(ctx, postgres.Options{URL: program})
	must(b, err)
	b.Cleanup(func() { s.Close() })
	answers, users := benchNumber("CONFAB_BENCH_ANSWERS", 20_000), benchNumber("CONFAB_BENCH_USERS", 50)
	every := benchNumber("CONFAB_BENCH_EVERY", 2)
	info, err := storeOf(b, s, "anna", postgres.StoreOptions{}).Info(ctx)
	must(b, err)
	if info.Answers > 0 { // an existing history is measured as it is
		return s
	}
	templates := min(20_000, answers/every)
	storetest.AddTurns(b, storeOf(b, s, "template", postgres.StoreOptions{}), templates, 60)
	conn, err := pgx.Connect(ctx, strings.Replace(owner, pgtest.Owner, pgtest.Superuser, 1))
	must(b, err)
	defer conn.Close(context.WithoutCancel(ctx))
	text, err := os.ReadFile("testdata/bench.sql")
	must(b, err)
	began := time.Now()
	for statement := range strings.SplitSeq(string(text), "\n\n") {
		statement = strings.NewReplacer("$answers", strconv.Itoa(answers), "$users", strconv.Itoa(users), "$templates",
			strconv.Itoa(templates), "$every", strconv.Itoa(every)).Replace(statement)
		_, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			b.Fatalf("%v in %s", err, statement)
		}
		b.Logf("%5.1f s: %.60q", time.Since(began).Seconds(), statement)
	}
	return s
}

// BenchmarkHistory measures operations that a user waits for in a database of many users.
func BenchmarkHistory(b *testing.B) {
	program, owner := os.Getenv("CONFAB_BENCH_URL"), os.Getenv("CONFAB_BENCH_OWNER_URL")
	if program == "" {
		pgtest.SkipWithout(b)
		own, err := pgtest.Start("fsync=on", "synchronous_commit=on", "full_page_writes=on", "shared_buffers=1GB",
			"max_wal_size=4GB")
		must(b, err)
		b.Cleanup(own.Remove)
		program, owner = own.URL(pgtest.Program, "confab"), own.URL(pgtest.Owner, "confab")
	}
	s := fillBench(b, program, owner)
	storetest.Bench(b, storeOf(b, s, "anna", postgres.StoreOptions{}))
}

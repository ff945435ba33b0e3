package accounts_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/sqlite"
	"confab/service/accounts"
)

var anna = accounts.Subject{Kind: accounts.User, Name: "anna"}

// openFile opens a file of SQLite.
func openFile(t *testing.T, path string) accounts.Database {
	t.Helper()
	db, err := sqlite.OpenFile(t.Context(), path, accounts.Schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

var server *pgtest.Server // nil without PostgreSQL

func TestMain(m *testing.M) {
	code := 1
	var err error
	if server, err = pgtest.Start(); err == nil || errors.Is(err, pgtest.ErrMissing) {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	if server != nil {
		server.Remove()
	}
	os.Exit(code)
}

// openPostgres connects as a host does.
func openPostgres(t *testing.T) accounts.Database {
	t.Helper()
	pgtest.SkipWithout(t)
	_, err := postgres.Migrate(t.Context(), postgres.Options{URL: server.URL(pgtest.Owner, "confab")}, pgtest.Program,
		false)
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Connect(t.Context(), postgres.Options{URL: server.URL(pgtest.Program, "confab")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// TestTwoHostsGrantNoMoreThanThereIs has two hosts reserve at the same time, in both kinds of databases.
func TestTwoHostsGrantNoMoreThanThereIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	for name, open := range map[string]func(t *testing.T) accounts.Database{
		"SQLite":     func(t *testing.T) accounts.Database { return openFile(t, path) },
		"PostgreSQL": openPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			limits := accounts.Limits{Day: accounts.Amounts{Answers: 50}, Month: accounts.Amounts{Tokens: 1000}}
			var granted, refused sync.Map
			var all sync.WaitGroup
			var hosts []*accounts.Counter
			db := open(t)
			for host := range 2 {
				c := accounts.New(accounts.Options{Database: open(t), IsExact: true})
				hosts = append(hosts, c)
				for send := range 20 {
					all.Go(func() {
						err := c.Reserve(t.Context(), anna, 3, limits)
						exceeded := (*accounts.ExceededError)(nil)
						switch {
						case err == nil:
							granted.Store(host*100+send, true)
						case errors.As(err, &exceeded):
							refused.Store(err.Error(), true)
						default:
							t.Error(err)
						}
					})
				}
			}
			all.Wait()
			if n := size(&granted); n != 16 {
				t.Errorf("%d times 3 of 50 were granted", n)
			}
			for sentence := range refused.Range {
				if !strings.HasPrefix(sentence.(string), "This asks for 3 answers, and 2 of your 50 for today are") {
					t.Error(sentence)
				}
			}
			hosts[0].Add(t.Context(), anna, accounts.Amounts{Answers: -10, Tokens: 1200, Bytes: 7, Cost: 0.5})
			err := hosts[1].Check(t.Context(), anna, 1, limits)
			if err == nil || !strings.HasPrefix(err.Error(), "Your quota of 1000 tokens for this month is used "+
				"up; there is more on 1 ") {
				t.Error(err)
			}
			for _, byMonth := range []bool{false, true} {
				all := accounts.Subject{Kind: accounts.User}
				use, err := accounts.ReadUse(t.Context(), db, all, byMonth, time.Now())
				want := accounts.Amounts{Answers: 38, Tokens: 1200, Bytes: 7, Cost: 0.5}
				if err != nil || len(use) != 1 || use[0].Amounts != want || use[0].Name != "anna" {
					t.Errorf("%v, %v", use, err)
				}
			}
			if err := accounts.Forget(t.Context(), db, "anna"); err != nil {
				t.Error(err)
			}
			if err := hosts[0].Reserve(t.Context(), anna, 50, limits); err != nil {
				t.Errorf("after the account was removed: %v", err)
			}
		})
	}
}

func size(m *sync.Map) (n int) {
	for range m.Range {
		n++
	}
	return n
}

func TestAccounts(t *testing.T) {
	for name, db := range map[string]accounts.Database{
		"SQLite": openFile(t, sqlite.Memory), "PostgreSQL": nil,
	} {
		t.Run(name, func(t *testing.T) {
			if db == nil {
				db = openPostgres(t)
			}
			ctx := t.Context()
			err := errors.Join(accounts.SetHold(ctx, db, "bob", true), accounts.SetGroup(ctx, db, "bob", "students"),
				accounts.SetGroup(ctx, db, "anna", "staff"), accounts.SetGroup(ctx, db, "anna", ""),
				accounts.SetHold(ctx, db, "carla", true))
			if err != nil {
				t.Fatal(err)
			}
			all, err := accounts.Accounts(ctx, db, "")
			want := "map[anna:{anna  false true} bob:{bob students true true} carla:{carla  true false}]"
			if err != nil || fmt.Sprint(all) != want {
				t.Errorf("%v, %v", all, err)
			}
			if err := accounts.SetHold(ctx, db, "bob", false); err != nil {
				t.Error(err)
			}
			if all, err = accounts.Accounts(ctx, db, "bob"); err != nil || all["bob"].IsHeld {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
}

// lossy is a database that can be away.
type lossy struct {
	accounts.Database
	isAway atomic.Bool
}

// Transact implements [accounts.Database].
func (l *lossy) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	if l.isAway.Load() {
		return errors.New("away")
	}
	return l.Database.Transact(ctx, do)
}

// TestCountsWaitForTheDatabase loses the database, and lets the day end.
func TestCountsWaitForTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &lossy{Database: openFile(t, filepath.Join(t.TempDir(), "a.db"))}
		c := accounts.New(accounts.Options{Database: db})
		stop := c.Start(t.Context())
		limits := accounts.Limits{Day: accounts.Amounts{Answers: 10}}
		reserve := func(wants string) {
			t.Helper()
			if err := c.Reserve(t.Context(), anna, 6, limits); (err == nil) != (wants == "") ||
				err != nil && !strings.Contains(err.Error(), wants) {
				t.Errorf("%v, want %q", err, wants)
			}
		}
		db.isAway.Store(true)
		reserve("")
		reserve("This asks for 6 answers, and 4 of your 10 for today are left; ask fewer models or for fewer " +
			"samples, or wait for more at midnight, UTC (in 24 h 0 min).")
		time.Sleep(11 * time.Second)
		reserve("4 of your 10")
		db.isAway.Store(false)
		time.Sleep(10 * time.Second)
		reserve("4 of your 10")
		time.Sleep(24 * time.Hour)
		reserve("")
		stop()
		use, err := accounts.ReadUse(t.Context(), db, anna, false, time.Now().AddDate(0, 0, -2))
		if err != nil || len(use) != 2 || use[0].Answers != 6 || use[1].Answers != 6 {
			t.Errorf("%v, %v", use, err)
		}
	})
}

// TestQuotasAtTheLimit asks when exactly so much was used as there is, and a little less.
func TestQuotasAtTheLimit(t *testing.T) {
	for name, limit := range map[string]accounts.Amounts{"10 answers": {Answers: 10}, "10 tokens": {Tokens: 10},
		"10 B": {Bytes: 10}, "10 of money": {Cost: 10}} {
		less := accounts.Amounts{Answers: max(limit.Answers-1, 0), Tokens: max(limit.Tokens-1, 0),
			Bytes: max(limit.Bytes-1, 0), Cost: max(limit.Cost-1, 0)}
		for used, isGranted := range map[accounts.Amounts]bool{less: true, limit: false} {
			for _, limits := range []accounts.Limits{{Day: limit}, {Month: limit}} {
				c := accounts.New(accounts.Options{})
				c.Add(t.Context(), anna, used)
				err := c.Check(t.Context(), anna, 1, limits)
				if (err == nil) != isGranted || err != nil && !strings.Contains(err.Error(), "quota of "+name+" for") {
					t.Errorf("of %s, %v were used: %v", name, used, err)
				}
			}
		}
	}
}

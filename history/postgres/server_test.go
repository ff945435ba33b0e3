package postgres_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/internal/testflags"
)

// ownServer starts a server for one test.
func ownServer(t testing.TB, settings ...string) *pgtest.Server {
	t.Helper()
	pgtest.SkipWithout(t)
	s, err := pgtest.Start(settings...)
	must(t, err)
	t.Cleanup(s.Remove)
	return s
}

func migrateTo(t testing.TB, s *pgtest.Server) {
	t.Helper()
	must(t, errorOf(postgres.Migrate(t.Context(), postgres.Options{URL: s.URL(pgtest.Owner, "confab")}, pgtest.Program,
		false)))
}

// storeAt opens the history of a user on a server; the URL in the options is that of the program's role.
func storeAt(t *testing.T, s *pgtest.Server, user string, o postgres.Options) *postgres.Store {
	t.Helper()
	if o.URL == "" {
		o.URL = s.URL(pgtest.Program, "confab")
	}
	c, err := postgres.Connect(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return storeOf(t, c, user, postgres.StoreOptions{})
}

func storeOf(t testing.TB, c *postgres.Server, user string, o postgres.StoreOptions) *postgres.Store {
	t.Helper()
	store, err := c.Store(user, o)
	must(t, err)
	t.Cleanup(func() { store.Close() })
	return store
}

func execute(t *testing.T, s *pgtest.Server, statements string) {
	t.Helper()
	must(t, s.Execute(pgtest.Superuser, "confab", statements))
}

// await looks at what other processes do, by their clocks, until a condition holds.
func await(t *testing.T, limit time.Duration, otherwise string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(otherwise)
		}
	}
}

func TestMigrate(t *testing.T) {
	s := ownServer(t)
	o := postgres.Options{URL: s.URL(pgtest.Owner, "confab")}
	planned, err := postgres.Migrate(t.Context(), o, pgtest.Program, true)
	if err != nil || len(planned) == 0 || planned[0] != "0001_first.sql" {
		t.Fatalf("planned %v, %v", planned, err)
	}
	again, err := postgres.Migrate(t.Context(), o, pgtest.Program, true)
	if err != nil || !slices.Equal(planned, again) {
		t.Fatalf("a dry run changed something: %v, %v", again, err)
	}
	var several sync.WaitGroup
	for range 4 { // the lock lets one of them
		several.Go(func() {
			if _, err := postgres.Migrate(t.Context(), o, pgtest.Program, false); err != nil {
				t.Error(err)
			}
		})
	}
	several.Wait()
	if left, err := postgres.Migrate(t.Context(), o, pgtest.Program, false); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	var setup *history.SetupError
	if _, err := postgres.Migrate(t.Context(), o, "nobody-knows", false); !errors.As(err, &setup) {
		t.Errorf("a role that is not there: %v", err)
	}
	execute(t, s, `insert into confab_data.migrations (version, name) values (999, 'later')`)
	if _, err := postgres.Migrate(t.Context(), o, pgtest.Program, false); !errors.Is(err, history.ErrNewer) {
		t.Errorf("migrating a newer one: got %v, want %v", err, history.ErrNewer)
	}
	_, err = postgres.Connect(t.Context(), postgres.Options{URL: s.URL(pgtest.Program, "confab")})
	if !errors.Is(err, history.ErrNewer) {
		t.Errorf("opening a newer one: got %v, want %v", err, history.ErrNewer)
	}
}

// A role that row-level security does not bind is refused, and so are tables that are not guarded.
func TestConnectRefuses(t *testing.T) {
	s := ownServer(t)
	refused := func(role, want string) {
		t.Helper()
		c, err := postgres.Connect(t.Context(), postgres.Options{URL: s.URL(role, "confab")})
		if err == nil {
			c.Close()
		}
		var setup *history.SetupError
		if !errors.As(err, &setup) || !strings.Contains(setup.Message, want) {
			t.Errorf("%s: got %v, want %q", role, err, want)
		}
	}
	refused(pgtest.Program, "has no tables")
	migrateTo(t, s)
	refused(pgtest.Superuser, "can bypass")
	refused(pgtest.Owner, "owns the tables")
	execute(t, s, `create role bypass login bypassrls; create role member login; grant bypass to member`)
	refused("bypass", "can bypass")
	refused("member", "can bypass")
	execute(t, s, `alter table confab_data.answers disable row level security`)
	refused(pgtest.Program, "switched off")
	execute(t, s, `alter table confab_data.answers enable row level security; delete from confab_data.migrations`)
	refused(pgtest.Program, "of an older confab")
	_, err := postgres.Connect(t.Context(), postgres.Options{URL: "postgres://me:hunter2@[::1"})
	if err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), "hunter2") {
		t.Errorf("a broken URL: %v", err)
	}
}

// TestTLS connects with a password over TLS, whose certificate is verified.
func TestTLS(t *testing.T) {
	pgtest.SkipWithout(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	s := ownServer(t, "listen_addresses='127.0.0.1'", "password_encryption='scram-sha-256'")
	migrateTo(t, s)
	execute(t, s, `alter role confab password 'hunter2'`)
	authority := filepath.Join(t.TempDir(), "authority.pem")
	must(t, os.WriteFile(authority, certify(t, s), 0o600))
	must(t, errors.Join(
		s.Write("pg_hba.conf", []byte("hostssl all all 127.0.0.1/32 scram-sha-256\n")),
		s.Write("postgresql.auto.conf", []byte("ssl=on\n")), s.Down("fast"), s.UpOn(port)))
	url := fmt.Sprintf("postgres://confab@localhost:%d/confab?sslmode=verify-full&sslrootcert=%s", port, authority)
	url = strings.Replace(url, "localhost", "127.0.0.1", 1)
	store := storeAt(t, s, "anna", postgres.Options{URL: url, Password: "hunter2"})
	must(t, errorOf(store.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "x"})))

	other := filepath.Join(t.TempDir(), "other.pem")
	must(t, os.WriteFile(other, certify(t, nil), 0o600))
	for name, o := range map[string]postgres.Options{
		"a wrong password":          {URL: url, Password: "hunter3"},
		"another authority":         {URL: strings.Replace(url, authority, other, 1), Password: "hunter2"},
		"another name":              {URL: strings.Replace(url, "127.0.0.1", "localhost", 1), Password: "hunter2"},
		"a connection in the clear": {URL: strings.Replace(url, "verify-full", "disable", 1), Password: "hunter2"},
	} {
		_, err := postgres.Connect(t.Context(), o)
		if !errors.Is(err, history.ErrRefused) {
			t.Errorf("%s: got %v, want %v", name, err, history.ErrRefused)
		}
		if strings.Contains(fmt.Sprint(err, errors.Unwrap(err)), "hunter") {
			t.Errorf("%s: the error holds the password: %v", name, err)
		}
	}
}

// certify makes a certificate for 127.0.0.1 and returns it; a server gets it with its key.
func certify(t *testing.T, s *pgtest.Server) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if s != nil {
		err := errors.Join(s.Write("server.crt", certificate),
			s.Write("server.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
		must(t, err)
	}
	return certificate
}

// A store whose server stays away says so in time, and nothing of what it was asked is done later.
func TestServerStaysAway(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	store := storeAt(t, s, "anna", postgres.Options{Patience: 300 * time.Millisecond})
	changes := store.Watch(t.Context())
	must(t, s.Down("fast"))
	_, err := store.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "lost"})
	if !errors.Is(err, history.ErrUnreachable) {
		t.Errorf("got %v, want %v", err, history.ErrUnreachable)
	}
	if change := <-changes; !change.IsUnreachable {
		t.Errorf("got %+v, want the notice that the server is lost", change)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := store.SessionNamed(given, "s"); err == nil {
		t.Error("what its caller gave up was done")
	}
	select {
	case change := <-changes:
		t.Errorf("got %+v when a caller gave up", change)
	default:
	}
	must(t, s.Up())
	if change := <-changes; change.IsUnreachable {
		t.Errorf("got %+v, want the notice that the server is back", change)
	}
	if _, err := store.SessionNamed(t.Context(), "s"); !errors.Is(err, history.ErrNotFound) {
		t.Errorf("what was refused: got %v, want %v", err, history.ErrNotFound)
	}
}

// Two stores of one user are two screens on two hosts.
func TestChangesOfOthers(t *testing.T) {
	one, other := connect(t, postgres.Options{}), connect(t, postgres.Options{})
	open := func(s *postgres.Server, user string) *postgres.Store {
		return storeOf(t, s, user, postgres.StoreOptions{})
	}
	here, there, neighbour, stranger := open(one, "emil"), open(other, "emil"), open(one, "emil"), open(other, "frida")
	own, changes := here.Watch(t.Context()), there.Watch(t.Context())
	beside, strange := neighbour.Watch(t.Context()), stranger.Watch(t.Context())
	heard := func() bool {
		must(t, here.SetSetting(t.Context(), "a", "b"))
		select {
		case <-changes:
			return true
		case <-time.After(200 * time.Millisecond):
			return false
		}
	}
	waitForListener(t, here, there, changes)
	<-beside
	for range 20 {
		if !heard() {
			t.Fatal("a change is not told within 200 ms")
		}
	}
	if len(own) > 0 || len(strange) > 0 {
		t.Errorf("%d changes are told to the store that made them, %d to another user", len(own), len(strange))
	}
}

// A process interrupts the answers of another whose lease runs out, also of users who have no history open.
func TestLeaseRunsOut(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("waits for a lease of ten seconds")
	}
	c := connect(t, postgres.Options{})
	dead := history.Process{PID: 99, Host: "gone", Boot: "gone"}
	gone := storeOf(t, c, "gina", postgres.StoreOptions{Process: dead})
	turn, err := gone.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "x",
		Answers: []history.Answer{{Model: "alpha", State: history.Running, Text: "half"}}})
	must(t, err)
	gone.Close()
	execute(t, server, `insert into confab_data.leases values (99, 0, 'gone', 'gone', now() - interval '1 second')`)
	isInterrupted := fmt.Sprintf(`do $$ begin assert exists (select from confab_data.answers where owner = 'gina'
		and id = %d and state = 'interrupted'); end $$`, turn.Answers[0].ID)
	await(t, 20*time.Second, "the answer of a dead process stays", func() bool {
		return server.Execute(pgtest.Superuser, "confab", isInterrupted) == nil
	})
}

// A process whose lease has run out is dead, and one that has a lease lives, whatever its host.
func TestLeases(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	open := func(host string) *postgres.Store {
		return storeAt(t, s, "anna", postgres.Options{Process: history.Process{PID: 7, Host: host, Boot: host}})
	}
	ask := func(store *postgres.Store) int64 {
		turn, err := store.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "x",
			Answers: []history.Answer{{Model: "alpha", State: history.Running, Text: "half", Queued: time.Unix(1, 0)}}})
		must(t, err)
		return turn.Answers[0].ID
	}
	state := func(store *postgres.Store, id int64) history.State {
		a, err := store.Answer(t.Context(), id)
		must(t, err)
		return a.State
	}
	here, there := open("here"), open("there")
	own, theirs := ask(here), ask(there)
	if n, err := here.Recover(t.Context()); err != nil || n != 0 {
		t.Errorf("recovered %d of living processes, %v", n, err)
	}
	execute(t, s, `update confab_data.leases set expires = now() - interval '1 second' where host = 'there'`)
	if n, err := here.Recover(t.Context()); err != nil || n != 1 {
		t.Errorf("recovered %d, %v, want 1", n, err)
	}
	if got := []history.State{state(here, own), state(here, theirs)}; !slices.Equal(got,
		[]history.State{history.Running, history.Interrupted}) {
		t.Errorf("states %v", got)
	}
	if err := there.SaveAnswer(t.Context(), history.Answer{ID: theirs, Version: 9, State: history.Done,
		Text: "whole"}); err != nil || state(here, theirs) != history.Done {
		t.Errorf("an answer that came after all is %s, %v", state(here, theirs), err)
	}
}

// TestLeasesAfterAnOutage has the leases of all processes run out, because the database was away. The first that comes
// back interrupts the answers of the one that does not, and not those of the one that does.
func TestLeasesAfterAnOutage(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("waits for leases of ten seconds")
	}
	s := ownServer(t)
	migrateTo(t, s)
	c, err := postgres.Connect(t.Context(), postgres.Options{URL: s.URL(pgtest.Program, "confab")})
	must(t, err)
	defer c.Close()
	answers := map[string]int64{}
	for pid, host := range map[int]string{98: "living", 99: "dead"} {
		other := storeOf(t, c, "gina", postgres.StoreOptions{Process: history.Process{PID: pid, Host: host,
			Boot: host}})
		turn, err := other.AddTurnToSession(t.Context(), "s", history.Turn{Prompt: "x",
			Answers: []history.Answer{{Model: "alpha", State: history.Running, Text: "half"}}})
		must(t, err)
		answers[host] = turn.Answers[0].ID
		other.Close()
	}
	open := storeOf(t, c, "gina", postgres.StoreOptions{})
	execute(t, s, `update confab_data.leases set expires = now() - interval '2 minutes';
		insert into confab_data.leases values (98, 0, 'living', 'living', now() - interval '40 seconds'),
			(99, 0, 'dead', 'dead', now() - interval '2 minutes')`)
	isRenewed := `do $$ begin assert exists (select from confab_data.leases where expires > now()); end $$`
	await(t, 15*time.Second, "the lease is not renewed", func() bool {
		return s.Execute(pgtest.Superuser, "confab", isRenewed) == nil
	})
	execute(t, s, `update confab_data.leases set expires = now() + interval '1 hour' where host = 'living'`)
	state := func(host string) history.State {
		a, err := open.Answer(t.Context(), answers[host])
		must(t, err)
		return a.State
	}
	await(t, 45*time.Second, "the answer of a dead process stays", func() bool {
		return state("dead") == history.Interrupted
	})
	if got := state("living"); got != history.Running {
		t.Errorf("the answer of a living process is %s", got)
	}
}

// TestANewPasswordIsTaken changes the password of the role while the program is connected: further connections take the
// new one. Without it, the error names the password.
func TestANewPasswordIsTaken(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	execute(t, s, `alter role `+pgtest.Program+` password 'first'`)
	must(t, s.Write("pg_hba.conf", []byte("local all "+pgtest.Program+" scram-sha-256\nlocal all all trust\n")))
	execute(t, s, `select pg_reload_conf()`)
	password := "first"
	o := postgres.Options{URL: s.URL(pgtest.Program, "confab"), Password: password,
		NewPassword: func(context.Context) (string, error) { return password, nil }}
	store := storeAt(t, s, "ada", o)
	execute(t, s, `alter role `+pgtest.Program+` password 'second'; select pg_terminate_backend(pid)
		from pg_stat_activity where usename = '`+pgtest.Program+`'`)
	if _, _, err := store.Sessions(t.Context(), history.Query{}); !errors.Is(err, history.ErrWrongPassword) {
		t.Errorf("with the old password: %v", err)
	}
	password = "second"
	if _, _, err := store.Sessions(t.Context(), history.Query{}); err != nil {
		t.Errorf("with the new password: %v", err)
	}
}

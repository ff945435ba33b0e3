package postgres_test

import (
	"testing"

	"confab/history"
	"confab/history/postgres"
)

// A draft is there for every host of its user. That of an unsent session is another host's once its process has ended,
// without waiting for a lease to run out.
func TestDrafts(t *testing.T) {
	open := func(host, user string) *postgres.Store {
		c := connect(t, postgres.Options{Process: history.Process{PID: 7, Host: host, Boot: host}})
		return storeOf(t, c, user, postgres.StoreOptions{})
	}
	here := open("one", "hanna")
	there := open("two", "hanna")
	stranger := open("two", "ivan")
	ctx := t.Context()
	save := func(name, text string) {
		t.Helper()
		must(t, here.SaveDraft(ctx, name, text))
	}
	want := func(s *postgres.Store, name, want string) {
		t.Helper()
		if got, err := s.Draft(ctx, name); err != nil || got != want {
			t.Errorf("the draft is %q, %v, want %q", got, err, want)
		}
	}
	take := func(s *postgres.Store, name string) string {
		t.Helper()
		text, err := s.TakeDraft(ctx, "new-", name)
		must(t, err)
		return text
	}
	save("session-1", "half a th\x00ught\ue002")
	want(there, "session-1", "half a th\x00ught\ue002")
	want(stranger, "session-1", "")
	save("session-1", "")
	want(there, "session-1", "")

	// A process is known to live from when it listens, soon after it has connected.
	waitForListener(t, there, here, here.Watch(ctx))
	save("new-one", "unsent")
	if text := take(there, "new-two"); text != "" {
		t.Errorf("took %q of a living process", text)
	}
	must(t, here.RenameDraft(ctx, "new-one", "new-left"))
	if text := take(stranger, "new-two"); text != "" {
		t.Errorf("took %q of another user", text)
	}
	if text := take(there, "new-two"); text != "unsent" {
		t.Errorf("took %q of what a process let go of", text)
	}
	want(there, "new-two", "unsent")
	if text := take(here, "new-one"); text != "" {
		t.Errorf("took %q a second time", text)
	}
	must(t, there.SaveDraft(ctx, "new-two", ""))
	save("new-one", "of a killed process")
	// The connections of a killed process end. Its lease does not.
	execute(t, server, `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
		and (classid::bigint << 32 | objid::bigint) = hashtextextended('7 0 one one', 1668247142)`)
	for text := ""; text != "of a killed process"; text = take(there, "new-two") {
		if ctx.Err() != nil {
			t.Fatal("the draft of a killed process is not offered")
		}
	}
}

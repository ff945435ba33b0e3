package postgres

import (
	"context"
	"fmt"
	"time"

	"confab/history"
	"confab/internal/safego"
)

// A process renews its lease every leaseInterval. One that has not for leaseTime is dead: its running answers become
// interrupted, and what it deleted may be purged. The clock is the server's.
const (
	leaseInterval = 10 * time.Second
	leaseTime     = "30 seconds"
)

// goUntilClosed starts a goroutine that ends before Close returns.
func (s *Server) goUntilClosed(name string, run func()) {
	s.waitGroup.Add(1)
	safego.Go(s.o.Log, name, func() {
		defer s.waitGroup.Done()
		run()
	}, nil)
}

// leaseKey is what stands for a process in the table of leases.
func leaseKey(o history.Process) []any {
	started := int64(0)
	if !o.Started.IsZero() {
		started = o.Started.UnixMilli()
	}
	return []any{o.PID, started, o.Boot, o.Host}
}

// renewLease makes the lease of this process last. It forgets old leases and marks of writes: every process has looked
// at a lease that ran out a minute ago.
func (s *Server) renewLease(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `with
			old as (delete from confab.leases where (host, pid, boot, started) in (select host, pid, boot, started
				from confab.leases where expires < now() - interval '1 minute' for update skip locked)),
			done as (delete from confab.writes where id in (select id from confab.writes
				where at < now() - interval '1 hour' limit 10000 for update skip locked))
		insert into confab.leases (pid, started, boot, host, expires)
		values ($1, $2, $3, $4, now() + interval '`+leaseTime+`')
		on conflict (host, pid, boot, started) do update set expires = excluded.expires`, leaseKey(s.o.Process)...)
	return err
}

// dropLease ends the lease of this process.
func (s *Server) dropLease(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `delete from confab.leases
		where pid = $1 and started = $2 and boot = $3 and host = $4`, leaseKey(s.o.Process)...)
	return err
}

// hasEnded tells whether another process has no lease. Where the server cannot say, it may be alive.
func (s *Server) hasEnded(ctx context.Context, o history.Process, _ time.Time) bool {
	o.Started = history.StoredTime(o.Started)
	if o == s.o.Process {
		return false
	}
	var hasLease bool
	err := s.db.QueryRowContext(ctx, `select exists (select 1 from confab.leases
		where pid = $1 and started = $2 and boot = $3 and host = $4 and expires > now())`, leaseKey(o)...).
		Scan(&hasLease)
	return err == nil && !hasLease
}

// The lock that stands for a process is held by its connection for changes. It is free as soon as the process was
// killed, long before its lease runs out, but also for the moment in which a living process connects again.
const (
	holdProcessLock = `select pg_advisory_lock_shared(hashtextextended($1, 1668247142))`
	selectHasLeft   = `select not exists (select 1 from confab.leases
			where pid = $1 and started = $2 and boot = $3 and host = $4 and expires > now())
		or pg_try_advisory_xact_lock(hashtextextended($5, 1668247142))`
)

// processLock names the lock of a process.
func processLock(o history.Process) string { return fmt.Sprintf("%d %d %s %s", leaseKey(o)...) }

// hasLeft tells whether another process has no lease, or no connection for changes. Where the server cannot say, it may
// be alive.
func (s *Server) hasLeft(ctx context.Context, o history.Process) (hasLeft bool) {
	if o.Started = history.StoredTime(o.Started); o == s.o.Process {
		return false
	}
	err := s.db.QueryRowContext(ctx, selectHasLeft, append(leaseKey(o), processLock(o))...).Scan(&hasLeft)
	return err == nil && hasLeft
}

// keepLease renews the lease until the context ends. When the lease of another process has run out, it interrupts that
// one's answers in the histories that are open here; those of others are interrupted when they are opened.
func (s *Server) keepLease(ctx context.Context) {
	ticker := time.NewTicker(leaseInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := s.renewLease(ctx); err != nil {
			s.o.Log.Warn("Could not renew the lease of the history", "error", err)
			continue
		}
		if err := s.afterLeases(ctx); err != nil {
			s.o.Log.Warn("Could not look for processes that are gone", "error", err)
		}
	}
}

// afterLeases recovers what processes left whose leases have run out.
func (s *Server) afterLeases(ctx context.Context) error {
	var hasExpired bool
	err := s.db.QueryRowContext(ctx,
		`select exists (select 1 from confab.leases where expires < now())`).Scan(&hasExpired)
	if err != nil {
		return err
	}
	if hasExpired {
		for _, store := range s.openStores() {
			if _, err := store.Recover(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

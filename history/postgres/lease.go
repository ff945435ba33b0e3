package postgres

import (
	"context"
	"errors"
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

// leaseGrace is how long a process whose own lease ran out takes no other for dead: the database was away, and the
// others are about to renew theirs.
const leaseGrace = leaseInterval + 5*time.Second

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

// renewLease makes the lease of this process last. It forgets marks of writes, and leases that nobody has looked after
// for an hour: answers of their processes are interrupted when their history is opened.
func (s *Server) renewLease(ctx context.Context) error {
	var hadRunOut bool
	err := s.db.QueryRowContext(ctx, `with
			old as (delete from confab.leases where (host, pid, boot, started) in (select host, pid, boot, started
				from confab.leases where expires < now() - interval '1 hour' for update skip locked)),
			done as (delete from confab.writes where id in (select id from confab.writes
				where at < now() - interval '1 hour' limit 10000 for update skip locked))
		insert into confab.leases (pid, started, boot, host, expires)
		values ($1, $2, $3, $4, now() + interval '`+leaseTime+`')
		on conflict (host, pid, boot, started) do update set expires = excluded.expires
		returning exists (select 1 from confab.leases l where l.expires < now()
			and l.pid = $1 and l.started = $2 and l.boot = $3 and l.host = $4)`, leaseKey(s.o.Process)...).Scan(&hadRunOut)
	// Another process may have removed a lease that had run out.
	now := time.Now()
	if err == nil {
		last := s.renewed.Swap(now.UnixNano())
		hadRunOut = hadRunOut || last != 0 && now.Sub(time.Unix(0, last)) > 3*leaseInterval
	}
	if hadRunOut {
		s.graceEnd.Store(time.Now().Add(leaseGrace).UnixNano())
	}
	return err
}

// isInGrace tells whether leases say nothing about other processes now.
func (s *Server) isInGrace() bool { return time.Now().UnixNano() < s.graceEnd.Load() }

// dropLease ends the lease of this process.
func (s *Server) dropLease(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `delete from confab.leases
		where pid = $1 and started = $2 and boot = $3 and host = $4`, leaseKey(s.o.Process)...)
	return err
}

// hasEnded tells whether another process has no lease. Where the server cannot say, it may be alive.
func (s *Server) hasEnded(ctx context.Context, o history.Process, _ time.Time) bool {
	o.Started = history.StoredTime(o.Started)
	if o == s.o.Process || s.isInGrace() {
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
	if o.Started = history.StoredTime(o.Started); o == s.o.Process || s.isInGrace() {
		return false
	}
	err := s.db.QueryRowContext(ctx, selectHasLeft, append(leaseKey(o), processLock(o))...).Scan(&hasLeft)
	return err == nil && hasLeft
}

// keepLease renews the lease until the context ends. When the lease of another process has run out, it interrupts that
// one's answers, of all users.
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
		if s.isInGrace() {
			continue
		}
		if err := s.recoverUsers(ctx); err != nil {
			s.o.Log.Warn("Could not interrupt the answers of processes that are gone", "error", err)
		}
	}
}

// recoverUsers interrupts the answers of processes whose leases have run out. The user of an answer need not be logged
// in: others may look at it.
func (s *Server) recoverUsers(ctx context.Context) error {
	rows, err := s.db.QueryContext(ctx, `select confab.users_of_dead_processes()`)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what matters
	var users []string
	for rows.Next() {
		var user string
		if err := rows.Scan(&user); err != nil {
			return err
		}
		users = append(users, decodeText(user))
	}
	for _, user := range users {
		store, err := s.Store(user, StoreOptions{})
		if err == nil {
			_, err = store.Recover(ctx)
			err = errors.Join(err, store.Close())
		}
		if err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	// What is left of these processes tells nobody anything.
	_, err = s.db.ExecContext(ctx, `delete from confab.leases where expires < now() - interval '`+leaseTime+`'`)
	return err
}

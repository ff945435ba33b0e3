package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"confab/history"
	"confab/internal/safego"
)

// A process renews its lease every leaseInterval by the server's clock. After leaseTime without renewal it counts as
// dead: its running answers are interrupted, and its deletions may be purged.
const (
	leaseInterval = 10 * time.Second
	leaseTime     = "30 seconds"
)

// leaseGrace is how long a process whose own lease expired considers no other dead: the database was unreachable, and
// the others are about to renew their leases.
const leaseGrace = leaseInterval + 5*time.Second

// goUntilClosed starts a goroutine that Close waits for.
func (s *Server) goUntilClosed(name string, run func()) {
	s.waitGroup.Add(1)
	safego.Go(s.o.Log, name, func() {
		defer s.waitGroup.Done()
		run()
	}, nil)
}

// leaseKey returns the key of a process in the table of leases.
func leaseKey(o history.Process) []any {
	started := int64(0)
	if !o.Started.IsZero() {
		started = o.Started.UnixMilli()
	}
	return []any{o.PID, started, o.Boot, o.Host}
}

// renewLease extends the lease of this process. It deletes marks of writes, and leases that expired an hour ago:
// opening their histories interrupts their answers.
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
	// Another process may have removed the expired lease.
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

// isInGrace reports whether other processes must not count as dead now.
func (s *Server) isInGrace() bool { return time.Now().UnixNano() < s.graceEnd.Load() }

func (s *Server) dropLease(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `delete from confab.leases
		where pid = $1 and started = $2 and boot = $3 and host = $4`, leaseKey(s.o.Process)...)
	return err
}

// hasEnded reports whether another process has no lease. It returns false if the server cannot tell.
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

// A process holds its lock by its listening connection. The lock is free as soon as the process is killed, long
// before the lease expires, but also while a living process reconnects.
const (
	holdProcessLock = `select pg_advisory_lock_shared(hashtextextended($1, 1668247142))`
	selectHasLeft   = `select not exists (select 1 from confab.leases
			where pid = $1 and started = $2 and boot = $3 and host = $4 and expires > now())
		or pg_try_advisory_xact_lock(hashtextextended($5, 1668247142))`
)

// processLock returns the name of a process's lock.
func processLock(o history.Process) string { return fmt.Sprintf("%d %d %s %s", leaseKey(o)...) }

// hasLeft reports whether another process has no lease, or no listening connection. It returns false if the server
// cannot tell.
func (s *Server) hasLeft(ctx context.Context, o history.Process) (hasLeft bool) {
	if o.Started = history.StoredTime(o.Started); o == s.o.Process || s.isInGrace() {
		return false
	}
	err := s.db.QueryRowContext(ctx, selectHasLeft, append(leaseKey(o), processLock(o))...).Scan(&hasLeft)
	return err == nil && hasLeft
}

// keepLease renews the lease until the context ends. When the lease of another process expires, it interrupts that
// process's answers of all users.
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

// recoverUsers interrupts the answers of processes whose leases have expired, also of users who are not logged in:
// others may look at them.
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
	// Nothing refers to these processes any more.
	_, err = s.db.ExecContext(ctx, `delete from confab.leases where expires < now() - interval '`+leaseTime+`'`)
	return err
}

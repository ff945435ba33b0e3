package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"confab/history"
)

// channel is the notification channel of changes. A notice holds the topic of the changed history's user, and the
// token of the store that changed it.
const channel = "confab_changes"

// topicOf returns a pseudonym of a user for notices, which every role of the database can read.
func topicOf(owner string) string {
	sum := sha256.Sum256([]byte("confab " + owner))
	return hex.EncodeToString(sum[:16])
}

// follow starts reporting changes of another user's history to watchers.
func (d *database) follow(owner string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.topics[topicOf(owner)] = true
}

// follows reports whether changes of a topic concern the store.
func (d *database) follows(topic string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.topics[topic]
}

// watchers are the channels of changes of one history.
type watchers struct {
	mu  sync.Mutex
	all map[chan history.Change]bool
}

// Watch implements [history.Watcher].
func (s *Store) Watch(ctx context.Context) <-chan history.Change {
	changes := make(chan history.Change, 1)
	w := &s.db.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[chan history.Change]bool{}
	}
	w.all[changes] = true
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, changes)
		close(changes)
	})
	return changes
}

// tell sends a change to every watcher, replacing one that was not received yet.
func (w *watchers) tell(c history.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for changes := range w.all {
		select {
		case <-changes:
		default:
		}
		changes <- c
	}
}

// setUnreachable tells the watchers of all histories when the server becomes unreachable or reachable. It holds a
// lock, so that all watchers receive the latest state last.
func (s *Server) setUnreachable(isUnreachable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isUnreachable == isUnreachable {
		return
	}
	s.isUnreachable = isUnreachable
	for store := range s.stores {
		store.db.watch.tell(history.Change{IsUnreachable: isUnreachable})
	}
}

const reconnectPause = time.Second

// listen forwards notices of changes until the context ends, on its own connection. After a reconnection all watchers
// read again, because notices may have been missed.
func (s *Server) listen(ctx context.Context) {
	for isFirst := true; ctx.Err() == nil; isFirst = false {
		err := s.listenOnce(ctx, isFirst)
		if ctx.Err() != nil {
			return
		}
		s.o.Log.Debug("Lost the connection for changes of the history", "error", err)
		timer := time.NewTimer(reconnectPause)
		select {
		case <-ctx.Done():
			timer.Stop()
		case <-timer.C:
		}
	}
}

// listenOnce connects and forwards notices until the connection fails.
func (s *Server) listenOnce(ctx context.Context, isFirst bool) error {
	config := s.config.Copy()
	if err := s.renewPassword(ctx, config); err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		if isUnreachable(err) && ctx.Err() == nil {
			s.setUnreachable(true)
		}
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // there is nothing to send
	if _, err := conn.Exec(ctx, "listen "+channel); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, holdProcessLock, processLock(s.o.Process)); err != nil {
		return err
	}
	if !isFirst {
		s.setUnreachable(false)
		for _, store := range s.openStores() {
			store.db.watch.tell(history.Change{})
		}
	}
	for {
		notice, err := s.nextNotice(ctx, conn)
		if err != nil {
			return err
		}
		topic, token, _ := strings.Cut(notice.Payload, " ")
		for _, store := range s.openStores() {
			if store.db.follows(topic) && store.db.token != token {
				store.db.watch.tell(history.Change{})
			}
		}
	}
}

// nextNotice waits for a notice. It pings the connection at intervals, because nothing else detects that a firewall
// dropped it.
func (s *Server) nextNotice(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	for {
		waiting, cancel := context.WithTimeout(ctx, s.o.CheckInterval)
		notice, err := conn.WaitForNotification(waiting)
		cancel()
		if err == nil || waiting.Err() == nil || ctx.Err() != nil || conn.IsClosed() {
			return notice, err
		}
		if err := s.ping(ctx, conn.PgConn()); err != nil {
			return nil, err
		}
	}
}

// ping sends a request to the server, and closes the connection if no reply comes in time.
func (s *Server) ping(ctx context.Context, conn *pgconn.PgConn) error {
	ctx, cancel := context.WithTimeout(ctx, s.o.CheckTimeout)
	defer cancel()
	return conn.Ping(ctx)
}

package cli

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"confab/internal/safego"
)

// The database is asked whether it answers every readyInterval, which may take readyTimeout.
const (
	readyInterval = 2 * time.Second
	readyTimeout  = 3 * time.Second
)

// databaseWatch knows whether the database of the history answers. Without one, it always does.
type databaseWatch struct {
	isAway atomic.Bool
}

// ready returns why no logins should be sent to this host now.
func (w *databaseWatch) ready() error {
	if w.isAway.Load() {
		return errors.New("the database of the history does not answer")
	}
	return nil
}

// start asks the database now and every few seconds until stop is called.
func (w *databaseWatch) start(ctx context.Context, h *sshHandler) (stop func()) {
	if h.app.config.History.URL == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	ask := func() {
		ctx, cancel := context.WithTimeout(ctx, readyTimeout)
		defer cancel()
		err := h.app.database.ping(ctx, h.app.databaseOptions)
		if isAway := err != nil; isAway != w.isAway.Swap(isAway) {
			if isAway {
				h.app.log.Warn("The database of the history does not answer, so this host is not ready", "error", err)
			} else {
				h.app.log.Info("The database of the history answers again")
			}
		}
	}
	safego.Go(h.app.log, "database", func() {
		defer close(ended)
		ticker := time.NewTicker(readyInterval)
		defer ticker.Stop()
		for ask(); ; ask() {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}, nil)
	return func() { cancel(); <-ended }
}

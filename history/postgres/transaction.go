package postgres

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"confab/history"
	"confab/history/sqlstore"
)

// beginRead selects the user whose rows a transaction sees.
const beginRead = `select set_config('confab.owner', $1, true), set_config('confab.from', $1, true),
	set_config('search_path', 'confab', true),
	set_config('statement_timeout', '` + statementTimeout + `', true), set_config('jit', 'off', true)`

// beginWrite selects the user of a writing transaction, locks the user's rows for other writers, and notifies the
// user's other stores on commit. The mark already exists if an earlier attempt was committed.
const beginWrite = `with mark as (insert into confab.writes (id) values ($2) on conflict do nothing returning 1)
select set_config('confab.owner', $1, true), set_config('confab.from', $1, true),
	set_config('search_path', 'confab', true),
	set_config('statement_timeout', '` + statementTimeout + `', true), set_config('lock_timeout', $3, true),
	set_config('idle_in_transaction_session_timeout', '` + idleTimeout + `', true),
	(select count(*) from mark)::text, pg_advisory_xact_lock(hashtextextended($1, 1668247142))::text,
	pg_notify('` + channel + `', $4)::text`

// Begin implements [sqlstore.Database]. A lost connection leaves unknown whether a transaction that writes was
// committed, so all its attempts have the same mark, which exists in the database if it was.
func (d *database) Begin(ctx context.Context, a *sqlstore.Attempts) (*sql.Tx, error) {
	if a.Wait == 0 {
		return d.begin(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	}
	if a.Mark == "" {
		mark := make([]byte, 16)
		rand.Read(mark)
		a.Mark = fmt.Sprintf("%x", mark)
	}
	tx, err := d.server.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	var is string
	var ignored any
	err = tx.QueryRowContext(ctx, beginWrite, encodeText(d.owner), a.Mark,
		strconv.FormatInt(a.Wait.Milliseconds(), 10), topicOf(d.owner)+" "+d.token).
		Scan(&ignored, &ignored, &ignored, &ignored, &ignored, &ignored, &is, &ignored, &ignored)
	if err != nil || is == "0" {
		_ = tx.Rollback() // it has changed nothing
		return nil, err
	}
	return tx, nil
}

// begin begins a transaction that sees the rows of the user. It takes no lock and sends no notice.
func (d *database) begin(ctx context.Context, o *sql.TxOptions) (*sql.Tx, error) {
	tx, err := d.server.db.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, beginRead, encodeText(d.owner)); err != nil {
		_ = tx.Rollback() // it has changed nothing
		return nil, err
	}
	return tx, nil
}

// The pauses between attempts to reach the server.
const (
	firstPause = 20 * time.Millisecond
	maxPause   = 300 * time.Millisecond
)

// Repeats implements [sqlstore.Database].
func (d *database) Repeats(ctx context.Context, a *sqlstore.Attempts, err error) bool {
	return d.server.repeats(ctx, a, err)
}

// try calls do until the server is reachable, bounded by the patience and the context.
func (s *Server) try(ctx context.Context, do func(context.Context) error) (err error) {
	a := sqlstore.Attempts{Began: time.Now()}
	for err = do(ctx); s.repeats(ctx, &a, err); {
		err = do(ctx)
	}
	return err
}

// repeats waits for the next attempt and returns true, until the server is reachable, within the patience and the
// context. It tells watchers when the server becomes unreachable and reachable again.
func (s *Server) repeats(ctx context.Context, a *sqlstore.Attempts, err error) bool {
	if err != nil && ctx.Err() != nil {
		return false // the error concerns only the caller
	}
	isLost := isUnreachable(err)
	s.setUnreachable(isLost)
	if !isLost && !isConflict(err) || time.Now().After(a.Began.Add(s.o.Patience)) {
		return false
	}
	a.Pause = min(max(2*a.Pause, firstPause), maxPause)
	timer := time.NewTimer(a.Pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// isUnreachable reports whether an error means that the connection failed, or that the server is starting, stopping
// or read-only.
func isUnreachable(err error) bool {
	var refused *pgconn.ConnectError
	var of *pgconn.PgError
	var network net.Error
	var wrongCertificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &wrongCertificate):
		return false
	case errors.As(err, &of):
		return strings.HasPrefix(of.Code, "08") || strings.HasPrefix(of.Code, "57P") || of.Code == "25006" ||
			of.Code == "53300"
	case errors.As(err, &refused), errors.Is(err, driver.ErrBadConn), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, sql.ErrConnDone),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return true
	}
	return errors.As(err, &network) || pgconn.SafeToRetry(err)
}

// isConflict reports whether another transaction caused a rollback, so that a retry may succeed.
func isConflict(err error) bool {
	var of *pgconn.PgError
	return errors.As(err, &of) && (of.Code == "40001" || of.Code == "40P01")
}

// ErrorKind implements [sqlstore.Database].
func (d *database) ErrorKind(err error) error { return errorKind(err) }

// errorKind returns the error of package history for an error of the server or the connection.
func errorKind(err error) error {
	var of *pgconn.PgError
	var wrongCertificate *tls.CertificateVerificationError
	if errors.As(err, &wrongCertificate) {
		if invalid := (x509.CertificateInvalidError{}); errors.As(err, &invalid) && invalid.Reason == x509.Expired {
			return history.ErrExpiredCertificate
		}
		return history.ErrWrongCertificate
	}
	if errors.As(err, &of) {
		switch of.Code {
		case "53100":
			return history.ErrFull
		case "55P03", "57014", "40P01":
			return history.ErrBusy
		case "42501", "28000":
			return history.ErrWrongRole
		case "28P01":
			return history.ErrWrongPassword
		case "3D000":
			return history.ErrWrongDatabase
		}
	}
	if isUnreachable(err) {
		return history.ErrUnreachable
	}
	return nil
}

// hints removes hints for SQLite from statements.
var hints = strings.NewReplacer("cross join ", "join ", "+a.", "a.")

// Statement implements [sqlstore.Database]. It removes hints for SQLite and numbers the parameters.
func (d *database) Statement(text string) string {
	before, rest, found := strings.Cut(hints.Replace(text), "?")
	var b strings.Builder
	for n := 1; found; n++ {
		b.WriteString(before + "$")
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			b.WriteString(strconv.Itoa(n))
		}
		before, rest, found = strings.Cut(rest, "?")
	}
	b.WriteString(before)
	return b.String()
}

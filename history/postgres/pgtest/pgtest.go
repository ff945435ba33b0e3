// Package pgtest is test support: it starts PostgreSQL servers from the programs that Debian's package postgresql
// installs. Nothing of them stays behind.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// The roles of a server: that of an operator, that which owns the tables, and that of the program.
const (
	Superuser = "postgres"
	Owner     = "confab_owner"
	Program   = "confab"
)

// Server is a PostgreSQL server in a folder of its own, which is reached through a socket.
type Server struct {
	folder string
	bin    string
	port   int
}

// ErrMissing says that the machine has no PostgreSQL.
var ErrMissing = errors.New("PostgreSQL is not installed: apt-get install postgresql")

// SkipWithout skips the test when the machine has no PostgreSQL.
func SkipWithout(t testing.TB) {
	t.Helper()
	if binFolder() == "" {
		t.Skip(ErrMissing)
	}
}

// binFolder returns the folder of the newest PostgreSQL's programs, "" without one.
func binFolder() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // the pattern is right
	if len(found) == 0 {
		if path, err := exec.LookPath("postgres"); err == nil {
			return filepath.Dir(path)
		}
		return ""
	}
	slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) }) // 9 before 15
	return filepath.Dir(found[len(found)-1])
}

// Start starts a server with the roles and a database "confab" that Owner owns. Further settings are lines of
// postgresql.conf; they win over those that make it fast.
func Start(settings ...string) (*Server, error) {
	s := &Server{bin: binFolder(), port: 5432}
	if s.bin == "" {
		return nil, ErrMissing
	}
	folder, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	s.folder = folder
	if err := s.start(settings); err != nil {
		s.Remove()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(settings []string) error {
	if err := s.giveAway(s.folder); err != nil {
		return err
	}
	err := s.run("initdb", "-D", s.Data(), "-U", Superuser, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
	if err != nil {
		return err
	}
	lines := append([]string{"listen_addresses=''", "unix_socket_directories='" + s.folder + "'", "fsync=off",
		"synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB", "max_connections=200",
		"autovacuum_naptime=5s"}, settings...)
	if err := errors.Join(s.configure(lines...), s.Up()); err != nil {
		return err
	}
	for _, statement := range []string{"create role " + Owner + " login", "create role " + Program + " login",
		"create database confab owner " + Owner} {
		if err := s.Execute(Superuser, "postgres", statement); err != nil {
			return err
		}
	}
	return nil
}

// configure adds lines to postgresql.conf, which win over earlier ones.
func (s *Server) configure(lines ...string) error {
	conf, err := os.OpenFile(filepath.Join(s.Data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = conf.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	return errors.Join(err, conf.Close())
}

// Data returns the folder of the database.
func (s *Server) Data() string { return filepath.Join(s.folder, "data") }

// Standby starts a server that follows this one, and makes this one wait for it before it acknowledges a commit.
func (s *Server) Standby() (*Server, error) {
	folder, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	standby := &Server{bin: s.bin, port: s.port, folder: folder}
	err = standby.giveAway(folder)
	if err == nil {
		err = standby.run("pg_basebackup", "-D", standby.Data(), "-h", s.folder, "-p", fmt.Sprint(s.port), "-U",
			Superuser, "-R", "-c", "fast")
	}
	if err == nil {
		err = standby.configure("unix_socket_directories='" + folder + "'")
	}
	if err == nil {
		err = standby.Up()
	}
	for _, statement := range []string{"alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"} {
		if err == nil {
			err = s.Execute(Superuser, "postgres", statement)
		}
	}
	if err != nil {
		standby.Remove()
		return nil, err
	}
	return standby, nil
}

// Promote makes a standby the server that takes writes.
func (s *Server) Promote() error { return s.run("pg_ctl", "-D", s.Data(), "-w", "-s", "promote") }

// URLWith returns the address of a database on whichever of two servers takes writes.
func (s *Server) URLWith(other *Server, role, database string) string {
	q := url.Values{"host": {s.folder + "," + other.folder}, "port": {fmt.Sprintf("%d,%d", s.port, other.port)},
		"target_session_attrs": {"read-write"}}
	return (&url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: q.Encode()}).String()
}

// Write writes a file of the server, such as pg_hba.conf.
func (s *Server) Write(name string, text []byte) error {
	path := filepath.Join(s.Data(), name)
	return errors.Join(os.WriteFile(path, text, 0o600), s.giveAway(path))
}

// UpOn starts the server that was stopped on another port, which counts where it listens on more than its socket.
func (s *Server) UpOn(port int) error {
	s.port = port
	return s.Up()
}

// Up starts the server that was stopped.
func (s *Server) Up() error {
	return s.run("pg_ctl", "-D", s.Data(), "-w", "-s", "-l", filepath.Join(s.folder, "log"), "-o",
		fmt.Sprintf("-p %d", s.port), "start")
}

// Down stops the server: "fast" ends the connections in good order, "immediate" is as if the machine lost power.
func (s *Server) Down(mode string) error {
	return s.run("pg_ctl", "-D", s.Data(), "-w", "-s", "-m", mode, "stop")
}

// Remove stops the server and removes its folder.
func (s *Server) Remove() {
	_ = s.Down("immediate")
	_ = os.RemoveAll(s.folder)
}

// run runs a program of PostgreSQL, none of which root may run.
func (s *Server) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	withoutRoot(cmd)
	// A server that stays must not hold a pipe open.
	file, err := os.CreateTemp("", "pgout")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(file.Name())
		return fmt.Errorf("%s: %w: %s", name, err, text)
	}
	return nil
}

// URL returns the address of a database for a role.
func (s *Server) URL(role, database string) string {
	q := url.Values{"host": {s.folder}, "port": {fmt.Sprint(s.port)}}
	return (&url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: q.Encode()}).String()
}

// Dial connects to the socket.
func (s *Server) Dial() (net.Conn, error) {
	return net.Dial("unix", filepath.Join(s.folder, fmt.Sprintf(".s.PGSQL.%d", s.port)))
}

// Execute runs statements as a role.
func (s *Server) Execute(role, database, statements string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL(role, database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // the statements have told
	_, err = conn.Exec(ctx, statements, pgx.QueryExecModeSimpleProtocol)
	return err
}

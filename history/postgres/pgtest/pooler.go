package pgtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// StartPooler starts pgbouncer in transaction mode before the server, for as long as the test runs, and returns the
// address of a database for a role. The test is skipped on a machine without pgbouncer.
func (s *Server) StartPooler(t testing.TB, role, database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			t.Skip("pgbouncer is not installed: apt-get install pgbouncer")
		}
	}
	const port = 6432
	folder, err := os.MkdirTemp("", "pgbouncer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	users, config := filepath.Join(folder, "users"), filepath.Join(folder, "ini")
	settings := fmt.Sprintf("[databases]\n* = host=%s port=%d\n[pgbouncer]\nunix_socket_dir = %s\nlisten_port = %d\n",
		s.folder, s.port, folder, port) + fmt.Sprintf("pool_mode = transaction\nauth_type = trust\nauth_file = %s\n"+
		"default_pool_size = 5\nmax_client_conn = 200\n", users)
	for path, text := range map[string]string{
		users: fmt.Sprintf("%q \"\"\n", role), config: settings,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{folder, users, config} {
		if err := s.giveAway(path); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, "-q", config)
	withoutRoot(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for tries := 0; ; tries++ {
		c, err := net.Dial("unix", filepath.Join(folder, fmt.Sprintf(".s.PGSQL.%d", port)))
		if err == nil {
			c.Close()
			break
		}
		if tries > 100 {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // until it listens
	}
	q := url.Values{"host": {folder}, "port": {fmt.Sprint(port)}}
	return (&url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database, RawQuery: q.Encode()}).String()
}

//go:build !windows

package acceptance

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"golang.org/x/crypto/ssh"

	"confab/history"
	"confab/history/postgres"
	"confab/internal/s3test"
	"confab/internal/testflags"
)

// teamPeople is how many people type while a host dies; CONFAB_TEAM_PEOPLE says another number, and that all of them
// must go on within goOnLimit of being let in again.
const (
	teamPeople = 4
	goOnLimit  = 5 * time.Second
)

// A draft is saved a second after it changed. On a busy machine it takes a little longer.
const savedAfter = 2 * time.Second

// TestAHostDiesWhilePeopleType serves people on two hosts behind a balancer, with one database and one bucket, and
// kills one host. They go on where they were on the other, and nothing that was acknowledged is missing or there twice.
func TestAHostDiesWhilePeopleType(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("starts a database, a bucket and two hosts")
	}
	people, isMeasured := teamPeople, false
	if n, err := strconv.Atoi(os.Getenv("CONFAB_TEAM_PEOPLE")); err == nil {
		people, isMeasured = n, true
	}
	d := startDatabase(t, safely...)
	bucket := s3test.Start(t)
	environ := []string{"CONFAB_HISTORY_URL=" + d.url(),
		"CONFAB_PICTURES_URL=" + bucket.URL("team"), "CONFAB_PICTURES_KEY=" + s3test.Key}
	one := startBusySSH(t, people, environ...)
	other := serveSSH(t, t.TempDir(), filepath.Join(one.dir, "keys"), environ...)
	at := startBalancer(t, one.addr, other.addr)

	all := make([]*teamPerson, people)
	var begin, end sync.WaitGroup
	begin.Add(people)
	over := make(chan struct{})
	for i := range all {
		p := &teamPerson{name: fmt.Sprint("user", i), key: one.key[i], at: at, over: over}
		all[i] = p
		end.Go(func() { p.work(begin.Done) })
	}
	begin.Wait()
	pause(2 * savedAfter) // everybody types
	_ = one.cmd.Process.Kill()
	pause(2 * savedAfter)
	close(over)
	end.Wait()
	var moved []time.Duration
	for _, p := range all {
		if p.err != nil {
			t.Errorf("%s: %v\n%s", p.name, p.err, p.text())
		}
		if p.wentOnAfter > 0 {
			moved = append(moved, p.wentOnAfter)
		}
		if p.client != nil {
			_ = p.client.Close()
		}
	}
	if len(moved) == 0 || len(moved) == people {
		t.Fatalf("%d of %d people were on the host that died", len(moved), people)
	}
	slices.Sort(moved)
	t.Logf("%d of %d people were on the host that died; they went on after %v at most, in the middle %v", len(moved),
		people, moved[len(moved)-1], moved[len(moved)/2])
	if last := moved[len(moved)-1]; isMeasured && last > goOnLimit {
		t.Errorf("the last went on after %v", last)
	}
	wantOneTurnEach(t, d.url(), all)
}

// wantOneTurnEach looks for what people sent in the database.
func wantOneTurnEach(t *testing.T, url string, all []*teamPerson) {
	t.Helper()
	server, err := postgres.Connect(t.Context(), postgres.Options{URL: url})
	must(t, err)
	defer server.Close()
	for _, p := range all {
		store, err := server.Store(p.name, postgres.StoreOptions{})
		must(t, err)
		found, err := store.Prompts(t.Context(), history.Query{})
		info, infoErr := store.Info(t.Context())
		must(t, errors.Join(err, infoErr, store.Close()))
		if len(found) != 1 || found[0].Prompt != p.question() || info.Turns != 1 || info.Answers != 1 {
			t.Errorf("%s has %d turns with %d answers: %v", p.name, info.Turns, info.Answers, found)
		}
	}
}

// startBalancer starts HAProxy where it is installed, else a balancer that hands connections to the hosts in turn, and
// returns its address.
func startBalancer(t *testing.T, hosts ...string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	if path, err := exec.LookPath("haproxy"); err == nil {
		address := l.Addr().String()
		_ = l.Close()
		config := "defaults\n mode tcp\n timeout connect 2s\n timeout client 1h\n timeout server 1h\n retries 3\n" +
			" option redispatch 1\nlisten confab\n bind " + address + "\n balance roundrobin\n"
		for i, host := range hosts {
			config += fmt.Sprintf(" server host%d %s check inter 1s on-marked-down shutdown-sessions\n", i, host)
		}
		file := filepath.Join(t.TempDir(), "haproxy.cfg")
		must(t, os.WriteFile(file, []byte(config), 0o600))
		cmd := exec.Command(path, "-q", "-db", "-f", file)
		must(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		newHome(t).await("HAProxy", func() bool {
			c, err := net.Dial("tcp", address)
			if err == nil {
				_ = c.Close()
			}
			return err == nil
		})
		return address
	}
	t.Cleanup(func() { l.Close() })
	var next atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go balance(c, hosts, int(next.Add(1)))
		}
	}()
	return l.Addr().String()
}

// balance connects a client with the first host from a place on that answers.
func balance(client net.Conn, hosts []string, from int) {
	defer client.Close()
	for i := range hosts {
		host, err := net.Dial("tcp", hosts[(from+i)%len(hosts)])
		if err != nil {
			continue
		}
		defer host.Close()
		go func() { _, _ = io.Copy(host, client); _ = host.Close() }()
		_, _ = io.Copy(client, host)
		return
	}
}

// teamPerson types on whatever host the balancer chooses.
type teamPerson struct {
	name, at string
	key      ssh.Signer
	over     <-chan struct{} // closed some time after the host has died

	client      *ssh.Client
	in          io.Writer
	lost        chan struct{} // closed when the connection is
	wentOnAfter time.Duration // zero for who was not on the host that died
	err         error

	mu     sync.Mutex
	screen *vt.Emulator
}

func (p *teamPerson) question() string { return "the question of " + p.name }

// text returns the screen.
func (p *teamPerson) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen == nil {
		return ""
	}
	return ansi.Strip(p.screen.Render())
}

// Write draws on the screen.
func (p *teamPerson) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.Write(b)
}

// logIn opens a screen.
func (p *teamPerson) logIn() error {
	client, err := ssh.Dial("tcp", p.at, &ssh.ClientConfig{User: "x", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth: []ssh.AuthMethod{ssh.PublicKeys(p.key)}, Timeout: waitLimit})
	if err != nil {
		return err
	}
	session, err := client.NewSession()
	if err != nil {
		return errors.Join(err, client.Close())
	}
	p.client, p.lost = client, make(chan struct{})
	p.mu.Lock()
	p.screen = vt.NewEmulator(120, 40)
	p.mu.Unlock()
	session.Stdout = p
	in, err := session.StdinPipe()
	p.in = in
	replies, lost := p.screen, p.lost
	go func() { _, _ = io.Copy(in, replies) }()
	err = errors.Join(err, session.RequestPty("xterm-256color", 40, 120, nil), session.Shell())
	go func() { _ = session.Wait(); close(lost) }()
	return err
}

// await waits until the screen shows a text.
func (p *teamPerson) await(text string) error {
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	over := time.After(2 * waitLimit)
	for !strings.Contains(p.text(), text) {
		select {
		case <-look.C:
		case <-over:
			return fmt.Errorf("waited in vain for %q", text)
		}
	}
	return nil
}

// work sends a prompt, calls began, and types a draft. Who is thrown out logs in again and goes on.
func (p *teamPerson) work(began func()) {
	began = sync.OnceFunc(began)
	defer began()
	do := func(step func() error) {
		if p.err == nil {
			p.err = step()
		}
	}
	send := func(text string) error { _, err := io.WriteString(p.in, text); return err }
	do(p.logIn)
	do(func() error { return p.await("Write a prompt") })
	do(func() error { return send(p.question() + "\r") })
	do(func() error { return p.await("Simulated by the offline engine") })
	began()
	if p.err != nil {
		return
	}
	draft := "a thought of " + p.name + " that takes a while to be written down, letter by letter"
	saved, typed := "", 0
	var times []time.Time
	for isOver := false; !isOver; {
		select {
		case <-p.lost:
			thrownOut := time.Now()
			for i, when := range times {
				if thrownOut.Sub(when) > savedAfter {
					saved = draft[:i+1]
				}
			}
			do(func() error { return p.goOn(saved) })
			return
		case <-p.over:
			isOver = true
		case <-time.After(120 * time.Millisecond):
		}
		if typed < len(draft) {
			_ = send(draft[typed : typed+1]) // the host may have died
			typed, times = typed+1, append(times, time.Now())
		}
	}
	do(func() error { return p.await("┃ " + draft[:len(times)-1]) })
}

// goOn logs in again, and finds the session and what was saved of the draft.
func (p *teamPerson) goOn(saved string) error {
	for end := time.Now().Add(waitLimit); ; {
		err := p.logIn()
		if err == nil {
			break
		}
		if time.Now().After(end) {
			return err
		}
		pause(100 * time.Millisecond)
	}
	began := time.Now()
	for _, text := range []string{"Simulated by the offline engine", "┃ " + saved} {
		if err := p.await(text); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(p.in, " and on"); err != nil {
		return err
	}
	if err := p.await(" and on"); err != nil {
		return err
	}
	p.wentOnAfter = time.Since(began)
	return nil
}

package sshserver_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

// waitForKeyChecks waits until the server has looked at the keys so often.
func waitForKeyChecks(times int) {
	time.Sleep(time.Duration(times)*sshserver.DefaultLimits().KeyCheckInterval + time.Second)
	synctest.Wait()
}

// isQuiet tells whether a screen is open.
func (x *client) isQuiet() bool { return len(x.over) == 0 }

func TestAKeyThatIsTakenAwayEndsWhatItOpened(t *testing.T) {
	anna, bob := newKey(t), newKey(t)
	folder := func(s *serverFixture) { _ = os.Remove(filepath.Join(s.dir, "keys", "anna")) }
	rewritten := func(s *serverFixture) { write(t, filepath.Join(s.dir, "keys", "anna"), line(bob, "")) }
	renamed := func(s *serverFixture) {
		_ = os.Rename(filepath.Join(s.dir, "keys", "anna"), filepath.Join(s.dir, "keys", "other"))
	}
	file := func(s *serverFixture) {
		write(t, filepath.Join(s.dir, "new"), "# one left\n"+line(bob, ""))
		_ = os.Rename(filepath.Join(s.dir, "new"), filepath.Join(s.dir, "file"))
	}
	restricted := func(s *serverFixture) {
		write(t, filepath.Join(s.dir, "file"),
			`from="192.0.2.1" `+line(anna, "")+line(bob, ""))
	}
	for name, tt := range map[string]struct {
		keys string
		take func(*serverFixture)
	}{
		"file removed": {"keys", folder}, "key replaced": {"keys", rewritten}, "now another's": {"keys", renamed},
		"line removed": {"file", file}, "line with an option that is not understood": {"file", restricted},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from := "192.0.2.1"
				ended := make(chan struct{})
				s := newSite(t, anna, func(o *sshserver.Options) {
					o.Limits.IdleTimeout = time.Hour
					dir := filepath.Dir(o.Keys)
					write(t, filepath.Join(dir, "keys", "bob"), line(bob, ""))
					write(t, filepath.Join(dir, "file"), line(anna, "")+line(bob, ""))
					o.Keys = filepath.Join(dir, tt.keys)
				}).inBubble(&from)
				s.handler.run = func(ctx context.Context, _ sshserver.Session, _ []string, _ sshserver.Streams) int {
					<-ctx.Done()
					close(ended)
					return 1
				}
				a, b := open(t, s.client("anna", anna), 100, 24), open(t, s.client("bob", bob), 100, 24)
				sess, err := s.client("anna", anna).NewSession()
				must(t, err)
				said := &text{}
				sess.Stderr = said
				must(t, sess.Start("ask x"))
				waitForKeyChecks(5)
				if !a.isQuiet() || !b.isQuiet() || len(ended) != 0 {
					t.Fatal("somebody had to leave although nothing was changed")
				}
				began := time.Now()
				tt.take(s)
				if err := <-a.over; status(err) != 0 {
					t.Errorf("ended with %v", err)
				}
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("it took %v", took)
				}
				if out := a.String(); !strings.Contains(out, "not authorised here any more") ||
					!strings.Contains(out, "\x1b[?1049l") || !strings.HasSuffix(out, "log in again\r\n") {
					t.Errorf("the end is %q", out[max(0, len(out)-300):])
				}
				if err := sess.Wait(); status(err) != 1 ||
					!strings.Contains(said.String(), "not authorised here any more") {
					t.Errorf("the command ended with %v, and said %q", err, said)
				}
				<-ended
				if got := fmt.Sprint(s.handler.whyLeft()); got != "[key]" {
					t.Errorf("left %v", got)
				}
				if log := s.log.String(); !strings.Contains(log, "A key was taken away while its user was logged "+
					"in\" user=") {
					t.Errorf("the log says\n%s", log)
				}
				if c, err := s.connect(config("anna", keys(anna))); err == nil && tt.keys == "file" {
					c.Close()
					t.Error("the key lets in again")
				}
				waitForKeyChecks(3)
				b.types("¶") // single characters are drawn in one piece
				time.Sleep(time.Second)
				synctest.Wait()
				if !b.isQuiet() || !strings.Contains(b.String(), "¶") {
					t.Error("somebody else had to leave")
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// An editor that saves, a disk that is away, a file that was made unreadable:
// nobody has to leave at once, and the operator is told.
func TestKeysThatCannotBeReadThrowNobodyOutAtOnce(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"gone":           func(path string) error { return os.Rename(path, path+".away") },
		"emptied":        func(path string) error { return os.Truncate(path, 0) },
		"cut":            func(path string) error { return os.Truncate(path, 30) },
		"open to others": func(path string) error { return os.Chmod(path, 0o666) },
		"a folder": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			anna := newKey(t)
			synctest.Test(t, func(t *testing.T) {
				from := "192.0.2.1"
				path := ""
				s := newSite(t, anna, func(o *sshserver.Options) {
					path = filepath.Join(filepath.Dir(o.Keys), "file")
					write(t, path, line(anna, "anna"))
					o.Keys, o.Limits.IdleTimeout = path, time.Hour
				}).inBubble(&from)
				x := open(t, s.client("anna", anna), 100, 24)
				waitForKeyChecks(1)
				must(t, damage(path))
				waitForKeyChecks(10)
				if !x.isQuiet() {
					t.Fatal("thrown out")
				}
				if n := strings.Count(s.log.String(), "The authorised keys cannot be read"); n != 1 {
					t.Errorf("the log says so %d times", n)
				}
				if c, err := s.connect(config("anna", keys(anna))); err == nil {
					c.Close()
					t.Error("who asks to come in is let in")
				}
				_ = os.RemoveAll(path)
				write(t, path, line(anna, "anna"))
				waitForKeyChecks(30)
				if !x.isQuiet() || !strings.Contains(s.log.String(), "Read the authorised keys again") {
					t.Error("thrown out although the keys are back")
				}
				// What stays unreadable lets nobody stay for ever.
				must(t, damage(path))
				began := time.Now()
				if err := <-x.over; status(err) != 0 || time.Since(began) < time.Minute ||
					time.Since(began) > 90*time.Second {
					t.Errorf("ended with %v after %v", err, time.Since(began))
				}
				if !strings.Contains(s.log.String(), "Everybody is logged out") {
					t.Errorf("the log says\n%s", s.log)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestKeysThatAreMissingForAMomentThrowNobodyOut(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.IdleTimeout = time.Hour })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		x := open(t, s.client("anna", anna), 100, 24)
		path := filepath.Join(s.dir, "keys", "anna")
		write(t, filepath.Join(s.dir, "keys", "bob"), line(newKey(t), ""))
		time.Sleep(sshserver.DefaultLimits().KeyCheckInterval / 2)
		for range 5 { // as an editor, or a copy over the network, that is looked at half way
			write(t, path, line(newKey(t), ""))
			time.Sleep(sshserver.DefaultLimits().KeyCheckInterval)
			write(t, path, line(newKey(t), "")+line(anna, ""))
			time.Sleep(sshserver.DefaultLimits().KeyCheckInterval)
		}
		if !x.isQuiet() {
			t.Error("thrown out")
		}
	})
}

package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
)

// The tests start this binary as other processes. The environment selects their role and store.
const (
	childRole = "CONFAB_TEST_ROLE"
	childPath = "CONFAB_TEST_STORE"
)

func TestMain(m *testing.M) {
	role, ok := map[string]func(context.Context, string) error{
		"open": childOpens, "write": childWrites, "mixed": childMixes, "lock": childLocks, "fill": childFills,
		"delete": childDeletes,
	}[os.Getenv(childRole)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := role(context.Background(), os.Getenv(childPath)); err != nil {
		fmt.Println("error", kind(err), err)
		os.Exit(1)
	}
}

// kind returns the name of an error's kind.
func kind(err error) string {
	for name, known := range map[string]error{"not found": history.ErrNotFound, "newer": history.ErrNewer,
		"corrupt": history.ErrCorrupt, "busy": history.ErrBusy,
		"full": history.ErrFull, "read-only": history.ErrReadOnly, "gone": history.ErrGone, "io": history.ErrIO} {
		if errors.Is(err, known) {
			return name
		}
	}
	return "unknown"
}

// child starts this binary in a role.
func child(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	c := exec.CommandContext(t.Context(), exe)
	c.Env = append(os.Environ(), childRole+"="+role, childPath+"="+path)
	c.Stderr = os.Stderr
	return c
}

// childOpens opens the store and adds a session.
func childOpens(ctx context.Context, path string) error {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.CreateSession(ctx, "")
	return err
}

// childWrites sends turns until it is killed, and prints each after it was stored.
func childWrites(ctx context.Context, path string) error {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	in, err := s.CreateSession(ctx, "")
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		prompt := fmt.Sprintf("prompt %d of %d", i, os.Getpid())
		t, err := s.AddTurn(ctx,
			history.Turn{Session: in.ID, Prompt: prompt,
				Answers: []history.Answer{{Model: "alpha", Kind: history.KindText},
					{Model: "beta", Kind: history.KindText}}})
		if err != nil {
			return err
		}
		fmt.Printf("turn %d %s\n", t.ID, prompt)
		a := t.Answers[0]
		a.Version, a.State, a.Text = 1, history.Done, "answer to "+prompt
		if err := s.SaveAnswer(ctx, a); err != nil {
			return err
		}
		fmt.Printf("answer %d %s\n", a.ID, a.Text)
		if i%7 == 3 {
			trash, err := s.DeleteAnswer(ctx, t.Answers[1].ID)
			if err != nil {
				return err
			}
			if i%2 == 0 {
				err = s.Purge(ctx, 0, nil)
			} else {
				err = s.Undelete(ctx, trash)
			}
			if err != nil && !errors.Is(err, history.ErrBusy) && !errors.Is(err, history.ErrNotFound) {
				return err
			}
		}
	}
}

// mixedWrites is the number of writes of childMixes.
const mixedWrites = 500

// childMixes makes writes of every kind in the store's only session.
func childMixes(ctx context.Context, path string) error {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	in, err := s.LastSession(ctx)
	if err != nil {
		return err
	}
	me := strconv.Itoa(os.Getpid())
	var t history.Turn
	turns := 0
	for i := range mixedWrites {
		switch i % 10 {
		case 0, 5:
			turns++
			t, err = s.AddTurn(ctx,
				history.Turn{Session: in.ID, Prompt: "mixed " + me,
					Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
		case 1, 6:
			a := t.Answers[0]
			a.Version, a.State, a.Text = 1, history.Done, "mixed answer"
			err = s.SaveAnswer(ctx, a)
		case 2:
			_, err = s.AddAnswers(ctx, t.ID,
				[]history.Answer{{Model: "alpha", Kind: history.KindText, Sample: 2, State: history.Failed,
					Version: 1}})
		case 3:
			_, err = s.Judge(ctx, t.Answers[0].ID, history.Good, true, "mixed note "+me)
		case 4:
			err = s.SaveExchange(ctx, t.Answers[0].ID, history.Exchange{Method: "POST"})
		case 7:
			err = s.RenameSession(ctx, in.ID, "renamed by "+me)
		case 8:
			err = s.SetSetting(ctx, "who", me)
		case 9:
			_, err = s.SavePersona(ctx, history.Persona{Name: "persona of " + me})
		}
		if err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
	}
	fmt.Println("wrote", turns)
	return nil
}

// childLocks locks the store for writing until its input ends.
func childLocks(ctx context.Context, path string) error {
	db, err := rawOpen(path)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `begin exclusive`); err != nil {
		return err
	}
	fmt.Println("locked")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// childFills writes until its files reach the size limit.
func childFills(ctx context.Context, path string) error {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	in, err := s.CreateSession(ctx, "")
	if err != nil {
		return err
	}
	if err := limitFiles(1 << 20); err != nil {
		return err
	}
	big := make([]byte, 10000)
	for i := range 1000 {
		for j := range big {
			big[j] = byte('a' + (i+j*j)%26)
		}
		t, err := s.AddTurn(ctx, history.Turn{Session: in.ID, Prompt: string(big)})
		if err != nil {
			return err
		}
		fmt.Println("turn", t.ID)
	}
	return errors.New("there was no limit")
}

// lines reads lines of a process as they come.
func lines(t *testing.T, r io.Reader) <-chan string {
	t.Helper()
	ch := make(chan string)
	go func() {
		defer close(ch)
		for sc := bufio.NewScanner(r); sc.Scan(); {
			ch <- sc.Text()
		}
	}()
	return ch
}

// runChildren runs processes in a role and returns their output.
func runChildren(t *testing.T, n int, role, path string) []string {
	t.Helper()
	var all sync.WaitGroup
	printed := make([]string, n)
	for i := range printed {
		c := child(t, role, path)
		all.Go(func() {
			out, err := c.Output()
			if printed[i] = string(out); err != nil {
				t.Errorf("a process ended with %v: %s", err, out)
			}
		})
	}
	all.Wait()
	return printed
}

// startHeld starts a process in a role and waits until it is ready. release lets it continue and waits for its end.
func startHeld(t *testing.T, role, path, ready string) (release func() error) {
	t.Helper()
	c := child(t, role, path)
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	said := lines(t, out)
	if got := <-said; got != ready {
		t.Fatalf("a process said %q", got)
	}
	return func() error {
		in.Close()
		for line := range said {
			t.Log(line)
		}
		return c.Wait()
	}
}

func TestTwoProcessesWrite(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/history.db"
	s := open(t, path, sqlite.Options{})
	in, err := s.CreateSession(t.Context(), "shared")
	must(t, err)
	if got := runChildren(t, 2, "mixed", path); got[0] != "wrote 100\n" || got[1] != got[0] {
		t.Errorf("the processes said %q", got)
	}
	turns, err := s.Turns(t.Context(), in.ID, history.Page{Limit: 1000})
	must(t, err)
	done, failed, judged := 0, 0, 0
	for _, turn := range turns {
		for _, a := range turn.Answers {
			switch {
			case a.State == history.Done && a.Text == "mixed answer":
				done++
			case a.State == history.Failed:
				failed++
			}
			if a.Rating == history.Good {
				judged++
			}
		}
	}
	personas, err := s.Personas(t.Context(), "persona of")
	must(t, err)
	stats, err := s.Stats(t.Context())
	must(t, err)
	hits, err := s.Search(t.Context(), history.Query{Text: "mixed answer ", Limit: 1000})
	must(t, err)
	in, err = s.Session(t.Context(), in.ID)
	must(t, err)
	got := fmt.Sprint(len(turns), done, failed, judged, len(personas), stats["alpha"].Answers, len(hits), in.Turns,
		in.Answers)
	if want := "200 200 100 100 100 300 200 200 300"; got != want {
		t.Errorf("turns, done, failed, judged, personas, counted, found, and the session's counts\n got %s\nwant %s",
			got, want)
	}
	must(t, s.Check(t.Context()))
}

func TestManyOpenANewStoreAtOnce(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/deep/folder/history.db"
	runChildren(t, 6, "open", path)
	s := open(t, path, sqlite.Options{})
	if f, err := s.Info(t.Context()); err != nil || f.Sessions != 6 {
		t.Errorf("got %d sessions, %v, want 6", f.Sessions, err)
	}
}

func TestLockedByAnotherProcess(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/history.db"
	s := open(t, path, sqlite.Options{Busy: 20 * time.Millisecond})
	must(t, errorOf(s.CreateSession(t.Context(), "before")))
	release := startHeld(t, "lock", path, "locked")
	_, err := s.CreateSession(t.Context(), "during")
	if !errors.Is(err, history.ErrBusy) {
		t.Errorf("writing: got %v, want %v", err, history.ErrBusy)
	}
	if _, err := s.SessionNamed(t.Context(), "before"); err != nil {
		t.Errorf("reading goes on: %v", err)
	}
	must(t, release())
	must(t, errorOf(s.CreateSession(t.Context(), "after")))
}

package cli_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

// runningSSH is a confab ssh that runs.
type runningSSH struct {
	*clitest.World
	addr string
	keys map[string]gossh.Signer
	said *clitest.Transcript
	done chan int
	over bool
}

// serve starts confab ssh for users of these names.
func serve(w *clitest.World, users []string, args ...string) *runningSSH {
	w.T.Helper()
	s := &runningSSH{World: w, keys: map[string]gossh.Signer{}, said: &clitest.Transcript{}, done: make(chan int, 1)}
	folder := filepath.Join(w.Home, "keys")
	must(w.T, os.MkdirAll(folder, 0o700))
	for _, u := range users {
		s.keys[u] = newSigner(w.T)
		must(w.T, os.WriteFile(filepath.Join(folder, u), gossh.MarshalAuthorizedKey(s.keys[u].PublicKey()),
			0o600))
	}
	w.Environ = append(w.Environ, "CONFAB_SSH_AUTHORIZED_KEYS="+folder)
	s.start(args...)
	w.T.Cleanup(s.stop)
	return s
}

// newSigner makes a key of a user.
func newSigner(t *testing.T) gossh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	signer, err := gossh.NewSignerFromKey(private)
	must(t, err)
	return signer
}

var listening = regexp.MustCompile(`screens by ssh on (\S+);`)

func (s *runningSSH) start(args ...string) {
	s.T.Helper()
	s.over, s.said = false, &clitest.Transcript{}
	env := s.Env(io.Discard, s.said)
	go func() {
		s.done <- cli.Run(context.Background(), append([]string{"ssh", "--listen", "127.0.0.1:0"}, args...), env)
	}()
	clitest.Eventually(s.T, "the server", func() bool {
		m := listening.FindStringSubmatch(s.said.String())
		if m != nil {
			s.addr = m[1]
		}
		return m != nil || len(s.done) > 0
	})
	if s.addr == "" {
		s.T.Fatalf("it does not serve: %s", s.said.String())
	}
}

// stop ends it as an operator does.
func (s *runningSSH) stop() {
	if s.over {
		return
	}
	s.over = true
	s.Signals <- syscall.SIGTERM
	select {
	case code := <-s.done:
		if code != cli.ExitDone {
			s.T.Errorf("the server ended with %d: %s", code, s.said.String())
		}
	case <-time.After(10 * time.Second):
		s.T.Error("the server does not end")
	}
}

func (s *runningSSH) connect(user string) *gossh.Client {
	s.T.Helper()
	c, err := gossh.Dial("tcp", s.addr, &gossh.ClientConfig{
		User: user, Auth: []gossh.AuthMethod{
			gossh.PublicKeys(s.keys[user]),
		}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	must(s.T, err)
	s.T.Cleanup(func() { c.Close() })
	return c
}

// ask runs a command and returns how it ended.
func (s *runningSSH) ask(user, stdin, command string) clitest.Result {
	s.T.Helper()
	c := s.connect(user)
	defer c.Close()
	sess, err := c.NewSession()
	must(s.T, err)
	var out, said bytes.Buffer
	sess.Stdin, sess.Stdout, sess.Stderr = strings.NewReader(stdin), &out, &said
	err = sess.Run(command)
	var exit *gossh.ExitError
	code := 0
	if errors.As(err, &exit) {
		code = exit.ExitStatus()
	} else if err != nil {
		code = -1
	}
	return clitest.Result{Code: code, Out: out.String(), Err: said.String()}
}

// guestScreen is a screen over SSH.
type guestScreen struct {
	t     *testing.T
	c     *gossh.Client
	in    io.WriteCloser
	shown *clitest.Transcript
	over  chan error
}

func (s *runningSSH) screen(user string) *guestScreen {
	s.T.Helper()
	c := s.connect(user)
	sess, err := c.NewSession()
	must(s.T, err)
	x := &guestScreen{t: s.T, c: c, shown: &clitest.Transcript{}, over: make(chan error, 1)}
	sess.Stdout, sess.Stderr = x.shown, x.shown
	if x.in, err = sess.StdinPipe(); err != nil {
		s.T.Fatal(err)
	}
	must(s.T, sess.RequestPty("xterm-256color", 30, 100, nil))
	must(s.T, sess.Shell())
	go func() { x.over <- sess.Wait() }()
	return x
}

func (x *guestScreen) sees(text string) {
	x.t.Helper()
	clitest.Eventually(x.t, text, func() bool { return strings.Contains(x.shown.String(), text) })
}

func (x *guestScreen) types(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.in, keys); err != nil {
		x.t.Fatal(err)
	}
}

// end waits until the screen has ended and returns its error.
func (x *guestScreen) end() error {
	x.t.Helper()
	select {
	case err := <-x.over:
		return err
	case <-time.After(10 * time.Second):
		x.t.Fatalf("the screen does not end:\n%s", x.shown)
		return nil
	}
}

func (s *runningSSH) user(name string) string {
	return filepath.Join(s.Home, ".local", "share", "confab", "users", name)
}

// store opens the history of a user.
func (s *runningSSH) store(user string) history.Store {
	s.T.Helper()
	store, err := sqlite.Open(s.T.Context(), filepath.Join(s.user(user), "history.db"), sqlite.Options{})
	must(s.T, err)
	s.T.Cleanup(func() { store.Close() })
	return store
}

func TestUsersDoNotSeeEachOther(t *testing.T) {
	s := serve(clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask"), []string{"anna", "bob"})
	secret := "what-only-anna-knows"
	if r := s.ask("anna", "", "ask -m alpha3.1-8b --session plans '"+secret+"'"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := s.ask("anna", "", "ask -m sim-image a lighthouse"); r.Code != 0 || !strings.HasPrefix(r.Out, "\x89PNG") {
		t.Fatalf("%d %q", r.Code, r.Err)
	}
	pictures, err := filepath.Glob(filepath.Join(s.user("anna"), "files", "pictures", "*.png"))
	if err != nil || len(pictures) != 1 {
		t.Fatalf("%v, %v", pictures, err)
	}
	for _, command := range []string{
		"ask -m alpha3.1-8b --session s1 hello", "ask -m alpha3.1-8b -C hello",
		"ask -m imageedit --image " + pictures[0] + " grey", "ask -m imageedit --image " +
			"../../anna/files/pictures/" + filepath.Base(pictures[0]) + " grey",
		"ask -m imageedit --image /etc/hostname grey", "ask -m imageedit --image ~/x.png grey",
		"ask -m alpha3.1-8b --system @" + filepath.Join(s.Home, "keys", "anna") + " hello",
		"ask -m alpha3.1-8b --variant @" + filepath.Join(s.Home, "keys", "anna") + " hello",
		"ask -m alpha3.1-8b --var x=@" + filepath.Join(s.Home, "keys", "anna") + " {{x}}",
		"ask -m alpha3.1-8b -o " + filepath.Join(s.Home, "x.md") + " hello",
	} {
		if r := s.ask("bob", "", command); r.Code == 0 || strings.Contains(r.Out+r.Err, secret) {
			t.Errorf("%s: %+v", command, r)
		}
	}
	// By search and in the lists, on the screen.
	x := s.screen("bob")
	x.sees("Write a prompt")
	x.types("\x13") // sessions
	x.sees("Sessions")
	x.types("only")
	x.sees("thing matches") // the letters before are on the screen already
	x.c.Close()
	clitest.Eventually(t, "the end of the screen", func() bool { return strings.Contains(s.said.String(), "why=line") })
	clitest.WantNoTexts(t, x.shown.String(), secret, "plans")
	for keys, title := range map[string]string{"\x12": "No prompts yet",
		"\x07": "No pictures yet"} {
		x := s.screen("bob")
		x.sees("Write a prompt")
		x.types(keys)
		x.sees(title)
		x.types("\x11")
		x.end()
		clitest.WantNoTexts(t, x.shown.String(), secret, "plans", "Simulated by")
	}
	store := s.store("bob")
	if _, total, err := store.Sessions(t.Context(), history.Query{}); err != nil || total != 0 {
		t.Errorf("bob has %d sessions, %v", total, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	err = filepath.WalkDir(filepath.Join(s.Home, ".local"), func(path string, d fs.DirEntry, err error) error {
		if info, _ := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && strings.Contains(path, "confab") {
			t.Errorf("%s has %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAUserMayHaveAServiceOfTheirOwn(t *testing.T) {
	operators := clitest.NewRemote(t,
		func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
			clitest.AnswerText(w, "the operator's")
		})
	annas := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, body map[string]string) {
		clitest.AnswerText(w, "anna's, asked with "+body["apikey"][:5])
	})
	w := clitest.NewWorld(t, "CONFAB_BASE_URL="+operators.URL, "CONFAB_API_KEY=operators-key-0001",
		"CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_SERVICE=own")
	s := serve(w, []string{"anna", "bob"})
	must(t, os.MkdirAll(s.user("anna"), 0o700))
	keyFile := filepath.Join(s.user("anna"), "key")
	for path, content := range map[string]string{
		keyFile: "annas-key-00000001\n",
		filepath.Join(s.user("anna"), "config.toml"): fmt.Sprintf("[service]\nbase_url = %q\napi_key_file = "+
			"%q\n", annas.URL, keyFile),
	} {
		must(t, os.WriteFile(path, []byte(content), 0o600))
	}
	if r := s.ask("anna", "", "ask -m alpha3.1-8b hello"); r.Out != "anna's, asked with annas\n" {
		t.Errorf("%+v", r)
	}
	if r := s.ask("bob", "", "ask -m alpha3.1-8b hello"); r.Code != 0 || !strings.Contains(r.Out, "offline engine") {
		t.Errorf("%+v", r)
	}
	if len(operators.Bodies) != 0 {
		t.Error("the operator's service was asked")
	}
}

func TestTheEmbeddedServiceFetchesNothingFromHereForUsers(t *testing.T) {
	var asked atomic.Int32
	inside := clitest.NewRemote(t, func(http.ResponseWriter, *http.Request, map[string]string) { asked.Add(1) })
	s := serve(clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
	for _, at := range []string{inside.URL + "/x.png", strings.Replace(inside.URL, "127.0.0.1", "localhost", 1),
		strings.Replace(inside.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1)} {
		if r := s.ask("anna", "", "ask -m imageedit --image "+at+" grey"); r.Code != 1 ||
			!strings.Contains(r.Err, "image_unreachable") {
			t.Errorf("%s: %+v", at, r)
		}
	}
	if asked.Load() != 0 {
		t.Error("a service of this machine was asked")
	}
	// A picture of their own is edited all the same.
	if r := s.ask("anna", "", "ask -m sim-image -q a lighthouse"); r.Code != 0 {
		t.Fatalf("%d %s", r.Code, r.Err)
	}
	pictures, err := filepath.Glob(filepath.Join(s.user("anna"), "files", "pictures", "*.png"))
	if err != nil || len(pictures) != 1 {
		t.Fatalf("%v, %v", pictures, err)
	}
	if r := s.ask("anna", "",
		"ask -m imageedit -q --image pictures/"+filepath.Base(pictures[0])+" grey"); r.Code != 0 ||
		!strings.HasPrefix(r.Out, "\x89PNG") {
		t.Errorf("%d %s", r.Code, r.Err)
	}
}

func TestAskOverSSHIsAsk(t *testing.T) {
	r := clitest.NewRemote(t, clitest.Echo)
	s := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+r.URL, "CONFAB_API_KEY=key-for-tests-0001",
		"CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
	if got := s.ask("anna", "from a pipe\n", `ask -m oss-20b "Say  it."`); got.Code != 0 ||
		got.Out != "from a pipe\n\nSay  it.\n" || got.Err != "confab: oss-20b was served as m\n" {
		t.Errorf("%+v", got)
	}
	got := s.ask("anna", "", "ask --json -m oss-20b -m phi-2 hello")
	if o := clitest.Objects(t, got.Out); len(o) != 2 || o[0]["state"] != "done" {
		t.Errorf("%+v", got)
	}
	if got := s.ask("anna", "", "ask -m nonsense hello"); got.Code != 2 || !strings.Contains(got.Err, "unknown_model") {
		t.Errorf("%+v", got)
	}
	if got := s.ask("anna", "", "ask -m oss-20b"); got.Code != 2 || !strings.Contains(got.Err, "no prompt") {
		t.Errorf("%+v", got)
	}
	if got := s.ask("anna", "", "ask --no-save -m oss-20b hello"); got.Code != 0 || got.Out != "hello\n" {
		t.Errorf("%+v", got)
	}
	if _, total, err := s.store("anna").Sessions(t.Context(), history.Query{}); err != nil || total != 2 {
		t.Errorf("%d sessions, %v", total, err)
	}
}

// TestAnswersOverSSHDoNotReachTheTerminalRaw has a model answer what a terminal obeys: the client of ssh prints what
// comes, with a pseudo-terminal or without one.
func TestAnswersOverSSHDoNotReachTheTerminalRaw(t *testing.T) {
	const hostile = "BEGIN\x1b]0;owned\x07\x1b[2J\x1b[8mhidden\u009b6n\u202eEND"
	r := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		w.Header().Set("X-Confab-Note", "a note\u009d0;owned\u009c")
		_ = json.NewEncoder(w).Encode(map[string]any{"status": 200,
			"data": map[string]string{"text": hostile, "model": "m\x1b]0;owned\x07"}})
	})
	s := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+r.URL, "CONFAB_API_KEY=key-for-tests-0001",
		"CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
	obeyed := func(text string) bool {
		return strings.ContainsFunc(text,
			func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' || r >= 0x7f && r <= 0x9f || r == '\u202e' })
	}
	for _, command := range []string{"ask -m phi-2 hello", "ask -m phi-2 -m delta hello", "ask --json -m phi-2 hello",
		"ask -m phi-2 --samples 2 -q hello"} {
		got := s.ask("anna", "", command)
		if got.Code != 0 || obeyed(got.Out) || obeyed(got.Err) || !strings.Contains(got.Out, "BEGIN") ||
			!strings.Contains(got.Out, "END") {
			t.Errorf("%s: %+v", command, got)
		}
	}
	sess, err := s.connect("anna").NewSession()
	must(t, err)
	must(t, sess.RequestPty("xterm-256color", 30, 100, nil))
	if out, err := sess.CombinedOutput("ask -m phi-2 hello"); err != nil || obeyed(string(out)) ||
		!strings.Contains(string(out), "END") {
		t.Errorf("with a pseudo-terminal: %q, %v", out, err)
	}
	if got := s.ask("anna", "", "ask --raw -m phi-2 hello"); got.Code != 0 || got.Out != hostile+"\n" ||
		obeyed(got.Err) {
		t.Errorf("--raw: %+v", got)
	}
}

func TestQuotas(t *testing.T) {
	r := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		clitest.AnswerText(w, "done")
	})
	s := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+r.URL, "CONFAB_API_KEY=key-for-tests-0001",
		"CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_ANSWERS_A_DAY=8", "CONFAB_SSH_SAMPLES=3", "CONFAB_SSH_DISK=1MiB"),
		[]string{"anna", "bob"})
	for _, command := range []string{"ask -m phi-2 hello", "ask --no-save -m phi-2 hello"} {
		if got := s.ask("anna", "", command); got.Code != 0 {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if got := s.ask("bob", "", "ask -m phi-2 hello"); got.Code != 0 {
		t.Errorf("bob pays for anna: %+v", got)
	}
	clitest.WantTexts(t, s.said.String(), "msg=Asked user=anna from=127.0.0.1:", " turn=1 answers=1")
	asked := func() int { r.Mu.Lock(); defer r.Mu.Unlock(); return len(r.Bodies) }
	before := asked()
	for command, want := range map[string]string{
		"ask -m all-text hello": "and 6 of your 8 for today are left", "ask -m phi-2 -m delta -m zeta --samples 3 " +
			"hello": "this asks for 9 answers, and 6 of your 8",
		"ask -m phi-2 --samples 4 hello": "1 to 3",
	} {
		if got := s.ask("anna", "", command); got.Code == 0 || !strings.Contains(got.Err, want) {
			t.Errorf("%s: %+v, want %q", command, got, want)
		}
	}
	if n := asked() - before; n != 0 {
		t.Errorf("what was refused made %d requests", n)
	}
	for _, command := range []string{"ask -m phi-2 -m delta --samples 2 hello", "ask -m phi-2 --samples 2 hello"} {
		if got := s.ask("anna", "", command); got.Code != 0 {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if got := s.ask("anna", "", "ask -m phi-2 hello"); got.Code != 1 ||
		!strings.Contains(got.Err, "your quota of 8 answers for today is used up") {
		t.Errorf("%+v", got)
	}
	s.stop()
	s.start() // which forgets nothing
	if got := s.ask("anna", "", "ask -m phi-2 hello"); got.Code != 1 ||
		!strings.Contains(got.Err, "your quota of 8 answers for today") {
		t.Errorf("after a restart: %+v", got)
	}
	must(t, os.WriteFile(filepath.Join(s.user("bob"), "files", "big"), make([]byte, 1<<20), 0o600))
	if got := s.ask("bob", "", "ask -m phi-2 hello"); got.Code != 1 ||
		!strings.Contains(got.Err, "your space of 1.0 MiB is used up") {
		t.Errorf("%+v", got)
	}
}

func TestALostLineKeepsTheDraft(t *testing.T) {
	s := serve(clitest.NewWorld(t), []string{"anna"})
	x := s.screen("anna")
	x.sees("Write a prompt")
	x.types("half a thought ¶")
	x.sees("¶") // single characters are drawn in one piece
	x.c.Close() // as when the laptop is closed
	clitest.Eventually(t, "the end of the screen", func() bool { return strings.Contains(s.said.String(), "why=line") })
	y := s.screen("anna")
	y.sees("half a though") // its last letter may stand there already, of "Write a prompt"
	y.sees("Draft from last time restored")
	y.c.Close()
}

func TestSSHIsRefusedWithoutKeysAndWithSettingsThatAreGone(t *testing.T) {
	w := clitest.NewWorld(t)
	if r := w.Must(cli.ExitUsage, "ssh", "--listen", "127.0.0.1:0"); !strings.Contains(r.Err,
		"no authorised keys") {
		t.Errorf("%s", r.Err)
	}
	for _, gone := range []string{"revoked_keys = '/x'", "authorized_keys_command = ['/x']", "audit = 'stderr'",
		"audit_prompts = true", "per_minute = 1", "turns_at_once = 1", "longest = '1h'", "metrics_users = 1",
		"groups.staff.answers_a_day = 1", "host_certificate = '/x'"} {
		gone := "[ssh]\n" + gone + "\n"
		if r := w.Must(cli.ExitUsage, "ssh", "--config", configFile(t, gone)); !strings.Contains(r.Err,
			" was taken out; ") {
			t.Errorf("%s: %s", gone, r.Err)
		}
	}
	if found := clitest.Files(t, w.Home); len(found) != 0 {
		t.Errorf("made %v", found)
	}
}

// configFile writes a configuration and returns its path.
func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// A crash of a Go program exits with 2, unless it is told to end by a signal.
func TestTheUnitRestartsAfterACrash(t *testing.T) {
	unit, err := os.ReadFile(filepath.Join("..", "..", "docs", "ssh", "confab-ssh.service"))
	must(t, err)
	clitest.WantTexts(t, string(unit), "Restart=on-failure\n",
		fmt.Sprintf("RestartPreventExitStatus=%d\n", cli.ExitUsage),
		"\nEnvironment=GOTRACEBACK=crash\n", "\nLimitCORE=0\n")
}

package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/service/api"
)

func TestHistoryRoundTrip(t *testing.T) {
	s := newRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		text(w, "About "+body["prompt"]+" from "+filepath.Base(r.URL.Path))
	})
	w := remoteWorld(t, s)
	w.must(0, "ask", "-m", "zeta,delta", "--system", "be brief", "the late parcel")
	w.must(0, "ask", "-m", "zeta", "--session", "posters", "a poster")

	list := strings.Split(strings.TrimSpace(w.must(0, "history", "list").out), "\n")
	if len(list) != 2 || !strings.HasPrefix(list[0], "s2\tposters\t1\t1\t0\t") ||
		!strings.HasPrefix(list[1], "s1\tthe late parcel\t1\t2\t0\t") {
		t.Errorf("list: %q", list)
	}
	wantTexts(t, w.must(0, "history", "list", "parcel").out, "the late parcel")
	wantNoTexts(t, w.must(0, "history", "list", "parcel").out, "posters")

	hits := objects(t, w.must(0, "history", "search", "parcel", "model:zeta", "--json").out)
	if len(hits) == 0 || hits[0]["session_name"] != "the late parcel" {
		t.Errorf("search: %v", hits)
	}
	wantTexts(t, w.must(0, "history", "search", "be brief").out, "system", "t1")
	wantTexts(t, w.must(2, "history", "search", "before:soon").err, "before")
	wantTexts(t, w.must(2, "history", "search").err, "search for what")

	if got := w.must(0, "history", "show", "a1").out; got != "About the late parcel from zeta\n" {
		t.Errorf("show a1: %q", got)
	}
	for _, name := range []string{"s1", "the late parcel", "t1"} {
		wantTexts(t, w.must(0, "history", "show", name).out, "be brief", "==> a1 zeta", "from delta")
	}
	wantTexts(t, w.must(0, "history", "show").out, "a poster")
	wantTexts(t, w.must(2, "history", "show", "t99").err, `there is no entry "t99"`)
	wantTexts(t, w.onTerminal(80, "", "history", "show", "s1").out, "be brief", "from zeta", "▌")
	wantTexts(t, w.onTerminal(60, "", "history", "list").out, "session", "today")
	wantTexts(t, w.onTerminal(60, "", "history", "search", "parcel").out, "where")

	path := strings.TrimSpace(w.must(0, "history", "export", "s1").out)
	if !strings.HasSuffix(path, ".md") || !strings.Contains(path, "/exports/") {
		t.Errorf("exported to %q", path)
	}
	if got := objects(t, w.must(0, "history", "export", "s1", "--as", "jsonl", "-o", "-").out); len(got) != 2 {
		t.Errorf("exported %v", got)
	}
	file := filepath.Join(t.TempDir(), "x.json")
	w.must(0, "history", "export", "t1", "-o", file)
	if b, err := os.ReadFile(file); err != nil || !bytes.Contains(b, []byte(`"be brief"`)) {
		t.Errorf("exported %s, %v", b, err)
	}
	w.must(2, "history", "export", "t1", "-o", file)
	w.must(2, "history", "export", "t1", "--as", "pdf")

	wantTexts(t, w.must(2, "history", "rm", "s1").err, "--yes")
	wantTexts(t, w.onTerminal(80, "n\n", "history", "rm", "s1").out, "nothing was deleted")
	wantTexts(t, w.onTerminal(80, "y\n", "history", "rm", "a3").out, "Deleted answer a3 of zeta")
	wantTexts(t, w.must(0, "history", "rm", "the late parcel", "--yes").err, "Deleted session s1")
	wantNoTexts(t, w.must(0, "history", "list").out, "parcel")
	for f, text := range contents(t, w.home) {
		if strings.Contains(f, "history.db") && strings.Contains(text, "parcel") {
			t.Errorf("%s still holds what was deleted", f)
		}
	}
	w.must(2, "history", "rm", "s1", "--yes")

	// What an entry named before took along is deleted, too.
	w.must(0, "ask", "-q", "-m", "zeta", "--session", "other", "an early parcel")
	r := w.must(0, "history", "list", "--json")
	id := int64(objects(t, r.out)[0]["session"].(float64))
	turn := int64(objects(t, w.must(0, "history", "show", "other", "--json").out)[0]["turn"].(float64))
	w.must(0, "history", "rm", fmt.Sprintf("t%d", turn), fmt.Sprintf("s%d", id), fmt.Sprintf("t%d", turn), "other",
		"--yes")
	wantNoTexts(t, w.must(0, "history", "list").out, "other")
}

func TestLookingMakesNothing(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{
		{"history", "list"}, {"history", "search", "x"}, {"models"}, {"paths"}, {"themes"}, {"themes", "show",
			"nord-like"},
		{"config", "show"}, {"config", "path"}, {"history", "path"}, {"doctor"}, {"man"}, {"--version"}, {"--help"},
		{"completion", "bash"}, {"__complete", "history", "show", ""}, {"help", "ask"},
	} {
		if r := w.must(0, args...); r.err != "" && args[0] != "__complete" {
			t.Errorf("%q said %q", args, r.err)
		}
	}
	if found := files(t, w.home); len(found) > 0 {
		t.Errorf("files were made: %q", found)
	}
}

func TestConfigurationErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(file, []byte("[ui]\n\ntheem = \"x\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		environ []string
		args    []string
		want    []string
	}{
		{"an unknown setting", nil, []string{"--config", file, "ask", "x"}, []string{"line 3", "theem"}},
		{"a file that is not there", nil, []string{"--config", file + ".no", "paths"}, []string{file + ".no"}},
		{"a value out of bounds", []string{"CONFAB_SERVICE_CONCURRENCY=900"}, []string{"ask", "x"},
			[]string{"CONFAB_SERVICE_CONCURRENCY"}},
		{"a default model that is none", []string{"CONFAB_MODEL=nope"}, []string{"ask", "x"},
			[]string{"nope", "CONFAB_MODEL"}},
		{"a flag out of bounds", nil, []string{"ask", "--base-url", "ftp://x", "x"}, []string{"service.base_url"}},
		{"an address that is none", nil, []string{"--base-url", "ftp://x", "ask", "x"}, []string{"https://"}},
		{"no home", []string{"HOME="}, []string{"ask", "x"}, []string{"HOME"}},
		{"a color that is none", nil, []string{"--color", "blue", "paths"}, []string{"auto, always or never"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newWorld(t, c.environ...).must(2, c.args...)
			wantTexts(t, r.err, c.want...)
			if r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "confab: ") {
				t.Errorf("stdout %q, stderr %q", r.out, r.err)
			}
		})
	}
}

func TestConfigCommands(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.home, ".config", "confab", "config.toml")
	if got := w.must(0, "config", "path").out; got != path+"\n" {
		t.Errorf("path %q, want %q", got, path)
	}
	if got := w.must(0, "config", "init").out; got != path+"\n" {
		t.Errorf("init printed %q", got)
	}
	wantTexts(t, w.must(2, "config", "init").err, "left as it is")
	wantTexts(t, w.must(0, "config", "show").out, "[service]", "# default")
	wantTexts(t, w.must(0, "--base-url", "https://a.example", "config", "show").out, `base_url = "https://a.example"`,
		"# flag")
	wantTexts(t, w.must(0, "--data-dir", "/elsewhere", "paths").out, "history\t/elsewhere/history.db\n")
	wantTexts(t, w.must(2, "config").err, "config needs a command: init, show, check, path, engines")
	w.environ = append(w.environ, "CONFAB_SERVICE_CONCURENCY=3")
	wantTexts(t, w.must(0, "paths").err, "did you mean CONFAB_SERVICE_CONCURRENCY")
}

func TestDoctor(t *testing.T) {
	w := newWorld(t)
	w.must(0, "ask", "hello")
	verdicts := map[string]any{}
	for _, o := range objects(t, w.must(0, "doctor", "--json").out) {
		verdicts[o["check"].(string)] = o["verdict"]
	}
	for _, check := range []string{"version", "terminal", "colors", "config", "pictures", "models", "service",
		"history",
		"sqlite", "folders", "clipboard"} {
		if verdicts[check] != "ok" {
			t.Errorf("%s is %v", check, verdicts[check])
		}
	}
	history := filepath.Join(w.home, ".local", "share", "confab", "history.db")
	if err := os.Chmod(history, 0o644); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, w.must(0, "doctor").out, "warn\tfolders\tothers may look into "+history, "chmod 600")
	for _, left := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(history + left) // some are not there
	}
	if err := os.WriteFile(history, bytes.Repeat([]byte("no history "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, w.must(1, "doctor").out, "fail\thistory", "(store)")
	wantTexts(t, w.must(1, "history", "list").err, "damaged", "(store)")

	r := newWorld(t, "CONFAB_UI_THEME=nope").must(0, "doctor")
	wantTexts(t, r.out, "warn\ttheme", `"nope"`)
	wantTexts(t, newWorld(t, "CONFAB_SERVICE_CONCURRENCY=900").must(1, "doctor").out, "fail\tconfig")
	wantTexts(t, newWorld(t, "CONFAB_BASE_URL=https://service.invalid").must(1, "doctor").out, "fail\tkey")
	// This one request is not of the contract: it tells nothing, and is made only when it is asked for.
	s := &fakeService{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.Method != http.MethodHead || len(body) > 0 {
			t.Errorf("doctor sent %s %s", r.Method, body)
		}
		w.WriteHeader(http.StatusNotFound)
	}))}
	w = remoteWorld(t, s)
	wantTexts(t, w.must(0, "doctor", "--online").out, "ok\tonline")
	s.Close()
	wantTexts(t, w.must(1, "doctor", "--online").out, "fail\tonline")
	wantNoTexts(t, w.must(0, "doctor").out, "online")
}

func TestAskGoesOnWithoutAHistory(t *testing.T) {
	s := newRemote(t, echo)
	w := remoteWorld(t, s)
	dir := filepath.Join(w.home, ".local", "share", "confab")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	junk := bytes.Repeat([]byte("no history "), 1000)
	if err := os.WriteFile(filepath.Join(dir, "history.db"), junk, 0o600); err != nil {
		t.Fatal(err)
	}
	r := w.must(0, "ask", "-m", "zeta", "hello")
	wantTexts(t, r.err, "nothing is saved", "(store)")
	if r.out != "hello\n" {
		t.Errorf("printed %q", r.out)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "history.db")); err != nil || !bytes.Equal(b, junk) {
		t.Error("the file was touched")
	}
}

func TestModels(t *testing.T) {
	w := newWorld(t)
	w.must(0, "ask", "-m", "zeta", "hello")
	all := objects(t, w.must(0, "models", "--json").out)
	if len(all) != len(api.Default().Models()) {
		t.Errorf("%d models", len(all))
	}
	one := objects(t, w.must(0, "models", "zeta", "--json").out)
	if len(one) != 1 || one[0]["answers"] != 1.0 || one[0]["kind"] != "text" || one[0]["typical_ms"] == nil &&
		one[0]["answers"] == 0.0 {
		t.Errorf("zeta: %v", one)
	}
	if one[0]["engine"] != "offline" || one[0]["up"] != true {
		t.Errorf("zeta is answered by %v, up %v", one[0]["engine"], one[0]["up"])
	}
	remote := remoteWorld(t, newRemote(t, echo))
	wantNoTexts(t, remote.must(0, "models", "zeta", "--json").out, `"up"`, `"engine"`)
	wantTexts(t, w.must(2, "models", "zetta").err, "did you mean zeta")
	for line := range strings.SplitSeq(strings.TrimSpace(w.onTerminal(60, "", "models").out), "\n") {
		if n := ansi.StringWidth(line); n > 60 {
			t.Errorf("%d cells: %q", n, line)
		}
	}
}

func TestThemes(t *testing.T) {
	w := newWorld(t)
	own := filepath.Join(w.home, ".config", "confab", "themes")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "mine.toml"),
		[]byte("name = \"mine\"\nabout = \"my own\"\ndark = true\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, w.must(0, "themes").out, "nord-like\t", "mine\tdark\tmy own")
	r := w.must(0, "themes", "show", "mine")
	wantTexts(t, r.out, "mine", "Ordinary text")
	wantNoTexts(t, r.out, "\x1b")
	wantTexts(t, w.onTerminal(80, "", "themes", "show", "nord-like").out, "\x1b[38;5;")
	wantTexts(t, w.onTerminal(80, "", "themes").out, "nord-like", "●", "\x1b[38;5;")
	wantTexts(t, w.must(2, "themes", "show", "nope").err, `there is no theme "nope"`)
	if err := os.WriteFile(filepath.Join(own, "bad.toml"), []byte("name = \"bad\"\n\ntext = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "worse.toml"), []byte("name = \"a\u3164b\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r = w.must(0, "themes")
	wantTexts(t, r.out, "mine\tdark\tmy own", "nord-like\t")
	wantTexts(t, r.err, "the theme bad.toml, line 3: text must be a color", "it is skipped",
		"the theme worse.toml, line 1: name must be a text")
	wantTexts(t, w.must(0, "doctor").out, "warn\ttheme\tthe theme bad.toml, line 3")
	for command, want := range map[string]int{"ask": 0, "themes": 0, "models": 0, "paths": 0, "doctor": 0,
		"config show": 0, "history list": 0} {
		args := strings.Fields(command)
		if command == "ask" {
			args = append(args, "-m", "zeta", "hello")
		}
		for theme, told := range map[string]string{
			"bad":       "the theme bad.toml, line 3: text must be a color",
			"nrod-like": `there is no theme "nrod-like", so the default is used; did you mean nord-like? (ui.theme, environment CONFAB_UI_THEME)`,
		} {
			chosen := *w
			chosen.environ = append(chosen.environ[:len(chosen.environ):len(chosen.environ)], "CONFAB_UI_THEME="+theme)
			r := chosen.must(want, args...)
			if !strings.Contains(r.err+r.out, told) {
				t.Errorf("%s with the theme %s does not say so: %s", command, theme, r.err)
			}
		}
		if command == "doctor" {
			want = 1
		} else {
			want = 2
		}
		bound := *w
		bound.environ = append(bound.environ[:len(bound.environ):len(bound.environ)], "CONFAB_KEYS_SNED=f5")
		r := bound.must(want, args...)
		wantTexts(t, r.err+r.out, "keys.sned: there is no such command; did you mean send?", "CONFAB_KEYS_SNED")
	}
}

func TestServe(t *testing.T) {
	w := newWorld(t)
	keys := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte("# mine\n"+sentinel+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, said transcript
	done := make(chan int, 1)
	go func() {
		done <- Run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--key-file", keys}, w.env(&out, &said))
	}()
	at := regexp.MustCompile(`http://[0-9.:]+`)
	eventually(t, "the address", func() bool { return at.MatchString(said.String()) })
	wantTexts(t, said.String(), "simulated")
	user := newWorld(t, "CONFAB_BASE_URL="+at.FindString(said.String()), "CONFAB_API_KEY="+sentinel)
	wantTexts(t, user.must(0, "ask", "-m", "zeta", "hello").out, "imulated")
	user.environ = append(user.environ, "CONFAB_API_KEY=another-key-0001")
	wantTexts(t, user.must(1, "ask", "-m", "zeta", "hello").err, "(unauthorized)")
	w.signals <- syscall.SIGTERM
	if code := <-done; code != 0 {
		t.Errorf("ended with %d: %s", code, said.String())
	}
	wantTexts(t, said.String(), "model=zeta", "status=200", "status=401")
	wantNoTexts(t, said.String()+out.String(), append(encodedKeys(), "another-key-0001")...)

	wantTexts(t, w.must(2, "serve", "--addr", "0.0.0.0:0").err, "--key-file")
	wantTexts(t, w.must(2, "serve", "--addr", "nowhere").err, "host:port")
	if err := os.Chmod(keys, 0o644); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, w.must(2, "serve", "--key-file", keys).err, "chmod 600")
}

func TestHelpFits(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		r := newWorld(t).must(0, args...)
		for line := range strings.SplitSeq(r.out, "\n") {
			if n := ansi.StringWidth(line); n > 80 && cmd.Name() != "completion" {
				t.Errorf("%s: %d cells: %s", cmd.CommandPath(), n, line)
			}
		}
		wantTexts(t, r.out, "Usage\n  "+cmd.CommandPath())
		wantNoTexts(t, r.out, "`", "\x1b")
		if r.err != "" {
			t.Errorf("%s said %q", cmd.CommandPath(), r.err)
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && cmd.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(commands{app.New(console.Env{Stdout: io.Discard, Stderr: io.Discard})}.root())
}

func TestCompletion(t *testing.T) {
	w := newWorld(t)
	w.must(0, "ask", "--session", "my talk", "hello")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ask", "-m", "oss"}, "oss-20b\t"},
		{[]string{"-m", "all-"}, "all-text\t"},
		{[]string{"ask", "--session", "m"}, "my talk\t1 turn"},
		{[]string{"history", "show", ""}, "my talk\t"},
		{[]string{"--theme", "nord"}, "nord-like\t"},
		{[]string{"mod"}, "models\t"},
	} {
		wantTexts(t, w.must(0, append([]string{"__complete"}, c.args...)...).out, c.want)
	}
	wantTexts(t, w.must(0, "completion", "zsh").out, "compdef")
}

func TestManualPage(t *testing.T) {
	r := newWorld(t).must(0, "man")
	wantTexts(t, r.out, ".TH CONFAB 1", "EXIT STATUS", "130 interrupted", "listen on this HOST:PORT", `\fB-q, --quiet`,
		`\fB--base-url\fP \fIURL\fP`, `\fB-m, --model\fP \fISLUG\fP`, ` "confab manual"`)
	wantNoTexts(t, r.out, "`")
}

// A name that several sessions have is not taken for one of them.
func TestSeveralSessionsOfOneName(t *testing.T) {
	w := remoteWorld(t, newRemote(t, echo))
	w.must(0, "ask", "-m", "zeta", "twin") // sessions are named after their first prompt
	w.must(0, "ask", "-m", "zeta", "twin")
	for _, args := range [][]string{
		{"history", "show", "twin"}, {"history", "export", "twin", "-o", "-"}, {"history", "rm", "twin",
			"--yes"}, {"ask",
			"-m", "zeta", "--session", "twin", "x"},
	} {
		wantTexts(t, w.must(2, args...).err, "2 sessions of that name, use an id instead: s2, s1")
	}
	w.must(0, "history", "rm", "s1", "--yes")
	wantTexts(t, w.must(0, "history", "show", "twin").out, "twin")
}

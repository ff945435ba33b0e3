package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/internal/testserver"
	"confab/service/api"
)

func TestConfigurationErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.toml")
	clitest.WriteFile(t, file, "[ui]\n\ntheem = \"x\"\n", 0o600)
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
		{"a flag as a command", nil, []string{"version"}, []string{"confab --version"}},
		{"a command that lists by itself", nil, []string{"personas", "list"}, []string{"confab personas alone"}},
		{"a color that is none", nil, []string{"--color", "blue", "paths"}, []string{"auto, always or never"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := clitest.NewWorld(t, c.environ...).Must(2, c.args...)
			clitest.WantTexts(t, r.Err, c.want...)
			if r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.HasPrefix(r.Err, "confab: ") {
				t.Errorf("stdout %q, stderr %q", r.Out, r.Err)
			}
		})
	}
}

func TestConfigCommands(t *testing.T) {
	w := clitest.NewWorld(t)
	path := filepath.Join(w.Home, ".config", "confab", "config.toml")
	if got := w.Must(0, "config", "path").Out; got != path+"\n" {
		t.Errorf("path %q, want %q", got, path)
	}
	if got := w.Must(0, "config", "init").Out; got != path+"\n" {
		t.Errorf("init printed %q", got)
	}
	clitest.WantTexts(t, w.Must(2, "config", "init").Err, "left as it is")
	clitest.WantTexts(t, w.Must(0, "config", "show").Out, "[service]", "# default")
	clitest.WantTexts(t, w.Must(0, "--base-url", "https://a.example", "config", "show").Out,
		`base_url = 'https://a.example'`, "# flag")
	clitest.WantTexts(t, w.Must(0, "--data-dir", "/elsewhere", "paths").Out, "history\t/elsewhere/history.db\n")
	clitest.WantTexts(t, w.Must(2, "config").Err, "config needs a command: init, show, check, path, engines")
	w.Environ = append(w.Environ, "CONFAB_SERVICE_CONCURENCY=3")
	clitest.WantTexts(t, w.Must(0, "paths").Err, "did you mean CONFAB_SERVICE_CONCURRENCY")
}

func TestModels(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "zeta", "hello")
	all := clitest.Objects(t, w.Must(0, "models", "--json").Out)
	if len(all) != len(api.Default().Models()) {
		t.Errorf("%d models", len(all))
	}
	one := clitest.Objects(t, w.Must(0, "models", "zeta", "--json").Out)
	if len(one) != 1 || one[0]["answers"] != 1.0 || one[0]["kind"] != "text" || one[0]["typical_ms"] == nil &&
		one[0]["answers"] == 0.0 {
		t.Errorf("zeta: %v", one)
	}
	if one[0]["engine"] != "offline" || one[0]["up"] != true {
		t.Errorf("zeta is answered by %v, up %v", one[0]["engine"], one[0]["up"])
	}
	remote := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	clitest.WantNoTexts(t, remote.Must(0, "models", "zeta", "--json").Out, `"up"`, `"engine"`)
	clitest.WantTexts(t, w.Must(2, "models", "zetta").Err, "did you mean zeta")
	for line := range strings.SplitSeq(strings.TrimSpace(w.OnTerminal(60, "", "models").Out), "\n") {
		if n := ansi.StringWidth(line); n > 60 {
			t.Errorf("%d cells: %q", n, line)
		}
	}
}

func TestThemes(t *testing.T) {
	w := clitest.NewWorld(t)
	own := filepath.Join(w.Home, ".config", "confab", "themes")
	clitest.WriteFile(t, filepath.Join(own, "mine.toml"), "name = \"mine\"\nabout = \"my own\"\ndark = true\n", 0o600)
	clitest.WantTexts(t, w.Must(0, "themes").Out, "confab-dark\t", "mine\tdark\tmy own")
	r := w.Must(0, "themes", "mine")
	if r.Out != "mine\tdark\tmy own\n" {
		t.Errorf("a theme is shown as %q", r.Out)
	}
	shown := w.OnTerminal(80, "", "themes", "catppuccin-mocha").Out
	clitest.WantTexts(t, shown, "catppuccin-mocha", "●", "strong text", "\x1b[38;5;")
	clitest.WantNoTexts(t, shown, "confab-dark")
	clitest.WantTexts(t, w.OnTerminal(80, "", "themes").Out, "confab-light", "●", "\x1b[38;5;")
	clitest.WantTexts(t, w.Must(2, "themes", "nope").Err, `there is no theme "nope"`)
	clitest.WantTexts(t, w.Must(2, "themes", "nord-like").Err,
		"the theme nord-like was taken out; catppuccin-mocha replaces it")
	clitest.WantTexts(t, w.Must(2, "--theme", "colour-blind-dark").Err,
		"the theme colour-blind-dark was taken out; high-contrast-dark is made for color-blind eyes, too")
	clitest.WriteFile(t, filepath.Join(own, "bad.toml"), "name = \"bad\"\n\ntext = 3\n", 0o600)
	clitest.WriteFile(t, filepath.Join(own, "worse.toml"), "name = \"a\u3164b\"\n", 0o600)
	r = w.Must(0, "themes")
	clitest.WantTexts(t, r.Out, "mine\tdark\tmy own", "confab-dark\t")
	clitest.WantTexts(t, r.Err, "the theme bad.toml, line 3: text must be a color", "it is skipped",
		"the theme worse.toml, line 1: name must be 1 to 40")
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "warn\ttheme\tthe theme bad.toml, line 3")
	for command, want := range map[string]int{"ask": 0, "themes": 0, "models": 0, "paths": 0, "doctor": 0,
		"config show": 0, "history list": 0} {
		args := strings.Fields(command)
		if command == "ask" {
			args = append(args, "-m", "zeta", "hello")
		}
		for theme, told := range map[string]string{
			"bad": "the theme bad.toml, line 3: text must be a color",
			"confab-drak": `there is no theme "confab-drak", so the default is used; ` +
				"did you mean confab-dark? (ui.theme, environment CONFAB_UI_THEME)",
			"rose-like-light": "the theme rose-like-light was taken out, so confab-light is used " +
				"(ui.theme, environment CONFAB_UI_THEME)",
		} {
			chosen := *w
			chosen.Environ = append(chosen.Environ[:len(chosen.Environ):len(chosen.Environ)], "CONFAB_UI_THEME="+theme)
			r := chosen.Must(want, args...)
			if !strings.Contains(r.Err+r.Out, told) {
				t.Errorf("%s with the theme %s does not say so: %s", command, theme, r.Err)
			}
		}
		if command == "doctor" {
			want = 1
		} else {
			want = 2
		}
		bound := *w
		bound.Environ = append(bound.Environ[:len(bound.Environ):len(bound.Environ)], "CONFAB_KEYS_SNED=f5")
		r := bound.Must(want, args...)
		clitest.WantTexts(t, r.Err+r.Out, "keys.sned: there is no such command; did you mean send?", "CONFAB_KEYS_SNED")
	}
}

func TestServe(t *testing.T) {
	w := clitest.NewWorld(t)
	keys := filepath.Join(t.TempDir(), "keys")
	clitest.WriteFile(t, keys, "# mine\n"+clitest.Sentinel+"\n", 0o600)
	var out, said clitest.Transcript
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--key-file", keys}, w.Env(&out, &said))
	}()
	at := regexp.MustCompile(`http://[0-9.:]+`)
	clitest.Eventually(t, "the address", func() bool { return at.MatchString(said.String()) })
	clitest.WantTexts(t, said.String(), "simulated")
	user := clitest.NewWorld(t, "CONFAB_BASE_URL="+at.FindString(said.String()), "CONFAB_API_KEY="+clitest.Sentinel)
	clitest.WantTexts(t, user.Must(0, "ask", "-m", "zeta", "hello").Out, "imulated")
	user.Environ = append(user.Environ, "CONFAB_API_KEY=another-key-0001")
	clitest.WantTexts(t, user.Must(1, "ask", "-m", "zeta", "hello").Err, "(unauthorized)")
	w.Signals <- syscall.SIGTERM
	if code := <-done; code != 0 {
		t.Errorf("ended with %d: %s", code, said.String())
	}
	clitest.WantTexts(t, said.String(), "model=zeta", "status=200", "status=401")
	clitest.WantNoTexts(t, said.String()+out.String(), append(encodedKeys(), "another-key-0001")...)

	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "0.0.0.0:0").Err, "--key-file")
	clitest.WantTexts(t, w.Must(2, "serve", "--addr", "nowhere").Err, "host:port")
	must(t, os.Chmod(keys, 0o644))
	clitest.WantTexts(t, w.Must(2, "serve", "--key-file", keys).Err, "chmod 600")
}

func TestHelpFits(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		r := clitest.NewWorld(t).Must(0, args...)
		for line := range strings.SplitSeq(r.Out, "\n") {
			if n := ansi.StringWidth(line); n > 80 && cmd.Name() != "completion" {
				t.Errorf("%s: %d cells: %s", cmd.CommandPath(), n, line)
			}
		}
		clitest.WantTexts(t, r.Out, "Usage\n  "+cmd.CommandPath())
		clitest.WantNoTexts(t, r.Out, "`", "\x1b")
		if r.Err != "" {
			t.Errorf("%s said %q", cmd.CommandPath(), r.Err)
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && cmd.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(cli.Root(cli.Env{Stdout: io.Discard, Stderr: io.Discard}))
}

func TestCompletion(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "--session", "my talk", "hello")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ask", "-m", "oss"}, "oss-20b\t"},
		{[]string{"-m", "all-"}, "all-text\t"},
		{[]string{"ask", "--session", "m"}, "my talk\t1 turn"},
		{[]string{"history", "show", ""}, "my talk\t"},
		{[]string{"--theme", "cat"}, "catppuccin-mocha\t"},
		{[]string{"mod"}, "models\t"},
	} {
		clitest.WantTexts(t, w.Must(0, append([]string{"__complete"}, c.args...)...).Out, c.want)
	}
	clitest.WantTexts(t, w.Must(0, "completion", "zsh").Out, "compdef")
}

func TestManualPage(t *testing.T) {
	r := clitest.NewWorld(t).Must(0, "man")
	clitest.WantTexts(t, r.Out, ".TH CONFAB 1", "EXIT STATUS", "130 interrupted", "listen on this HOST:PORT",
		`\fB-q, --quiet`, `\fB--base-url\fP \fIURL\fP`, `\fB-m, --model\fP \fISLUG\fP`, ` "confab manual"`)
	clitest.WantNoTexts(t, r.Out, "`")
}

// What is meant for people at a terminal is neither printed to a pipe nor with --quiet.
func TestOnlyPeopleAreTold(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_UI_THEME=no-such-theme")
	const warning = "there is no theme"
	clitest.WantTexts(t, w.Must(cli.ExitDone, "ask", "-m", "zeta", "hello").Err, warning)
	clitest.WantNoTexts(t, w.Must(cli.ExitDone, "ask", "-q", "-m", "zeta", "hello").Err, warning)
	clitest.WantNoTexts(t, w.Must(cli.ExitDone, "history", "list", "-n", "1").Err, "1 session of 2")
	clitest.WantTexts(t, w.OnTerminal(80, "", "history", "list", "-n", "1").Out, "1 session of 2")
}

// TestAServiceOfTheContractSeesNothingElse asks a strict service for texts, a picture and an edit, with everything that
// the commands have for services that offer more.
func TestAServiceOfTheContractSeesNothingElse(t *testing.T) {
	s := testserver.New(t)
	w := clitest.NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001")
	for _, args := range [][]string{
		{"-m", "delta", "--system", "Be short.", "--param", "temperature=0.2", "one"},
		{"-m", "delta,zeta,paraphrase", "--continue", "--context", "two"},
		{"-m", "sim-image,diffusion-xl", "--aspect", "16:9", "--nonce", "n1", "a lighthouse"},
		{"-m", "imageedit,imageedit-lite", "--image", "https://example.com/a.png", "make it grey"},
	} {
		w.Must(0, append([]string{"ask"}, args...)...)
	}
	w.Must(0, "doctor")
	if seen := s.Seen(); len(seen) != 1+3+2+2 {
		t.Errorf("the service saw %d requests", len(seen))
	}
}

// fullDevice is an output that takes nothing.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAnOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "zeta", "hello")
	for _, args := range []string{
		"--help", "ask --help", "help ask", "--version", "completion bash", "completion powershell", "man",
		"models", "paths", "themes",
		"config show", "config path", "doctor", "history list", "history show", "history export s1 -o -",
		"ask -m zeta hello", "ask -m zeta --json hello",
	} {
		var said strings.Builder
		code := cli.Run(t.Context(), strings.Fields(args), w.Env(fullDevice{}, &said))
		if code != cli.ExitFailed || !strings.Contains(said.String(),
			"standard output could not be written (disk)") {
			t.Errorf("%s: ended with %d and said %q", args, code, said.String())
		}
	}
}

func TestHelpShowsThePagesOfTheDocumentation(t *testing.T) {
	w := clitest.NewWorld(t)
	list := w.Must(0, "help").Out
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	must(t, err)
	if len(pages) == 0 {
		t.Fatal("no pages found")
	}
	for _, page := range pages {
		topic := strings.TrimSuffix(filepath.Base(page), ".md")
		if !strings.Contains("\n"+list, "\n"+topic+"\t") {
			t.Errorf("confab help does not list %s:\n%s", topic, list)
		}
		text, err := os.ReadFile(page)
		must(t, err)
		if got := w.Must(0, "help", topic).Out; got != string(text) {
			t.Errorf("confab help %s printed %d bytes, want the page of %d", topic, len(got), len(text))
		}
	}
	if drawn := w.OnTerminal(80, "", "help", "faq"); !strings.Contains(drawn.Out, "Why are the answers simulated?") ||
		strings.Contains(drawn.Out, "## ") {
		t.Errorf("on a terminal the page is not rendered:\n%s", drawn.Out)
	}
	clitest.WantTexts(t, w.Must(2, "help", "nothing").Err, "confab help lists the topics")
	clitest.WantTexts(t, w.Must(0, "__complete", "help", "sui").Out, "suites\tSuites")
	clitest.WantTexts(t, w.Must(0, "help", "ask").Out, "Send one prompt")
}

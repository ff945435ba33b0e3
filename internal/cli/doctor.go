package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/themes"
)

// finding is the result of a check; its field names are stable. The verdict is "ok", "warn" or "fail".
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
	Found   string `json:"found"`
	Todo    string `json:"todo,omitempty"`
}

// doctor checks what confab needs.
type doctor struct {
	app      *app
	findings []finding
}

func (d *doctor) ok(check, format string, args ...any) {
	d.findings = append(d.findings, finding{check, "ok", fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warn(check, found, todo string) {
	d.findings = append(d.findings, finding{check, "warn", found, todo})
}

func (d *doctor) fail(check, found, todo string) {
	d.findings = append(d.findings, finding{check, "fail", found, todo})
}

func (d *doctor) failOn(err error, check, todo string) (failed bool) {
	if err != nil {
		d.fail(check, sentence(err), todo)
	}
	return err != nil
}

func (a *app) doctorCommand() *cobra.Command {
	var online bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check terminal, configuration, key, history and folders", Args: a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{app: a}
			d.checkAll(cmd.Context(), online)
			return d.print()
		},
	}
	a.jsonFlag(cmd.Flags(), "check")
	cmd.Flags().BoolVar(&online, "online", false, "also see whether the service can be reached")
	return cmd
}

// print prints the findings: on a terminal wrapped, because what to do must be read whole.
func (d *doctor) print() error {
	var t table
	mask := d.app.secrets.Masker()
	for _, f := range d.findings {
		f.Found, f.Todo = mask.String(f.Found), mask.String(f.Todo)
		var err error
		switch {
		case d.app.flags.json:
			err = d.app.printJSON(f)
		case d.app.out.terminal:
			err = d.printWrapped(f)
		default:
			t.add(f.Verdict, f.Check, f.Found, f.Todo)
		}
		if err != nil {
			return err
		}
	}
	if err := d.app.printTable(t); err != nil {
		return err
	}
	if slices.ContainsFunc(d.findings, func(f finding) bool { return f.Verdict == "fail" }) {
		return exitCode(exitFailed)
	}
	return nil
}

func (d *doctor) printWrapped(f finding) error {
	head := fmt.Sprintf("%-4s  %-10s  ", f.Verdict, f.Check)
	width := max(d.app.out.width()-len(head), 20)
	lines := termtext.Wrap(termtext.Line(f.Found), width)
	if f.Todo != "" {
		for i, line := range termtext.Wrap(termtext.Line(f.Todo), width-3) {
			lines = append(lines, choose(i == 0, "-> ", "   ")+line)
		}
	}
	text := head + strings.Join(lines, "\n"+strings.Repeat(" ", len(head)))
	s := d.app.styles()
	style := map[string]themes.Style{"ok": s.Text, "warn": s.Warning, "fail": s.Danger}[f.Verdict]
	for line := range strings.SplitSeq(text, "\n") {
		if err := d.app.printStyled(style.Render(line) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// checkAll makes all checks. What cannot be checked without a configuration is left out when that is wrong.
func (d *doctor) checkAll(ctx context.Context, online bool) {
	a := d.app
	d.ok("version", "confab %s, %s, %s/%s", a.env.version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	d.checkTerminal()
	if !d.checkSettings(ctx, online) {
		return
	}
	d.checkConnection(ctx)
	d.checkExtensions(ctx)
	d.checkHistory(ctx)
	d.checkBucket(ctx)
	d.checkFolders()
	machine := a.desktop()
	d.ok("clipboard", "copies go to %s", strings.Join(machine.CopyMethods(), ", "))
	if name, ok := machine.EditorName(); ok {
		d.ok("editor", "%s", name)
	} else {
		d.warn("editor", "there is none", "set $VISUAL or $EDITOR")
	}
}

// checkSettings checks the configuration and what it names, and reports whether it could be loaded.
func (d *doctor) checkSettings(ctx context.Context, online bool) (loaded bool) {
	a := d.app
	path, err := a.configPath()
	if d.failOn(err, "config", "set HOME") {
		return false
	}
	if d.failOn(a.loadConfig(ctx), "config",
		"correct "+path+", or move it away; confab config init writes a new one") {
		return false
	}
	if _, err := os.Stat(path); err != nil {
		d.ok("config", "no file %s; everything is as by default, flags and environment", path)
	} else {
		d.ok("config", "%s", path)
	}
	for _, w := range a.cfg.Warnings {
		d.warn("config", asClause(w), "correct or remove it")
	}
	before := len(a.cfg.Warnings)
	d.failOn(a.checkThemes(), "theme", "correct or remove it")
	for _, w := range append(a.cfg.Warnings[before:], a.themeWarnings(a.readThemes())...) {
		d.warn("theme", w, "correct or remove it")
	}
	d.checkModels()
	if a.endpoint().IsEmbedded {
		d.checkEngines(ctx, online)
	} else {
		d.checkService(ctx, online)
	}
	return true
}

func (d *doctor) checkModels() {
	_, err := d.app.keys()
	d.failOn(err, "keys", "correct [keys] in the configuration")
	if d.failOn(d.app.loadCatalogue(), "models", "correct [[models.custom]] in the configuration") {
		return
	}
	if _, err := d.app.matchModels(nil); !d.failOn(err, "models", "correct models.default") {
		d.ok("models", "%d in the catalogue", len(d.app.catalogue.Models()))
	}
}

// checkHistory opens the history, if there is one, and looks at it.
func (d *doctor) checkHistory(ctx context.Context) {
	a := d.app
	path := a.historyPlace()
	if !a.cfg.History.Save {
		d.warn("history", "saving is turned off ("+a.cfg.Origin("history.save").String()+")",
			"set history.save to true to keep prompts and answers")
	}
	if !a.hasHistory() {
		d.ok("history", "none yet; it will be %s", path)
		return
	}
	svc := service.New(service.Options{Open: a.openStore(false), OpenMemory: openMemory, Saves: true,
		Mask: a.secrets.Masker(), Log: a.log, Folders: service.Folders{Pictures: a.cfg.Paths.Pictures}})
	defer a.closeService(ctx, svc)
	info, err := svc.StoreInfo(ctx)
	if problem := svc.StoreProblem(); problem != nil {
		err = problem
	}
	if err != nil {
		d.fail("history", path+": "+sentence(err), "see to it, or have [history] name another one")
		return
	}
	d.ok("history", "%s, %.1f MB, %s, %s, %s, %s", path, float64(info.Bytes)/1e6,
		format.Count(info.Sessions, "session"), format.Count(info.Turns, "turn"),
		format.Count(info.Answers, "answer"), format.Count(info.Pictures, "picture"))
	if info.Journal == "" {
		d.ok("postgresql", "%s, schema %d", info.Version, info.Schema)
	} else {
		d.ok("sqlite", "%s, schema %d, journal %s", info.Version, info.Schema, info.Journal)
	}
	if info.IsOnNetwork {
		d.warn("history", "it lies on a network file system, so it is slower and without a write-ahead log",
			"set history.folder to a folder of this machine")
	}
	d.checkPictures(ctx, svc)
}

// checkPictures says whether the picture folder and the history agree.
func (d *doctor) checkPictures(ctx context.Context, svc *service.Service) {
	orphans, err := svc.Files().FindOrphans(ctx)
	if d.failOn(err, "files", "see to the rights of "+termtext.Line(d.app.cfg.Paths.Pictures)) {
		return
	}
	before := len(d.findings)
	parts := slices.Concat(countText(len(orphans.Temporary), "half-written file", "half-written files"),
		countText(len(orphans.Provenance), "file of facts without a picture", "files of facts without a picture"),
		countText(len(orphans.Pictures), "picture that the history does not know",
			"pictures that the history does not know"))
	if len(parts) > 0 {
		d.warn("files", strings.Join(parts, ", ")+fmt.Sprintf(" (%.1f MB)", float64(orphans.Bytes)/1e6),
			"confab history sweep lists and deletes them")
	}
	if n := len(orphans.Missing); n > 0 {
		d.warn("files", format.Several(n, "picture of the history has", "pictures of the history have")+" no file",
			"bring the files back, or see confab history sweep --dry-run and delete the entries with confab history rm")
	}
	if n := len(orphans.Foreign); n > 0 {
		d.ok("files", "%s in the picture folder not confab's, and left alone",
			format.Several(n, "file is", "files are"))
	}
	if len(d.findings) == before {
		d.ok("files", "the folder and the history agree")
	}
}

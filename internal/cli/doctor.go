package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/pictures"
	"confab/themes"
)

func (a *app) checkConfigCommand() *cobra.Command {
	return a.reportCommand("check", "Check the configuration, and the files and engines that it names",
		func(ctx context.Context, d *doctorReport, online bool) {
			if d.checkSettings(ctx, online) {
				d.checkFiles()
				d.checkFolders()
			}
		})
}

func (a *app) doctorCommand() *cobra.Command {
	return a.reportCommand("doctor", "Check terminal, configuration, key, history and folders",
		func(ctx context.Context, d *doctorReport, online bool) { d.checkAll(ctx, online) })
}

// reportCommand returns a command that prints the findings of check.
func (a *app) reportCommand(use, short string,
	check func(ctx context.Context, d *doctorReport, online bool)) *cobra.Command {
	var online bool
	cmd := a.unloadedCommand(use, short, func(ctx context.Context) error {
		d := &doctorReport{app: a}
		check(ctx, d, online)
		return d.print()
	})
	a.jsonFlag(cmd.Flags(), "check")
	cmd.Flags().BoolVar(&online, "online", false, "also check that the service and the engines can be reached")
	return cmd
}

// finding is the result of a check; its field names are stable. Verdict is "ok", "warn" or "fail".
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
	Found   string `json:"found"`
	Todo    string `json:"advice,omitempty"`
}

type doctorReport struct {
	app      *app
	findings []finding
}

func (d *doctorReport) ok(check, format string, args ...any) {
	d.findings = append(d.findings, finding{check, "ok", fmt.Sprintf(format, args...), ""})
}

// warn adds a finding that does not keep confab from working.
func (d *doctorReport) warn(check, found, advice string) {
	d.findings = append(d.findings, finding{check, "warn", found, advice})
}

// fail adds a finding that the user must correct.
func (d *doctorReport) fail(check, found, advice string) {
	d.findings = append(d.findings, finding{check, "fail", found, advice})
}

// failOn adds err, unless it is nil, as a failed finding.
func (d *doctorReport) failOn(err error, check, advice string) (failed bool) {
	if err != nil {
		d.fail(check, sentence(err), advice)
	}
	return err != nil
}

// print prints the findings, wrapped on a terminal.
func (d *doctorReport) print() error {
	var t textTable
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
		return exitCode(ExitFailed)
	}
	return nil
}

func (d *doctorReport) printWrapped(f finding) error {
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

// checkAll makes all checks. Most of them need a configuration that loads.
func (d *doctorReport) checkAll(ctx context.Context, online bool) {
	a := d.app
	d.ok("version", "confab %s, %s, %s/%s", a.env.BuildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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

// checkSettings checks the configuration and reports whether it loads.
func (d *doctorReport) checkSettings(ctx context.Context, online bool) (loaded bool) {
	a := d.app
	path, err := a.configPath()
	if d.failOn(err, "config", "set HOME") {
		return false
	}
	err = a.loadConfig(ctx)
	advice := "correct " + path + ", or move it away; confab config init writes a new one"
	var wrong config.OriginError
	switch errors.As(err, &wrong); wrong.Source {
	case config.FromEnv:
		advice = "correct " + wrong.Name + " in the environment, or unset it"
	case config.FromFlag:
		advice = "correct the flag"
	}
	if d.failOn(err, "config", advice) {
		return false
	}
	if _, err := os.Stat(path); err != nil {
		path = "no file " + path + "; defaults, flags and the environment hold"
	}
	d.ok("config", "%s", path)
	for _, w := range a.config.Warnings {
		d.warn("config", asClause(w), "correct or remove it")
	}
	before := len(a.config.Warnings)
	d.failOn(a.checkThemes(), "theme", "correct or remove it")
	for _, w := range append(a.config.Warnings[before:], a.themeWarnings(a.readThemes())...) {
		d.warn("theme", w, "correct or remove it")
	}
	_, err = a.keys()
	d.failOn(err, "keys", "correct [keys] in the configuration")
	if !d.failOn(a.loadCatalogue(), "models", "correct [[models.custom]] in the configuration") {
		if _, err := a.matchModels(ctx, nil); !d.failOn(err, "models", "correct models.default") {
			d.ok("models", "%d in the catalogue", len(a.catalogue().Models()))
		}
	}
	if a.isEmbedded() {
		d.checkEngines(ctx, online)
	} else {
		d.checkService(ctx, online)
	}
	return true
}

func (d *doctorReport) checkHistory(ctx context.Context) {
	a := d.app
	path := a.historyPlace()
	if !a.hasHistory() {
		d.ok("history", "none yet; it will be %s", path)
		return
	}
	svc := service.New(service.Options{
		History:  service.HistoryOptions{Open: a.openStore, OpenMemory: openMemory, Saves: true},
		Pictures: pictures.Options{Folder: a.config.Paths.Pictures}, Mask: a.secrets.Masker(), Log: a.log})
	defer a.closeService(ctx, svc)
	info, err := svc.StoreInfo(ctx)
	if problem := svc.StoreProblem(); problem != nil {
		err = problem
	}
	if err != nil {
		d.fail("history", path+": "+sentence(err), "repair it, or choose another one in [history]")
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
		d.warn("history", "it is on a network file system, so it is slower and has no write-ahead log",
			"set history.folder to a folder of this machine")
	}
	d.checkPictures(ctx, svc)
}

// checkPictures compares the picture folder with the history.
func (d *doctorReport) checkPictures(ctx context.Context, svc *service.Service) {
	orphans, err := svc.Files().FindOrphans(ctx)
	if d.failOn(err, "files", "check the permissions of "+termtext.Line(d.app.config.Paths.Pictures)) {
		return
	}
	before := len(d.findings)
	parts := slices.Concat(countOrNone(len(orphans.Temporary), "half-written file", "half-written files"),
		countOrNone(len(orphans.Provenance), "file of facts without a picture",
			"files of facts without a picture"),
		countOrNone(len(orphans.Pictures), "picture that the history does not know",
			"pictures that the history does not know"))
	if len(parts) > 0 {
		d.warn("files", strings.Join(parts, ", ")+fmt.Sprintf(" (%.1f MB)", float64(orphans.Bytes)/1e6),
			"confab history sweep lists and deletes them")
	}
	if n := len(orphans.Missing); n > 0 {
		d.warn("files", format.Several(n, "picture of the history has", "pictures of the history have")+" no file",
			"restore the files, or delete the entries that confab history sweep --dry-run lists")
	}
	if n := len(orphans.Foreign); n > 0 {
		d.ok("files", "%s in the picture folder not made by confab, left alone", format.Count(n, "file"))
	}
	if len(d.findings) == before {
		d.ok("files", "the folder and the history agree")
	}
}

// checkFiles reads the files that settings name for keys, passwords and confab ssh.
func (d *doctorReport) checkFiles() {
	found := d.app.config.CheckSecretFiles()
	for _, setting := range slices.Sorted(maps.Keys(found)) {
		if !d.failOn(found[setting], setting, "correct the setting or the file") {
			d.ok(setting, "can be read")
		}
	}
	ssh := d.app.config.SSH
	if ssh.AuthorizedKeys+ssh.TrustedUserCAKeys+ssh.HostKey == "" {
		return
	}
	paths := d.app.config.Paths
	report := sshserver.Check(sshserver.Options{Keys: paths.AuthorizedKeys, HostKey: paths.HostKey,
		TrustedUserCAKeys: ssh.TrustedUserCAKeys})
	for _, note := range report.Notes {
		d.warn("ssh", note, "")
	}
	if err := errors.Join(report.Problems...); err != nil {
		d.fail("ssh", termtext.Line(err.Error()), "correct the setting or the file")
		return
	}
	d.ok("ssh", "the files can be read, and the host key is %s", report.HostKey)
}

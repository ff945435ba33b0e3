// Package doctor checks what confab needs: the terminal, the configuration, the service and its engines, the history,
// the pictures and the folders.
package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/pictures"
	"confab/themes"
)

// CheckCommand returns confab config check.
func CheckCommand(a *app.App) *cobra.Command {
	var online bool
	cmd := a.UnloadedCommand("check", "Check the configuration, and the files and engines that it names",
		func(ctx context.Context) error {
			d := NewReport(a)
			if d.CheckSettings(ctx, online) {
				d.checkFiles()
				d.CheckFolders()
			}
			return d.Print()
		})
	a.JSONFlag(cmd.Flags(), "check")
	cmd.Flags().BoolVar(&online, "online", false, "also see whether the service and the engines can be reached")
	return cmd
}

// finding is the result of a check; its field names are stable. The verdict is "ok", "warn" or "fail".
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
	Found   string `json:"found"`
	Todo    string `json:"todo,omitempty"`
}

// Report is the result of checks.
type Report struct {
	app      *app.App
	findings []finding
}

// NewReport returns a report without findings.
func NewReport(a *app.App) *Report { return &Report{app: a} }

// OK adds a finding that is as it should be.
func (d *Report) OK(check, format string, args ...any) {
	d.findings = append(d.findings, finding{check, "ok", fmt.Sprintf(format, args...), ""})
}

// Warn adds a finding that keeps nothing from working.
func (d *Report) Warn(check, found, todo string) {
	d.findings = append(d.findings, finding{check, "warn", found, todo})
}

// Fail adds a finding that must be mended.
func (d *Report) Fail(check, found, todo string) {
	d.findings = append(d.findings, finding{check, "fail", found, todo})
}

// FailOn adds an error, if there is one, as a finding that must be mended.
func (d *Report) FailOn(err error, check, todo string) (failed bool) {
	if err != nil {
		d.Fail(check, console.Sentence(err), todo)
	}
	return err != nil
}

// Command returns confab doctor.
func Command(a *app.App) *cobra.Command {
	var online bool
	cmd := a.UnloadedCommand("doctor", "Check terminal, configuration, key, history and folders",
		func(ctx context.Context) error {
			d := NewReport(a)
			d.checkAll(ctx, online)
			return d.Print()
		})
	a.JSONFlag(cmd.Flags(), "check")
	cmd.Flags().BoolVar(&online, "online", false, "also see whether the service can be reached")
	return cmd
}

// Print prints the findings: on a terminal wrapped, because what to do must be read whole.
func (d *Report) Print() error {
	var t console.Table
	mask := d.app.Secrets.Masker()
	for _, f := range d.findings {
		f.Found, f.Todo = mask.String(f.Found), mask.String(f.Todo)
		var err error
		switch {
		case d.app.Flags.JSON:
			err = d.app.PrintJSON(f)
		case d.app.Out.Terminal:
			err = d.printWrapped(f)
		default:
			t.Add(f.Verdict, f.Check, f.Found, f.Todo)
		}
		if err != nil {
			return err
		}
	}
	if err := d.app.PrintTable(t); err != nil {
		return err
	}
	if slices.ContainsFunc(d.findings, func(f finding) bool { return f.Verdict == "fail" }) {
		return console.ExitCode(console.ExitFailed)
	}
	return nil
}

func (d *Report) printWrapped(f finding) error {
	head := fmt.Sprintf("%-4s  %-10s  ", f.Verdict, f.Check)
	width := max(d.app.Out.Width()-len(head), 20)
	lines := termtext.Wrap(termtext.Line(f.Found), width)
	if f.Todo != "" {
		for i, line := range termtext.Wrap(termtext.Line(f.Todo), width-3) {
			lines = append(lines, console.Choose(i == 0, "-> ", "   ")+line)
		}
	}
	text := head + strings.Join(lines, "\n"+strings.Repeat(" ", len(head)))
	s := d.app.Styles()
	style := map[string]themes.Style{"ok": s.Text, "warn": s.Warning, "fail": s.Danger}[f.Verdict]
	for line := range strings.SplitSeq(text, "\n") {
		if err := d.app.PrintStyled(style.Render(line) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// checkAll makes all checks. What cannot be checked without a configuration is left out when that is wrong.
func (d *Report) checkAll(ctx context.Context, online bool) {
	a := d.app
	d.OK("version", "confab %s, %s, %s/%s", a.Env.BuildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	d.checkTerminal()
	if !d.CheckSettings(ctx, online) {
		return
	}
	d.checkConnection(ctx)
	d.checkExtensions(ctx)
	d.checkHistory(ctx)
	d.CheckBucket(ctx)
	d.CheckFolders()
	machine := a.Desktop()
	d.OK("clipboard", "copies go to %s", strings.Join(machine.CopyMethods(), ", "))
	if name, ok := machine.EditorName(); ok {
		d.OK("editor", "%s", name)
	} else {
		d.Warn("editor", "there is none", "set $VISUAL or $EDITOR")
	}
}

// CheckSettings checks the configuration and what it names, and reports whether it could be loaded.
func (d *Report) CheckSettings(ctx context.Context, online bool) (loaded bool) {
	a := d.app
	path, err := a.ConfigPath()
	if d.FailOn(err, "config", "set HOME") {
		return false
	}
	if d.FailOn(a.LoadConfig(ctx), "config",
		"correct "+path+", or move it away; confab config init writes a new one") {
		return false
	}
	if _, err := os.Stat(path); err != nil {
		d.OK("config", "no file %s; everything is as by default, flags and environment", path)
	} else {
		d.OK("config", "%s", path)
	}
	for _, w := range a.Config.Warnings {
		d.Warn("config", console.AsClause(w), "correct or remove it")
	}
	before := len(a.Config.Warnings)
	d.FailOn(a.CheckThemes(), "theme", "correct or remove it")
	for _, w := range append(a.Config.Warnings[before:], a.ThemeWarnings(a.ReadThemes())...) {
		d.Warn("theme", w, "correct or remove it")
	}
	d.checkModels()
	if a.Endpoint().IsEmbedded {
		d.checkEngines(ctx, online)
	} else {
		d.checkService(ctx, online)
	}
	return true
}

func (d *Report) checkModels() {
	_, err := d.app.Keys()
	d.FailOn(err, "keys", "correct [keys] in the configuration")
	if d.FailOn(d.app.LoadCatalogue(), "models", "correct [[models.custom]] in the configuration") {
		return
	}
	if _, err := d.app.MatchModels(nil); !d.FailOn(err, "models", "correct models.default") {
		d.OK("models", "%d in the catalogue", len(d.app.Catalogue.Models()))
	}
}

// checkHistory opens the history, if there is one, and looks at it.
func (d *Report) checkHistory(ctx context.Context) {
	a := d.app
	path := a.HistoryPlace()
	if !a.Config.History.Save {
		d.Warn("history", "saving is turned off ("+a.Config.Origin("history.save").String()+")",
			"set history.save to true to keep prompts and answers")
	}
	if !a.HasHistory() {
		d.OK("history", "none yet; it will be %s", path)
		return
	}
	svc := service.New(service.Options{
		History:  service.HistoryOptions{Open: a.OpenStore(false), OpenMemory: app.OpenMemory, Saves: true},
		Pictures: pictures.Options{Folder: a.Config.Paths.Pictures}, Mask: a.Secrets.Masker(), Log: a.Log})
	defer a.CloseService(ctx, svc)
	info, err := svc.StoreInfo(ctx)
	if problem := svc.StoreProblem(); problem != nil {
		err = problem
	}
	if err != nil {
		d.Fail("history", path+": "+console.Sentence(err), "see to it, or have [history] name another one")
		return
	}
	d.OK("history", "%s, %.1f MB, %s, %s, %s, %s", path, float64(info.Bytes)/1e6,
		format.Count(info.Sessions, "session"), format.Count(info.Turns, "turn"),
		format.Count(info.Answers, "answer"), format.Count(info.Pictures, "picture"))
	if info.Journal == "" {
		d.OK("postgresql", "%s, schema %d", info.Version, info.Schema)
	} else {
		d.OK("sqlite", "%s, schema %d, journal %s", info.Version, info.Schema, info.Journal)
	}
	if info.IsOnNetwork {
		d.Warn("history", "it lies on a network file system, so it is slower and without a write-ahead log",
			"set history.folder to a folder of this machine")
	}
	d.checkPictures(ctx, svc)
}

// checkPictures says whether the picture folder and the history agree.
func (d *Report) checkPictures(ctx context.Context, svc *service.Service) {
	orphans, err := svc.Files().FindOrphans(ctx)
	if d.FailOn(err, "files", "see to the rights of "+termtext.Line(d.app.Config.Paths.Pictures)) {
		return
	}
	before := len(d.findings)
	parts := slices.Concat(console.CountOrNone(len(orphans.Temporary), "half-written file", "half-written files"),
		console.CountOrNone(len(orphans.Provenance), "file of facts without a picture",
			"files of facts without a picture"),
		console.CountOrNone(len(orphans.Pictures), "picture that the history does not know",
			"pictures that the history does not know"))
	if len(parts) > 0 {
		d.Warn("files", strings.Join(parts, ", ")+fmt.Sprintf(" (%.1f MB)", float64(orphans.Bytes)/1e6),
			"confab history sweep lists and deletes them")
	}
	if n := len(orphans.Missing); n > 0 {
		d.Warn("files", format.Several(n, "picture of the history has", "pictures of the history have")+" no file",
			"bring the files back, or see confab history sweep --dry-run and delete the entries with confab history rm")
	}
	if n := len(orphans.Foreign); n > 0 {
		d.OK("files", "%s in the picture folder not confab's, and left alone",
			format.Several(n, "file is", "files are"))
	}
	if len(d.findings) == before {
		d.OK("files", "the folder and the history agree")
	}
}

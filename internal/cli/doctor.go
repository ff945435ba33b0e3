package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
)

// verdict is how a check came out.
type verdict string

const (
	fine    verdict = "ok"
	warning verdict = "warn"
	broken  verdict = "fail"
)

// finding is one line of doctor; its field names are stable.
type finding struct {
	Check   string  `json:"check"`
	Verdict verdict `json:"verdict"`
	Found   string  `json:"found"`
	Todo    string  `json:"todo,omitempty"`
}

// findings gathers lines.
type findings []finding

func (f *findings) ok(check, format string, args ...any) {
	*f = append(*f, finding{check, fine, fmt.Sprintf(format, args...), ""})
}

func (f *findings) warn(check, found, todo string) {
	*f = append(*f, finding{check, warning, found, todo})
}

func (f *findings) fail(check, found, todo string) {
	*f = append(*f, finding{check, broken, found, todo})
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON, online bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check terminal, configuration, key, history and folders", Args: a.noCommand,
		Long: "Check what confab finds around it, and say what to do where something is wrong. Nothing is changed, " +
			"the key is never shown, and without --online nothing leaves the machine. It ends with status 1 when a " +
			"check fails.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.printFindings(a.examine(cmd.Context(), online), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per check")
	cmd.Flags().BoolVar(&online, "online", false, "also see whether the service can be reached")
	return cmd
}

func (a *app) printFindings(found findings, asJSON bool) error {
	failed := false
	t := table{}
	for _, f := range found {
		failed = failed || f.Verdict == broken
		mask := a.secrets.masker()
		f.Found, f.Todo = mask.String(f.Found), mask.String(f.Todo)
		if asJSON {
			if err := a.printJSON(f); err != nil {
				return err
			}
			continue
		}
		if a.out.terminal {
			// Wrapped, not cut: what to do must be read whole.
			line := fmt.Sprintf("%-4s  %-10s  %s", f.Verdict, f.Check, a.hanging(termtext.Line(f.Found), 18))
			if f.Todo != "" {
				line += "\n" + strings.Repeat(" ", 18) + "-> " + a.hanging(termtext.Line(f.Todo), 21)
			}
			s := a.styles()
			style := map[verdict]func(string) string{
				fine: s.Text.Render, warning: s.Warning.Render, broken: s.Danger.Render,
			}[f.Verdict]
			if !a.out.styled {
				style = func(text string) string { return text }
			}
			for part := range strings.SplitSeq(line, "\n") {
				if err := a.printStyled(style(part) + "\n"); err != nil {
					return err
				}
			}
			continue
		}
		t.add(string(f.Verdict), f.Check, f.Found, f.Todo)
	}
	if err := a.printTable(t); err != nil {
		return err
	}
	if failed {
		return exit(exitFailed)
	}
	return nil
}

// hanging breaks a text that begins in a column at words, so that all of it
// stands in that column and those after it.
func (a *app) hanging(text string, column int) string {
	return strings.Join(termtext.Wrap(text, max(a.out.width()-column, 20)), "\n"+strings.Repeat(" ", column))
}

// examine makes all checks. What cannot be checked without a configuration is
// left out when that is wrong.
func (a *app) examine(ctx context.Context, online bool) findings {
	var f findings
	f.ok("version", "confab %s, %s, %s/%s", a.env.version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	a.examineTerminal(&f)
	path, err := a.configPath()
	if err != nil {
		f.fail("config", sentence(err), "set HOME")
		return f
	}
	if err := a.loadConfig(ctx); err != nil {
		f.fail("config", sentence(err), "correct "+path+", or move it away; confab config init writes a new one")
		return f
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		f.ok("config", "no file %s; everything is as by default, flags and environment", path)
	} else {
		f.ok("config", "%s", path)
	}
	for _, w := range a.cfg.Warnings {
		f.warn("config", asClause(w), "correct or remove it")
	}
	a.examineThemes(&f)
	a.examineConnection(ctx, &f)
	a.examineChoices(&f)
	a.examineService(ctx, &f, online)
	a.examineHistory(ctx, &f)
	a.examineFolders(&f)
	d := a.desktop()
	f.ok("clipboard", "copies go to %s", strings.Join(d.Ways(), ", "))
	if name, ok := d.EditorName(); ok {
		f.ok("editor", "%s", name)
	} else {
		f.warn("editor", "there is none", "set $VISUAL or $EDITOR")
	}
	return f
}

// examineThemes checks the themes that are chosen, and those of the themes folder.
func (a *app) examineThemes(f *findings) {
	before := len(a.cfg.Warnings)
	if err := a.checkThemes(); err != nil {
		f.fail("theme", sentence(err), "correct or remove it")
	}
	for _, w := range append(a.cfg.Warnings[before:], a.themeWarnings(a.readThemes())...) {
		f.warn("theme", w, "correct or remove it")
	}
}

// examineChoices checks what the configuration names elsewhere.
func (a *app) examineChoices(f *findings) {
	if _, err := a.keys(); err != nil {
		f.fail("keys", sentence(err), "correct [keys] in the configuration")
	}
	if err := a.loadCatalogue(); err != nil {
		f.fail("models", sentence(err), "correct [[models.custom]] in the configuration")
		return
	}
	if _, err := a.matchModels(nil); err != nil {
		f.fail("models", sentence(err), "correct models.default")
		return
	}
	f.ok("models", "%d in the catalogue", len(a.catalogue.Models()))
}

// examineHistory opens the history, if there is one, and looks at it.
func (a *app) examineHistory(ctx context.Context, f *findings) {
	path := a.cfg.Paths.History
	if !a.cfg.History.Save {
		f.warn("history", "saving is turned off ("+a.cfg.Origin("history.save").String()+")",
			"set history.save to true to keep prompts and answers")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		f.ok("history", "none yet; it will be %s", path)
		return
	}
	svc := service.New(service.Options{Open: a.openStore(false), OpenMemory: openMemory, Save: true,
		Mask: a.secrets.masker(), Log: a.log,
		Folders: service.Folders{Pictures: a.cfg.Paths.Pictures}})
	defer a.closeService(ctx, svc)
	info, err := svc.StoreInfo(ctx)
	if problem := a.storeProblem(ctx, svc); problem != nil {
		f.fail("history", path+": "+sentence(problem), "see to the file, or move it away and start a new one")
		return
	}
	if err != nil {
		f.fail("history", path+": "+sentence(err), "see to the file, or move it away and start a new one")
		return
	}
	reportStore(f, info)
	a.examinePictures(ctx, f, svc)
}

func reportStore(f *findings, info history.StoreInfo) {
	f.ok("history", "%s, %.1f MB, %s, %s, %s, %s", info.Path, float64(info.Bytes)/1e6,
		format.Count(info.Sessions, "session"),
		format.Count(info.Turns, "turn"), format.Count(info.Answers, "answer"), format.Count(info.Pictures, "picture"))
	f.ok("sqlite", "%s, schema %d, journal %s", info.Version, info.Schema, info.Journal)
	if info.Network {
		f.warn("history", "it lies on a network file system, so it is slower and without a write-ahead log",
			"set history.folder to a folder of this machine")
	}
}

// examineFolders checks who may look into what is kept.
func (a *app) examineFolders(f *findings) {
	places := append(a.cfg.Paths.List(), config.Place{Name: "key file", Path: a.cfg.Service.APIKeyFile})
	exists := 0
	for _, p := range places {
		if p.Path == "" || p.Name == "config" || p.Name == "themes" {
			continue // nothing secret stands there
		}
		info, err := os.Stat(p.Path)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				f.fail("folders", p.Path+" cannot be looked at", "see to its rights and those of the folders above it")
			}
			continue
		}
		exists++
		if runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		mode := "600"
		if info.IsDir() {
			mode = "700"
		}
		f.warn("folders", fmt.Sprintf("others may look into %s (%v)", p.Path, info.Mode().Perm()),
			"chmod "+mode+" "+p.Path)
	}
	f.ok("folders", "%d of %d are made so far; confab paths lists them", exists, len(a.cfg.Paths.List())-2)
}

// examinePictures tells whether the picture folder and the history agree.
func (a *app) examinePictures(ctx context.Context, f *findings, svc *service.Service) {
	orphans, err := svc.Files().FindOrphans(ctx)
	if err != nil {
		f.fail("files", sentence(err), "see to the rights of "+termtext.Line(a.cfg.Paths.Pictures))
		return
	}
	parts := counted(len(orphans.Temporary), "half-written file", "half-written files")
	parts = append(parts,
		counted(len(orphans.Provenance), "file of facts without a picture", "files of facts without a picture")...)
	parts = append(parts,
		counted(len(orphans.Pictures), "picture that the history does not know",
			"pictures that the history does not know")...)
	if len(parts) > 0 {
		f.warn("files", strings.Join(parts, ", ")+fmt.Sprintf(" (%.1f MB)", float64(orphans.Bytes)/1e6),
			"confab history sweep lists and deletes them")
	}
	if n := len(orphans.Missing); n > 0 {
		f.warn("files", format.Several(n, "picture of the history has", "pictures of the history have")+" no file",
			"bring the files back, or see confab history sweep --dry-run and delete the entries with confab history rm")
	}
	if n := len(orphans.Foreign); n > 0 {
		f.ok("files", "%s in the picture folder not confab's, and left alone",
			format.Several(n, "file is", "files are"))
	}
	if len(parts)+len(orphans.Missing)+len(orphans.Foreign) == 0 {
		f.ok("files", "the folder and the history agree")
	}
}

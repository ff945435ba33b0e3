package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/pictures"
	"confab/service/problem"
)

func (a *app) prompt(ctx context.Context, args []string, f askFlags) (p service.Prompt, err error) {
	p = f.Prompt
	if len(f.Models) > 0 { // before standard input is read: a wrong name should not wait for it
		if p.Models, err = a.matchModels(ctx, f.Models); err != nil {
			return p, err
		}
	}
	if err := checkNotThere(f.output); err != nil {
		return p, err
	}
	if p.System, err = textOrFile(f.system); err != nil {
		return p, err
	}
	switch f.nonce {
	case "", "none":
		p.Nonce.Mode = history.NonceNone
	case "new":
		p.Nonce.Mode = history.NonceFresh
	default:
		p.Nonce = history.Nonce{Mode: history.NonceFixed, Value: f.nonce}
	}
	if err := setParams(&p.Params, f.params); err != nil {
		return p, err
	}
	if len(f.images) == 1 {
		source, err := pictures.ParseSource(f.images[0])
		if err != nil {
			return p, err
		}
		p.Source = &source
	}
	if slices.Contains(f.files, "-") {
		p.Text, err = a.promptOfWords(args)
		return p, err
	}
	p.Text, err = a.readPrompt(ctx, args)
	return p, err
}

// readFiles reads the files of --file, and the pictures of --image where there are several.
func (a *app) readFiles(ctx context.Context, svc *service.Service, f askFlags) ([]history.File, error) {
	var files []history.File
	for _, name := range f.files {
		if name != "-" {
			some, err := svc.ReadFiles(ctx, name)
			if err != nil {
				return nil, err
			}
			files = append(files, some...)
			continue
		}
		input, err := a.readInput(ctx)
		if err != nil {
			return nil, err
		}
		file, err := svc.NewFile(ctx, "standard input", input)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(f.images) < 2 {
		return files, nil
	}
	images, err := svc.ReadFiles(ctx, f.images...)
	for _, image := range images {
		if image.Kind != history.PictureFile {
			return nil, problem.Usage("%s is no picture; --file sends a text", termtext.Line(image.Name))
		}
	}
	return append(files, images...), err
}

// checkNotThere refuses an output file that exists or cannot be made.
func checkNotThere(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil && !info.Mode().IsRegular():
		return problem.Usage("%s cannot be written as a file; -o - writes to standard output", termtext.Line(path))
	case err == nil:
		return problem.Usage("there is a file %s already, and none is written over", termtext.Line(path))
	case os.IsPathSeparator(path[len(path)-1]):
		return nil
	}
	if info, err := os.Stat(filepath.Dir(path)); err == nil && !info.IsDir() {
		return problem.Usage("%s is a file, not a folder", termtext.Line(filepath.Dir(path)))
	}
	return nil
}

// checkRestOf refuses arguments and flags that contradict --rest-of, which repeats an earlier request.
func checkRestOf(flags *pflag.FlagSet, args []string) error {
	if !flags.Changed("rest-of") {
		return nil
	}
	if len(args) > 0 {
		return problem.Usage("--rest-of asks for the rest of an answer, so it takes no prompt")
	}
	for _, name := range []string{"model", "system", "aspect", "nonce", "image", "file", "param", "samples", "session",
		"continue", "context", "no-save", "persona"} {
		if flags.Changed(name) {
			return problem.Usage("--rest-of repeats the earlier request, so it excludes --%s", name)
		}
	}
	return nil
}

// prepareRest finds the answer that --rest-of names.
func (a *app) prepareRest(ctx context.Context, svc *service.Service, _ []string, f askFlags) (sendFunc, error) {
	if err := checkNotThere(f.output); err != nil {
		return nil, err
	}
	if err := a.learnKey(ctx); err != nil {
		return nil, err
	}
	a.recoverInterrupted(ctx, svc)
	e, err := a.entry(ctx, svc, f.restOf)
	if err != nil {
		return nil, err
	}
	if e.kind != 'a' {
		return nil, problem.Usage("--rest-of takes an answer, such as a56; confab history show names them")
	}
	return func(ctx context.Context) (history.Turn, <-chan history.Event, error) {
		turn, events, err := svc.Continue(ctx, e.answer.ID)
		turn.Answers = slices.DeleteFunc(turn.Answers, func(ans history.Answer) bool {
			_, wasThere := e.turn.Answer(ans.ID)
			return wasThere
		})
		return turn, events, err
	}, nil
}

// restHint returns a hint that the rest of an answer can be asked for; empty where it cannot.
func (r *askReport) restHint(ctx context.Context, ans history.Answer) string {
	m, ok := r.a.catalogue().Find(ans.Model)
	if !ok || !r.svc.IsSaving() || !service.CanContinue(ans) || !r.svc.Extensions(ctx, m).TakesMessages {
		return ""
	}
	return fmt.Sprintf("confab ask --rest-of a%d asks for the rest", ans.ID)
}

package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/pictures"
	"confab/service/problem"
)

// prompt returns the prompt of the flags and the arguments, and what it is sent with several times.
func (a *app) prompt(ctx context.Context, args []string, f askFlags) (p service.Prompt, axes service.Axes, err error) {
	p = f.Prompt
	if len(f.Models) > 0 { // before standard input is read: a wrong name should not wait for it
		if p.Models, err = a.matchModels(ctx, f.Models); err != nil {
			return p, axes, err
		}
	}
	if err := checkNotThere(f.output); err != nil {
		return p, axes, err
	}
	if p.System, err = textOrFile(f.system); err != nil {
		return p, axes, err
	}
	switch f.nonce {
	case "", "none":
		p.Nonce.Mode = history.NonceNone
	case "new":
		p.Nonce.Mode = history.NonceFresh
	default:
		p.Nonce = history.Nonce{Mode: history.NonceFixed, Value: f.nonce}
	}
	if axes.Params, err = setParams(&p.Params, f.params); err != nil {
		return p, axes, err
	}
	if axes.Values, err = variableValues(f.vars); err != nil {
		return p, axes, err
	}
	if len(f.images) == 1 {
		source, err := pictures.ParseSource(f.images[0])
		if err != nil {
			return p, axes, err
		}
		p.Source = &source
	}
	variants := slices.Clone(f.variants)
	for i := range variants {
		if variants[i], err = textOrFile(variants[i]); err != nil {
			return p, axes, err
		}
	}
	texts, err := a.readPrompts(ctx, args, variants, !slices.Contains(f.files, "-"))
	if err != nil {
		return p, axes, err
	}
	p.Text, axes.IsLiteral = texts[0], len(f.vars) == 0
	if axes.IsLiteral && !slices.Equal(args, []string{"-"}) {
		p.Title = strings.Join(args, " ") // without standard input
	}
	for _, text := range texts {
		axes.Variants = append(axes.Variants, service.Variant{Text: text})
	}
	return p, axes, nil
}

// variableValues returns the values of NAME=VALUE, NAME=A|B and NAME=@FILE. A file is one value.
func variableValues(given []string) (map[string][]string, error) {
	values := map[string][]string{}
	for _, one := range given {
		name, value, ok := strings.Cut(one, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, problem.Usage("--var takes NAME=VALUE, such as tone=warm or tone='warm|brief'")
		}
		if !strings.HasPrefix(value, "@") {
			values[name] = append(values[name], service.ParseValues(value)...)
			continue
		}
		text, err := textOrFile(value)
		if err != nil {
			return nil, err
		}
		values[name] = append(values[name], text)
	}
	return values, nil
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
		return problem.Usage("a file of this name exists; choose another name: %s", termtext.Line(path))
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
		"continue", "context", "no-save", "persona", "variant", "var"} {
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
	return func(ctx context.Context) ([]service.Sent, error) {
		turn, events, err := svc.Continue(ctx, e.answer.ID)
		if err != nil {
			return nil, err
		}
		turn.Answers = slices.DeleteFunc(turn.Answers, func(ans history.Answer) bool {
			_, wasThere := e.turn.Answer(ans.ID)
			return wasThere
		})
		return []service.Sent{{Turn: turn, Events: events}}, nil
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

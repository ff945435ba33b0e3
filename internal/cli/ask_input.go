package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/pictures"
	"confab/service/problem"
)

// prompt gathers what the flags, the arguments and standard input say.
func (a *app) prompt(ctx context.Context, args []string, f askFlags) (p service.Prompt, err error) {
	p = service.Prompt{Aspect: f.aspect, Samples: f.samples, SessionName: f.session, HasContext: f.context}
	if len(f.models) > 0 { // before standard input is read: a wrong name should not wait for it
		if p.Models, err = a.matchModels(f.models); err != nil {
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
	for _, param := range f.params {
		name, value, ok := strings.Cut(param, "=")
		if !ok {
			return p, problem.Usage("--param takes NAME=VALUE, such as temperature=0.2")
		}
		if err := service.SetParam(&p.Params, name, value); err != nil {
			return p, err
		}
	}
	if len(f.images) > 0 {
		source, err := pictures.ParseSource(f.images[0])
		if err != nil {
			return p, err
		}
		p.Source = &source
	}
	p.Text, err = a.readPrompt(ctx, args)
	return p, err
}

// checkNotThere refuses a file that is there before anything is asked for it.
func checkNotThere(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil && !info.Mode().IsRegular():
		return problem.Usage("%s is no file that can be made; -o - writes to standard output", termtext.Line(path))
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

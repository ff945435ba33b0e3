package cli

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
	"confab/service/problem"
)

func (a *app) exportCommand() *cobra.Command {
	var r export.Request
	var as string
	cmd := a.historyReader("export ENTRY", "Write a session, a turn or an answer to a file",
		argCount(1, 1, "export takes one entry: s12, t34, a56 or the name of a session"),
		func(ctx context.Context, svc *service.Service, args []string) error {
			e, err := a.entry(ctx, svc, args[0])
			if err != nil {
				return err
			}
			r.As = export.Format(as)
			return a.export(ctx, svc, e, r)
		})
	cmd.ValidArgsFunction = a.completion(a.sessionCompletions)
	fl := cmd.Flags()
	fl.StringVarP(&r.Path, "output", "o", "", "write to this `FILE|FOLDER`, or to standard output (-)")
	fl.StringVar(&as, "as", "", "`FORMAT`: "+formats)
	completeFlag(cmd, "as", formatNames()...)
	exactCSVVar(fl, &r.IsExactCSV)
	fl.BoolVar(&r.HasReasoning, "reasoning", false, reasoningUsage)
	return cmd
}

// formats lists the names of the formats in words.
const formats = "markdown, html, csv, text, json, jsonl, suite or picture"

func formatNames() []string { return strings.Split(strings.ReplaceAll(formats, " or ", ", "), ", ") }

// export writes an entry out.
func (a *app) export(ctx context.Context, svc *service.Service, e historyEntry, w export.Request) error {
	switch {
	case w.As != "" && !slices.Contains(formatNames(), string(w.As)):
		return problem.Usage("--as takes " + formats)
	case w.As == "" && w.Path != "" && w.Path != "-" && !isFolder(w.Path):
		w.As, _ = export.FormatOf(w.Path)
		if ext := strings.ToLower(filepath.Ext(w.Path)); ext == ".yaml" || ext == ".yml" {
			w.As = export.FormatSuite
		}
	}
	if w.As == "" && e.kind == 'a' && e.answer.Picture != nil && export.IsPictureName(w.Path) {
		w.As = export.FormatPicture
	}
	if w.IsExactCSV && w.As != export.FormatCSV {
		return problem.Usage("--csv-exact is for --as csv, or a file that ends with .csv")
	}
	e.request(&w)
	if w.Path == "-" {
		return a.exportToStdout(ctx, svc, w)
	}
	paths, err := svc.Exporter().Write(ctx, w)
	if err != nil {
		return err
	}
	if note := export.RenamedNote(w.Path, paths[0]); note != "" {
		a.warn("%s", note)
	}
	return a.printPath(paths[0])
}

// exportToStdout writes to standard output; what goes to a terminal is cleaned.
func (a *app) exportToStdout(ctx context.Context, svc *service.Service, w export.Request) error {
	w.As = cmp.Or(w.As, export.FormatMarkdown)
	switch {
	case !a.out.terminal:
		return svc.Exporter().WriteTo(ctx, a.output(), w)
	case w.As == export.FormatPicture:
		return problem.Usage("a picture does not go to a terminal; give a file")
	}
	var b bytes.Buffer
	if err := svc.Exporter().WriteTo(ctx, &b, w); err != nil {
		return err
	}
	return a.print(termtext.Disarm(b.String()))
}

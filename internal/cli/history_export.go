package cli

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"confab/service/problem"

	"github.com/spf13/cobra"

	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
)

func (a *app) historyExport() *cobra.Command {
	var r export.Request
	var as string
	cmd := a.historyCommand("export ENTRY", "Write a session, a turn or an answer to a file",
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
	_ = cmd.RegisterFlagCompletionFunc("as", fixed(formatNames()...)) // it has the flag
	spreadsheetVar(fl, &r.IsSpreadsheetSafe)
	fl.BoolVar(&r.HasReasoning, "reasoning", false, reasoningUsage)
	return cmd
}

// formats lists the names of the formats in words.
const formats = "markdown, html, csv, text, json, jsonl, suite, contact-sheet or picture"

func formatNames() []string { return strings.Split(strings.ReplaceAll(formats, " or ", ", "), ", ") }

// export writes an entry out.
func (a *app) export(ctx context.Context, svc *service.Service, e entry, w export.Request) error {
	switch {
	case w.As != "" && !slices.Contains(formatNames(), string(w.As)):
		return problem.Usage("--as takes " + formats)
	case w.As == "" && w.Path != "" && w.Path != "-" && !isFolder(w.Path):
		w.As, _ = export.FormatOf(w.Path)
		if ext := strings.ToLower(filepath.Ext(w.Path)); ext == ".yaml" || ext == ".yml" {
			w.As = export.FormatSuite
		}
	}
	if w.As == "" && e.kind == 'a' && e.answer.Picture != nil &&
		strings.EqualFold(filepath.Ext(w.Path), filepath.Ext(e.answer.Picture.Path)) {
		w.As = export.FormatPicture
	}
	if w.IsSpreadsheetSafe && w.As != export.FormatCSV {
		return problem.Usage("--spreadsheet-safe is for --as csv, or a file that ends with .csv")
	}
	e.request(&w)
	if w.Path == "-" {
		return a.exportToStdout(ctx, svc, w)
	}
	paths, err := svc.Exporter().Write(ctx, w)
	if err != nil {
		return err
	}
	return a.printPath(paths[0])
}

// request names the entry in a request for its export.
func (e entry) request(r *export.Request) {
	switch e.kind {
	case 's':
		r.Session = e.session.ID
	case 't':
		r.Turn = e.turn.ID
	case 'a':
		r.Answer = e.answer.ID
	}
}

// exportToStdout writes to standard output; what goes to a terminal is cleaned.
func (a *app) exportToStdout(ctx context.Context, svc *service.Service, w export.Request) error {
	w.As = cmp.Or(w.As, export.FormatMarkdown)
	switch {
	case !a.out.terminal:
		return svc.Exporter().WriteTo(ctx, printer{a.console}, w)
	case w.As == export.FormatPicture:
		return problem.Usage("a picture does not go to a terminal; give a file")
	}
	var b bytes.Buffer
	if err := svc.Exporter().WriteTo(ctx, &b, w); err != nil {
		return err
	}
	return a.print(termtext.Clean(b.String()))
}

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
)

func (a *app) historyExport() *cobra.Command {
	var as, output string
	var spreadsheet bool
	cmd := &cobra.Command{
		Use: "export ENTRY", Short: "Write a session, a turn or an answer to a file",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("export takes one entry: s12, t34, a56 or the name of a session")
			}
			return a.inHistory(cmd, func(ctx context.Context, svc *service.Service) error {
				e, err := a.entry(ctx, svc, args[0])
				if err != nil {
					return err
				}
				return a.export(ctx, svc, e,
					export.Request{As: export.Format(as), Path: output, SpreadsheetSafe: spreadsheet})
			})
		},
		ValidArgsFunction: a.completeSessions,
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this `FILE|FOLDER`, or to standard output (-)")
	cmd.Flags().StringVar(&as, "as", "", "`FORMAT`: "+formatNames())
	cmd.Flags().BoolVar(&spreadsheet, "spreadsheet-safe", false, spreadsheetUsage)
	_ = cmd.RegisterFlagCompletionFunc("as", fixed(formats()...))
	return cmd
}

func formats() []string {
	var names []string
	for _, f := range []export.Format{
		export.FormatMarkdown, export.FormatHTML, export.FormatCSV, export.FormatText, export.FormatJSON,
		export.FormatJSONL, export.FormatSuite, export.FormatContactSheet, export.FormatPicture,
	} {
		names = append(names, string(f))
	}
	return names
}

// formatNames lists the formats in words.
func formatNames() string {
	names := formats()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// export writes an entry out.
func (a *app) export(ctx context.Context, svc *service.Service, e entry, w export.Request) error {
	switch {
	case w.As != "" && !slices.Contains(formats(), string(w.As)):
		return usage("--as takes %s", formatNames())
	case w.As == "" && w.Path != "" && w.Path != "-" && !isFolder(w.Path):
		w.As, _ = formatOf(w.Path)
		if ext := strings.ToLower(filepath.Ext(w.Path)); ext == ".yaml" || ext == ".yml" {
			w.As = export.FormatSuite
		}
	}
	if w.As == "" && e.kind == 'a' && e.answer.Picture != nil &&
		strings.EqualFold(filepath.Ext(w.Path), filepath.Ext(e.answer.Picture.Path)) {
		w.As = export.FormatPicture
	}
	if w.SpreadsheetSafe && w.As != export.FormatCSV {
		return usage("--spreadsheet-safe is for --as csv, or a file that ends with .csv")
	}
	switch e.kind {
	case 's':
		w.Session = e.session.ID
	case 't':
		w.Turn = e.turn.ID
	case 'a':
		w.Answer = e.answer.ID
	}
	if w.Path == "-" {
		return a.exportToStdout(ctx, svc, w)
	}
	paths, err := svc.Exporter().Write(ctx, w)
	if err != nil {
		return err
	}
	return a.printPath(paths[0])
}

// exportToStdout copies what was written to a file of its own, which goes at once.
func (a *app) exportToStdout(ctx context.Context, svc *service.Service, w export.Request) (err error) {
	if w.As == export.FormatPicture && a.out.terminal {
		return usage("a picture does not go to a terminal; give a file")
	}
	dir, err := os.MkdirTemp("", "confab-")
	if err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "no temporary file could be made", Err: err}
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w.Path = filepath.Join(dir, "export")
	paths, err := svc.Exporter().Write(ctx, w)
	if err != nil {
		return err
	}
	f, err := os.Open(paths[0])
	if err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "the temporary file could not be read", Err: err}
	}
	defer f.Close() //nolint:errcheck // it was only read
	if a.out.terminal {
		b, err := io.ReadAll(f)
		if err != nil {
			return &api.Error{Code: api.CodeDisk, Message: "the temporary file could not be read", Err: err}
		}
		return a.print(termtext.Clean(string(b)))
	}
	_, err = io.Copy(printer{a}, f)
	return err
}

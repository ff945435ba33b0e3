package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
)

// entry is a session, a turn or an answer that was named.
type entry struct {
	session history.Session
	turn    history.Turn   // of a turn, and of an answer
	answer  history.Answer // of an answer
	kind    byte           // 's', 't' or 'a'
}

// entry finds what a word of the call names.
func (a *app) entry(ctx context.Context, svc *service.Service, word string) (entry, error) {
	kind, id, ok := reference(word)
	var err error
	switch {
	case ok && kind == 't':
		e := entry{kind: kind}
		if e.turn, err = svc.Turn(ctx, id); err == nil || api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	case ok && kind == 'a':
		e := entry{kind: kind}
		if e.answer, err = svc.Answer(ctx, id); err == nil {
			e.turn, err = svc.Turn(ctx, e.answer.Turn)
		}
		if err == nil || api.CodeOf(err) != api.CodeUsage {
			return e, err
		}
	}
	s, err := a.session(ctx, svc, word)
	var several *history.AmbiguousNameError
	if api.CodeOf(err) == api.CodeUsage && !errors.As(err, &several) {
		return entry{}, usage("there is no entry %q in the history; confab history list and search show their names", word)
	}
	return entry{kind: 's', session: s}, err
}

func (a *app) historyShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show [ENTRY...]", Short: "Print sessions, turns or answers",
		Long: `Print sessions (s12 or a name), turns (t34) or answers (a56); without one, the last session.

A single answer is printed as ask prints it: its text, or the path of its picture. One that another confab waits for is running once it has run for a second, and queued before.`,
		Example: "confab history show\nconfab history show a56 > answer.md\nconfab history show 'refund wording' --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.inHistory(cmd, func(ctx context.Context, svc *service.Service) error {
				if len(args) == 0 {
					s, err := a.lastSession(ctx, svc)
					if err != nil {
						return err
					}
					return a.showEntry(ctx, svc, entry{kind: 's', session: s}, asJSON)
				}
				for _, word := range args {
					e, err := a.entry(ctx, svc, word)
					if err != nil {
						return err
					}
					if err := a.showEntry(ctx, svc, e, asJSON); err != nil {
						return err
					}
				}
				return nil
			})
		},
		ValidArgsFunction: a.completeSessions,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per answer")
	return cmd
}

// showEntry prints an entry.
func (a *app) showEntry(ctx context.Context, svc *service.Service, e entry, asJSON bool) error {
	switch e.kind {
	case 'a':
		if asJSON {
			return a.printJSON(svc.LineRecord(e.turn, e.answer))
		}
		return a.showAnswer(e.answer)
	case 't':
		return a.showTurn(svc, e.turn, asJSON)
	}
	return svc.EachTurn(ctx, e.session.ID, func(t history.Turn) error { return a.showTurn(svc, t, asJSON) })
}

// showTurn prints a turn with its answers.
func (a *app) showTurn(svc *service.Service, t history.Turn, asJSON bool) error {
	if asJSON {
		for _, ans := range t.Answers {
			if err := a.printJSON(svc.LineRecord(t, ans)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := a.heading(fmt.Sprintf("t%d", t.ID), "you", t.Created.Local().Format("2006-01-02 15:04")); err != nil {
		return err
	}
	if err := a.plain(t.Prompt); err != nil {
		return err
	}
	if t.System != "" {
		if err := a.heading(fmt.Sprintf("t%d", t.ID), "system prompt", ""); err != nil {
			return err
		}
		if err := a.plain(t.System); err != nil {
			return err
		}
	}
	if len(t.Vars) > 0 {
		if err := a.heading(fmt.Sprintf("t%d", t.ID), "filled in", ""); err != nil {
			return err
		}
		if err := a.plain(export.VariableList(t.Vars)); err != nil {
			return err
		}
	}
	for _, ans := range t.Answers {
		if err := a.heading(fmt.Sprintf("a%d", ans.ID), ans.Model, factsOf(ans)); err != nil {
			return err
		}
		if err := a.showAnswer(ans); err != nil {
			return err
		}
		if a.out.terminal {
			if err := a.print("\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

// factsOf says in a few words how an answer came out.
func factsOf(ans history.Answer) string {
	var facts []string
	if ans.Sample > 1 {
		facts = append(facts, fmt.Sprintf("sample %d", ans.Sample))
	}
	switch {
	case ans.State == history.Done:
		facts = append(facts, fmt.Sprintf("%.2f s", ans.Elapsed.Seconds()))
	case ans.State == history.Running && !ans.Started.IsZero():
		facts = append(facts, "running since "+ans.Started.Local().Format("15:04:05"))
	default:
		facts = append(facts, string(ans.State))
	}
	if by := ans.AnsweredBy(); by != "" {
		facts = append(facts, termtext.Line(by))
	}
	if ans.Winner {
		facts = append(facts, "winner")
	}
	switch ans.Rating {
	case history.Good:
		facts = append(facts, "good")
	case history.Bad:
		facts = append(facts, "bad")
	}
	if ans.ServiceNote != "" {
		facts = append(facts, "service says: "+termtext.Line(ans.ServiceNote))
	}
	if ans.Note != "" {
		facts = append(facts, "note: "+termtext.Line(ans.Note))
	}
	return strings.Join(facts, ", ")
}

// heading prints what follows: its name in the history, what it is, and facts.
func (a *app) heading(id, what, facts string) error {
	if !a.out.styled {
		line := strings.TrimRight(fmt.Sprintf("==> %s %s %s", id, termtext.Line(what), facts), " ")
		return a.print(line + " <==\n")
	}
	s := a.styles()
	return a.printStyled(s.You.Render("▌ ") + s.Strong.Render(termtext.Line(what)) + "   " +
		s.Muted.Render(id+"   "+facts) + "\n")
}

// plain prints a text that is not markdown.
func (a *app) plain(text string) error {
	if a.out.terminal {
		text = strings.Join(termtext.Wrap(termtext.Clean(text), a.out.width()), "\n") + "\n"
	}
	return a.print(strings.TrimRight(text, "\n") + "\n\n")
}

// showAnswer prints the text of an answer, the path of its picture, or why
// there is neither.
func (a *app) showAnswer(ans history.Answer) error {
	switch {
	case ans.State == history.Failed && ans.Failure != nil:
		a.warn("a%d, %s: %s (%s)", ans.ID, ans.Model, said(ans.Failure.Message), ans.Failure.Code)
		return nil
	case ans.State != history.Done:
		a.warn("a%d, %s: %s", ans.ID, ans.Model, ans.State)
		return nil
	case ans.Picture != nil:
		return a.printPath(ans.Picture.Path)
	}
	return a.printText(ans.Text)
}

func (a *app) historyExport() *cobra.Command {
	var as, output string
	var spreadsheet bool
	cmd := &cobra.Command{
		Use: "export ENTRY", Short: "Write a session, a turn or an answer to a file",
		Long: `Write a session (s12 or a name), a turn (t34) or an answer (a56) to a file, and print its path. It never writes over a file.

Without -o it goes to the folder exports beside the pictures; -o - is standard output. The ending of the file says the format, unless --as does. As a suite (.yaml) a turn can be run again, with all turns that were sent together with it for the values of its variables.`,
		Example: "confab history export s12\nconfab history export 'refund wording' -o refund.md\nconfab history export " +
			"t34 --as jsonl -o -\nconfab history export t34 -o tone.yaml",
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
				return a.export(ctx, svc, e, service.Write{As: export.Format(as), Path: output, SpreadsheetSafe: spreadsheet})
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

// formats are the names of what history export writes.
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
func (a *app) export(ctx context.Context, svc *service.Service, e entry, w service.Write) error {
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
	paths, err := svc.Write(ctx, w)
	if err != nil {
		return err
	}
	return a.printPath(paths[0])
}

// exportToStdout copies what was written to a file of its own, which goes at
// once.
func (a *app) exportToStdout(ctx context.Context, svc *service.Service, w service.Write) (err error) {
	if w.As == export.FormatPicture && a.out.terminal {
		return usage("a picture does not go to a terminal; give a file")
	}
	dir, err := os.MkdirTemp("", "confab-")
	if err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "no temporary file could be made", Err: err}
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w.Path = filepath.Join(dir, "export")
	paths, err := svc.Write(ctx, w)
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

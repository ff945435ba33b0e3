package cli

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
	"confab/service/problem"
)

func (a *app) exportCommand() *cobra.Command {
	var r export.Request
	var as string
	cmd := a.historyCommand("export ENTRY", "Write a session, a turn or an answer to a file",
		argCount(1, 1, "export takes one entry: s12, t34, a56 or the name of a session"), readsHistory,
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
	fl.StringVar(&as, "as", "", "`FORMAT`: "+strings.Join(exportFormats(), ", "))
	completeFlag(cmd, "as", exportFormats()...)
	fl.BoolVar(&r.IsTable, "table", false, "write the turns beside a turn too: sent together, or branches")
	exactCSVVar(fl, &r.IsExactCSV)
	fl.BoolVar(&r.HasReasoning, "reasoning", false, reasoningUsage)
	return cmd
}

// sessionFormats lists the formats of whole sessions.
func sessionFormats() []string { return []string{"markdown", "html", "csv", "text", "json", "jsonl"} }

func exportFormats() []string { return append(sessionFormats(), "suite", "picture") }

func (a *app) export(ctx context.Context, svc *service.Service, e historyEntry, w export.Request) error {
	switch {
	case w.As != "" && !slices.Contains(exportFormats(), string(w.As)):
		return problem.Usage("--as takes %s", strings.Join(exportFormats(), ", "))
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
	a.warnOfRenaming(w.Path, paths[0])
	return a.printPath(paths[0])
}

// warnOfRenaming warns where a file was written under another name than was asked for.
func (a *app) warnOfRenaming(asked, written string) {
	if note := export.RenamedNote(asked, written); note != "" {
		a.warn("%s", note)
	}
}

// exportToStdout writes to standard output, cleaned if that is a terminal.
func (a *app) exportToStdout(ctx context.Context, svc *service.Service, w export.Request) error {
	w.As = cmp.Or(w.As, export.FormatMarkdown)
	switch {
	case !a.out.terminal:
		return svc.Exporter().WriteTo(ctx, a.out, w)
	case w.As == export.FormatPicture:
		return problem.Usage("a picture does not go to a terminal; give a file")
	}
	var b bytes.Buffer
	if err := svc.Exporter().WriteTo(ctx, &b, w); err != nil {
		return err
	}
	return a.print(termtext.Disarm(b.String()))
}

// fetcher exports entries and pictures to a user of confab ssh.
type fetcher struct {
	*app
	isOnTerminal bool // of the user

	all, list, raw, reasoning bool // flags
	format                    string
}

func fetchCommands(a *app, isOnTerminal bool) []*cobra.Command {
	f := &fetcher{app: a, isOnTerminal: isOnTerminal}
	return []*cobra.Command{f.entryCommand(), f.picturesCommand()}
}

func (f *fetcher) entryCommand() *cobra.Command {
	formats := sessionFormats()
	cmd := f.historyCommand("export [ENTRY]", "Write the last session, or another entry, to standard output",
		argCount(0, 1, "export takes one entry: s12, t34, a56 or the name of a session"), readsHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			switch {
			case !slices.Contains(formats, f.format):
				return problem.Usage("--format takes %s", strings.Join(formats, ", "))
			case f.list:
				hits, total, err := svc.Sessions(ctx, "", math.MaxInt32)
				if err != nil {
					return err
				}
				return f.printSessions(hits, total, noSessions)
			case f.all:
				return f.fetchSessions(ctx, svc)
			}
			e, err := historyEntry{kind: 's'}, error(nil)
			if len(args) == 1 {
				e, err = f.entry(ctx, svc, args[0])
			} else {
				e.session, err = svc.LastSession(ctx)
			}
			if err != nil {
				return err
			}
			return f.fetchEntry(ctx, svc, e)
		})
	fl := cmd.Flags()
	fl.BoolVar(&f.all, "all", false, "write a tar archive with a file for each session")
	fl.StringVar(&f.format, "format", formats[0], "`FORMAT`: "+strings.Join(formats, ", "))
	fl.BoolVar(&f.reasoning, "reasoning", false, reasoningUsage)
	fl.BoolVar(&f.raw, "raw", false, "leave escape sequences in what is no archive, for a file or a pipe")
	fl.BoolVar(&f.list, "list", false, "list the sessions")
	return cmd
}

// spool writes an entry to a temporary file and calls do with it.
func (f *fetcher) spool(ctx context.Context, svc *service.Service, e historyEntry, do func(file *os.File) error) error {
	if err := config.EnsureDir(f.config.Paths.State); err != nil {
		return err
	}
	r := export.Request{As: export.Format(f.format), HasReasoning: f.reasoning}
	e.request(&r)
	// Pictures are named as in the archive of pictures.
	r.Path = filepath.Join(filepath.Dir(f.config.Paths.Pictures), "export")
	file, err := os.CreateTemp(f.config.Paths.State, "export-*")
	if err != nil {
		return problem.Disk("write the export", err)
	}
	defer func() { _ = errors.Join(file.Close(), os.Remove(file.Name())) }() // it was read
	if err := svc.Exporter().WriteTo(ctx, file, r); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return problem.Disk("read the export", err)
	}
	return do(file)
}

// fetchEntry writes an entry to the user, cleaned unless --raw is given.
func (f *fetcher) fetchEntry(ctx context.Context, svc *service.Service, e historyEntry) error {
	return f.spool(ctx, svc, e, func(file *os.File) error {
		lines := bufio.NewReader(file)
		for {
			line, err := lines.ReadString('\n')
			if !f.raw {
				line = termtext.Disarm(line)
			}
			if printed := f.print(line); printed != nil {
				return printed
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return problem.Disk("read the export", err)
			}
		}
	})
}

// writeArchive calls write with an archive on standard output.
func (f *fetcher) writeArchive(write func(*tar.Writer) error) error {
	if f.isOnTerminal {
		return problem.Usage("an archive does not go to a terminal; leave out -t, and redirect it: > FILE.tar")
	}
	archive := tar.NewWriter(f.out)
	if err := write(archive); err != nil {
		return err
	}
	return archive.Close()
}

func header(name string, size int64, modified time.Time) *tar.Header {
	return &tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: modified, Format: tar.FormatPAX}
}

// fetchSessions writes an archive of all sessions. An archive needs sizes first, so each session is spooled.
func (f *fetcher) fetchSessions(ctx context.Context, svc *service.Service) error {
	hits, _, err := svc.Sessions(ctx, "", math.MaxInt32)
	if err != nil {
		return err
	}
	ending := map[string]string{"markdown": "md", "text": "txt"}
	return f.writeArchive(func(archive *tar.Writer) error {
		for _, h := range hits {
			e := historyEntry{kind: 's', session: h.Session}
			err := f.spool(ctx, svc, e, func(file *os.File) error {
				info, err := file.Stat()
				if err != nil {
					return problem.Disk("read the export", err)
				}
				name := fmt.Sprintf("s%d-%s", h.ID, fileio.NameFromTemplate("{slug}", fileio.NameParts{Prompt: h.Name}))
				name += "." + cmp.Or(ending[f.format], f.format)
				if err := archive.WriteHeader(header(name, info.Size(), h.Updated)); err != nil {
					return err
				}
				_, err = io.Copy(archive, file)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// pictureBatch is the number of pictures looked up at once.
const pictureBatch = 100

func (f *fetcher) picturesCommand() *cobra.Command {
	var names bool
	cmd := f.historyCommand("pictures [QUERY...]", "Write a tar archive of pictures to standard output", nil,
		readsHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			ids, err := svc.PictureIDs(ctx, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if names {
				return eachPicture(ctx, svc, ids, func(h history.PictureHit) error {
					return f.print(fmt.Sprintf("a%d\t%s\n", h.Answer.ID, filepath.Base(h.Answer.Picture.Path)))
				})
			}
			return f.writeArchive(func(archive *tar.Writer) error { return f.fetchPictures(ctx, svc, ids, archive) })
		})
	cmd.Flags().BoolVar(&names, "names", false, "list answers and file names instead")
	return cmd
}

func eachPicture(ctx context.Context, svc *service.Service, ids []int64, visit func(history.PictureHit) error) error {
	for chunk := range slices.Chunk(ids, pictureBatch) {
		hits, err := svc.PicturesOf(ctx, chunk)
		if err != nil {
			return err
		}
		for _, h := range hits {
			if err := visit(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// fetchPictures adds pictures to an archive. It skips those that cannot be read and returns the first error at its
// end.
func (f *fetcher) fetchPictures(ctx context.Context, svc *service.Service, ids []int64, archive *tar.Writer) error {
	var failed error
	written := map[string]bool{}
	err := eachPicture(ctx, svc, ids, func(h history.PictureHit) error {
		name := filepath.Base(h.Answer.Picture.Path)
		if written[name] { // forks share their pictures
			return nil
		}
		written[name] = true
		b, err := svc.Files().ReadPicture(ctx, *h.Answer.Picture)
		if err != nil {
			f.info("a" + fmt.Sprint(h.Answer.ID) + ": " + sentence(err))
			failed = cmp.Or(failed, err)
			return nil
		}
		err = archive.WriteHeader(header("pictures/"+name, int64(len(b)), h.Answer.Ended))
		if err == nil {
			_, err = archive.Write(b)
		}
		return err
	})
	return cmp.Or(err, failed)
}

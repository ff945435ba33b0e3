package cli

import (
	"archive/tar"
	"bufio"
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
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
	"confab/service/problem"
)

// fetchFlags are those of the commands with which served users fetch what is theirs.
type fetchFlags struct {
	all, list, raw, reasoning bool
	format                    string
}

// sessionFormats are the formats in which a whole session can be written.
var sessionFormats = []string{"markdown", "html", "csv", "text", "json", "jsonl"}

// servedExport returns the command with which a served user fetches what the history holds.
func (a *app) servedExport() *cobra.Command {
	var f fetchFlags
	cmd := a.historyCommand("export [ENTRY]", "Write the last session, or another entry, to standard output",
		argCount(0, 1, "export takes one entry: s12, t34, a56 or the name of a session"),
		func(ctx context.Context, svc *service.Service, args []string) error {
			switch {
			case !slices.Contains(sessionFormats, f.format):
				return usage("--format takes %s", strings.Join(sessionFormats, ", "))
			case f.list:
				hits, total, err := svc.Sessions(ctx, "", math.MaxInt32)
				if err != nil {
					return err
				}
				return a.printSessions(hits, total)
			case f.all:
				return a.fetchSessions(ctx, svc, f)
			}
			e, err := entry{kind: 's'}, error(nil)
			if len(args) == 1 {
				e, err = a.entry(ctx, svc, args[0])
			} else {
				e.session, err = svc.LastSession(ctx)
			}
			if err != nil {
				return err
			}
			return a.fetchEntry(ctx, svc, e, f)
		})
	fl := cmd.Flags()
	fl.BoolVar(&f.all, "all", false, "write a tar archive with a file for each session")
	fl.StringVar(&f.format, "format", sessionFormats[0], "`FORMAT`: "+strings.Join(sessionFormats, ", "))
	fl.BoolVar(&f.reasoning, "reasoning", false, reasoningUsage)
	fl.BoolVar(&f.raw, "raw", false, "leave escape sequences in what is no archive, for a file or a pipe")
	fl.BoolVar(&f.list, "list", false, "list the sessions")
	return cmd
}

// spool writes an entry to a temporary file, and calls do with it.
func (a *app) spool(ctx context.Context, svc *service.Service, r export.Request, do func(f *os.File) error) error {
	if err := config.EnsureDir(a.cfg.Paths.State); err != nil {
		return err
	}
	// Names of pictures are as they are beside the archive of pictures.
	r.Path = filepath.Join(filepath.Dir(a.cfg.Paths.Pictures), "export")
	f, err := os.CreateTemp(a.cfg.Paths.State, "export-*")
	if err != nil {
		return problem.Disk("write the export", err)
	}
	defer func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) }() // it was read
	if err := svc.Exporter().WriteTo(ctx, f, r); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return problem.Disk("read the export", err)
	}
	return do(f)
}

// requestOf returns what to write of an entry.
func (e entry) requestOf(f fetchFlags) export.Request {
	r := export.Request{As: export.Format(f.format), HasReasoning: f.reasoning}
	e.request(&r)
	return r
}

// fetchEntry writes an entry to the user, whose terminal may obey escape sequences.
func (a *app) fetchEntry(ctx context.Context, svc *service.Service, e entry, f fetchFlags) error {
	return a.spool(ctx, svc, e.requestOf(f), func(file *os.File) error {
		lines := bufio.NewReader(file)
		for {
			line, err := lines.ReadString('\n')
			if !f.raw {
				line = termtext.Clean(line)
			}
			if printed := a.print(line); printed != nil {
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

// writeArchive has write add files to an archive on standard output.
func (a *app) writeArchive(write func(*tar.Writer) error) error {
	if a.served.session.Window != (sshserver.Window{}) {
		return usage("an archive does not go to a terminal; leave out -t, and redirect it: > FILE.tar")
	}
	archive := tar.NewWriter(printer{a})
	if err := write(archive); err != nil {
		return err
	}
	return archive.Close()
}

// header is what the archive says of a file.
func header(name string, size int64, modified time.Time) *tar.Header {
	return &tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: modified, Format: tar.FormatPAX}
}

// fetchSessions writes an archive of all sessions. Each is held in a file of the server before, because its size comes
// first.
func (a *app) fetchSessions(ctx context.Context, svc *service.Service, f fetchFlags) error {
	hits, _, err := svc.Sessions(ctx, "", math.MaxInt32)
	if err != nil {
		return err
	}
	ending := map[string]string{"markdown": "md", "text": "txt"}
	return a.writeArchive(func(archive *tar.Writer) error {
		for _, h := range hits {
			e := entry{kind: 's', session: h.Session}
			err := a.spool(ctx, svc, e.requestOf(f), func(file *os.File) error {
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

// pictureBatch is how many pictures are looked up at a time.
const pictureBatch = 100

// servedPictures returns the command with which a served user fetches pictures.
func (a *app) servedPictures() *cobra.Command {
	var names bool
	cmd := a.historyCommand("pictures [QUERY...]", "Write a tar archive of pictures to standard output", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			ids, err := svc.PictureIDs(ctx, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if names {
				return eachPicture(ctx, svc, ids, func(h history.PictureHit) error {
					return a.print(fmt.Sprintf("a%d\t%s\n", h.Answer.ID, filepath.Base(h.Answer.Picture.Path)))
				})
			}
			a.served.noteAction(service.ActionExport, "pictures")
			return a.writeArchive(func(archive *tar.Writer) error { return a.fetchPictures(ctx, svc, ids, archive) })
		})
	cmd.Flags().BoolVar(&names, "names", false, "list answers and file names instead")
	return cmd
}

// eachPicture visits the pictures of answers.
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

// fetchPictures adds pictures to an archive. One that cannot be read is left out, and the command fails at its end.
func (a *app) fetchPictures(ctx context.Context, svc *service.Service, ids []int64, archive *tar.Writer) error {
	var failed error
	written := map[string]bool{}
	err := eachPicture(ctx, svc, ids, func(h history.PictureHit) error {
		name := filepath.Base(h.Answer.Picture.Path)
		if written[name] { // forks share their pictures
			return nil
		}
		written[name] = true
		b, err := svc.Files().Read(ctx, h.Answer.Picture.Path)
		if err != nil {
			a.info("a" + fmt.Sprint(h.Answer.ID) + ": " + sentence(err))
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

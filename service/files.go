package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"confab/history"
	"confab/internal/fetch"
	"confab/internal/fileio"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

// The limits of the files of a prompt.
const (
	maxFiles     = 100
	maxFileText  = 1 << 20 // bytes of one text
	maxFileTexts = 2 << 20 // bytes of all texts of a prompt
	maxPictures  = 8       // of a prompt and the earlier turns that go with it
	maxFetched   = 16 << 20
	fetchTimeout = 20 * time.Second
)

// ReadFiles reads the files that a person names for a prompt: paths and patterns of files, confined as all paths are,
// and http and https addresses. It keeps a copy of each picture. Its errors name the file and say why it cannot go.
func (s *Service) ReadFiles(ctx context.Context, names ...string) ([]history.File, error) {
	var files []history.File
	for _, name := range names {
		found := []string{name}
		src, err := pictures.ParseSource(name)
		if err != nil {
			return nil, err
		}
		if src.URL == "" {
			if found, err = s.matchFiles(src.Path); err != nil {
				return nil, err
			}
		}
		for _, one := range found {
			if len(files) == maxFiles {
				return nil, problem.Usage("more than %d files are named; name fewer", maxFiles)
			}
			var content []byte
			if src.URL != "" {
				content, err = s.fetchFile(ctx, one)
			} else {
				content, err = s.readFile(one)
			}
			if err != nil {
				return nil, err
			}
			file, err := s.NewFile(ctx, one, content)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	return files, nil
}

// matchFiles returns the file of a path, or those that match a pattern, as their user names them.
func (s *Service) matchFiles(name string) ([]string, error) {
	full, err := s.paths.Resolve(name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(full); err == nil || !strings.ContainsAny(name, `*?[`) {
		return []string{name}, nil
	}
	matches, err := filepath.Glob(full)
	if err != nil {
		return nil, problem.Usage("the pattern %s is not one; it has a [ without a ]", termtext.Line(name))
	}
	matches = slices.DeleteFunc(matches, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
	if len(matches) == 0 {
		return nil, problem.Usage("no file matches %s", termtext.Line(name))
	}
	here, err := os.Getwd()
	for i, path := range matches {
		switch rel, isBelow := strings.CutPrefix(path, here+string(filepath.Separator)); {
		case s.paths != "":
			matches[i] = s.paths.Name(path)
		case err == nil && isBelow && !filepath.IsAbs(name):
			matches[i] = rel
		}
	}
	return matches, nil
}

// readFile reads a regular file of at most the size of a picture.
func (s *Service) readFile(name string) ([]byte, error) {
	full, err := s.paths.Resolve(name)
	if err != nil {
		return nil, err
	}
	b, err := fileio.Read(full, pictures.MaxBytes)
	if err != nil {
		return nil, problem.New(api.CodeUsage, err, "the file %s %s", termtext.Line(name),
			fileio.ReadProblem(err, pictures.MaxBytes))
	}
	return b, nil
}

// fetchFile gets what is at an address.
func (s *Service) fetchFile(ctx context.Context, address string) ([]byte, error) {
	f := fetch.New(fetch.Options{AllowsLoopback: !s.o.Limits.IsServed && s.paths == "", Timeout: fetchTimeout,
		Accept: "text/*, application/json, image/png, image/jpeg;q=0.9, */*;q=0.5"})
	b, err := f.Get(ctx, address, maxFetched, func(r io.Reader) ([]byte, error) {
		return fileio.ReadAll(r, maxFetched)
	})
	var failure *fetch.Error
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fetch.ErrTooLarge), errors.Is(err, fileio.ErrTooLarge):
		return nil, problem.New(api.CodeTooLarge, err, "what is at %s is larger than %d MiB", termtext.Line(address),
			maxFetched>>20)
	case errors.As(err, &failure):
		clause := failure.OwnerClause
		if s.o.Limits.IsServed || s.paths != "" { // others do not learn what answers around this machine
			clause = failure.Clause
		}
		if clause == "" {
			clause = "its address cannot be used here"
		}
		return nil, problem.New(api.CodeUsage, err, "%s was not fetched: %s", termtext.Line(address), clause)
	case err != nil:
		return nil, problem.New(api.CodeUsage, err, "%s was not fetched", termtext.Line(address))
	}
	return b, nil
}

// NewFile returns a file of a prompt with this content: a text, or a picture, of which it keeps a copy.
func (s *Service) NewFile(ctx context.Context, name string, content []byte) (history.File, error) {
	switch line := termtext.Line(name); {
	case strings.HasPrefix(http.DetectContentType(content), "image/"):
		file, err := s.files.Attach(ctx, line, content)
		if err == nil {
			err = s.o.Limits.Quota.ReserveBytes(0)
		}
		return file, err
	case bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content):
		return history.File{}, problem.Usage("the file %s is neither UTF-8 text nor a picture", line)
	case len(content) > maxFileText:
		return history.File{}, problem.New(api.CodeTooLarge, nil, "the file %s has %s; at most %d MiB of a text are "+
			"sent", line, format.Size(int64(len(content))), maxFileText>>20)
	}
	text := string(bytes.TrimPrefix(content, []byte("\uFEFF")))
	return textFile(history.File{Name: name, Kind: history.TextFile}, text), nil
}

// textFile returns a file with another text.
func textFile(f history.File, text string) history.File {
	f.Text, f.Bytes, f.SHA256 = text, int64(len(text)), pictures.SHA256([]byte(text))
	return f
}

// checkFiles returns the files of a prompt with keys masked, or an error when they are too many or too large.
func (s *Service) checkFiles(files []history.File) ([]history.File, error) {
	files = slices.Clone(files)
	texts := 0
	for i, f := range files {
		texts += len(f.Text)
		files[i].Name = s.o.Mask.String(f.Name)
		if masked := s.o.Mask.String(f.Text); masked != f.Text {
			files[i] = textFile(files[i], masked)
		}
	}
	switch n := len(picturesOf(files)); {
	case len(files) > maxFiles:
		return nil, problem.Usage("%s cannot go with one prompt; at most %d can", format.Count(len(files), "file"),
			maxFiles)
	case n > maxPictures:
		return nil, problem.Usage("%s cannot go with one prompt; at most %d can", format.Count(n, "picture"),
			maxPictures)
	case texts > maxFileTexts:
		return nil, problem.New(api.CodeTooLarge, nil, "the files have %s of text; at most %d MiB go with one prompt",
			format.Size(int64(texts)), maxFileTexts>>20)
	}
	return files, nil
}

// picturesOf returns the pictures among files.
func picturesOf(files []history.File) (found []history.File) {
	for _, f := range files {
		if f.Kind == history.PictureFile {
			found = append(found, f)
		}
	}
	return found
}

// SourceOf returns the picture that edit models start from: the source of the prompt, or else the only picture among
// its files; nil without edit models.
func (s *Service) SourceOf(p Prompt) *history.Source {
	isEdit := func(slug string) bool {
		m, ok := s.o.Backend.Catalogue().Find(slug)
		return ok && m.Kind == api.Edit
	}
	attached := picturesOf(p.Files)
	if p.Source != nil || len(attached) != 1 || !slices.ContainsFunc(p.Models, isEdit) {
		return p.Source
	}
	return &history.Source{Path: attached[0].Path}
}

// SentText returns what is sent of a prompt as text: its texts as named, fenced parts, then the prompt.
func SentText(files []history.File, prompt string) string {
	var b strings.Builder
	for _, f := range files {
		if f.Kind == history.TextFile {
			b.WriteString("File " + fileTitle(f.Name) + ":\n" + format.Fenced(f.Language(), f.Text) + "\n")
		}
	}
	return b.String() + prompt
}

// fileTitle returns a name as one line.
func fileTitle(name string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(termtext.Line(name), "\uFFFD")), " ")
}

// pictureTitles names the pictures of an earlier turn, which go with the newest prompt, before its text.
func pictureTitles(files []history.File) string {
	var b strings.Builder
	for _, f := range picturesOf(files) {
		b.WriteString(pictureTitle(f.Name))
	}
	return b.String()
}

// pictureTitle names a picture in a text, on a line of its own.
func pictureTitle(name string) string { return "[picture " + fileTitle(name) + "]\n" }

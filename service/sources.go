package service

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/internal/regularfile"
	"confab/service/api"
	"confab/service/pictures"
)

// judgeSource returns the source of a turn with its path or URL filled in,
// after judging that there is a picture. Nothing is published yet.
func (s *Service) judgeSource(ctx context.Context, src *history.Source) (*history.Source, error) {
	if src == nil || *src == (history.Source{}) {
		return nil, nil
	}
	if src.URL != "" {
		u, err := url.Parse(src.URL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
			return nil, usage("the source must be an http or https address that anyone can fetch, without a user name or " +
				"password")
		}
		return &history.Source{URL: s.o.Mask.String(src.URL)}, nil
	}
	full, err := s.sourcePath(ctx, *src)
	if err != nil {
		return nil, err
	}
	b, err := s.readPicture(full)
	if err != nil {
		return nil, err
	}
	facts, err := api.JudgeImage(b, api.DefaultLimits().Pixels)
	if err != nil {
		return nil, notAPicture(filepath.Base(full), err)
	}
	if facts.TooLarge {
		return nil, fail(api.CodeTooLarge, nil, "the source picture %s has more than 40 megapixels; scale it down first",
			filepath.Base(full))
	}
	return &history.Source{Answer: src.Answer, Path: full}, nil
}

// notAPicture says why a file cannot be edited.
func notAPicture(name string, err error) *api.Error {
	code := api.CodeOf(err)
	var known *api.Error
	if !errors.As(err, &known) {
		return fail(api.CodeBadImage, err, "the source picture %s is not a whole PNG or JPEG; choose another", name)
	}
	return fail(code, err, "the source picture %s cannot be used: %s", name, clause(known.Message))
}

// sourcePath returns the absolute path of a source's file.
func (s *Service) sourcePath(ctx context.Context, src history.Source) (string, error) {
	path := src.Path
	if src.Answer != 0 {
		store, err := s.history(ctx)
		if err != nil {
			return "", err
		}
		a, err := store.Answer(ctx, src.Answer)
		if errors.Is(err, history.ErrNotFound) {
			return "", fail(api.CodeUsage, err, "the picture to edit is no longer in the history; choose another")
		}
		if err != nil {
			return "", problemOf(err)
		}
		a = s.asShown(history.Turn{ID: a.Turn, Answers: []history.Answer{a}}).Answers[0]
		if a.Picture == nil {
			return "", fail(api.CodeUsage, errNoPicture, "the chosen answer has no picture; choose another")
		}
		path = a.Picture.Path
		if strings.HasPrefix(path, unsavedScheme) {
			return "", usage("the chosen picture is not saved yet; save it again first")
		}
	}
	full, err := s.within(s.locate(path))
	if err != nil {
		return "", err
	}
	if full, err = filepath.Abs(full); err != nil {
		return "", fail(api.CodeUsage, err, "the source's path cannot be made out; give the whole path")
	}
	return full, nil
}

// ReadPicture returns the bytes of a picture, at most 64 MiB. It knows the
// paths of pictures that could not be saved yet.
func (s *Service) ReadPicture(_ context.Context, path string) ([]byte, error) {
	if b, ok := s.unsavedImage(path); ok {
		return b, nil
	}
	if strings.HasPrefix(path, unsavedScheme) {
		return nil, usage("the picture is no longer in memory")
	}
	return s.readPicture(path)
}

// locate returns where a picture is now: at its path, or, when it is not there,
// under its name in the picture folder, which may have been moved.
func (s *Service) locate(path string) string {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || !s.o.Save {
		return path
	}
	moved := filepath.Join(s.o.Folders.Pictures, filepath.Base(path))
	if info, err := os.Lstat(moved); err != nil || !info.Mode().IsRegular() {
		return path
	}
	return moved
}

// readPicture reads a file, if it is one and not too large.
func (s *Service) readPicture(path string) ([]byte, error) {
	name := filepath.Base(path)
	path, err := s.within(s.locate(path))
	if err != nil {
		return nil, err
	}
	b, err := regularfile.Read(path, maxPicture+maxFactsAdded)
	var kind *regularfile.KindError
	switch {
	case errors.As(err, &kind):
		return nil, usage("what was chosen, %s, %s", name, kind)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fail(api.CodeUsage, err, "there is no picture %s; it may have been moved or deleted", name)
	case errors.Is(err, regularfile.ErrTooLarge):
		return nil, fail(api.CodeTooLarge, err, "the picture %s is larger than 64 MiB", name)
	case err != nil:
		return nil, diskProblem("read the picture "+name, err)
	}
	return b, nil
}

// CleanCopy returns the picture of an answer byte for byte as the service sent
// it, without the text that confab put into the file for other tools; a key
// that the service quoted in it stays out.
func (s *Service) CleanCopy(ctx context.Context, answer int64) ([]byte, error) {
	a, err := s.Answer(ctx, answer)
	if err != nil {
		return nil, err
	}
	if a.Picture == nil {
		return nil, fail(api.CodeUsage, errNoPicture, "the answer has no picture")
	}
	b, err := s.ReadPicture(ctx, a.Picture.Path)
	if err != nil {
		return nil, err
	}
	if a.Masked {
		return pictures.CleanCopy(b), nil // the sha256 is of what must not be kept
	}
	for _, candidate := range [][]byte{pictures.CleanCopy(b), b} {
		if sha(candidate) == a.Picture.SHA256 {
			return candidate, nil
		}
	}
	return nil, fail(api.CodeBadImage, nil, "the file %s was changed after it was saved, so the picture as received is "+
		"gone", filepath.Base(a.Picture.Path))
}

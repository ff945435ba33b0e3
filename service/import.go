package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"confab/history"
	"confab/history/importer"
	"confab/service/api"
	"confab/service/problem"
)

// Imported is a session of another program that was imported, or that would be.
type Imported struct {
	Program string `json:"from"`
	Name    string `json:"name"`
	history.Import
}

// refusedFile counts files that are neither texts nor pictures, or too large.
const refusedFile = "refused file"

// Import adds the conversations of other programs below a path to the history, each as a session and as a whole, and
// calls visit with each; see [importer.Open] for what it knows. What the history has already it adds no second time. If
// isDry is set, it adds nothing. It returns what was left out, by nouns for people.
func (s *Service) Import(ctx context.Context, path string, isDry bool, visit func(Imported) error) (
	skipped map[string]int, failed error) {
	store, err := s.history(ctx)
	if err != nil {
		return nil, err
	}
	if path, err = s.paths.Resolve(path); err != nil {
		return nil, err
	}
	from, err := importer.Open(path, s.o.History.OpenForeign)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.Usage("there is no file or folder %s", path)
	case err != nil:
		return nil, problem.Disk("read "+path, err)
	}
	defer from.Close() //nolint:errcheck // it was only read
	for c, err := range from.Conversations(ctx) {
		switch {
		case errors.Is(err, importer.ErrUnknown):
			return nil, problem.Usage("%s holds no conversations of ChatGPT, Claude, llm, aichat or crush", path)
		case ctx.Err() != nil:
			return from.Skipped, context.Cause(ctx)
		case err != nil: // other files may be whole
			failed = cmp.Or[error](failed, problem.New(api.CodeDisk, err, "not all could be read: %v", err))
			continue
		}
		if err := s.importOne(ctx, store, from.Skipped, c, isDry, visit); err != nil {
			return from.Skipped, err
		}
	}
	return from.Skipped, failed
}

func (s *Service) importOne(ctx context.Context, store history.Store, skipped map[string]int, c importer.Conversation,
	isDry bool, visit func(Imported) error) error {
	mask := s.o.Mask.String
	c.Session.Name = mask(c.Session.Name)
	for i := range c.Session.Turns {
		t := &c.Session.Turns[i]
		t.Prompt, t.System = mask(t.Prompt), mask(t.System)
		for j, a := range t.Answers {
			t.Answers[j].Text, t.Answers[j].Reasoning = mask(a.Text), mask(a.Reasoning)
		}
	}
	r, err := store.ImportSession(ctx, c.Session, true)
	if err == nil && !isDry && !r.IsNothing() {
		if err = s.importFiles(ctx, skipped, &c); err == nil {
			r, err = store.ImportSession(ctx, c.Session, false)
		}
	}
	if err != nil {
		return problem.Store(err)
	}
	name := cmp.Or(c.Session.Name, history.SessionName(c.Session.Turns[0].Prompt))
	return visit(Imported{Import: r, Program: c.Program, Name: name})
}

// importFiles keeps the files of a conversation. A picture that is refused is no answer.
func (s *Service) importFiles(ctx context.Context, skipped map[string]int, c *importer.Conversation) error {
	turns := c.Session.Turns
	for _, f := range c.Files {
		b, err := f.Read(ctx)
		if err == nil && f.Answer >= 0 {
			var picture history.Picture
			if picture, err = s.files.Keep(ctx, f.Name, b); err == nil {
				turns[f.Turn].Answers[f.Answer].Picture = &picture
			}
		} else if err == nil {
			var file history.File
			if file, err = s.NewFile(ctx, s.o.Mask.String(f.Name), b); err == nil {
				file.Text = s.o.Mask.String(file.Text)
				turns[f.Turn].Files = append(turns[f.Turn].Files, file)
			}
		}
		switch {
		case ctx.Err() != nil, api.CodeOf(err) == api.CodeDisk:
			return err
		case err != nil:
			skipped[refusedFile]++
		}
	}
	for i := range turns {
		turns[i].Answers = slices.DeleteFunc(turns[i].Answers,
			func(a history.Answer) bool { return a.Kind == history.KindImage && a.Picture == nil })
	}
	return nil
}

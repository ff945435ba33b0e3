package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// exportPage is how many turns of a session are read at a time.
const exportPage = 100

// exporter writes answers, turns and sessions in one format.
type exporter struct {
	s  *Service
	as Format
}

// FilledJSON is what a prompt was filled in from as scripts see it; its field
// names are stable.
type FilledJSON struct {
	Vars           map[string]string `json:"vars,omitempty"`
	Template       string            `json:"template,omitempty"`
	SystemTemplate string            `json:"system_template,omitempty"`
}

// NewFilledJSON returns what the prompt of a turn was filled in from.
func NewFilledJSON(t Turn) FilledJSON { return FilledJSON{t.Vars, t.Template, t.SystemTemplate} }

// turnJSON is a turn as it is written.
type turnJSON struct {
	Turn    int64     `json:"turn,omitempty"`
	Session int64     `json:"session,omitempty"`
	Created time.Time `json:"created"`
	Prompt  string    `json:"prompt"`
	System  string    `json:"system,omitempty"`
	FilledJSON
	Aspect  string        `json:"aspect,omitempty"`
	Nonce   *Nonce        `json:"nonce,omitempty"`
	Source  *Source       `json:"source,omitempty"`
	Context bool          `json:"context,omitempty"`
	Answers []writtenJSON `json:"answers"`
}

// writtenJSON is an answer as it is written: what scripts see and what a
// person thought of it.
type writtenJSON struct {
	AnswerJSON
	SentPrompt string `json:"sent_prompt,omitempty"`
	SentNonce  string `json:"sent_nonce,omitempty"`
	SourceURL  string `json:"source_url,omitempty"`
	Rating     Rating `json:"rating,omitempty"`
	Winner     bool   `json:"winner,omitempty"`
	Note       string `json:"note,omitempty"`
}

// lineJSON is an answer that stands alone: with what was asked.
type lineJSON struct {
	writtenJSON
	Created time.Time `json:"created"`
	Prompt  string    `json:"prompt"`
	System  string    `json:"system,omitempty"`
	FilledJSON
	Aspect string  `json:"aspect,omitempty"`
	Source *Source `json:"source,omitempty"`
}

// answer writes one answer.
func (e *exporter) answer(_ context.Context, out io.Writer, at string, t Turn, a Answer) error {
	switch e.as {
	case FormatJSON:
		return encode(out, e.line(at, t, a), "  ")
	case FormatJSONL:
		return encode(out, e.line(at, t, a), "")
	case FormatText:
		if a.Kind == KindText {
			_, err := io.WriteString(out, a.Text)
			return err
		}
		return e.plainAnswer(out, at, a)
	}
	return e.markdownAnswer(out, at, a)
}

// turn writes one turn.
func (e *exporter) turn(_ context.Context, out io.Writer, at string, t Turn) error {
	switch e.as {
	case FormatJSON:
		return encode(out, e.turnJSON(at, t), "  ")
	case FormatJSONL:
		for _, a := range t.Answers {
			if err := encode(out, e.line(at, t, a), ""); err != nil {
				return err
			}
		}
		return nil
	case FormatText:
		return e.plainTurn(out, at, t)
	}
	return e.markdownTurn(out, at, t)
}

// session writes all turns of a session, a page at a time.
func (e *exporter) session(ctx context.Context, out io.Writer, at string, session Session) error {
	head, between, tail := "", "", ""
	switch e.as {
	case FormatMarkdown:
		head = "# " + oneLine(session.Name) + "\n\n"
	case FormatText:
		head = oneLine(session.Name) + "\n\n"
	case FormatJSON:
		named := map[string]any{"name": session.Name, "created": session.Created, "updated": session.Updated}
		if e.s.Saving() {
			named["session"] = session.ID
		}
		facts, err := json.Marshal(named)
		if err != nil {
			return err
		}
		head = strings.TrimSuffix(string(facts), "}") + ",\"turns\":[\n"
		between, tail = ",\n", "]}\n"
	}
	if _, err := io.WriteString(out, head); err != nil {
		return err
	}
	first := true
	err := e.s.EachTurn(ctx, session.ID, func(t Turn) error {
		if !first {
			if _, err := io.WriteString(out, between); err != nil {
				return err
			}
		}
		first = false
		return e.turn(ctx, out, at, t)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, tail)
	return err
}

// EachTurn visits the turns of a session, oldest first, a page at a time. It
// ends with the first error of a visit, or of the store.
func (s *Service) EachTurn(ctx context.Context, session int64, visit func(Turn) error) error {
	page := Page{Around: 1, Limit: exportPage} // no turn is older than the first
	for {
		turns, err := s.Turns(ctx, session, page)
		if err != nil {
			return err
		}
		for _, t := range turns {
			if err := visit(t); err != nil {
				return err
			}
			page.Around, page.After = 0, t.ID
		}
		if len(turns) < page.Limit {
			return nil
		}
	}
}

// turnJSON returns a turn as it is written.
func (e *exporter) turnJSON(at string, t Turn) turnJSON {
	known, _ := e.s.withIDs(t, Answer{})
	j := turnJSON{
		Turn: known.ID, Session: known.Session, Created: t.Created.UTC(), Prompt: t.Prompt, System: t.System, FilledJSON: NewFilledJSON(t),
		Aspect: t.Aspect, Source: sourceAt(at, known.Source), Context: t.Context, Answers: []writtenJSON{},
	}
	if t.Nonce.Mode != "" && t.Nonce.Mode != NonceNone {
		j.Nonce = &t.Nonce
	}
	for _, a := range t.Answers {
		j.Answers = append(j.Answers, e.written(at, t, a))
	}
	return j
}

// written returns an answer as it is written: its file by a path from there.
func (e *exporter) written(at string, t Turn, a Answer) writtenJSON {
	j := writtenJSON{
		AnswerJSON: e.s.AnswerJSON(t, a), SentPrompt: a.SentPrompt, SentNonce: a.SentNonce,
		SourceURL: a.SourceURL, Rating: a.Rating, Winner: a.Winner, Note: a.Note,
	}
	j.File = relative(at, j.File)
	return j
}

// line returns an answer that stands alone.
func (e *exporter) line(at string, t Turn, a Answer) lineJSON {
	known, _ := e.s.withIDs(t, a)
	return lineJSON{
		writtenJSON: e.written(at, t, a), Created: t.Created.UTC(), Prompt: t.Prompt, System: t.System,
		FilledJSON: NewFilledJSON(t), Aspect: t.Aspect, Source: sourceAt(at, known.Source),
	}
}

// sourceAt returns a source with its path seen from a file.
func sourceAt(at string, src *Source) *Source {
	if src == nil || src.Path == "" {
		return src
	}
	seen := *src
	seen.Path = relative(at, src.Path)
	return &seen
}

// encode writes a value as JSON and a line break. Nothing is escaped for HTML:
// what stands in a text stands in the file.
func encode(out io.Writer, v any, indent string) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}

// plainTurn writes a turn as text.
func (e *exporter) plainTurn(out io.Writer, at string, t Turn) error {
	if _, err := fmt.Fprintf(out, "=== %s\n\n%s\n\n", stamp(t.Created), t.Prompt); err != nil {
		return err
	}
	if t.System != "" {
		if _, err := fmt.Fprintf(out, "--- system prompt\n\n%s\n\n", t.System); err != nil {
			return err
		}
	}
	if len(t.Vars) > 0 {
		if _, err := fmt.Fprintf(out, "--- filled in\n\n%s\n", Values(t.Vars)); err != nil {
			return err
		}
	}
	for _, a := range t.Answers {
		if err := e.plainAnswer(out, at, a); err != nil {
			return err
		}
	}
	return nil
}

// plainAnswer writes an answer with its head as text.
func (e *exporter) plainAnswer(out io.Writer, at string, a Answer) error {
	body := a.Text
	switch {
	case a.Picture != nil:
		body = relative(at, a.Picture.Path)
	case a.Failure != nil:
		body = fmt.Sprintf("%s (%s)", a.Failure.Message, a.Failure.Code)
	}
	_, err := fmt.Fprintf(out, "--- %s\n\n%s\n\n", headOf(a), body)
	return err
}

// markdownTurn writes a turn as markdown.
func (e *exporter) markdownTurn(out io.Writer, at string, t Turn) error {
	if _, err := fmt.Fprintf(out, "## %s\n\n%s\n\n", stamp(t.Created), t.Prompt); err != nil {
		return err
	}
	if t.System != "" {
		if _, err := fmt.Fprintf(out, "**System prompt**\n\n%s\n\n", t.System); err != nil {
			return err
		}
	}
	if len(t.Vars) > 0 {
		if _, err := fmt.Fprintf(out, "**Filled in**\n\n%s\n", Values(t.Vars)); err != nil {
			return err
		}
	}
	var settings []string
	if t.Aspect != "" {
		settings = append(settings, "aspect ratio "+t.Aspect)
	}
	if t.Nonce.Mode == NonceFixed {
		settings = append(settings, "nonce `"+oneLine(t.Nonce.Value)+"`")
	}
	if t.Source != nil {
		from := t.Source.URL
		if from == "" {
			from = linkTo(at, t.Source.Path)
		}
		settings = append(settings, "source <"+from+">")
	}
	if t.Context {
		settings = append(settings, "with the earlier turns as context")
	}
	if len(settings) > 0 {
		if _, err := fmt.Fprintf(out, "*%s*\n\n", strings.Join(settings, " · ")); err != nil {
			return err
		}
	}
	for _, a := range t.Answers {
		if err := e.markdownAnswer(out, at, a); err != nil {
			return err
		}
	}
	return nil
}

// markdownAnswer writes an answer as markdown.
func (e *exporter) markdownAnswer(out io.Writer, at string, a Answer) error {
	if _, err := fmt.Fprintf(out, "### %s\n\n", headOf(a)); err != nil {
		return err
	}
	var err error
	switch {
	case a.Picture != nil:
		_, err = fmt.Fprintf(out, "![%s](%s)\n\n", a.Model, linkTo(at, a.Picture.Path))
	case a.Failure != nil:
		_, err = fmt.Fprintf(out, "> %s (`%s`)\n\n", oneLine(a.Failure.Message), a.Failure.Code)
	default:
		_, err = fmt.Fprintf(out, "%s\n\n", a.Text)
	}
	if err == nil && a.ServiceNote != "" {
		_, err = fmt.Fprintf(out, "*The service says:* %s\n\n", oneLine(a.ServiceNote))
	}
	if err == nil && a.Note != "" {
		_, err = fmt.Fprintf(out, "*Note:* %s\n\n", a.Note)
	}
	return err
}

// Values lists the values of variables, one on each line, as text and as
// markdown.
func Values(vars map[string]string) string {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		fmt.Fprintf(&list, "- %s: %s\n", name, strings.ReplaceAll(vars[name], "\n", "\n  "))
	}
	return list.String()
}

// headOf says in one line which answer it is.
func headOf(a Answer) string {
	head := []string{a.Model}
	if a.Sample > 1 {
		head = append(head, fmt.Sprintf("sample %d", a.Sample))
	}
	if by := a.AnsweredBy(); by != "" {
		head = append(head, oneLine(by))
	}
	if a.State != Done {
		head = append(head, string(a.State))
	} else {
		head = append(head, fmt.Sprintf("%.2f s", a.Elapsed.Seconds()))
	}
	if a.Cached {
		head = append(head, "cached")
	}
	if a.Winner {
		head = append(head, "winner")
	}
	switch a.Rating {
	case Good:
		head = append(head, "rated good")
	case Bad:
		head = append(head, "rated bad")
	}
	return strings.Join(head, " · ")
}

// stamp writes a time for people.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// oneLine returns s without line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// relative returns a path as seen from the folder of a file, or the path
// itself where there is no way.
func relative(at, path string) string {
	if path == "" || strings.HasPrefix(path, unsavedScheme) {
		return ""
	}
	rel, err := filepath.Rel(filepath.Dir(at), path)
	if err != nil { // on another drive
		return filepath.Base(path)
	}
	return filepath.ToSlash(rel)
}

// pictureName returns how a document at a path names the pictures of answers: by their paths from it. HTML holds the
// pictures themselves and tells nothing of the machine: it names them by their files alone.
func pictureName(as Format, at string) func(Answer) string {
	return func(a Answer) string {
		name := relative(at, a.Picture.Path)
		if as == FormatHTML && name != "" {
			name = filepath.Base(name)
		}
		return name
	}
}

// linkTo returns a relative path for a markdown link.
func linkTo(at, path string) string {
	return (&url.URL{Path: relative(at, path)}).String()
}

package dialog

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"confab/service/export"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// Write is the form to write answers to a file.
type Write struct {
	form
	subject        action.ShowWrite
	requests       []export.Request // by the choices of what
	what, as, path *row
}

// writeWidth is the width of the form in cells, in which all formats fit.
const writeWidth = 84

// exactCSV is the choice of a CSV with unchanged texts.
const exactCSV export.Format = "csv-exact"

type fileFormat struct {
	name export.Format
	note string
}

func fileFormats() []fileFormat {
	return []fileFormat{
		{export.FormatText, "the text exactly as received"},
		{export.FormatPicture, "the picture exactly as received"},
		{export.FormatMarkdown, "to read, with pictures as files"},
		{export.FormatHTML, "one file with pictures, answers side by side"},
		{export.FormatCSV, "one row per answer, safe for spreadsheets"},
		{exactCSV, "one row per answer, texts unchanged"},
		{export.FormatSuite, "to run again, with the turns beside it; of a run without its checks"},
		{export.FormatJSON, "everything, as one object"},
		{export.FormatJSONL, "one line per answer"},
	}
}

// NewWrite returns the form, with the smallest unit chosen.
func NewWrite(subject action.ShowWrite, m keys.Map, s *themes.Styles) *Write {
	d := &Write{
		subject: subject,
		what:    &row{label: "Export"},
		as:      &row{label: "As"},
		path: &row{label: "To", text: widget.NewField(m, "", "a new file"),
			note: "a file, or a folder ending in /"},
	}
	if len(subject.Row) > 0 {
		subject.Turn = 0
	}
	offer := func(applies bool, name string, request export.Request) {
		if applies {
			d.what.choices, d.requests = append(d.what.choices, name), append(d.requests, request)
		}
	}
	if n := len(subject.Answers); n > 0 {
		offer(n == 1, "this picture", export.Request{Answers: subject.Answers})
		offer(n > 1, fmt.Sprintf("the %d marked pictures", n), export.Request{Answers: subject.Answers})
	} else {
		offer(subject.IsTable, "table", export.Request{Turn: subject.Turn, IsTable: true})
		offer(subject.Answer != 0, "answer", export.Request{Answer: subject.Answer})
		offer(subject.Turn != 0, "turn", export.Request{Turn: subject.Turn})
		offer(len(subject.Row) > 0, "row", export.Request{Run: subject.Run, Turns: subject.Row})
		offer(subject.Run != 0, "run", export.Request{Run: subject.Run})
		offer(subject.Session != 0 || d.requests == nil, "session", export.Request{Session: subject.Session})
	}
	if subject.Folder != "" {
		d.path.text = widget.NewField(m, "", "a new file in "+widget.OneLine(subject.Folder))
	}
	d.form = form{title: "Export to a file", verb: "export", maxWidth: writeWidth,
		rows: []*row{d.what, d.as, d.path}, changed: d.offerFormats, accept: d.result}
	for i := range d.what.choices {
		d.what.at = i
		if d.offerFormats(); subject.As == "" || d.as.choose(string(subject.As)) {
			break
		}
	}
	if subject.Failed != nil {
		d.chooseAgain(*subject.Failed)
		d.path.problem = subject.Problem
	}
	d.init("write", m, s)
	return d
}

// chooseAgain shows what was chosen, with the cursor on the path.
func (d *Write) chooseAgain(failed export.Request) {
	path, as := failed.Path, failed.As
	if failed.IsExactCSV {
		as = exactCSV
	}
	failed.As, failed.Path, failed.IsExactCSV = "", "", false
	isFailed := func(r export.Request) bool { return reflect.DeepEqual(r, failed) }
	d.what.at = max(slices.IndexFunc(d.requests, isFailed), 0)
	d.path.text.SetValue(path)
	d.offerFormats()
	d.as.choose(string(as))
	d.at = slices.Index(d.rows, d.path)
}

// offerFormats offers the formats of what is written, and keeps the chosen one if possible.
func (d *Write) offerFormats() {
	former := ""
	if d.as.choices != nil {
		former = d.as.choice()
	}
	d.as.choices = nil
	notes := map[string]string{}
	for _, f := range fileFormats() {
		if d.offers(f.name) {
			d.as.choices = append(d.as.choices, string(f.name))
			notes[string(f.name)] = f.note
		}
	}
	d.what.note = map[string]string{"answer": "this answer", "turn": "the prompt with all its answers",
		"table": "the turn with those beside it", "row": "the answers that are compared", "run": "the whole run",
		"session": "the branch that is shown; JSON has all branches"}[d.what.choice()]
	d.as.choose(former)
	if f, ok := d.ending(); ok && (f != export.FormatCSV || d.as.choice() != string(exactCSV)) {
		d.as.choose(string(f))
	}
	d.as.note = notes[d.as.choice()]
}

// ending returns the format that the ending of the typed path names.
func (d *Write) ending() (f export.Format, ok bool) {
	path := strings.TrimSpace(d.path.text.Value())
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".yaml" || ext == ".yml" {
		return export.FormatSuite, true
	}
	return export.FormatOf(path)
}

// offers reports whether a format suits what is written.
func (d *Write) offers(f export.Format) bool {
	what, ofGallery := d.what.choice(), len(d.subject.Answers) > 0
	switch f {
	case export.FormatText:
		return what == "answer" && !d.subject.IsPicture
	case export.FormatPicture:
		return what == "answer" && d.subject.IsPicture || ofGallery
	case export.FormatSuite:
		return what == "table" || what == "turn" || what == "run"
	case export.FormatMarkdown, export.FormatJSONL:
		return !ofGallery
	case export.FormatJSON:
		return !ofGallery && what != "run" && what != "row" && what != "table"
	}
	return true
}

func (d *Write) result() action.Action {
	if f, ok := d.ending(); ok && !d.offers(f) {
		d.path.problem = "The ending must name one of these: " + strings.Join(d.as.choices, ", ") + "."
		return nil
	}
	w := d.requests[d.what.at]
	w.As, w.Path = export.Format(d.as.choice()), strings.TrimSpace(d.path.text.Value())
	if w.As == exactCSV {
		w.As, w.IsExactCSV = export.FormatCSV, true
	}
	d.subject.Failed, d.subject.Problem = nil, ""
	return action.Write{What: w, Form: d.subject}
}

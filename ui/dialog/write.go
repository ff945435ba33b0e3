package dialog

import (
	"fmt"
	"slices"
	"strings"

	"confab/service/export"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/textedit"
)

// Write is the form that asks what to write to a file, as what, and where.
type Write struct {
	form
	subject        WriteSubject
	what, as, path *row
}

// WriteSubject is what can be written; ids that are 0 are not offered.
type WriteSubject struct {
	Answer, Turn, Session, Run int64
	// of the run: the turns that are compared; then Turn is one of them and not offered
	Row     []int64
	Picture bool    // the answer is a picture
	Answers []int64 // pictures of a gallery, in place of all the others
}

// spreadsheet is the choice of a CSV of which a spreadsheet program executes nothing.
const spreadsheet export.Format = "spreadsheet"

// thisPicture is the choice of a gallery in which no picture is marked.
const thisPicture = "this picture"

// NewWrite returns the form; the smallest thing there is is chosen first.
func NewWrite(subject WriteSubject, m keys.Map, s *themes.Styles) *Write {
	d := &Write{
		subject: subject,
		what:    &row{label: "What"},
		as:      &row{label: "As"},
		path: &row{
			label: "Where", text: textedit.NewField("", "the folder exports beside the pictures"),
			note: "a file, or a folder ending in /",
		},
	}
	if len(subject.Row) > 0 {
		subject.Turn = 0
	}
	for _, o := range []struct {
		name string
		id   int64
	}{{"answer", subject.Answer}, {"turn", subject.Turn}, {"row", int64(len(subject.Row))}, {"run", subject.Run},
		{"session", subject.Session}} {
		if o.id != 0 {
			d.what.choices = append(d.what.choices, o.name)
		}
	}
	switch n := len(subject.Answers); {
	case n == 1:
		d.what.choices = []string{thisPicture}
	case n > 1:
		d.what.choices = []string{fmt.Sprintf("the %d marked pictures", n)}
	case d.what.choices == nil:
		d.what.choices = []string{"session"}
	}
	d.form = form{
		Base: overlay.NewBase("write", keys.Form, m, s), title: "Write to a file",
		rows:    []*row{d.what, d.as, d.path},
		changed: d.sync, accept: d.result,
	}
	d.sync()
	d.SetStyles(s)
	return d
}

// sync offers the formats that suit what is written.
func (d *Write) sync() {
	var former string
	if d.as.choices != nil {
		former = d.as.choice()
	}
	formats := []export.Format{export.FormatMarkdown, export.FormatHTML, export.FormatCSV, spreadsheet,
		export.FormatJSON,
		export.FormatJSONL, export.FormatContactSheet}
	if len(d.subject.Answers) > 0 {
		formats = []export.Format{export.FormatContactSheet, export.FormatPicture, export.FormatHTML, export.FormatCSV,
			spreadsheet}
		if len(d.subject.Answers) == 1 {
			formats[0], formats[1] = formats[1], formats[0]
		}
	}
	switch d.what.choice() {
	case "turn":
		formats = slices.Insert(formats, 4, export.FormatSuite)
	case "run", "row":
		formats = []export.Format{export.FormatMarkdown, export.FormatHTML, export.FormatCSV, spreadsheet,
			export.FormatJSONL,
			export.FormatContactSheet}
	case "answer":
		first := export.FormatText
		if d.subject.Picture {
			first = export.FormatPicture
		}
		formats = append([]export.Format{first}, formats...)
	}
	d.as.choices, d.as.at = nil, 0
	for _, f := range formats {
		d.as.choices = append(d.as.choices, string(f))
	}
	d.as.choose(former)
	d.as.note = map[export.Format]string{
		export.FormatText:         "exactly the text of the answer",
		export.FormatMarkdown:     "to read; pictures beside it",
		export.FormatJSON:         "one value with all that is known",
		export.FormatJSONL:        "one line for each answer",
		export.FormatHTML:         "one file, answers side by side, pictures within",
		export.FormatCSV:          "one row for each answer",
		spreadsheet:               "the same, for a spreadsheet: nothing in it begins like a formula",
		export.FormatContactSheet: "the pictures side by side, as one PNG",
		export.FormatPicture:      "the picture exactly as it came",
		export.FormatSuite:        "to run again, with all values sent together",
	}[export.Format(d.as.choice())]
}

func (d *Write) result() action.Action {
	w := export.Request{As: export.Format(d.as.choice()), Path: strings.TrimSpace(d.path.text.Value())}
	if w.As == spreadsheet {
		w.As, w.SpreadsheetSafe = export.FormatCSV, true
	}
	w.Answers = d.subject.Answers
	switch d.what.choice() {
	case "row":
		w.Run, w.Turns = d.subject.Run, d.subject.Row
	case "run":
		w.Run = d.subject.Run
	case "answer":
		w.Answer = d.subject.Answer
	case "turn":
		w.Turn = d.subject.Turn
	case "session":
		w.Session = d.subject.Session
	}
	return action.Write{What: w}
}

// Package export writes answers, turns, sessions and runs in the forms that people take elsewhere: CSV, JSON and JSON
// lines for programs, text, Markdown and a single HTML file for people. It is the
// only package that does so. [AnswerRecord] describes an answer wherever a program reads one.
//
// Texts are written exactly as they came, except where a form would act on them: HTML shows markup of an answer as
// text, and a CSV for spreadsheet programs holds no formulas. The package reads no file: its callers give it the
// pictures and mask the API key in what it writes.
package export

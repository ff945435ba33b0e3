// Package export writes a run, which is a set of answers to be looked at
// together, in the forms people take elsewhere: CSV and JSON lines for
// programs, Markdown and a single HTML file for people, and a contact sheet of
// the pictures.
//
// Texts are written exactly as they came, except where a form would act on
// them: HTML shows markup of an answer as text, and a CSV made for spreadsheets
// disarms what they would take for a formula. The package reads no file; whoever
// calls it hands in the pictures, and masks the key in what is written.
package export

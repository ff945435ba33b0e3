// Package export writes answers, turns, sessions and runs: CSV, JSON and JSON lines for programs, text, Markdown and
// a single HTML file for people. [AnswerRecord] describes an answer for programs everywhere.
//
// Texts are written unchanged, except where a format would interpret them: HTML shows markup of an answer as text,
// and a CSV for spreadsheet programs contains no formulas. The writers read no files: callers pass pictures and mask
// the API key.
package export

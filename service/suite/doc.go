// Package suite reads, runs and compares suites of prompts.
//
// A suite is prompts × variables × models × checks in the YAML that promptfoo reads too. [Load] reads one, [Calls]
// lists the calls it makes, [FromTurns] makes one of turns and [ExportPromptfoo] writes one that promptfoo can run.
// Files are read through an fs.FS, inside the suite's folder, and nothing is executed. docs/suites.md describes the
// format.
//
// A [Runner] makes the calls of a suite, judges the answers and keeps both in the store; it sends nothing itself but
// asks a [Service]. [Results] and [Comparison] describe finished and live runs for the screen and the command line, in
// words and signs without colors.
//
// {{name}} in a prompt stands for a value. A name is a letter or underscore followed by letters, digits, underscores
// and hyphens, 64 characters at most, with blanks allowed between it and the braces. Other text in double braces stays
// as it is. {{{{ writes {{, and the next }}}} after it writes }}; a }}}} without one stays, because nested JSON ends
// that way. Values are not expanded again.
package suite

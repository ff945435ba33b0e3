// Package suite reads, runs and compares suites of prompts.
//
// A suite is prompts × variables × models × checks in promptfoo's YAML. [Load] reads one, [Calls] lists its calls and
// [FromTurns] creates one from turns. Files are read through an fs.FS, inside the suite's folder, and nothing is
// executed. docs/suites.md describes the format.
//
// A [Runner] makes the calls of a suite through a [Service], judges the answers and stores both. [Results] and
// [Comparison] describe finished and live runs for the screen and the command line, in words and signs without
// colors.
//
// {{name}} in a prompt stands for a value. A name is a letter or underscore followed by letters, digits, underscores
// and hyphens, 64 characters at most; blanks may surround it. Other text in double braces is not changed. {{{{
// becomes {{ and the next }}}} becomes }}; a }}}} without an opening one is not changed, because nested JSON ends so.
// Values are not expanded again.
package suite

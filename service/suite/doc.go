// Package suite reads and writes suites: prompts × variables × models × checks
// in the YAML that promptfoo reads too. [Load] reads one, [Suite.Save] writes
// it back with everything that was not edited as it stood, [Cells] lists the
// calls it makes, [FromTurn] makes one of a turn, [ExportPromptfoo] makes one
// that promptfoo itself can run.
//
// Files are read through an fs.FS only, inside the suite's folder, and nothing
// is executed: a suite that names a script is told so. What loads but is not
// applied is listed in [Suite.Notes]; docs/suites.md is the page for users.
//
// It may import history, service/api, service/check and service/variable, and
// no other room.
package suite

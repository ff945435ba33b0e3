// Package suite reads suites: prompts × variables × models × checks in the YAML that promptfoo reads too. [Load] reads
// one, [Cells] lists the calls it makes, [FromTurns] makes one of turns and [Suite.YAML] writes it, [ExportPromptfoo]
// writes one that promptfoo itself can run.
//
// Files are read through an fs.FS only, inside the suite's folder, and nothing is executed: a note says where a suite
// names a script. What loads but is not applied is listed in [Suite.Unapplied]; docs/suites.md is the page for users.
package suite

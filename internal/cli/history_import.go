package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/problem"
)

func (a *app) importCommand() *cobra.Command {
	var isDry bool
	cmd := a.command("import FILE|FOLDER", "Add conversations of ChatGPT, Claude, llm, aichat or crush",
		argCount(1, 1, "import takes one file or folder"), func(ctx context.Context, args []string) error {
			use := recordsTurns
			if isDry {
				use = readsHistory
			} else if !a.config.History.Save {
				return problem.Usage("history.save is off, so nothing can be added")
			}
			return a.withHistory(ctx, use, func(ctx context.Context, svc *service.Service) error {
				return a.importSessions(ctx, svc, args[0], isDry)
			})
		})
	cmd.Flags().BoolVar(&isDry, "dry-run", false, "say what would be added, and add nothing")
	a.jsonFlag(cmd.Flags(), "session")
	return cmd
}

func (a *app) importSessions(ctx context.Context, svc *service.Service, path string, isDry bool) error {
	t := newTextTable("id", "session", "from", ">turns", ">answers")
	var sum history.Import
	added, known := 0, 0
	line := statusLine{app: a}
	skipped, failed := svc.Import(ctx, path, isDry, func(i service.Imported) error {
		sum.Turns, sum.Answers = sum.Turns+i.Turns, sum.Answers+i.Answers
		switch {
		case i.IsNothing():
			known++
			return nil
		case a.flags.json:
			added++
			return a.printJSON(i)
		case line.isWanted():
			line.show(format.Count(added+known, "session"))
		}
		added++
		id := ""
		if i.Session != 0 {
			id = fmt.Sprintf("s%d", i.Session)
		}
		t.add(id, a.shortenName(i.Name), i.Program, i.Turns, i.Answers)
		return nil
	})
	line.clear()
	err := a.printTable(t)
	a.info(importSummary(sum, added, known, isDry))
	if left := skippedText(skipped); left != "" {
		a.info("Left out: " + left + ".")
	}
	return cmp.Or(failed, err)
}

func importSummary(sum history.Import, added, known int, isDry bool) string {
	text := fmt.Sprintf("%s %s and %s to %s", choose(isDry, "Would add", "Added"), format.Count(sum.Turns, "turn"),
		format.Count(sum.Answers, "answer"), format.Count(added, "session"))
	if known > 0 {
		text += fmt.Sprintf("; %s there already", format.Several(known, "session was", "sessions were"))
	}
	return text + "."
}

// skippedText lists what was left out.
func skippedText(skipped map[string]int) string {
	var parts []string
	for _, noun := range slices.Sorted(maps.Keys(skipped)) {
		if skipped[noun] > 0 {
			parts = append(parts, format.Count(skipped[noun], noun))
		}
	}
	return strings.Join(parts, ", ")
}

package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"confab/internal/cli/console"
	"confab/service/problem"
	"confab/themes"
)

func (a commands) themesCommand() *cobra.Command {
	cmd := a.Command("themes", "List the themes, or show one", a.NoCommand,
		func(context.Context, []string) error {
			list := a.ReadThemes()
			for _, w := range a.ThemeWarnings(list) {
				a.Warn("%s", w)
			}
			if a.Out.Styled && a.Out.Profile >= colorprofile.ANSI {
				return a.printSwatches(list.Palettes)
			}
			t := console.NewTable("theme", "for", "")
			for _, p := range list.Palettes {
				t.Add(p.Name, console.Choose(p.Dark, "dark", "light"), p.About)
			}
			return a.PrintTable(t)
		})
	show := a.Command("show [NAME...]", "Show what themes look like", nil,
		func(_ context.Context, names []string) error { return a.showThemes(names) })
	show.ValidArgsFunction = a.Completion(a.ThemeCompletions)
	cmd.AddCommand(show)
	return cmd
}

// printSwatches lists themes with their colors. A terminal of sixteen colors cannot show those of most themes, and the
// screen uses its own in their place.
func (a commands) printSwatches(palettes []themes.Palette) error {
	s := a.Styles()
	var b strings.Builder
	for _, p := range palettes {
		swatch := themes.Swatch(p)
		if a.Out.Profile == colorprofile.ANSI && !p.IsSixteen() {
			swatch = s.Muted.On("drawn in the terminal's own sixteen colors")
		}
		for _, line := range []string{s.Strong.On(p.Name) + "  " + s.Muted.On(p.About), "  " + swatch} {
			b.WriteString(ansi.Truncate(line, a.Out.Width(), "…") + "\n")
		}
	}
	return a.PrintStyled(b.String())
}

func (a commands) showThemes(names []string) error {
	list := a.ReadThemes()
	wanted := list.Palettes
	if len(names) > 0 {
		wanted = nil
	}
	for _, name := range names {
		at := slices.IndexFunc(list.Palettes, func(p themes.Palette) bool { return p.Name == name })
		if at < 0 {
			why, hint := list.Missing(name)
			return problem.Usage("%s%s", why, hint)
		}
		wanted = append(wanted, list.Palettes[at])
	}
	for i, p := range wanted {
		text := strings.Join(themes.Sample(themes.New(p), a.Out.Width()), "\n") + "\n"
		if i > 0 {
			text = "\n" + text
		}
		if err := a.PrintStyled(text); err != nil {
			return err
		}
	}
	return nil
}

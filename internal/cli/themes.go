package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"confab/service/problem"
	"confab/themes"
)

func (a *app) themesCommand() *cobra.Command {
	cmd := a.command("themes", "List the themes, or show one", a.noCommand,
		func(context.Context, []string) error {
			list := a.readThemes()
			for _, w := range a.themeWarnings(list) {
				a.warn("%s", w)
			}
			if a.out.styled && a.out.profile >= colorprofile.ANSI {
				return a.printSwatches(list.palettes)
			}
			t := newTextTable("theme", "for", "")
			for _, p := range list.palettes {
				t.add(p.Name, choose(p.Dark, "dark", "light"), p.About)
			}
			return a.printTable(t)
		})
	show := a.command("show [NAME...]", "Show what themes look like", nil,
		func(_ context.Context, names []string) error { return a.showThemes(names) })
	show.ValidArgsFunction = a.completion(a.themeCompletions)
	cmd.AddCommand(show)
	return cmd
}

// printSwatches lists themes with their colors. A terminal of sixteen colors cannot show those of most themes, and the
// screen uses its own in their place.
func (a *app) printSwatches(palettes []themes.Palette) error {
	s := a.styles()
	var b strings.Builder
	for _, p := range palettes {
		swatch := themes.Swatch(p)
		if a.out.profile == colorprofile.ANSI && !p.IsSixteen() {
			swatch = s.Muted.On("drawn in the terminal's own sixteen colors")
		}
		for _, line := range []string{s.Strong.On(p.Name) + "  " + s.Muted.On(p.About), "  " + swatch} {
			b.WriteString(ansi.Truncate(line, a.out.width(), "…") + "\n")
		}
	}
	return a.printStyled(b.String())
}

func (a *app) showThemes(names []string) error {
	list := a.readThemes()
	wanted := list.palettes
	if len(names) > 0 {
		wanted = nil
	}
	for _, name := range names {
		at := slices.IndexFunc(list.palettes, func(p themes.Palette) bool { return p.Name == name })
		if at < 0 {
			why, hint := list.missing(name)
			return problem.Usage("%s%s", why, hint)
		}
		wanted = append(wanted, list.palettes[at])
	}
	for i, p := range wanted {
		text := strings.Join(themes.Sample(themes.New(p), a.out.width()), "\n") + "\n"
		if i > 0 {
			text = "\n" + text
		}
		if err := a.printStyled(text); err != nil {
			return err
		}
	}
	return nil
}

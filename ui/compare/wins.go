package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/keys"
)

// fewVotes is under how many pairs a count says little.
const fewVotes = 10

// nameCells is the most room of a model's name in the table of wins.
const nameCells = 32

// WinsText is the table of wins per model over the whole history.
func WinsText(w history.Wins, m keys.Map) string {
	if len(w.Models) == 0 {
		return "No votes yet" + m.Phrase(keys.Compare, keys.BlindVote,
			": %s in a comparison votes between pairs without their names") + "."
	}
	models := slices.Clone(w.Models)
	slices.SortStableFunc(models, func(a, b history.ModelWins) int { return cmp.Compare(b.Wins, a.Wins) })
	names := len("model")
	for _, x := range models {
		names = max(names, min(ansi.StringWidth(termtext.Line(x.Model)), nameCells))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s %5s %5s %5s %5s %6s %6s\n", termtext.Fit("model", names), "won", "lost", "equal", "bad", "pairs",
		"blind")
	for _, x := range models {
		note := ""
		if x.N < fewVotes {
			note = "  few votes"
		}
		fmt.Fprintf(&out, "%s %5d %5d %5d %5d %6d %6d%s\n", termtext.Fit(termtext.Line(x.Model), names), x.Wins, x.Losses,
			x.Ties, x.Bad, x.N, x.Blind, note)
	}
	out.WriteString("\nVotes in which an answer named a model are counted, but not as blind.\n")
	return out.String()
}

// SetWins takes the wins over the whole history, to be told after a vote.
func (c *Compare) SetWins(w history.Wins) { c.wins = w }

// revealed says, after the voting, who was who and how it went.
func (c *Compare) revealed() []string {
	s := c.styles
	seen := format.Count(len(c.blind.votes), "pair") + " seen"
	out := []string{" " + joinedBy(between, []piece{{"blind vote", s.Strong}, {seen, s.Muted}}), ""}
	wide := 0
	for _, v := range c.blind.votes {
		wide = max(wide, min(ansi.StringWidth(termtext.Line(v.pair.seats[0].name)), max(c.w/4, 8)))
	}
	var pairs []string
	for _, v := range c.blind.votes {
		a, b := v.pair.seats[0], v.pair.seats[1]
		text := map[history.Verdict]string{history.VoteA: "better than", history.VoteB: "worse than",
			history.VoteEqual: "as good as", history.VoteBad: "as bad as", "": "skipped, beside"}[v.verdict]
		line := fmt.Sprintf("  %s %8s  %-15s  %s %8s", termtext.Fit(termtext.Line(a.name), wide), a.state, text,
			termtext.Fit(termtext.Line(b.name), wide), b.state)
		if v.pair.leaked[0] || v.pair.leaked[1] {
			line += "  not blind"
		}
		pairs = append(pairs, s.Text.Render(ansi.Truncate(line, max(c.w-1, 1), "…")))
	}
	table := strings.Split(strings.TrimRight(WinsText(c.wins, c.keys), "\n"), "\n")
	room := max(c.h-len(out)-len(table)-4, 1)
	if over := len(pairs) - room; over > 0 {
		pairs = append(pairs[:room:room], s.Faint.Render(fmt.Sprintf("  … and %d more", over)))
	}
	out = append(append(out, pairs...), "", " "+s.Strong.Render("wins over the whole history"))
	for _, line := range table {
		out = append(out, s.Text.Render("  "+line))
	}
	return out
}

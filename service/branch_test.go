package service_test

import (
	"context"
	"slices"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

// TestAnEditedTurnIsABranch edits the second of three turns: what is sent with the edit, and after it, follows the path
// that the session shows.
func TestAnEditedTurnIsABranch(t *testing.T) {
	w := newWorld(t)
	w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: "yes", Status: 200}, api.Exchange{Method: "POST", Status: 200}, nil
	}
	p := service.Prompt{Text: "one", Models: []string{"delta"}, HasContext: true}
	turns := []history.Turn{w.send(t, p)}
	p.Session = turns[0].Session
	for _, p.Text = range []string{"two", "three"} {
		turns = append(turns, w.send(t, p))
	}
	said := func(prompts ...string) string {
		text := contextHead
		for i, prompt := range prompts {
			if text += "## Me\n\n" + prompt; i < len(prompts)-1 {
				text += "\n\n## You\n\nyes\n\n"
			}
		}
		return text
	}
	wantSent := func(prompts ...string) {
		t.Helper()
		all := w.client.requests()
		if got, want := all[len(all)-1].Prompt, said(prompts...); got != want {
			t.Errorf("sent\n%q, want\n%q", got, want)
		}
	}
	p.Text, p.Beside = "two again", turns[1].ID
	edited := w.send(t, p)
	wantSent("one", "two again")
	if !slices.Equal(edited.Siblings, []int64{turns[1].ID, edited.ID}) || edited.Parent != turns[0].ID {
		t.Errorf("the edit follows %d beside %v", edited.Parent, edited.Siblings)
	}
	p.Text, p.Beside = "four", 0
	w.send(t, p)
	wantSent("one", "two again", "four")
	must(t, w.ShowBranch(t.Context(), turns[1].ID))
	p.Text = "five"
	five := w.send(t, p)
	wantSent("one", "two", "three", "five")

	// Asking again sends what was sent, from whichever branch is shown.
	must(t, w.ShowBranch(t.Context(), edited.ID))
	w.again(t, five.Answers[0].ID, false)
	wantSent("one", "two", "three", "five")
	p.Beside = 999_999
	_, _, err := w.Send(t.Context(), p)
	wantCode(t, err, api.CodeUsage)
}

// TestABranchInMemoryGoesIntoTheHistory makes branches while the history cannot be written.
func TestABranchInMemoryGoesIntoTheHistory(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	isFull, isRefusing := true, false
	w := worldIn(t, dir, withFullDisk(dir, &isFull, &isRefusing))
	p := service.Prompt{Text: "one", Models: []string{"delta"}}
	one := w.send(t, p)
	p.Session, p.Text = one.Session, "two"
	p.Beside, p.Text = w.send(t, p).ID, "two again"
	w.send(t, p)
	worldIn(t, dir).send(t, service.Prompt{Text: "of another process", Models: []string{"delta"}}) // takes the ids
	isFull = false
	r, err := w.Reopen(ctx)
	must(t, err)
	turns, err := w.Turns(ctx, r.Sessions[one.Session], history.Page{HasHidden: true})
	must(t, err)
	if len(turns) != 3 || !turns[1].IsHidden || turns[2].IsHidden ||
		!slices.Equal(turns[2].Siblings, []int64{turns[1].ID, turns[2].ID}) || turns[2].Parent != turns[0].ID {
		t.Errorf("moved %+v", turns)
	}
}

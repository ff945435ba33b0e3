package servers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/format"
	"confab/internal/sshserver"
	"confab/service/accounts"
	"confab/service/api"
	"confab/service/problem"
)

// servedUserJSON is what is known of a user of confab ssh; its field names are stable.
type servedUserJSON struct {
	User       string                  `json:"user"`
	Group      string                  `json:"group,omitempty"`
	IsDisabled bool                    `json:"disabled"`
	IsHeld     bool                    `json:"on_hold"`
	Answers    int64                   `json:"answers_today"`
	Bytes      int64                   `json:"bytes"`
	Sessions   []sshserver.OpenSession `json:"sessions"`
}

func (a commands) sshUsersCommand() *cobra.Command {
	var dryRun bool
	one := func(name, short string, do func(context.Context, string) error) *cobra.Command {
		return a.Command(name+" USER", short, app.ArgCount(1, 1, name+" takes one user"),
			func(ctx context.Context, args []string) error {
				if !isUserID(args[0]) {
					return problem.Usage("%q is no name of a user", args[0])
				}
				return do(ctx, args[0])
			})
	}
	list := a.Command("list", "List users, their sessions and what they used", a.NoCommand, a.listUsers)
	show := one("show", "Show the sessions of a user", a.showUser)
	var byMonth bool
	usageOf := a.Command("usage [USER]", "Show what users have used of the quotas",
		app.ArgCount(0, 1, "usage takes a user, or nothing for all of them"),
		func(ctx context.Context, args []string) error {
			return a.printUserUse(ctx, strings.Join(args, ""), byMonth)
		})
	a.useFlags(usageOf.Flags(), &byMonth)
	for _, c := range []*cobra.Command{list, show} {
		a.JSONFlag(c.Flags(), "user")
	}
	message := a.Command("message USER TEXT", "Show a line on the screens of a user",
		app.ArgCount(2, math.MaxInt, "message takes a user and a text"),
		func(ctx context.Context, args []string) error {
			q := controlRequest{"message", args[0], strings.Join(args[1:], " ")}
			return a.changeSessions(ctx, q, "shown on")
		})
	remove := one("delete", "Delete everything of a disabled user", func(ctx context.Context, id string) error {
		return a.deleteUser(ctx, id, dryRun)
	})
	remove.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	a.YesFlag(remove.Flags(), "delete without asking")
	return a.Group("users", "List, keep out, tell and delete the users of confab ssh", list, show, usageOf,
		one("disable", "Keep a user out, and end their sessions", a.disableUser),
		one("enable", "Let a disabled user in again", a.enableUser), message,
		one("kick", "End the sessions of a user, who may log in again", func(ctx context.Context, id string) error {
			return a.changeSessions(ctx, controlRequest{Do: "kick", User: id}, "ended")
		}), one("hold", "Put a user on legal hold: nothing of the history is deleted", func(ctx context.Context,
			id string) error {
			return a.holdUser(ctx, id, true)
		}), one("release", "End the legal hold of a user", func(ctx context.Context, id string) error {
			return a.holdUser(ctx, id, false)
		}), a.usersPrune(), remove)
}

// isUserID reports whether a text can be the id of a user, which is the name of a folder.
func isUserID(s string) bool { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`).MatchString(s) }

// servedUsers returns everybody with a folder, a session, or a mark that keeps them out.
func (a commands) servedUsers(ctx context.Context) ([]servedUserJSON, error) {
	live, _, err := a.askServer(ctx, controlRequest{Do: "sessions"})
	if err != nil {
		return nil, err
	}
	known, err := a.readAccounts(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, folder := range []string{"users", disabledFolder} {
		entries, err := os.ReadDir(filepath.Join(a.Config.Paths.Data, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &api.Error{Code: api.CodeDisk, Message: "the users cannot be listed", Err: err}
		}
		for _, e := range entries {
			ids[e.Name()] = isUserID(e.Name())
		}
	}
	sessions := map[string][]sshserver.OpenSession{}
	for _, s := range live.Sessions {
		ids[s.User] = true
		sessions[s.User] = append(sessions[s.User], s)
	}
	for id := range known.accounts { // also those of other hosts with the same database
		ids[id] = isUserID(id)
	}
	for id := range known.disabled {
		ids[id] = isUserID(id)
	}
	var all []servedUserJSON
	for id, isUser := range ids {
		if !isUser {
			continue
		}
		_, folder, _ := pathsOfUser(a.Config.Paths, id)
		isDisabled := known.disabled[id] || isUserDisabled(a.Config.Paths, id)
		all = append(all, servedUserJSON{id, known.accounts[id].Group, isDisabled, known.accounts[id].IsHeld,
			known.today[id].Answers, folderSize(folder), sessions[id]})
	}
	slices.SortFunc(all, func(x, y servedUserJSON) int { return strings.Compare(x.User, y.User) })
	return all, nil
}

func noServedUser(id string) error {
	return problem.Usage("no user %s has logged in here; confab ssh users list shows who has", id)
}

// servedUserNamed returns a user, or an error that says there is none of that name.
func (a commands) servedUserNamed(ctx context.Context, id string) (servedUserJSON, error) {
	all, err := a.servedUsers(ctx)
	if err != nil {
		return servedUserJSON{}, err
	}
	i := slices.IndexFunc(all, func(u servedUserJSON) bool { return u.User == id })
	if i < 0 {
		return servedUserJSON{}, noServedUser(id)
	}
	return all[i], nil
}

func (a commands) listUsers(ctx context.Context, _ []string) error {
	all, err := a.servedUsers(ctx)
	if err != nil {
		return err
	}
	t := console.NewTable("user", "", "sessions", "answers today", "bytes", "group", "hold")
	return console.PrintList(a.Console, all, t, func(u servedUserJSON) []any {
		return []any{u.User, console.Choose(u.IsDisabled, "disabled", "enabled"), fmt.Sprint(len(u.Sessions)),
			fmt.Sprint(u.Answers), fmt.Sprint(u.Bytes), u.Group, console.Choose(u.IsHeld, "on hold", "")}
	})
}

func (a commands) showUser(ctx context.Context, id string) error {
	u, err := a.servedUserNamed(ctx, id)
	if err != nil {
		return err
	}
	if a.Flags.JSON {
		return a.PrintJSON(u)
	}
	a.Info(fmt.Sprintf("%s is %s, has %s and uses %s of %s", id, console.Choose(u.IsDisabled, "disabled", "enabled"),
		format.Count(len(u.Sessions), "session"), humanize.IBytes(uint64(u.Bytes)),
		humanize.IBytes(uint64(a.Config.SSH.Disk))))
	if u.Group != "" {
		a.Info("group " + u.Group)
	}
	if u.IsHeld {
		a.Info("on legal hold: nothing of the history can be deleted")
	}
	t := console.NewTable("since", "from", "key")
	return console.PrintList(a.Console, u.Sessions, t, func(s sshserver.OpenSession) []any {
		return []any{s.Since.UTC().Format("2006-01-02T15:04:05Z"), s.From, s.Key}
	})
}

// knownAccounts is what the tables of accounts tell of users, by their names.
type knownAccounts struct {
	accounts map[string]accounts.Account
	today    map[string]accounts.Use
	disabled map[string]bool // on every host
}

func (a commands) readAccounts(ctx context.Context) (k knownAccounts, err error) {
	db := a.UserAccounts(true)
	defer db.Close()
	used, err := accounts.ReadUse(ctx, db, accounts.Subject{Kind: accounts.User}, false, time.Now())
	k.today = map[string]accounts.Use{}
	for _, u := range used {
		k.today[u.Name] = u
	}
	if err == nil {
		k.accounts, err = accounts.Accounts(ctx, db, "")
	}
	if err == nil && a.hasHosts() {
		k.disabled, err = accounts.Disabled(ctx, db)
	}
	return k, problem.Store(err)
}

// changeSessions sends a request about the sessions of a user and says how many it has reached.
func (a commands) changeSessions(ctx context.Context, q controlRequest, done string) error {
	r, running, err := a.askServer(ctx, q)
	switch {
	case err != nil:
		return err
	case !running:
		return problem.Usage("no confab ssh serves this data folder now")
	case r.Count == 0:
		return problem.Usage("%s has no session on this host; confab ssh users list shows who has", q.User)
	}
	a.Info(done + " " + format.Count(r.Count, "session"))
	return nil
}

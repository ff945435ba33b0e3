package cli

import (
	"context"
	"math"
	"time"

	"github.com/spf13/cobra"

	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/server"
)

// maxRate is the largest value of --rate and --parallel.
const maxRate = 1_000_000_000

// clientJSON is the output of --json for the owner of a key. Scripts depend on the names of its fields.
type clientJSON struct {
	server.Client
	Hash string `json:"sha256,omitempty"` // hides that of the client, and stays empty
	Key  string `json:"key,omitempty"`    // set for a new key only
}

func (a *app) serveKeysCommand() *cobra.Command {
	var c server.Client
	add := a.command("add NAME", "Make a key and print it, for this once",
		argCount(1, 1, "add takes one name: confab serve keys add laptop"),
		func(_ context.Context, args []string) error {
			c.Name = args[0]
			return a.addServeKey(c)
		})
	numberVar(add.Flags(), &c.Rate, "rate", "", -1, maxRate,
		"let it ask `N` times a minute; -1: as often as it likes")
	numberVar(add.Flags(), &c.Parallel, "parallel", "", -1, maxRate,
		"answer `N` of its requests at a time; -1: as many as it likes")
	a.jsonFlag(add.Flags(), "key")
	list := a.command("list", "List whom keys were made for", a.noCommand, a.listServeKeys)
	a.jsonFlag(list.Flags(), "key")
	revoke := a.command("revoke ID|NAME...", "Take keys back",
		argCount(1, math.MaxInt, "revoke takes an id or a name; confab serve keys list shows them"),
		a.revokeServeKeys)
	return a.group("keys", "Make, list and revoke the keys of confab serve", add, list, revoke)
}

func (a *app) addServeKey(c server.Client) error {
	before, err := a.loadClients()
	if err != nil {
		return err
	}
	key, made, err := server.NewKeys(a.config.Paths.ServeKeys).Create(c)
	if err != nil {
		return keyFileError("the key could not be made", err)
	}
	a.info("This is the key of " + termtext.Line(made.Name) + " (" + made.ID + "); it cannot be shown again.")
	if before == nil {
		a.info("A server that runs without keys must be started again.")
	}
	if a.flags.json {
		return a.printJSON(clientJSON{Client: made, Key: key})
	}
	return a.print(key + "\n")
}

func keyFileError(what string, err error) error {
	return &api.Error{Code: api.CodeDisk, Message: what + ": " + termtext.Line(err.Error()), Err: err}
}

func (a *app) listServeKeys(context.Context, []string) error {
	all, err := server.NewKeys(a.config.Paths.ServeKeys).List()
	if err != nil {
		return keyFileError("the keys cannot be read", err)
	}
	var clients []clientJSON
	for _, c := range all {
		clients = append(clients, clientJSON{Client: c})
	}
	t := newTextTable("id", "name", "made", ">rate", ">parallel")
	t.empty = "No keys yet. confab serve keys add NAME makes one."
	return printList(a, clients, t, func(c clientJSON) []any {
		return []any{c.ID, c.Name, c.Created.Format(time.DateOnly), c.Rate, c.Parallel}
	})
}

func (a *app) revokeServeKeys(_ context.Context, idsOrNames []string) error {
	keys := server.NewKeys(a.config.Paths.ServeKeys)
	for _, idOrName := range idsOrNames {
		revoked, err := keys.Revoke(idOrName)
		if err != nil {
			return keyFileError("the key could not be revoked", err)
		}
		if len(revoked) == 0 {
			return problem.Usage("there is no key %q; confab serve keys list shows them", idOrName)
		}
		for _, c := range revoked {
			a.info("revoked " + c.ID + " of " + termtext.Line(c.Name))
		}
	}
	return nil
}

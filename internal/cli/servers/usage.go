package servers

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/sshserver"
	"confab/service/accounts"
	"confab/service/problem"
)

// useJSON is what a user or key has used in a period; its field names are stable.
type useJSON struct {
	accounts.Use
	Limits *accounts.Amounts `json:"limits,omitempty"`
}

// setLimits sets the limits of the period.
func (u *useJSON) setLimits(l accounts.Limits, byMonth bool) {
	u.Limits = &l.Day
	if byMonth {
		u.Limits = &l.Month
	}
}

// useFlags adds the flags of a command that prints what is used.
func (a commands) useFlags(fl *pflag.FlagSet, byMonth *bool) {
	fl.BoolVar(byMonth, "months", false, "by month, the last 13, instead of by day, the last 31")
	a.JSONFlag(fl, "name and period")
}

// printUse prints what users or keys have used; an empty name stands for all of them. Where a name has used nothing,
// checkName says whether there is one of the name.
func (a commands) printUse(ctx context.Context, db *app.AccountsDatabase, s accounts.Subject, byMonth bool,
	complete func(*useJSON), checkName func() error) error {
	defer db.Close()
	since := time.Now().AddDate(0, 0, -30)
	if byMonth {
		since = time.Now().AddDate(0, -12, 0)
	}
	found, err := accounts.ReadUse(ctx, db, s, byMonth, since)
	if err != nil {
		return problem.Store(err)
	}
	if s.Name != "" && len(found) == 0 {
		if err := checkName(); err != nil {
			return err
		}
	}
	all := make([]useJSON, len(found))
	for i, use := range found {
		all[i].Use = use
		complete(&all[i])
	}
	t := console.NewTable("name", "period", ">answers", ">tokens", ">bytes", ">cost")
	return console.PrintList(a.Console, all, t, func(u useJSON) []any {
		limits := accounts.Amounts{}
		if u.Limits != nil {
			limits = *u.Limits
		}
		bytes := func(n int64) string { return humanize.IBytes(uint64(n)) }
		whole := func(n int64) string { return strconv.FormatInt(n, 10) }
		return []any{u.Name, u.Period, ofLimit(u.Answers, limits.Answers, whole),
			ofLimit(u.Tokens, limits.Tokens, whole), ofLimit(u.Bytes, limits.Bytes, bytes),
			ofLimit(u.Cost, limits.Cost, func(v float64) string { return fmt.Sprintf("%.4g", v) })}
	})
}

// ofLimit writes an amount with its limit, where there is one.
func ofLimit[T int64 | float64](n, limit T, write func(T) string) string {
	if limit == 0 {
		return write(n)
	}
	return write(n) + " of " + write(limit)
}

// printUserUse prints what users of confab ssh have used. The quotas beside it are those of the group of the last
// login.
func (a commands) printUserUse(ctx context.Context, id string, byMonth bool) error {
	db := a.UserAccounts(true)
	known, err := accounts.Accounts(ctx, db, id)
	if err != nil {
		return problem.Store(err)
	}
	return a.printUse(ctx, db, accounts.Subject{Kind: accounts.User, Name: id}, byMonth, func(u *useJSON) {
		user := sshserver.User{ID: u.Name, Group: known[u.Name].Group}
		u.setLimits(limitsOf(groupOf(a.Config.SSH.Groups, user), a.Config.SSH.AnswersADay), byMonth)
	}, func() error { _, err := a.servedUserNamed(ctx, id); return err })
}

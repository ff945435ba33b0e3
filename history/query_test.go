package history_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"confab/history"
)

func TestParseQuery(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 2*60*60)
	now := time.Date(2026, 5, 17, 1, 30, 0, 0, zone)
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, zone) }
	good, none := history.Good, history.Unrated
	for typed, want := range map[string]history.Query{
		"":                              {},
		"  ":                            {},
		"refund":                        {Text: "refund"},
		"refund ":                       {Text: "refund "},
		" two  words":                   {Text: "two words"},
		`"in a row" x`:                  {Text: `"in a row" x`},
		`"in a`:                         {Text: `"in a`},
		`"model:x"`:                     {Text: `"model:x"`},
		"http://x/y":                    {Text: "http://x/y"},
		"note: this":                    {Text: "note: this"},
		"model:alpha":                   {Models: []string{"alpha"}},
		"MODEL:alpha,beta* model:gamma": {Models: []string{"alpha", "beta*", "gamma"}},
		`model:"two words"`:             {Models: []string{"two words"}},
		"model:":                        {},
		"ref model:alpha":               {Text: "ref", Models: []string{"alpha"}},
		"model:alpha ref":               {Text: "ref", Models: []string{"alpha"}},
		"ref model:alpha und ":          {Text: "ref und ", Models: []string{"alpha"}},
		"kind:image":                    {Kind: history.KindImage},
		"kind:i":                        {Kind: history.KindImage},
		"state:failed":                  {State: history.Failed},
		"state:Fa":                      {State: history.Failed},
		"state:":                        {},
		"rated:good":                    {Rating: &good},
		"rated:none":                    {Rating: &none},
		"rated:best":                    {IsBest: true},
		"state:stopped":                 {State: history.Cancelled},
		"before:2026-01-31":             {Before: day(2026, 1, 31)},
		"before:2026-02":                {Before: day(2026, 2, 1)},
		"after:2025":                    {After: day(2025, 1, 1)},
		"after:today":                   {After: day(2026, 5, 17)},
		"after:yesterday":               {After: day(2026, 5, 16)},
		"after:3d":                      {After: day(2026, 5, 14)},
		"after:2w":                      {After: day(2026, 5, 3)},
		"after:1m":                      {After: day(2026, 4, 17)},
		"after:1y":                      {After: day(2025, 5, 17)},
		"after:2h":                      {After: now.Add(-2 * time.Hour)},
		"after:":                        {},
	} {
		got, err := history.ParseQuery(typed, now)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q\n got %+v, %v\nwant %+v", typed, got, err, want)
		}
	}
	for typed, want := range map[string]string{
		"kind:video": `search not understood: kind: takes text, image or edit, not "video"`,
		"state:lost": "search not understood: state: takes queued, running, done, failed, stopped or interrupted, " +
			`not "lost"`,
		"rated:5":           `search not understood: rated: takes good, bad, best or none, not "5"`,
		"before:2026-13-01": `search not understood: before: takes a day such as 2026-01-31, today or 3d, not "2026-13-01"`,
		"after:d":           `search not understood: after: takes a day such as 2026-01-31, today or 3d, not "d"`,
		"after:-3d":         `search not understood: after: takes a day such as 2026-01-31, today or 3d, not "-3d"`,
		"after:\xff":        `search not understood: after: takes a day such as 2026-01-31, today or 3d, not "�"`,
	} {
		_, err := history.ParseQuery(typed, now)
		if !errors.Is(err, history.ErrQuery) || err.Error() != want {
			t.Errorf("%q\n got %v\nwant %s", typed, err, want)
		}
	}
}

// typed returns texts for a search box.
func typed() []string {
	return []string{"refund", `"in a row" model:alpha`, "kind:image state:failed rated:good",
		"before:2026-01-31 after:3d",
		"退款 🎉", `" * ^ - ( ) { } : + NEAR AND OR NOT \ ' ;`,
		"\x00\xff", "model:*[a", "é\u0301 ß İ ſ K", "\uE000k\uE001", strings.Repeat(`"`, 99)}
}

// FuzzParseQuery checks that any text is parsed or gets an error for people.
func FuzzParseQuery(f *testing.F) {
	for _, seed := range typed() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		q, err := history.ParseQuery(typed, time.Date(2026, 5, 17, 0, 0, 0, 0, time.UTC))
		if err != nil && (!errors.Is(err, history.ErrQuery) || !utf8.ValidString(err.Error())) {
			t.Errorf("got %q, want %v", err, history.ErrQuery)
		}
		if len(q.Text) > len(typed) {
			t.Errorf("the text grew: %q", q.Text)
		}
	})
}

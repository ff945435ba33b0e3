package sshserver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxNoted is how many users or keys a note names.
const maxNoted = 10

// describe returns sentences for the operator about the users of the keys.
func (s *keySnapshot) describe(hasData func(name string) bool) []string {
	var shared, several []string
	keys := map[string]int{} // how many each user has
	for _, owners := range s.owners {
		var ids []string
		for _, k := range owners {
			ids = append(ids, k.user.id)
			keys[k.user.id]++
		}
		if len(ids) > 1 {
			shared = append(shared, strings.Join(ids, " and ")+" ("+owners[0].user.Fingerprint+")")
		}
	}
	for id, n := range keys {
		if n > 1 {
			several = append(several, fmt.Sprintf("%s (%d)", id, n))
		}
	}
	var notes []string
	if len(shared) > 0 {
		notes = append(notes, "These users share a key, and the login name decides which of them it opens: "+
			enumerate(shared))
	}
	if len(several) > 0 {
		notes = append(notes, "These users have several keys, all of which open the same sessions: "+enumerate(several))
	}
	return append(notes, s.noteFormerNames(hasData)...)
}

// noteFormerNames names the keys that gave access to a user's folder by their comment alone, as earlier versions
// allowed, and says how the operator restores that access.
func (s *keySnapshot) noteFormerNames(hasData func(name string) bool) []string {
	var notes []string
	all := slices.SortedFunc(maps.Values(s.owners), func(a, b []authorizedKey) int {
		return cmp.Compare(a[0].line, b[0].line)
	})
	for _, owners := range all {
		k := owners[0]
		if k.user.Name == "" && isUserName(k.comment) && hasData != nil && hasData(k.comment) {
			notes = append(notes, fmt.Sprintf("%s line %d: the comment %s does not make this key the key of the "+
				`user %s any more. If it is theirs, write environment="%s=%s" before the key; until then it opens %s, `+
				"which is empty at first",
				k.file, k.line, k.comment, k.comment, userVariable, k.comment, k.user.id))
		}
	}
	if more := len(notes) - maxNoted; more > 0 {
		notes = append(notes[:maxNoted], fmt.Sprintf("So it is with %d more keys", more))
	}
	return notes
}

// enumerate sorts and joins the first maxNoted names.
func enumerate(names []string) string {
	slices.Sort(names)
	more := ""
	if n := len(names) - maxNoted; n > 0 {
		names, more = names[:maxNoted], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ") + more
}

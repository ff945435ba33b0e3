package sshserver

import (
	"fmt"
	"slices"
	"strings"
)

// maxNoted is how many users a note names.
const maxNoted = 10

// describe returns sentences for the operator about the users of the keys.
func (s *keySnapshot) describe() []string {
	var shared, several []string
	keys := map[string]int{} // how many each user has
	for _, owners := range s.owners {
		var ids []string
		for _, k := range owners {
			ids = append(ids, k.user.ID)
			keys[k.user.ID]++
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

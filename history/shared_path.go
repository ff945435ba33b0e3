package history

import (
	"net/url"
	"strconv"
	"strings"
)

// sharedPicture begins the path of a file of another user, who shares the turn that names it.
const sharedPicture = "shared:"

// SharedPicturePath returns the path under which stores name a file of another user: the picture of an answer, or
// another file for 0. It ends with the path that the file has for its owner.
func SharedPicturePath(owner string, answer int64, path string) string {
	if IsSharedPicture(path) { // the owner has it from somebody else
		return path
	}
	return sharedPicture + strconv.FormatInt(answer, 10) + ":" + url.QueryEscape(owner) + ":" + path
}

// IsSharedPicture reports whether a path is that of a file of another user.
func IsSharedPicture(path string) bool { return strings.HasPrefix(path, sharedPicture) }

// SharedPicture returns what [SharedPicturePath] was called with; ok is false for other paths.
func SharedPicture(shared string) (owner string, answer int64, path string, ok bool) {
	rest, ok := strings.CutPrefix(shared, sharedPicture)
	number, rest, hasNumber := strings.Cut(rest, ":")
	escaped, path, hasOwner := strings.Cut(rest, ":")
	answer, numberErr := strconv.ParseInt(number, 10, 64)
	owner, ownerErr := url.QueryUnescape(escaped)
	return owner, answer, path, ok && hasNumber && hasOwner && numberErr == nil && ownerErr == nil
}

package history

import (
	"net/url"
	"strconv"
	"strings"
)

// sharedPicture is the prefix of the path of another user's file that belongs to a shared turn.
const sharedPicture = "shared:"

// SharedPicturePath returns the path by which stores name another user's file: the picture of an answer, or another
// file for 0. It ends with the owner's path of the file.
func SharedPicturePath(owner string, answer int64, path string) string {
	if IsSharedPicture(path) { // the owner sees it as shared by somebody else
		return path
	}
	return sharedPicture + strconv.FormatInt(answer, 10) + ":" + url.QueryEscape(owner) + ":" + path
}

// IsSharedPicture reports whether a path names another user's file.
func IsSharedPicture(path string) bool { return strings.HasPrefix(path, sharedPicture) }

// SharedPicture returns the arguments of [SharedPicturePath] for a path; ok is false for other paths.
func SharedPicture(shared string) (owner string, answer int64, path string, ok bool) {
	rest, ok := strings.CutPrefix(shared, sharedPicture)
	number, rest, hasNumber := strings.Cut(rest, ":")
	escaped, path, hasOwner := strings.Cut(rest, ":")
	answer, numberErr := strconv.ParseInt(number, 10, 64)
	owner, ownerErr := url.QueryUnescape(escaped)
	return owner, answer, path, ok && hasNumber && hasOwner && numberErr == nil && ownerErr == nil
}

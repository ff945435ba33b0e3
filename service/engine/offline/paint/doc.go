// Package paint draws the pictures of the offline engine: a scene and a
// palette are read from the words of a prompt, composed by a seed, drawn with
// anti-aliased shapes, and finished in the manner of a style.
package paint

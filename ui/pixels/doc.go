// Package pixels draws pictures with a terminal's own pixels: which way a
// terminal has is asked with queries it answers or ignores ([Probe]), and the
// bytes of each way are made here ([Kitty], [Sixel], [ITerm]). It sends nothing
// itself: it returns what to send.
//
// What terminals really do was found by trying them; comments name the quirks.
package pixels

// Package picture turns pictures into cells of text: it decodes PNG and JPEG
// within a bound of pixels, keeps scaled previews, and draws them as quadrant or
// half blocks in 16 million or 256 colours.
//
// It imports no other room and does no I/O.
package picture

// Package markdown turns an answer into lines of styled cells: it cuts the text
// into blocks at their boundaries, so that only what is on the screen has to be
// rendered, and renders one block at a time within bounded work.
//
// Text is foreign. It passes [terminal.Clean] before it is parsed and again where
// an entity was decoded, and every line passes [terminal.Allow].
//
// The blocks are laid out here and not by Glamour: that joins the paragraphs of
// a list item, has no hanging indent, drops hard line breaks, keeps the colours
// of the first theme for code for ever, prints addresses beside every link, and
// costs 15 ms of package initialisation before the first frame. Parsing is
// goldmark's, highlighting chroma's, tables are Lip Gloss's.
//
// It imports ui/terminal and themes, and does no I/O.
package markdown

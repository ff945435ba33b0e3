// Package markdown renders answers to lines of styled cells. It cuts the text into blocks, so that only what is on the
// screen has to be rendered, and renders one block at a time within bounded work. Goldmark finds the blocks, and parses
// each of them once more when it is rendered.
//
// Glamour renders the leaves: paragraphs, headings, rules and cells of tables, with the theme as its style; chroma
// colors code. What glamour gets wrong is handled around it: lists, quotes and tables are laid out here, because it
// joins the paragraphs of a list item, has no hanging indent, and cuts what stands in tables; lines are broken here,
// because it drops hard line breaks and breaks Chinese before punctuation; links get a note of where they lead instead
// of their whole address; HTML is shown instead of removed.
//
// The text is foreign. It passes [termtext.Clean] before it is parsed and again where an entity was decoded, glamour
// sees no ampersand and no backslash of it, and every line passes [termtext.Allow].
package markdown

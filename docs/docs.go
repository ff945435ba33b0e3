// Package docs holds the pages of this folder for confab help, which shows them in the terminal.
package docs

import "embed"

// Pages holds each page under its file name.
//
//go:embed *.md
var Pages embed.FS

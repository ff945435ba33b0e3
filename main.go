// Command confab is a full-screen terminal program for chatting with text
// models, making and editing pictures, and testing one prompt across many
// models.
package main

import (
	"context"
	"os"

	"confab/internal/cli"
)

func main() { os.Exit(cli.Run(context.Background(), os.Args[1:], cli.System())) }

// Package compose is where the next turn is made: the panes of the prompt, the system prompt and the models.
package compose

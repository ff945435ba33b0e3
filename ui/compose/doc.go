// Package compose is where the next turn is made: the panes of the prompt, the system prompt and the models, the drafts
// of what is written in them, the detection of pastes, and the sending.
package compose

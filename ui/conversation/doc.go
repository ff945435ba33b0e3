// Package conversation is the pane that shows the turns of a session, and the answers in the cells of the comparison.
//
// It holds a window of turns. Each turn is drawn as parts (the line above the prompt, the prompt, and for each answer its
// head, the blocks of its text or its picture, and notes), whose heights are exact or estimated (package flow). Only
// parts on or near the screen are rendered, in commands; until then a part shows its plain text. A rendered part is kept
// until the answer's version, the width or the theme changes.
package conversation

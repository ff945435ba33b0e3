package action

import (
	"confab/history"
	"confab/service"
)

// What is asked of the texts and settings of the next turn.
type (
	// Send sends what the prompt pane holds to the marked models, after the questions that have to be answered
	// before. Filled means that the variables have their values; Alone sends it at once, without the earlier turns.
	Send struct{ Fresh, Filled, Alone bool }
	// SendPrompts sends exactly these prompts: the ones a person was asked about and agreed to. The prompt pane is
	// emptied when it still holds Content, what they were made from. Without any it sends those that waited for others
	// to be recorded, or for answers.
	SendPrompts struct {
		Prompts []service.Prompt
		Content []service.Variant
		Count   service.CallCount
	}
	// Fill gives the variables of the prompt their values and sends it.
	Fill struct{ Values map[string][]string }
	// Compose replaces what the prompt pane holds; nil fields stay as they are.
	Compose struct {
		Text   *string
		System *string
		// Variants are sent as one prompt, in place of Text.
		Variants []service.Variant
		Models   []string
		Aspect   *string
		Nonce    *history.Nonce
		Source   *history.Source // the zero value takes the picture off
		// Samples is how many answers are asked of each model, 1 to 20.
		Samples *int
		Params  *history.Params
		// ParamValues are several values of parameters, and go with Params.
		ParamValues map[string][]any
		Files       []history.File // go along, and are named at the end of the text where it does not name them
		// Beside is the turn that the next one becomes a branch beside.
		Beside *int64
	}
	// DraftSystem notes what is typed for the system prompt, and is not in use yet.
	DraftSystem struct{ Text string }
	// KeepPersona asks for the name of a persona of this text, and what it keeps beside that.
	KeepPersona struct{ Text string }
	// Attach puts files into the prompt: those that a name stands for, or Files.
	Attach struct {
		Name  string
		Files []history.File
	}
	// TypeFileName changes what stands between the @ before the cursor and the cursor, or removes the @ as well.
	TypeFileName struct {
		Text        string
		RemovesSign bool
	}
	// Paste puts what the clipboard holds into the prompt, and PasteText a text.
	Paste     struct{}
	PasteText struct{ Text string }
	// AttachPicture puts a picture of the clipboard into the prompt.
	AttachPicture struct{ Picture []byte }
	// Mark replaces the marked models.
	Mark struct{ Models []string }
	// Edit opens the external editor on the text of a pane.
	Edit struct {
		Pane Pane
		Text string
	}
	// SetText replaces the text of the prompt or the system prompt.
	SetText struct {
		Pane Pane
		Text string
	}
	// TakeEdited replaces that text by what an editor in a window has saved to a file, unless the text was changed
	// since the editor got it.
	TakeEdited struct {
		Pane       Pane
		Text, File string
	}
	// DraftChanged says that the texts or settings of the next turn changed: they are saved soon, and the prompt may
	// need another height.
	DraftChanged struct{}
)

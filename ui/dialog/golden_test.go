package dialog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"confab/history"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"
)

func TestGolden(t *testing.T) { overlaytest.Golden(t, dialogs()) }

func TestSize(t *testing.T) { overlaytest.Sizes(t, dialogs()) }

// dialogs are the dialogs by name, each as a function that opens it.
func dialogs() map[string]func(s *overlaytest.Screen) {
	m := ui.Keys()
	return map[string]func(s *overlaytest.Screen){
		"help":       func(s *overlaytest.Screen) { s.Open(dialog.NewHelp(m, keys.Conversation, s.Styles)) },
		"help lists": func(s *overlaytest.Screen) { s.Open(dialog.NewHelp(m, keys.Browser, s.Styles)) },
		"help everywhere": func(s *overlaytest.Screen) {
			s.Open(dialog.NewHelp(m, keys.Everywhere, s.Styles))
		},
		"text": func(s *overlaytest.Screen) {
			text := "POST https://example.org/api/v1/text\n\n{\n  \"model\": \"oss-20b\",\n  \"prompt\": \"" +
				strings.Repeat("Explain it again. ", 30) + "\"\n}\n\n"
			s.Open(dialog.NewText(action.ShowText{Title: "Request of oss-20b",
				Text: text + strings.Repeat("a header: of the response\n", 40), Answer: 7}, m,
				s.Styles))
		},
		"text short": func(s *overlaytest.Screen) {
			s.Open(dialog.NewText(action.ShowText{Title: "About 模型", Text: "日本語の説明。\x1b[31mred"}, m, s.Styles))
		},
		"confirm": func(s *overlaytest.Screen) {
			s.Open(dialog.NewConfirm(action.Confirm{Title: "Publish a picture",
				Question: "confab will serve fox.png at https://pictures.example.org/q7f3… until the edit has ended. " +
					"Anyone who knows this address can fetch it. Go on?", Yes: action.Compose{}}, m, s.Styles))
		},
		"ask": func(s *overlaytest.Screen) {
			s.Open(dialog.NewAskText(action.AskText{Title: "Rename the session", Label: "Name",
				Value: "refund wording"}, m,
				s.Styles))
		},
		"ask many": func(s *overlaytest.Screen) {
			s.Open(dialog.NewAskText(action.AskText{Title: "Note", Label: "On the answer of oss-20b",
				Value: "Too stiff.\nThe second sentence is good.", Many: true}, m, s.Styles))
		},
		"system prompt": func(s *overlaytest.Screen) {
			s.Open(dialog.NewSystem(dialog.SystemPrompt{InUse: "You are a strict editor.",
				Draft: "You are a strict editor.\nShorten what you get.", Personas: []history.Persona{
					{Name: "pirate", Text: "You are a pirate. Answer as one."},
					{Name: "strict editor", Text: "You are a strict editor.\nShorten what you get."}}}, m, s.Styles))
		},
		"persona": func(s *overlaytest.Screen) {
			s.Open(dialog.NewPersona(dialog.Persona{Text: "You are a strict editor.",
				Models: []string{"alpha3.1-8b", "oss-20b", "gamma-4.7", "zeta", "delta"},
				Params: history.Params{"temperature": json.Number("0.2")},
				All:    []history.Persona{{ID: 1, Name: "Editor", Text: "You are a strict editor."}}}, m, s.Styles))
		},
		"picture options": func(s *overlaytest.Screen) {
			s.Open(dialog.NewPictureOptions("3:2", history.Nonce{Mode: history.NonceFixed, Value: "4417"}, 4, m,
				s.Styles))
		},
		"write": func(s *overlaytest.Screen) {
			s.Open(dialog.NewWrite(action.ShowWrite{Answer: 3, Turn: 2, Session: 1}, m, s.Styles))
		},
		"write pictures": func(s *overlaytest.Screen) {
			s.Open(dialog.NewWrite(action.ShowWrite{Answers: []int64{4, 2, 9}}, m, s.Styles))
		},
	}
}

// TestHelpOfVi asks that the help of a text field has vi's keys where they are chosen.
func TestHelpOfVi(t *testing.T) {
	for _, scope := range []keys.Scope{keys.Prompt, keys.System, keys.Form} {
		s := overlaytest.New(t, 120, 40)
		s.Open(dialog.NewHelp(ui.Keys().WithVi(), scope, s.Styles))
		s.Shows("esc close", "Vi mode", "f F", "Undo, redo", "a A")
	}
}

// TestHelpIsOneScreen opens the help of every scope that has one on a screen of 120x40; vi mode has none.
func TestHelpIsOneScreen(t *testing.T) {
	m := ui.Keys()
	for _, scope := range []keys.Scope{keys.Everywhere, keys.Prompt, keys.System, keys.Models, keys.Conversation,
		keys.Start, keys.Compare, keys.Runs, keys.Voting, keys.Browser, keys.Gallery, keys.PictureViewer,
		keys.TextViewer, keys.Form, keys.Text} {
		s := overlaytest.New(t, 120, 40)
		s.Open(dialog.NewHelp(m, scope, s.Styles))
		s.Shows("esc close")
		s.Hides(" ↓ ━") // the position of a help that is scrolled
	}
}

package cli_test

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// Drafts, the clipboard and files of one user beside another who is logged in at
// the same time.
func TestUsersSideBySideShareNothing(t *testing.T) {
	// Single characters are drawn in one piece.
	r := clitest.NewRemote(t,
		func(w http.ResponseWriter, _ *http.Request, body map[string]string) {
			clitest.AnswerText(w, body["prompt"]+" ¶")
		})
	s := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+r.URL, "CONFAB_API_KEY=key-for-tests-0001"), []string{"anna",
		"bob"})
	a, b := s.screen("anna"), s.screen("bob")
	a.sees("Write a prompt")
	b.sees("Write a prompt")
	secret := "what-only-anna-knows"
	a.types(secret + "\r")
	a.sees("¶")      // the answer
	a.types("\x1by") // copy the newest answer
	copied := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(secret+" ¶"))
	a.sees(copied)
	a.types("a-draft-of-annas §")
	a.sees("§")
	// bob looks around, and tries to write into anna's folder.
	b.types("a question of bob's\r")
	b.sees("¶")
	b.types("\x1b2w")
	b.sees("Export to a file")
	b.types("\t\t" + filepath.Join(s.user("anna"), "files", "from-bob.md") + "\r")
	b.sees("your own folder") // the dialog stays open; esc would become part of the next key if that came at once
	if _, err := os.Stat(filepath.Join(s.user("anna"), "files", "from-bob.md")); err == nil {
		t.Error("bob wrote into anna's folder")
	}
	a.types("\x11")
	a.end()
	again := s.screen("bob")
	again.sees("Write a prompt")
	for _, x := range []*guestScreen{b, again} {
		x.types("\x11")
		x.end()
		clitest.WantNoTexts(t, x.shown.String(), secret, "a-draft-of-annas", copied)
	}
	for path, text := range clitest.Contents(t, s.user("bob")) {
		if strings.Contains(text, secret) || strings.Contains(text, "a-draft-of-annas") {
			t.Errorf("%s holds what is anna's", path)
		}
	}
	kept := ""
	for _, text := range clitest.Contents(t, filepath.Join(s.user("anna"), "drafts")) {
		kept += text
	}
	clitest.WantTexts(t, kept, "a-draft-of-annas")
}

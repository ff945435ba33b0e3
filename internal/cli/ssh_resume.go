package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"confab/history"
	"confab/internal/atomicfile"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service"
	"confab/ui/keys"
)

// closeServedScreen closes the service of a screen and returns the text that is printed after it: why it ended and
// how to come back.
func (a *app) closeServedScreen(
	ctx context.Context, svc *service.Service, gd *guard, reason sshserver.ExitReason,
) string {
	ctx = context.WithoutCancel(ctx)
	var session history.Session
	if m, ok := gd.model.(interface{ Session() history.Session }); ok {
		session = m.Session()
	}
	if !svc.Saving() {
		session = history.Session{} // the ids of a history in memory mean something else in the next login
	}
	if reason != sshserver.ExitByUser && session.ID != 0 {
		a.served.saveInterrupted(interruptedScreen{Session: session.ID, Reason: reason})
	}
	a.closeService(ctx, svc)
	svc.LeaveDraft()
	a.served.quota.close()
	if gd.fault.happened() {
		a.served.handler.app.report(gd.fault)
		return "confab: an unexpected fault ended this screen; what you wrote is kept. Log in again to go on."
	}
	sentence := map[sshserver.ExitReason]string{
		sshserver.ExitServerStopped: "The server is being stopped; what was still being answered is interrupted " +
			"and can be run again.",
		sshserver.ExitIdle:      "Nothing was typed for long, so the screen was closed.",
		sshserver.ExitTimeLimit: "The login was as long as one may be.",
	}[reason]
	if reason == sshserver.ExitKeyRevoked {
		return "Your key is not authorised here any more, so the screen was closed. What you wrote is kept."
	}
	if session.ID == 0 {
		return joinLines(sentence)
	}
	if sentence != "" {
		return joinLines(sentence, "Log in again to go on with session "+termtext.Line(session.Name)+".")
	}
	found := a.servedKeys().Phrase(keys.Everywhere, keys.Sessions, "; %s finds it after the next login")
	return "Session " + termtext.Line(session.Name) + " is kept" + found + "."
}

// interruptedScreen describes a screen that did not end because its user left.
type interruptedScreen struct {
	Session int64                `json:"session"`
	Reason  sshserver.ExitReason `json:"why"`
}

// explain says why the screen opens with this session.
func (s interruptedScreen) explain() string {
	switch s.Reason {
	case sshserver.ExitServerStopped:
		return "The server was restarted while you were here: this is the session you were in. r runs an " +
			"interrupted answer again."
	case sshserver.ExitConnectionLost:
		return "The line was lost last time: this is the session you were in. r runs an interrupted answer again."
	}
	return "This is the session you were in when the screen was closed."
}

const interruptedFile = "left.json"

// saveInterrupted records the screen, for the next login.
func (g *servedUser) saveInterrupted(s interruptedScreen) {
	b, err := json.Marshal(s)
	if err == nil {
		err = atomicfile.Write(filepath.Join(g.user.folder, interruptedFile), b, 0o600)
	}
	if err != nil {
		g.handler.app.log.Warn("Could not store the session of a screen that was interrupted", "error", err)
	}
}

// takeInterrupted returns the recorded screen and removes the record. It returns nil when there is none.
func (g *servedUser) takeInterrupted() *interruptedScreen {
	path := filepath.Join(g.user.folder, interruptedFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var s interruptedScreen
	if json.Unmarshal(b, &s) != nil || s.Session == 0 {
		return nil
	}
	return &s
}

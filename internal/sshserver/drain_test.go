package sshserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

func TestADrainingServerEndsWithItsLastSession(t *testing.T) {
	testWithFakeClock(t, sshserver.DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		state := func(path string) int {
			w := httptest.NewRecorder()
			s.HealthHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			return w.Code
		}
		first, second := open(t, s.client("anna", anna), 80, 24), open(t, s.client("anna", anna), 80, 24)
		first.sees("hello anna")
		second.sees("hello anna")
		if state("/readyz") != http.StatusOK {
			t.Error("it is not ready")
		}
		s.Drain()
		s.Drain() // a second signal changes nothing
		if state("/readyz") != http.StatusServiceUnavailable || state("/healthz") != http.StatusOK {
			t.Errorf("ready %d, well %d", state("/readyz"), state("/healthz"))
		}
		late := open(t, s.client("anna", anna), 80, 24)
		if err := <-late.over; status(err) != 1 ||
			!strings.Contains(late.said.String(), "this host takes no new logins, because it is about to be stopped") {
			t.Errorf("ended with %v: %s", err, late.said)
		}
		first.types("\x11")
		if err := <-first.over; status(err) != 0 {
			t.Error(err)
		}
		second.types("still here")
		second.sees("still here")
		second.types("\x11")
		if err := <-second.over; status(err) != 0 {
			t.Error(err)
		}
		synctest.Wait()
		if state("/healthz") != http.StatusServiceUnavailable || !strings.Contains(s.log.String(), "The last session") {
			t.Errorf("it goes on: %s", s.log)
		}
	})
}

func TestADrainingServerWithoutSessionsEndsAtOnce(t *testing.T) {
	testWithFakeClock(t, sshserver.DefaultLimits(), func(t *testing.T, s *serverFixture, _ gossh.Signer, _ *string) {
		s.Drain()
		synctest.Wait()
		if !strings.Contains(s.log.String(), "The last session has ended") {
			t.Errorf("it goes on: %s", s.log)
		}
	})
}

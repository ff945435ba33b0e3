package cli_test

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"confab/internal/cli/clitest"
)

// TestOwnCertificates reaches a service and an engine whose certificate is of an own issuer.
func TestOwnCertificates(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"data":[]}`)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	w := clitest.NewWorld(t)
	ca := filepath.Join(w.Home, "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		0o600); err != nil {
		t.Fatal(err)
	}
	engine := "[engines.local]\nurl = \"" + s.URL + "\"\n"
	const route = "[[routes]]\nmodels = [\"*\"]\nengine = \"local\"\n"
	w.Configure(engine + route)
	const unknown = "its certificate was issued by someone this machine does not know"
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "delta", "p").Err, "cannot be reached", unknown)
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "local is down", unknown)
	w.Configure(engine + "ca_file = \"" + ca + "\"\n" + route)
	clitest.WantTexts(t, w.Must(0, "ask", "-m", "delta", "p").Out, "Hello")
	clitest.WantTexts(t, w.Must(0, "doctor", "--online").Out, "local is up")
	w.Configure(engine + "ca_file = \"" + filepath.Join(w.Home, "none.pem") + "\"\n" + route)
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "delta", "p").Err, "the ca_file cannot be read")

	service := "[service]\nbase_url = \"" + s.URL + "\"\n"
	w.Configure(service)
	clitest.WantTexts(t, w.Must(1, "doctor", "--online").Out, unknown)
	w.Configure(service + "ca_file = \"" + ca + "\"\n")
	clitest.WantTexts(t, w.Must(1, "doctor", "--online").Out, "answered in") // there is no key
}

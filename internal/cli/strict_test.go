package cli_test

import (
	"testing"

	"confab/internal/cli/clitest"
	"confab/internal/testserver"
)

// TestAServiceOfTheContractSeesNothingElse asks a strict service for texts, a picture and an edit, with everything that
// the commands have for services that offer more.
func TestAServiceOfTheContractSeesNothingElse(t *testing.T) {
	s := testserver.New(t)
	w := clitest.NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001")
	for _, args := range [][]string{
		{"-m", "delta", "--system", "Be short.", "--param", "temperature=0.2", "one"},
		{"-m", "delta,zeta,paraphrase", "--continue", "--context", "two"},
		{"-m", "sim-image,diffusion-xl", "--aspect", "16:9", "--nonce", "n1", "a lighthouse"},
		{"-m", "imageedit,imageedit-lite", "--image", "https://example.com/a.png", "make it grey"},
	} {
		w.Must(0, append([]string{"ask"}, args...)...)
	}
	w.Must(0, "doctor")
	if seen := s.Seen(); len(seen) != 1+3+2+2 {
		t.Errorf("the service saw %d requests", len(seen))
	}
}

package cli_test

import (
	"testing"

	"confab/internal/cli/clitest"
)

func TestPersonasOnTheCommandLine(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure(paramsConfig(s) + `[[routes]]
models = ["oss-120b"]
engine = "local"
model = "qwen3:8b"
`)
	w.Must(0, "personas", "add", "Editor", "Be strict.", "--param", "temperature=0.2", "--param", "top_k=5")
	clitest.WantTexts(t, w.Must(2, "personas", "add", "editor", "x").Err, "there is a persona")
	clitest.WantTexts(t, w.Must(2, "personas", "add", "other", "x", "--param", "topk=5").Err, "did you mean top_k?")
	w.Must(0, "personas", "add", "Pair", "Be brief.", "-m", "oss-20b,oss-120b")
	clitest.WantTexts(t, w.Must(2, "personas", "add", "other", "x", "-m", "oss-2b").Err, "no model is called")
	clitest.WantTexts(t, w.Must(0, "personas").Out, "oss-20b, oss-120b")
	clitest.WantTexts(t, w.Must(0, "personas").Out, "Editor", "Be strict.", "temperature 0.2, top_k 5")
	clitest.WantTexts(t, w.Must(0, "__complete", "ask", "--persona", "").Out, "Editor\tBe strict.")

	r := w.Must(0, "ask", "-m", "oss-20b", "--persona", "editor", "--param", "top_k=9", "hello")
	if f := s.Last().Fields; r.Out != "qwen3:8b|hello|Be strict.\n" || f["temperature"] != 0.2 || f["top_k"] != 9.0 {
		t.Errorf("got %q after %v", r.Out, f)
	}
	clitest.WantTexts(t, w.Must(2, "ask", "--persona", "Edito", "x").Err,
		`there is no persona "Edito"; did you mean Editor?`)
	clitest.WantTexts(t, w.Must(2, "ask", "--persona", "editor", "--system", "y", "x").Err, "exclude each other")
	w.Must(0, "personas", "remove", "EDITOR")
	clitest.WantTexts(t, w.Must(0, "ask", "--persona", "pair", "hello").Out, "qwen3:8b|hello|Be brief.",
		"==> oss-120b <==")
	w.Must(0, "personas", "add", "Local", "x", "-m", "ok")
	w.Configure("")
	clitest.WantTexts(t, w.Must(2, "ask", "--persona", "local", "hello").Err, "(of the persona Local)")
	w.Configure(paramsConfig(s))
	if out := w.Must(0, "ask", "--persona", "pair", "-m", "oss-20b", "x").Out; out != "qwen3:8b|x|Be brief.\n" {
		t.Errorf("got %q", out)
	}
	clitest.WantTexts(t, w.Must(2, "ask", "--persona", "editor", "x").Err, "confab personas lists them")
}

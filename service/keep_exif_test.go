package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/pictures"
)

// exif is the data that exiftool reads from a file.
type exif struct {
	FileType    string
	Parameters  string
	Validate    string
	ImageWidth  int
	ImageHeight int
}

func readExif(t *testing.T, path string) exif {
	t.Helper()
	out, err := exec.Command("exiftool", "-json", "-validate", "-FileType", "-Parameters", "-ImageWidth",
		"-ImageHeight", path).Output()
	must(t, err)
	var all []exif
	if err := json.Unmarshal(out, &all); err != nil || len(all) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	return all[0]
}

// Other tools read a picture's prompt and find no errors; the received picture contains none of it.
func TestOtherToolsReadThePicture(t *testing.T) {
	if _, err := exec.LookPath("exiftool"); err != nil {
		t.Skip("exiftool is not installed")
	}
	w := newWorld(t)
	for _, prompt := range []string{
		"A fox, \"quoted\": under a lamp", "two\nlines & <tags>", "Größe ½ café", "灯塔 и маяк 🦊", strings.Repeat(
			"long words ",
			9000), "tab\tand \x7f",
	} {
		a := w.send(t,
			service.Prompt{Text: prompt, Models: []string{"sim-image"}, Aspect: "2:1",
				Nonce: history.Nonce{Mode: history.NonceFixed, Value: "n1"}}).Answers[0]
		got := readExif(t, a.Picture.Path)
		if got.Validate != "OK" || got.FileType != "PNG" || got.ImageWidth != 8 || got.ImageHeight != 4 {
			t.Errorf("%.20q: %+v", prompt, got)
		}
		if len(prompt) < 1000 &&
			(!strings.HasPrefix(got.Parameters, prompt+"\n") ||
				!strings.Contains(got.Parameters, "\nModel: sim-image, Size: 8x4, Aspect ratio: 2:1, Nonce: n1")) {
			t.Errorf("%q: the text is %q", prompt, got.Parameters)
		}
		paths, err := w.Exporter().Write(t.Context(), export.Request{Answer: a.ID, As: export.FormatPicture})
		must(t, err)
		if got := readExif(t, paths[0]); got.Validate != "OK" || got.Parameters != "" {
			t.Errorf("%.20q: the clean copy is %+v", prompt, got)
		}
		if b, err := os.ReadFile(paths[0]); err != nil || pictures.SHA256(b) != a.Picture.SHA256 {
			t.Errorf("%.20q: the clean copy is not what was received (%v)", prompt, err)
		}
	}
}

// A JPEG is stored unchanged, with its provenance only beside it.
func TestJPEGIsKeptAsItCame(t *testing.T) {
	var received bytes.Buffer
	must(t, jpeg.Encode(&received, image.NewGray(image.Rect(0, 0, 16, 8)), nil))
	w := newWorld(t)
	w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
		b := received.Bytes()
		return api.Response{Image: b, ContentType: "image/jpeg", Width: 16, Height: 8, SHA256: pictures.SHA256(b),
				Status: 200},
			api.Exchange{}, nil
	}
	a := w.send(t, service.Prompt{Text: "a fox", Models: []string{"sim-image"}}).Answers[0]
	b, err := os.ReadFile(a.Picture.Path)
	if err != nil || !bytes.Equal(b, received.Bytes()) || filepath.Ext(a.Picture.Path) != ".jpg" {
		t.Errorf("%s is not what came (%v)", a.Picture.Path, err)
	}
	raw, err := os.ReadFile(strings.TrimSuffix(a.Picture.Path, ".jpg") + ".json")
	must(t, err)
	var f struct {
		Prompt         string `json:"prompt"`
		About          string `json:"about"`
		TextAdded      bool   `json:"parameters_added"`
		SHA256Received string `json:"sha256_received"`
		SHA256File     string `json:"sha256_file"`
	}
	if err := json.Unmarshal(raw, &f); err != nil || f.Prompt != "a fox" || f.TextAdded || f.About != "" ||
		f.SHA256File != f.SHA256Received || f.SHA256Received != pictures.SHA256(b) {
		t.Errorf("the facts are %+v", f)
	}
	if _, err := exec.LookPath("exiftool"); err == nil {
		if got := readExif(t, a.Picture.Path); got.Validate != "OK" || got.FileType != "JPEG" {
			t.Errorf("read as %+v", got)
		}
	}
}

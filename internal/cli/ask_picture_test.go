package cli_test

import (
	"bytes"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

func TestAskPictures(t *testing.T) {
	picture := clitest.SamplePicture(t)
	s := clitest.NewRemote(t, clitest.AnsweringPicture(picture))
	w := clitest.RemoteWorld(t, s)
	r := w.Must(0, "ask", "-m", "sim-image", "--aspect", "4:3", "--nonce", "n1", "a lighthouse")
	if r.Out != string(picture) {
		t.Errorf("standard output is not the picture as it came: %d bytes, want %d", len(r.Out), len(picture))
	}
	if b := s.Last(t); b["aspect_ratio"] != "4:3" || b["nonce"] != "n1" {
		t.Errorf("sent %v", b)
	}
	kept := strings.TrimSpace(r.Err)
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("stderr should name the file that was kept: %q", r.Err)
	}
	w.Must(0, "ask", "-q", "-m", "sim-image", "--nonce", "new", "a lighthouse")
	if b := s.Last(t); len(b["nonce"]) < 8 {
		t.Errorf("sent %v", b)
	}

	out := t.TempDir()
	file := filepath.Join(out, "light.png")
	if got := w.Must(0, "ask", "-m", "sim-image", "-o", file, "a lighthouse").Out; got != file+"\n" {
		t.Errorf("printed %q", got)
	}
	if b, err := os.ReadFile(file); err != nil || !bytes.Equal(b, picture) {
		t.Errorf("the file has %d bytes, %v", len(b), err)
	}
	two := strings.Fields(w.Must(0, "ask", "-q", "-m", "all-image", "a tree").Out)
	if len(two) != 2 || !strings.Contains(two[0], "/pictures/") {
		t.Fatalf("printed %q, want two paths", two)
	}
	for _, path := range two {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	shown := w.OnTerminal(100, "", "ask", "-m", "sim-image", "a boat")
	clitest.WantTexts(t, shown.Out, ".png")
	clitest.WantNoTexts(t, shown.Out, "IHDR")
}

func TestAskEdits(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source.png")
	clitest.WriteFile(t, source, clitest.SamplePicture(t), 0o600)
	w := clitest.NewWorld(t)
	j := clitest.Objects(t,
		w.Must(0, "ask", "-m", "imageedit", "--image", source, "--json", "-o", dir+"/edited/", "make it grey").Out)[0]
	if j["kind"] != "edit" || j["state"] != "done" || !strings.HasPrefix(j["file"].(string), dir+"/edited/") ||
		j["width"] != 12.0 {
		t.Errorf("got %v", j)
	}
	img, err := png.Decode(strings.NewReader(w.Must(0, "ask", "--image", source, "make it grey").Out))
	if err != nil {
		t.Fatal("without a named model:", err)
	}
	if r, g, b, _ := img.At(3, 3).RGBA(); r != g || g != b {
		t.Errorf("the color is %d %d %d", r, g, b)
	}
	public := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer public.Close()
	w.Must(0, "ask", "-m", "imageedit", "--image", public.URL+"/source.png", "make it grey")
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "imageedit", "--image", source+".no", "x").Err, "source.png.no")
	w.Must(0, "ask", "-m", "imageedit", "--image", "file://"+source, "make it grey")
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "imageedit", "--image", "data:image/png;base64,AAAA", "x").Err,
		"save the picture to a file")
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "imageedit", "--image", source, "frobnicate").Err, "(bad_request)")
}

func TestAskPublishesOnlyWhenTold(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source.png")
	clitest.WriteFile(t, source, clitest.SamplePicture(t), 0o600)
	upload := filepath.Join(dir, "upload")
	clitest.WriteFile(t, upload,
		"#!/bin/sh\nenv >"+dir+"/env\necho https://pictures.example/$(basename \"$2\")\n", 0o700)
	s := clitest.NewRemote(t, clitest.AnsweringPicture(clitest.SamplePicture(t)))
	w := clitest.RemoteWorld(t, s)
	ask := []string{"ask", "-m", "imageedit", "--image", source, "-o", dir + "/out/", "make it grey"}
	clitest.WantTexts(t, w.Must(2, ask...).Err, "upload_command or keep pictures in a bucket")
	w.Environ = append(w.Environ, `CONFAB_SERVICE_UPLOAD_COMMAND=["`+upload+`", "-x", "{}"]`)
	clitest.WantTexts(t, w.Must(2, ask...).Err, "source.png will be uploaded", "--yes")
	if r := w.OnTerminal(200, "n\n", ask...); r.Code != 2 || !strings.Contains(r.Out, "nothing was sent") {
		t.Errorf("ended with %d: %s", r.Code, r.Out)
	}
	if _, err := os.Stat(dir + "/env"); err == nil || len(s.Bodies) > 0 {
		t.Error("it was published before it was allowed")
	}
	w.Must(0, append(ask, "--yes")...)
	if got := s.Last(t)["imageUrl"]; !regexp.MustCompile(`^https://pictures\.example/[a-z2-7]{26}\.png$`).MatchString(
		got,
	) {
		t.Errorf("sent %q", got)
	}
	w.Environ = append(w.Environ, "CONFAB_SERVICE_WITHDRAW_COMMAND=true")
	clitest.WantTexts(t, w.Must(0, append(ask, "--yes")...).Err, "right after the request")
	if b, err := os.ReadFile(dir + "/env"); err != nil || bytes.Contains(b, []byte("key-for-tests")) {
		t.Errorf("the command's environment: %s, %v", b, err)
	}
}

// What is wrong with a source picture at a URL keeps its code all the way from
// the fetch of the service to the person.
func TestSourceURLKeepsItsErrorCode(t *testing.T) {
	giant := clitest.SamplePicture(t) // the same picture with a header that claims 20,000 by 20,000 pixels of one bit
	copy(giant[16:26], []byte{0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20, 1, 0})
	sum := crc32.ChecksumIEEE(giant[12:29])
	copy(giant[29:33], []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	public := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/giant.png":
			_, _ = w.Write(giant)
		case "/text.png":
			_, _ = io.WriteString(w, "no picture")
		case "/endless.png":
			w.Header().Set("Content-Length", "1000000000")
			_, _ = w.Write(giant)
		default:
			http.NotFound(w, r)
		}
	}))
	defer public.Close()
	w := clitest.NewWorld(t)
	for path, want := range map[string]string{"/giant.png": "too_large", "/endless.png": "too_large",
		"/text.png": "bad_image", "/none.png": "image_unreachable"} {
		j := clitest.Objects(t,
			w.Must(1, "ask", "-m", "imageedit", "--image", public.URL+path, "--json", "make it grey").Out)[0]
		if e, _ := j["error"].(map[string]any); e["code"] != want {
			t.Errorf("%s: got %v, want %s", path, e, want)
		}
	}
}

// What is exported to standard output names pictures as a file in the working directory would.
func TestExportToStdoutNamesPictures(t *testing.T) {
	picture := clitest.SamplePicture(t)
	s := clitest.NewRemote(t, clitest.AnsweringPicture(picture))
	w := clitest.RemoteWorld(t, s)
	w.Must(0, "ask", "-q", "-m", "sim-image", "a lighthouse")
	page := w.Must(0, "history", "export", "t1", "-o", "-").Out
	link := regexp.MustCompile(`\]\((.+\.png)\)`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no picture in %q", page)
	}
	if got, err := os.ReadFile(link[1]); err != nil || len(got) < len(picture) {
		t.Errorf("%s cannot be read from here: %v", link[1], err)
	}
	if got := w.Must(0, "history", "export", "a1", "--as", "picture", "-o", "-").Out; got != string(picture) {
		t.Errorf("the picture has %d bytes, want %d", len(got), len(picture))
	}
	r := w.OnTerminal(80, "", "history", "export", "a1", "--as", "picture", "-o", "-")
	if r.Code != cli.ExitUsage || !strings.Contains(r.Out, "a picture does not go to a terminal") {
		t.Errorf("on a terminal it ended with %d and printed %q", r.Code, r.Out)
	}
}

// A JPEG is not written under the name of a PNG, by ask and by export.
func TestPicturesGetTheNameOfWhatTheyAre(t *testing.T) {
	var photo bytes.Buffer
	must(t, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 16, 8)), nil))
	s := clitest.NewRemote(t, clitest.AnsweringPicture(photo.Bytes()))
	w := clitest.RemoteWorld(t, s)
	out := t.TempDir()
	r := w.Must(0, "ask", "-m", "sim-image", "-o", filepath.Join(out, "light.png"), "a lighthouse")
	if want := filepath.Join(out, "light.jpg"); r.Out != want+"\n" {
		t.Errorf("printed %q, want %s", r.Out, want)
	}
	clitest.WantTexts(t, r.Err, "the picture is a JPEG", "written as light.jpg")
	r = w.Must(0, "history", "export", "a1", "-o", filepath.Join(out, "again.png"))
	if want := filepath.Join(out, "again.jpg"); r.Out != want+"\n" {
		t.Errorf("printed %q, want %s", r.Out, want)
	}
	clitest.WantTexts(t, r.Err, "written as again.jpg")
	r = w.Must(0, "ask", "-m", "sim-image", "-o", filepath.Join(out, "right.jpeg"), "a lighthouse")
	if r.Out != filepath.Join(out, "right.jpeg")+"\n" || strings.Contains(r.Err, "written as") {
		t.Errorf("printed %q and %q", r.Out, r.Err)
	}
}

// A file that was written by ask is known as the picture of its answer, and pictures of other formats are converted.
func TestSourcesOfEdits(t *testing.T) {
	w := clitest.NewWorld(t)
	dir := t.TempDir()
	light := filepath.Join(dir, "light.png")
	w.Must(0, "ask", "-m", "sim-image", "-o", light, "a lighthouse")
	edit := func(path string) map[string]any {
		t.Helper()
		r := w.Must(0, "ask", "-m", "imageedit", "--image", path, "--json", "make it grey")
		file := clitest.Objects(t, r.Out)[0]
		facts := clitest.ReadFile(t, strings.TrimSuffix(file["file"].(string), ".png")+".json")
		return clitest.Objects(t, strings.ReplaceAll(facts, "\n", ""))[0]
	}
	if facts := edit(light); facts["parent_answer"] != 1.0 {
		t.Errorf("the edit of a written file has the facts %v", facts)
	}
	var animated bytes.Buffer
	must(t, gif.Encode(&animated, image.NewPaletted(image.Rect(0, 0, 30, 20), palette.Plan9), nil))
	moving, heic := filepath.Join(dir, "moving.gif"), filepath.Join(dir, "photo.heic")
	clitest.WriteFile(t, moving, animated.Bytes(), 0o600)
	clitest.WriteFile(t, heic, "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", 0o600)
	if facts := edit(moving); facts["width"] != 30.0 || facts["height"] != 20.0 || facts["parent_answer"] != nil {
		t.Errorf("the edit of a GIF has the facts %v", facts)
	}
	clitest.WantTexts(t, w.Must(1, "ask", "-m", "imageedit", "--image", heic, "make it grey").Err,
		"a HEIC picture", "magick photo.heic picture.png")
}

// TestAskNamesModelsThatGetNoPicture marks a model that makes pictures beside one that edits them.
func TestAskNamesModelsThatGetNoPicture(t *testing.T) {
	w := clitest.NewWorld(t)
	file := filepath.Join(w.Home, "fox.png")
	if err := os.WriteFile(file, clitest.SamplePicture(t), 0o600); err != nil {
		t.Fatal(err)
	}
	r := w.Must(0, "ask", "-m", "sim-image,imageedit", "--image", file, "mirror it")
	clitest.WantTexts(t, r.Err, "--image is not sent to sim-image, which draws from the words alone")
}

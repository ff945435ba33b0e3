package cli

import (
	"bytes"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"confab/internal/cli/console"
)

// samplePicture returns a small picture.
func samplePicture(t *testing.T) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 12, 9))
	img.Set(3, 3, color.RGBA{200, 30, 30, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAskPictures(t *testing.T) {
	picture := samplePicture(t)
	s := newRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture)
	})
	w := remoteWorld(t, s)
	r := w.must(0, "ask", "-m", "sim-image", "--aspect", "4:3", "--nonce", "n1", "a lighthouse")
	if r.out != string(picture) {
		t.Errorf("standard output is not the picture as it came: %d bytes, want %d", len(r.out), len(picture))
	}
	if b := s.last(t); b["aspect_ratio"] != "4:3" || b["nonce"] != "n1" {
		t.Errorf("sent %v", b)
	}
	kept := strings.TrimSpace(r.err)
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("stderr should name the file that was kept: %q", r.err)
	}
	w.must(0, "ask", "-q", "-m", "sim-image", "--nonce", "new", "a lighthouse")
	if b := s.last(t); len(b["nonce"]) < 8 {
		t.Errorf("sent %v", b)
	}

	out := t.TempDir()
	file := filepath.Join(out, "light.png")
	if got := w.must(0, "ask", "-m", "sim-image", "-o", file, "a lighthouse").out; got != file+"\n" {
		t.Errorf("printed %q", got)
	}
	if b, err := os.ReadFile(file); err != nil || !bytes.Equal(b, picture) {
		t.Errorf("the file has %d bytes, %v", len(b), err)
	}
	two := strings.Fields(w.must(0, "ask", "-q", "-m", "all-image", "a tree").out)
	if len(two) != 2 || !strings.Contains(two[0], "/pictures/") {
		t.Fatalf("printed %q, want two paths", two)
	}
	for _, path := range two {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	shown := w.onTerminal(100, "", "ask", "-m", "sim-image", "a boat")
	wantTexts(t, shown.out, ".png")
	wantNoTexts(t, shown.out, "IHDR")
}

func TestAskEdits(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source.png")
	if err := os.WriteFile(source, samplePicture(t), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	j := objects(t,
		w.must(0, "ask", "-m", "imageedit", "--image", source, "--json", "-o", dir+"/edited/", "make it grey").out)[0]
	if j["kind"] != "edit" || j["state"] != "done" || !strings.HasPrefix(j["file"].(string), dir+"/edited/") ||
		j["width"] != 12.0 {
		t.Errorf("got %v", j)
	}
	img, err := png.Decode(strings.NewReader(w.must(0, "ask", "--image", source, "make it grey").out))
	if err != nil {
		t.Fatal("without a named model:", err)
	}
	if r, g, b, _ := img.At(3, 3).RGBA(); r != g || g != b {
		t.Errorf("the color is %d %d %d", r, g, b)
	}
	public := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer public.Close()
	w.must(0, "ask", "-m", "imageedit", "--image", public.URL+"/source.png", "make it grey")
	wantTexts(t, w.must(2, "ask", "-m", "imageedit", "--image", source+".no", "x").err, "source.png.no")
	w.must(0, "ask", "-m", "imageedit", "--image", "file://"+source, "make it grey")
	wantTexts(t, w.must(2, "ask", "-m", "imageedit", "--image", "data:image/png;base64,AAAA", "x").err,
		"save the picture to a file")
	wantTexts(t, w.must(1, "ask", "-m", "imageedit", "--image", source, "frobnicate").err, "(bad_request)")
}

func TestAskPublishesOnlyWhenTold(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source.png")
	if err := os.WriteFile(source, samplePicture(t), 0o600); err != nil {
		t.Fatal(err)
	}
	upload := filepath.Join(dir, "upload")
	if err := os.WriteFile(upload,
		[]byte("#!/bin/sh\nenv >"+dir+"/env\necho https://pictures.example/$(basename \"$2\")\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := newRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		_,
			_ = w.Write(samplePicture(t))
	})
	w := remoteWorld(t, s)
	ask := []string{"ask", "-m", "imageedit", "--image", source, "-o", dir + "/out/", "make it grey"}
	wantTexts(t, w.must(2, ask...).err, "upload_command or public_url")
	w.environ = append(w.environ, `CONFAB_SERVICE_UPLOAD_COMMAND=["`+upload+`", "-x", "{}"]`)
	wantTexts(t, w.must(2, ask...).err, "source.png will be uploaded", "--yes")
	if r := w.onTerminal(200, "n\n", ask...); r.code != 2 || !strings.Contains(r.out, "nothing was sent") {
		t.Errorf("ended with %d: %s", r.code, r.out)
	}
	if _, err := os.Stat(dir + "/env"); err == nil || len(s.bodies) > 0 {
		t.Error("it was published before it was allowed")
	}
	w.must(0, append(ask, "--yes")...)
	if got := s.last(t)["imageUrl"]; !regexp.MustCompile(`^https://pictures\.example/[a-z2-7]{26}\.png$`).MatchString(
		got,
	) {
		t.Errorf("sent %q", got)
	}
	if b, err := os.ReadFile(dir + "/env"); err != nil || bytes.Contains(b, []byte("key-for-tests")) {
		t.Errorf("the command's environment: %s, %v", b, err)
	}
}

// What is wrong with a source picture at a URL keeps its code all the way from
// the fetch of the service to the person.
func TestSourceURLKeepsItsErrorCode(t *testing.T) {
	giant := samplePicture(t) // the same picture with a header that claims 20,000 by 20,000 pixels of one bit
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
	w := newWorld(t)
	for path, want := range map[string]string{"/giant.png": "too_large", "/endless.png": "too_large",
		"/text.png": "bad_image", "/none.png": "image_unreachable"} {
		j := objects(t,
			w.must(1, "ask", "-m", "imageedit", "--image", public.URL+path, "--json", "make it grey").out)[0]
		if e, _ := j["error"].(map[string]any); e["code"] != want {
			t.Errorf("%s: got %v, want %s", path, e, want)
		}
	}
}

// What is exported to standard output names pictures as a file in the working directory would.
func TestExportToStdoutNamesPictures(t *testing.T) {
	picture := samplePicture(t)
	s := newRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) { _, _ = w.Write(picture) })
	w := remoteWorld(t, s)
	w.must(0, "ask", "-q", "-m", "sim-image", "a lighthouse")
	page := w.must(0, "history", "export", "t1", "-o", "-").out
	link := regexp.MustCompile(`\]\((.+\.png)\)`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no picture in %q", page)
	}
	if got, err := os.ReadFile(link[1]); err != nil || len(got) < len(picture) {
		t.Errorf("%s cannot be read from here: %v", link[1], err)
	}
	if got := w.must(0, "history", "export", "a1", "--as", "picture", "-o", "-").out; got != string(picture) {
		t.Errorf("the picture has %d bytes, want %d", len(got), len(picture))
	}
	r := w.onTerminal(80, "", "history", "export", "a1", "--as", "picture", "-o", "-")
	if r.code != console.ExitUsage || !strings.Contains(r.out, "a picture does not go to a terminal") {
		t.Errorf("on a terminal it ended with %d and printed %q", r.code, r.out)
	}
}

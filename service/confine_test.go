package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/export"
	"confab/service/localfile"
)

func TestAConfinedServiceUsesNoPathOutside(t *testing.T) {
	secretDir := t.TempDir()
	secret := filepath.Join(secretDir, "secret.png")
	must(t, os.WriteFile(secret, samplePNG("secret"), 0o600))
	suite := filepath.Join(secretDir, "secret.yaml")
	must(t, os.WriteFile(suite, []byte("prompts: [hello]\nproviders: [llm:alpha3.1-8b]\n"), 0o600))
	root := t.TempDir()
	if err := os.Symlink(secretDir, filepath.Join(root, "out")); err != nil {
		t.Skip("no links here:", err)
	}
	must(t, os.Symlink(secret, filepath.Join(root, "link.png")))
	// A folder with the root's name as a prefix.
	must(t, os.CopyFS(root+"x", os.DirFS(secretDir)))
	w := newWorld(t, func(o *service.Options) {
		o.Limits.Root = root
		o.Pictures.Folder = filepath.Join(root, "pictures")
	})
	turn := w.send(t, service.Prompt{Text: "hi", Models: []string{"alpha3.1-8b"}, Samples: 1})
	for _, path := range []string{
		secret, filepath.Join(root, "link.png"), "out/secret.png", root + "x/secret.png",
	} {
		if b, err := w.Files().Read(t.Context(), path); err == nil {
			t.Errorf("ReadPicture(%q) gave %d bytes", path, len(b))
		} else if strings.Contains(err.Error(), secretDir) {
			t.Errorf("ReadPicture(%q) says where it is: %v", path, err)
		}
		if _, _, err := w.Send(t.Context(),
			service.Prompt{Text: "grey", Models: []string{"imageedit"}, Samples: 1,
				Source: &history.Source{Path: path}}); api.CodeOf(err) != api.CodeUsage {
			t.Errorf("a source at %q: %v", path, err)
		}
	}
	for _, dir := range []string{secretDir, "out"} {
		if f, err := w.Paths().List(t.Context(), dir, localfile.PictureFiles); err == nil {
			t.Errorf("ListFolder(%q) gave %v", dir, f)
		}
	}
	for _, path := range []string{suite, "out/secret.yaml"} {
		if _, err := w.OpenSuite(t.Context(), path); err == nil {
			t.Errorf("OpenSuite(%q) opened it", path)
		}
	}
	for _, path := range []string{filepath.Join(secretDir, "new.md"), "out/new.md", "../new.md", secretDir + "/"} {
		if paths, err := w.Exporter().Write(t.Context(), export.Request{Turn: turn.ID, Path: path}); err == nil {
			t.Errorf("Write to %q wrote %v", path, paths)
		}
	}

	// Paths inside keep working in every form.
	own := filepath.Join(root, "own.png")
	must(t, os.WriteFile(own, samplePNG("own"), 0o600))
	for _, path := range []string{own, "own.png", filepath.Join(root, "x", "..", "own.png")} {
		if _, err := w.Files().Read(t.Context(), path); err != nil {
			t.Errorf("ReadPicture(%q): %v", path, err)
		}
	}
	for _, dir := range []string{"", "~", ".", root} {
		f, err := w.Paths().List(t.Context(), dir, localfile.PictureFiles)
		if err != nil || f.Path != root || len(f.Entries) < 1 {
			t.Errorf("ListFolder(%q): %v, %v", dir, f, err)
		}
	}
	paths, err := w.Exporter().Write(t.Context(), export.Request{Turn: turn.ID})
	if err != nil || !strings.HasPrefix(paths[0], filepath.Join(root, "exports")) {
		t.Errorf("Write: %v, %v", paths, err)
	}
	if paths, err = w.Exporter().Write(t.Context(), export.Request{Turn: turn.ID, Path: "notes/new.md"}); err != nil ||
		paths[0] != filepath.Join(root, "notes", "new.md") {
		t.Errorf("Write: %v, %v", paths, err)
	}
}
